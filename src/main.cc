// The functions that users call: making and gathering symarrays.

#include "compat.h"

#include <octave/defun-dld.h>
#include <octave/pt-eval.h>
#include <octave/utils.h>

#include "cat.h"
#include "config.h"
#include "convert.h"
#include "dialect.h"
#include "foreign.h"
#include "main.h"
#include "methods.h"
#include "native.h"
#include "rebuild.h"
#include "symarray.h"
#include "symfunction.h"
#include "trace.h"

// PKG_ADD: autoload ("symarray", "symgpu.oct");
// PKG_DEL: autoload ("symarray", which ("symarray"), "remove");
// PKG_ADD: autoload ("issymarray", "symgpu.oct");
// PKG_DEL: autoload ("issymarray", which ("issymarray"), "remove");
// PKG_ADD: autoload ("gather", "symgpu.oct");
// PKG_DEL: autoload ("gather", which ("gather"), "remove");

namespace symgpu
{
  void
  set_up (octave::interpreter& interp)
  {
    static bool done = false;
    static bool flags_read = false;
    if (! done)
      {
        stay_loaded (&octave_symarray::s_type_id);
        interp.mlock ();
        octave::type_info& ti = interp.get_type_info ();
        octave_symarray::register_type (ti);
        octave_symfunction::register_type (ti);
        init_plain_types ();
        init_native (interp);
        ask_octave ();
        install_operators (ti);
        install_cat_ops (ti);
        install_assign_ops (ti);
        install_methods (interp);
        watch_load_path (interp);
        done = true;
      }
    if (! flags_read)
      {
        // An error in them is raised until they are right.
        const char *flags = std::getenv ("SYMGPU_FLAGS");
        set_flags (flags ? flags : "");
        flags_read = true;
      }
  }

  // The caller's variable that was given as first argument; empty if it was an expression.
  static std::string
  argument_name (octave::interpreter& interp, const octave_value_list& args)
  {
    string_vector tags = args.name_tags ();
    std::string name = tags.numel () > 0 ? tags(0) : "";
    return octave::valid_identifier (name) && interp.is_variable (name) ? name : "";
  }
}

DEFMETHOD_DLD (symarray, interp, args, ,
                R"texi(-*- texinfo -*-
@deftypefn  {} {@var{x} =} symarray (@var{A})
@deftypefnx {} {@var{x} =} symarray (@var{A}, @var{name})
Make a lazy array of the numeric or logical array @var{A}.

Operators and functions applied to @var{x} compute nothing at first: they build an expression,
of which size and class are known.  It is evaluated by @code{gather}, or as soon as its value
matters: when it is displayed, used as a condition, or given to a function that has no lazy
form.  The result is what plain Octave computes.

@var{A} can be real or complex, double or single, of any integer class or logical, and of any
size, a range too.  Sparse, diagonal and permutation matrices are returned as
they are, because Octave itself does all their operations.  The symarray of a symarray is
itself.

@var{name} is the name under which the array appears in plans; by default it is the name of the
variable that was given.

@example
@group
x = symarray ([1 2; 3 4]);
y = x' * x + 1;
gather (y)
  @result{} 11  15
     15  21
@end group
@end example
@seealso{gather, issymarray, symplan}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  if (nargin < 1 || nargin > 2)
    print_usage ();

  octave_value a = args(0);
  std::string name;
  if (nargin == 2)
    name = args(1).xstring_value ("symarray: NAME must be a string");
  else
    name = symgpu::argument_name (interp, args);

  const octave_symarray *s = symgpu::as_symarray (a);
  if (s && nargin == 1)
    return ovl (a);

  if (a.issparse () || a.is_diag_matrix () || a.is_perm_matrix ())
    return ovl (a);
  octave_value x = symgpu::wrap (symgpu::unwrap (a).storable_value ());
  s = symgpu::as_symarray (x);
  if (! s)
    symgpu::raise ("symgpu:bad-class",
                   "symarray: A must be a numeric or logical array, not a value of class "
                   + a.class_name ());
  if (! name.empty ())
    const_cast<octave_symarray *> (s)->set_name (name);
  return ovl (x);
}

DEFMETHOD_DLD (issymarray, interp, args, ,
                R"texi(-*- texinfo -*-
@deftypefn {} {@var{tf} =} issymarray (@var{x})
Return true if @var{x} is a symarray.

The class of a symarray is that of its value, so that programs which ask for the class work
with it; this is the way to tell it from a plain array.

@example
@group
x = symarray (single (1:3));
issymarray (x)
  @result{} 1
class (x)
  @result{} single
@end group
@end example
@seealso{symarray}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () != 1)
    print_usage ();
  return ovl (symgpu::as_symarray (args(0)) != nullptr);
}

