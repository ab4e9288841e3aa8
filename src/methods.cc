// Functions of the language applied to arrays of the type.
//
// Octave looks for a method of the class of an argument before anything else.  Methods are
// commonly files in a folder @symarray; ours are objects put into the table of functions,
// which is ten times faster to call and needs no files.

#include "compat.h"

#include <set>

#include <octave/Cell.h>
#include <octave/fcn-info.h>
#include <octave/ov-builtin.h>
#include <octave/symtab.h>
#include <octave/utils.h>

#include "methods.h"
#include "symarray.h"
#include "watch.h"

namespace symgpu
{
  static const char *const s_class = "symarray";

  struct method_row
  {
    const char *name;
    const char *dispatch_class;
    lazy_form *handler;
    sg_op op;
  };

  static const method_row method_rows[] =
  {
#define LAZY(name, handler, op) { #name, s_class, lazy_##handler, SG_##op },
#define OTHER(name, cls, handler) { #name, #cls, lazy_##handler, SG_NOP },
#define SKIP(name)
#include "methods.def"
  };

  static const char *const skipped_names[] =
  {
#define LAZY(name, handler, op)
#define OTHER(name, cls, handler)
#define SKIP(name) #name,
#include "methods.def"
  };

  // ---- a method -----------------------------------------------------------------------------

  // One function for symarrays.  A user's own function of the same name goes before Octave's,
  // as it does for plain values.
  class symarray_method : public octave_builtin
  {
  public:

    symarray_method (const std::string& name, const std::string& doc,
                     const method_row *row, octave::fcn_info *info)
      : octave_builtin (static_cast<octave_builtin::fcn> (nullptr), name, doc),
        m_row (row), m_info (info)
    {
      push_dispatch_class (row ? row->dispatch_class : s_class);
      // "clear all" must not take it away.
      lock ();
    }

    // Without a frame of its own: Octave's function finds its caller where it expects him.
    octave_value_list
    call (octave::tree_evaluator& tw, int nargout, const octave_value_list& args) override
    {
      return execute (tw, nargout, args);
    }

    octave_value_list
    execute (octave::tree_evaluator& tw, int nargout, const octave_value_list& args) override;

    // A handle is bound to the file that there was when it was made, but for methods.  With an
    // m-file that is as good.
    bool is_legacy_method (const std::string& = "") const override
    { return ! m_row && m_info->find_built_in_function ().is_undefined (); }

  private:

    octave_value_list call_plain (octave::interpreter& interp, int nargout,
                                  const octave_value_list& args);

    const method_row *m_row;
    octave::fcn_info *m_info;
  };

  // A handle keeps the function that it finds first.  Octave's function must not bind the
  // caller's handle to what it finds for plain arguments.
  static octave_value_list
  gathered (const octave_value_list& args)
  {
    octave_value_list plain = unwrap (args);
    for (octave_idx_type i = 0; i < plain.length (); i++)
      if (plain(i).is_function_handle ())
        plain(i) = octave_value (plain(i).get_rep ().clone ());
    return plain;
  }

  // cellfun ("name", ...): a handle looks for a method at each element.
  bool
  lazy_cellfun (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    if (args.length () < 2 || ! args(0).is_string () || ! args(1).iscell ())
      return false;
    std::string name = args(0).string_value ();
    bool is_class = name == "isclass";
    // cellfun does these itself, with virtuals.
    static const std::set<std::string> own { "isempty", "islogical", "isnumeric", "isreal",
                                             "length", "ndims", "numel", "prodofsize", "size" };
    if (own.find (name) != own.end () || (! is_class && ! octave::valid_identifier (name)))
      return false;
    bool found = false;
    octave_value_list list (args);
    for (octave_idx_type k = 1; k < args.length () && args(k).iscell (); k++)
      {
        Cell c = args(k).cell_value ();
        bool here = false;
        for (octave_idx_type i = 0; i < c.numel (); i++)
          here = here || as_symarray (c.xelem (i));
        found = found || here;
        if (here && is_class)
          {
            for (octave_idx_type i = 0; i < c.numel (); i++)
              c(i) = unwrap (c.xelem (i));
            list(k) = c;
          }
      }
    if (! found)
      return false;
    if (! is_class)
      list(0) = interpreter ().make_function_handle (name);
    octave::symbol_table& symtab = interpreter ().get_symbol_table ();
    result = interpreter ().feval (symtab.find_built_in_function ("cellfun"), list, nargout);
    return true;
  }

