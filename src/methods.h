// Functions of the language applied to arrays of the type.

#if ! defined (symgpu_methods_h)
#define symgpu_methods_h 1

#include <string>
#include <vector>

#include "compat.h"
#include "symgpu.h"

namespace symgpu
{
  // Makes nodes; false: these arguments are for Octave.
  typedef bool lazy_form (sg_op op, const octave_value_list& args, int nargout,
                          octave_value_list& result);

  // Lazy forms, lazy.cc.
  lazy_form lazy_reduce;
  lazy_form lazy_extremum;
  lazy_form lazy_scan;
  lazy_form lazy_pair;
  lazy_form lazy_hcat;
  lazy_form lazy_vcat;
  lazy_form lazy_cat_dim;
  lazy_form lazy_repmat;
  lazy_form lazy_one;
  lazy_form lazy_merge;
  lazy_form lazy_bsxfun;
  lazy_form lazy_class_of;
  // And compose.cc.
  lazy_form lazy_dot;
  lazy_form lazy_kron;
  lazy_form lazy_diag;
  lazy_form lazy_trilu;
  lazy_form lazy_sort;
  lazy_form lazy_nth_element;
  lazy_form lazy_lookup;
  lazy_form lazy_diff;
  lazy_form lazy_nnz;
  lazy_form lazy_norm;
  // And mfiles.cc.
  lazy_form lazy_circshift;
  lazy_form lazy_flip;
  lazy_form lazy_fliplr;
  lazy_form lazy_flipud;
  lazy_form lazy_mean;

  // No lazy form.
  lazy_form * const lazy_none = nullptr;
  // Not lazy either, methods.cc.
  lazy_form lazy_cellfun;

  // Give every built-in function its method for the class "symarray".
  void install_methods (octave::interpreter& interp);

  // Give the function NAME the method that gathers its arguments, unless it has one.
  void install_delegate (octave::interpreter& interp, const std::string& name);

  // Names of the functions with a lazy form, and of those that Octave does on gathered values.
  void list_methods (std::vector<std::string>& lazy, std::vector<std::string>& delegated);
}

#endif