DEFMETHOD_DLD (gather, interp, args, nargout,
                R"texi(-*- texinfo -*-
@deftypefn  {} {@var{A} =} gather (@var{x})
@deftypefnx {} {[@var{A}, @var{B}, @dots{}] =} gather (@var{x}, @var{y}, @dots{})
@deftypefnx {} {[@dots{}] =} gather (@dots{}, @var{backend})
Evaluate symarrays and return their values as plain arrays.

Several arguments are evaluated together, so that what their expressions have in common is
computed once.  An argument that is not a symarray is returned as it is.

@var{backend} says how to evaluate: @qcode{"cpu"}, @qcode{"cuda"}, which uses a GPU, or
@qcode{"native"}, which does one operation after the other with Octave's own functions.  The whole expression is then evaluated
by this backend, even if its value is known already.  Of an expression of many operations, or one
computed long ago, only the value may have been kept: a warning says so, and the value stays as
it is (see @code{history_nodes}, @code{history_bytes} of @code{symgpu_config}).  By default what has not been computed yet is computed by the backend
chosen with @code{symbackend}.

@example
@group
x = symarray ([1 2 3]);
[s, m] = gather (sum (x), max (x))
  @result{} s = 6
  @result{} m = 3
@end group
@end example
@seealso{symarray, symbackend}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  sg_backend backend = symgpu::current_backend;
  if (nargin > 1 && args(nargin-1).is_string ())
    backend = symgpu::find_backend (args(--nargin).string_value ());
  if (nargin < 1 || nargout > nargin)
    print_usage ();

  bool again = nargin < args.length ();
  octave_value_list result (nargin);
  octave::unwind_protect_var<sg_backend> restore (symgpu::current_backend, backend);
  symgpu::rebuilder copies;
  std::vector<sg_node *> roots;
  for (int i = 0; i < nargin; i++)
    {
      const octave_symarray *s = symgpu::as_symarray (args(i));
      if (s && again && s->node ()->cut)
        warning_with_id ("symgpu:expression-gone",
                         "gather: argument %d keeps only its value: its expression has been let go",
                         i + 1);
      if (s && again && s->node ()->op != SG_LEAF)
        roots.push_back (copies.copy (s->node ()));
      else if (s && ! s->is_computed () && ! symgpu::is_traced (s->node ()))
        roots.push_back (s->node ());
    }
  if (! roots.empty ())
    symgpu::evaluate (roots.size (), roots.data ());
  for (int i = 0; i < nargin; i++)
    {
      const octave_symarray *s = symgpu::as_symarray (args(i));
      if (s && again && s->node ()->op != SG_LEAF)
        {
          sg_node *n = s->node (), *c = copies.copy (n);
          result(i) = symgpu::value_of_buf (c->val, symgpu::dims_of_node (c));
          if (! n->val)
            sg_node_set_value (n, sg_buf_ref (c->val));
        }
      else if (s && symgpu::is_traced (s->node ()))
        result(i) = args(i);
      else
        result(i) = symgpu::unwrap (args(i));
    }
  return result;
}

/*
%!test
%! x = symarray ([1 2; 3 4]);
%! y = x' * x + 1;
%! assert (issymarray (y));
%! assert (gather (y), [11 15; 15 21]);
%! assert (issymarray (gather (y)), false);

%!test <*2>
%! classes = {"double", "single", "logical", "int8", "int16", "int32", "int64", ...
%!            "uint8", "uint16", "uint32", "uint64"};
%! for i = 1:numel (classes)
%!   for A = {zeros(2, 3), 1, zeros(0, 3), ones(2, 2, 2), []}
%!     a = feval (classes{i}, A{1});
%!     x = symarray (a);
%!     assert (issymarray (x));
%!     assert (class (x), classes{i});
%!     assert (isa (x, "symarray"));
%!     assert (size (x), size (a));
%!     assert (gather (x), a);
%!   endfor
%! endfor

%!assert (gather (symarray (1:4)), [1 2 3 4])
%!assert (gather (symarray ([1+2i, 3])), [1+2i, 3])
%!test
%! x = symarray ([1 2 3]);
%! assert (issymarray (symarray (x)));
%!assert (issymarray (3), false)
%!assert (issparse (symarray (speye (3))))
%!assert (symarray (eye (3)) * 2, 2 * eye (3))

%!error <Invalid call to symarray> symarray ()
%!error <Invalid call to symarray> symarray (1, "a", 3)
%!error <NAME must be a string> symarray (1, 2)
%!error id=symgpu:bad-class symarray ("abc")
%!error <not a value of class cell> symarray ({1})
%!error id=symgpu:bad-class symarray (struct ())
%!error <not a value of class function_handle> symarray (@sin)
%!error <Invalid call to issymarray> issymarray ()
%!error <Invalid call to issymarray> issymarray (1, 2)

%!test
%! x = symarray ([1 2 3]);
%! [s, m, p] = gather (sum (x), max (x), "text", "native");
%! assert ({s, m, p}, {6, 3, "text"});
%!assert (gather ({1, "a"}), {1, "a"})
%!assert (gather (struct ("a", 1)), struct ("a", 1))
%!assert (gather ("abc"), "abc")
%!test
%! x = symarray (rand (4));
%! assert (gather (x .* x + 1, "native"), gather (x .* x + 1, "cpu"));
%!test # a backend that is named computes what the other has computed before
%! x = symarray (rand (3)); y = exp (x(:, [1 3])) * 2; z = [sum(y), max(y', [], 2).'];
%! c = gather (z, "cpu");
%! n = symgpu_info ("counters").foreign;
%! assert (gather (z, "native"), c, 2 * eps (c));
%! assert (symgpu_info ("counters").foreign > n + 4);
%! n = symgpu_info ("counters").evaluations;
%! assert (gather (z), c);
%! assert (symgpu_info ("counters").evaluations, n);
%!error <Invalid call to gather> gather ()
%!error <Invalid call to gather> [a, b] = gather (1)
%!error id=symgpu:unknown-backend gather (symarray (1), "abacus")
%!error <valid are "native", "cpu"> gather (symarray (1), "abacus")
*/