  octave_value_list
  symarray_method::call_plain (octave::interpreter& interp, int nargout,
                               const octave_value_list& args)
  {
    octave_value f = m_info->find_built_in_function ();
    if (! has_symarray (args))
      return interp.feval (f, args, nargout);
    forcing_function me (name ());
    octave_value_list plain = gathered (args);
    if (audit_on)
      audit_delegation (name ());
    if (f.is_undefined ())
      f = interp.get_symbol_table ().find_function (name (), plain);
    // The file of a function that is not built in may be gone.
    if (f.is_undefined ())
      raise ("Octave:undefined-function", "'" + name () + "' undefined");
    octave_value_list r = interp.feval (f, plain, nargout);
    // What is asked for with "is..." is an answer, not data.
    if (name ().compare (0, 2, "is") == 0 && r.length () == 1 && r(0).numel () == 1)
      return r;
    return wrap (r);
  }

  // A file of Octave's own.
  static bool
  is_octaves_own (const octave_value& f)
  {
    octave_user_code *code = f.is_defined () ? f.user_code_value (true) : nullptr;
    octave_user_function *fcn = dynamic_cast<octave_user_function *> (code);
    return fcn && fcn->is_system_fcn_file ();
  }

  // Of an object whose class was not known to go before ours, the method is still to be found.
  static bool
  is_for_an_object (octave::symbol_table& symtab, const octave_value_list& args)
  {
    bool found = false;
    for (octave_idx_type i = 0; i < args.length (); i++)
      found = (args(i).isobject () && symtab.set_class_relationship (args(i).class_name (), s_class))
              || found;
    return found;
  }

  octave_value_list
  symarray_method::execute (octave::tree_evaluator&, int nargout, const octave_value_list& args)
  {
    octave::interpreter& interp = interpreter ();
    if (is_for_an_object (interp.get_symbol_table (), args))
      return interp.feval (name (), args, nargout);
    octave_value users = m_info->find_cmdline_function (), file;
    bool built_in = m_info->find_built_in_function ().is_defined ();
    if (users.is_undefined () && (! built_in || m_info->is_user_function_defined ()))
      file = interp.get_symbol_table ().find_user_function (name ());
    // What is compiled does not meet our operators.
    if (file.is_dld_function () || file.is_mex_function ())
      file = octave_value ();
    if (file.is_defined () && (built_in || ! is_octaves_own (file)))
      users = file;
    if (users.is_defined ())
      return interp.feval (users, args, nargout);
    octave_value_list result;
    if (m_row && m_row->handler && m_row->handler (m_row->op, args, nargout, result))
      return result;
    // An m-file meets our operators.
    if (file.is_defined ())
      return interp.feval (file, args, nargout);
    return call_plain (interp, nargout, args);
  }

  // ---- installation ---------------------------------------------------------------------------

  static std::vector<std::string> s_lazy, s_delegated;
  // Names of functions that have a method or are to have none.
  static std::set<std::string> s_known;

  // Functions are found for a class among its methods, which are remembered per function; a
  // built-in function that says it handles the class is one.  So ours stands in for Octave's
  // until it has been found.
  static void
  install_method (octave::symbol_table& symtab, const std::string& name, const method_row *row)
  {
    octave_value plain = symtab.find_built_in_function (name);
    octave_function *f = plain.is_defined () ? plain.function_value (true) : nullptr;
    std::string doc = f ? f->doc_string () : "";
    // This makes an entry where there is none.
    symtab.install_built_in_function (name, plain);
    octave::fcn_info *info = symtab.get_fcn_info (name);
    octave_value ours (new symarray_method (name, doc, row, info));
    symtab.install_built_in_function (name, ours);
    try
      {
        symtab.find_method (name, row ? row->dispatch_class : s_class);
      }
    catch (...)
      {
        symtab.install_built_in_function (name, plain);
        throw;
      }
    symtab.install_built_in_function (name, plain);
    if (! row || row->op != SG_NOP)
      (row ? s_lazy : s_delegated).push_back (name);
  }

  void
  install_delegate (octave::interpreter& interp, const std::string& name)
  {
    if (s_known.insert (name).second)
      install_method (interp.get_symbol_table (), name, nullptr);
  }

  void
  install_methods (octave::interpreter& interp)
  {
    octave::symbol_table& symtab = interp.get_symbol_table ();
    s_known.insert (std::begin (skipped_names), std::end (skipped_names));
    for (const method_row& r : method_rows)
      {
        install_method (symtab, r.name, &r);
        if (std::string (r.dispatch_class) == s_class)
          s_known.insert (r.name);
      }
    for (const std::string& name : symtab.built_in_function_names ())
      install_delegate (interp, name);
  }

  void
  list_methods (std::vector<std::string>& lazy, std::vector<std::string>& delegated)
  {
    lazy = s_lazy;
    delegated = s_delegated;
  }
}
