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
  typedef bool (*lazy_handler) (sg_op op, const octave_value_list& args, int nargout,
                                octave_value_list& result);

  // Lazy forms, lazy.cc.
  bool lazy_reduce (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_extremum (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_scan (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_pair (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_hcat (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_vcat (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_cat_dim (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_repmat (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_cast (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);
  bool lazy_class_of (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);

  // No lazy form.
  const lazy_handler lazy_none = nullptr;
  // Not lazy either, methods.cc.
  bool lazy_cellfun (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result);

  // Give every built-in function its method for the class "symarray".
  void install_methods (octave::interpreter& interp);

  // Names of the functions with a lazy form, and of those that Octave does on gathered values.
  void list_methods (std::vector<std::string>& lazy, std::vector<std::string>& delegated);
}

#endif
