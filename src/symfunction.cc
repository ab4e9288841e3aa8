// The type: a function that is traced once and replayed.

#include "compat.h"

#include <octave/defun-dld.h>
#include <octave/ov-fcn-handle.h>
#include <octave/utils.h>

#include "main.h"
#include "symfunction.h"

// PKG_ADD: autoload ("symfunction", "symgpu.oct");
// PKG_DEL: autoload ("symfunction", which ("symfunction"), "remove");

int octave_symfunction::s_type_id = -1;

void
octave_symfunction::register_type (octave::type_info& ti)
{
  octave_value v (new octave_symfunction ());
  s_type_id = ti.register_type ("symfunction", "symfunction", v);
}

// ---- calls --------------------------------------------------------------------------------

octave_value_list
octave_symfunction::subsref (const std::string& type, const std::list<octave_value_list>& idx,
                             int nargout)
{
  if (type[0] != '(')
    symgpu::raise ("symgpu:bad-argument",
                   "a symfunction is called with (), and cannot be indexed with "
                   + std::string (type[0] == '{' ? "{}" : "."));
  octave_value_list r = m_f->call (idx.front (), type.length () > 1 ? 1 : nargout);
  if (type.length () > 1 && r.length () > 0)
    return octave_value (r(0)).next_subsref (nargout, type, idx);
  return r;
}

octave_value
octave_symfunction::subsref (const std::string& type, const std::list<octave_value_list>& idx)
{
  octave_value_list r = subsref (type, idx, 1);
  return r.length () > 0 ? r(0) : octave_value ();
}

// ---- as text --------------------------------------------------------------------------------

void
octave_symfunction::print_raw (std::ostream& os, bool) const
{
  os << "symfunction of ";
  handle ().print_raw (os, true);
  if (! m_f->reason ().empty ())
    os << "\n  called as it is: " << m_f->reason ();
  for (const std::string& line : m_f->lines ())
    os << "\n  replayed for " << line;
}

void
octave_symfunction::print (std::ostream& os, bool)
{
  print_raw (os);
  newline (os);
}

bool
octave_symfunction::print_name_tag (std::ostream& os, const std::string& name) const
{
  os << name << " = ";
  return false;
}

// ---- files ----------------------------------------------------------------------------------

bool
octave_symfunction::save_ascii (std::ostream& os)
{
  return handle ().save_ascii (os);
}

bool
octave_symfunction::save_binary (std::ostream& os, bool save_as_floats)
{
  return handle ().save_binary (os, save_as_floats);
}

bool
octave_symfunction::save_hdf5 (octave_hdf5_id loc_id, const char *name, bool save_as_floats)
{
  return handle ().save_hdf5 (loc_id, name, save_as_floats);
}

// FCN has been read, or not.
static std::shared_ptr<symgpu::traced_function>
loaded (bool ok, const octave_value& fcn)
{
  return std::shared_ptr<symgpu::traced_function> (ok ? new symgpu::traced_function (fcn)
                                                   : nullptr);
}

bool
octave_symfunction::load_ascii (std::istream& is)
{
  octave_value fcn (new octave_fcn_handle ());
  m_f = loaded (const_cast<octave_base_value&> (fcn.get_rep ()).load_ascii (is), fcn);
  return bool (m_f);
}

bool
octave_symfunction::load_binary (std::istream& is, bool swap, octave::mach_info::float_format fmt)
{
  octave_value fcn (new octave_fcn_handle ());
  m_f = loaded (const_cast<octave_base_value&> (fcn.get_rep ()).load_binary (is, swap, fmt), fcn);
  return bool (m_f);
}

bool
octave_symfunction::load_hdf5 (octave_hdf5_id loc_id, const char *name)
{
  octave_value fcn (new octave_fcn_handle ());
  m_f = loaded (const_cast<octave_base_value&> (fcn.get_rep ()).load_hdf5 (loc_id, name), fcn);
  return bool (m_f);
}

// ---------------------------------------------------------------------------------------------

DEFMETHOD_DLD (symfunction, interp, args, ,
                R"texi(-*- texinfo -*-
@deftypefn {} {@var{f} =} symfunction (@var{fcn})
Make a function that is run by the interpreter once and replayed from then on.

@var{fcn} is a function handle.  @code{@var{f} (@dots{})} returns what @code{@var{fcn} (@dots{})}
returns.  The first two calls with arguments of given classes and sizes run @var{fcn} on arrays
without values, which record what is done with them; all later ones run the recorded operations,
fused and without the interpreter.  This pays where a small computation is called often.  A plan is
kept for each of the last 16 combinations of classes and sizes, of strings and of numbers of results.

Arguments and results are numeric and logical arrays, strings, and cells and structs of these.  If an
argument is a symarray, then the arrays that are computed are symarrays, too.  Variables that an
anonymous function has captured are constants.  @code{gather} within @var{fcn} computes nothing.

Only a function of its arguments can be replayed.  @var{fcn} is called as it is, with a warning that
says why, if it looks at values that depend on arguments (@code{if (x > 0)}, @code{x(2) = 1}, a
function without a lazy form), if it or a function that it calls has global or persistent variables,
gives random numbers, asks for the time, reads or writes, or runs text, and if the first two calls
with the same classes and sizes do different things.  Displaying @var{f} shows the reason, or what is
kept.  A function that is defined anew, or one that it calls, needs a new symfunction.

It is an error if @var{fcn} is not a function handle.  Errors of @var{fcn} are raised by the call.

The example trains a small net by 1,000 steps of gradient descent.

@example
@group
function [W, V, e] = step (W, V, x, y)
  h = tanh (W * x);
  d = V * h - y;
  g = (V' * d) .* (1 - h .^ 2);
  W -= 0.01 * g * x';  V -= 0.01 * d * h';
  e = sum (d(:) .^ 2);
endfunction
x = linspace (-1, 1, 32);  y = x .^ 2;
W = sin (1:8)';  V = cos (1:8);
f = symfunction (@@step);
for i = 1:1000
  [W, V, e] = f (W, V, x, y);
endfor
@end group
@end example
@seealso{symarray, gather}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () != 1)
    print_usage ();
  if (args(0).type_id () == octave_symfunction::s_type_id)
    return ovl (args(0));
  if (! args(0).is_function_handle ())
    symgpu::raise ("symgpu:bad-class", "symfunction: FCN must be a function handle, not a value of "
                   "class " + args(0).class_name ());
  return ovl (octave_value (new octave_symfunction (args(0))));
}

/*
%!function varargout = sf_two (x, y)
%!  varargout = {x .* y + 1, {sum(x), struct("s", {y'})}, "text", size(x)};
%!endfunction
%!function r = sf_looks (x)
%!  if (x(1) > 0)
%!    r = x;
%!  else
%!    r = -x;
%!  endif
%!endfunction
%!function r = sf_random (x)
%!  r = x + rand ();
%!endfunction
%!function r = sf_persistent (x)
%!  persistent n = 0;
%!  n++;
%!  r = x + n;
%!endfunction
%!function r = sf_global (x)
%!  global symgpu_test_global
%!  r = x + symgpu_test_global;
%!endfunction
%!function r = sf_calls (x)
%!  r = 2 * sf_global (x);
%!endfunction
%!function r = sf_stored (x)
%!  r = x;
%!  r(2) = 7;
%!endfunction
%!function [W, V, e] = sf_step (W, V, x, y)
%!  h = tanh (W * x);
%!  d = V * h - y;
%!  g = (V' * d) .* (1 - h .^ 2);
%!  W -= 0.01 * g * x';
%!  V -= 0.01 * d * h';
%!  e = sum (d(:) .^ 2);
%!endfunction
%!function check_warns (f, x, y, text)
%!  lastwarn ("", "");
%!  assert (f (x), y);
%!  [msg, id] = lastwarn ();
%!  assert (id, "symgpu:not-replayed");
%!  assert (! isempty (strfind (msg, text)), msg);
%!  lastwarn ("", "");
%!  f (x);
%!  assert (lastwarn (), "");
%!  assert (! isempty (strfind (evalc ("f"), text)));
%!endfunction
%!function n = evaluations ()
%!  n = symgpu_info ("counters").evaluations;
%!endfunction

%!test # several results, cells and structs, constants
%! f = symfunction (@sf_two);
%! for i = 1:4
%!   x = rand (2, 3);  y = rand (2, 3);
%!   [p, q, t, s] = f (x, y);
%!   [P, Q, T, S] = sf_two (x, y);
%!   assert ({p, q, t, s}, {P, Q, T, S});
%!   assert (f (x, y), P);
%! endfor

%!test # replays give what gather gives, bit for bit, for every class and size
%! g = @(x, y) (x + y) .* x - 2 * y;
%! f = symfunction (g);
%! for x = {3, [1 2 3], rand(3), single(rand (2, 2)), int8([100 -100]), true(2), zeros(0, 3), complex(1, [2 3]), ...
%!          rand(2, 2, 2), rand(200), 1:5}
%!   for i = 1:4
%!     y = x{1} + 1;
%!     a = f (x{1}, y);
%!     b = gather (g (symarray (x{1}), symarray (y)));
%!     assert (class (a), class (b));
%!     assert (a, b);
%!   endfor
%! endfor

%!test # arguments that are structs and cells
%! f = symfunction (@(s, c) s.a * c{2}.b + numel (c));
%! for i = 1:4
%!   s = struct ("a", rand (2), "n", "text");  c = {"x", struct("b", rand (2))};
%!   assert (f (s, c), s.a * c{2}.b + 2, eps);
%! endfor
%! c{3} = 1;
%! assert (f (s, c), s.a * c{2}.b + 3, eps);

%!test # symarrays in, symarrays out
%! f = symfunction (@(x, y) deal (x + y, x));
%! for i = 1:3
%!   [a, b] = f (symarray ([1 2]), i);
%!   assert (issymarray (a) && issymarray (b));
%!   assert (gather (a), [1 2] + i);
%!   [a, b] = f ([1 2], i);
%!   assert (! issymarray (a) && ! issymarray (b));
%!   assert ({a, b}, {[1 2] + i, [1 2]});
%! endfor

%!test # captured constants, strings as arguments, results that are arguments
%! k = rand (3);
%! f = symfunction (@(x, how) {x * k, x, reshape(x, 1, 9), how, strcmp(how, "a")});
%! for i = 1:3
%!   for how = {"a", "b"}
%!     x = rand (3);
%!     assert (f (x, how{1}), {x * k, x, reshape(x, 1, 9), how{1}, strcmp(how{1}, "a")});
%!   endfor
%! endfor

%!test # values that leave the domain, and come back
%! f = symfunction (@(x) sqrt (x) + log (x));
%! for x = {4, 9, 16, -4, 25, [1 -1], [1 2], [3 4], [5 -6], [7 8]}
%!   assert (f (x{1}), sqrt (x{1}) + log (x{1}), 4 * eps);
%! endfor
%! f = symfunction (@(x) x .* x);
%! for x = {1i, 2i, 3i, 1+i, complex(2, 0), 4i, 1+2i}
%!   assert (f (x{1}), x{1} .* x{1});
%! endfor

%!test # evaluations are replays: the function does not run again
%! old = symbackend ("cpu");
%! unwind_protect
%!   f = symfunction (@(x) x .* 2 + 1);
%!   x = rand (500);
%!   f (x);  f (x);
%!   n = evaluations ();
%!   for i = 1:10
%!     assert (f (x + i), (x + i) .* 2 + 1);
%!   endfor
%!   assert (evaluations () - n, 10);
%! unwind_protect_cleanup
%!   symbackend (old);
%! end_unwind_protect

%!test # what looks at values
%! check_warns (symfunction (@sf_looks), -1, 1, "is looked at");
%! check_warns (symfunction (@sf_stored), [1 2 3], [1 7 3], "is looked at");
%! check_warns (symfunction (@(x) inv (x)), 4, 0.25, "is looked at");

%!test # what has a state
%! check_warns (symfunction (@sf_persistent), 1, 2, "persistent");
%! global symgpu_test_global
%! symgpu_test_global = 3;
%! check_warns (symfunction (@sf_global), 1, 4, "global");
%! check_warns (symfunction (@sf_calls), 1, 8, "sf_global has a global");
%! f = symfunction (@sf_calls);
%! warning ("off", "symgpu:not-replayed", "local");
%! f (1);  f (1);
%! symgpu_test_global = 4;
%! assert (f (1), 10);
%! clear -global symgpu_test_global

%!test # random numbers, time, output
%! warning ("off", "symgpu:not-replayed", "local");
%! f = symfunction (@sf_random);
%! assert (numel (unique ([f(1), f(1), f(1), f(1)])), 4);
%! for g = {@() now (), @(x) tic (), @(x) x + randn (2), @(x) printf ("%g", x), @(x) eval ("x"), @rand}
%!   assert (! isempty (strfind (disp (symfunction (g{1})), "called as it is")), func2str (g{1}));
%! endfor

%!test # a state that the text does not show
%! m = containers.Map ();
%! m("n") = 1;
%! f = symfunction (@(x) x + m("n"));
%! assert (f (1), 2);
%! m("n") = 5;
%! check_warns (f, 1, 6, "different things");

%!test # a variable may have the name of such a function
%! f = symfunction (@(time, rand) time + rand);
%! assert (f (1, 2), 3);
%! assert (isempty (strfind (disp (f), "called as it is")));

%!test # on each backend
%! g = @(x, y) exp (x) * y + sum (x);
%! f = symfunction (g);
%! for b = {"cpu", "native"}
%!   old = symbackend (b{1});
%!   unwind_protect
%!     for i = 1:3
%!       x = rand (3);  y = rand (3);
%!       assert (f (x, y), g (x, y), 1e-14);
%!     endfor
%!   unwind_protect_cleanup
%!     symbackend (old);
%!   end_unwind_protect
%! endfor

%!test # within another
%! f = symfunction (@(x) x + 1);
%! g = symfunction (@(x) 2 * f (x));
%! for i = 1:4
%!   assert (g (i), 2 * (i + 1));
%! endfor

%!test # a bounded number of plans
%! f = symfunction (@(x) x + 1);
%! for n = [1:40, 1:40, 1:3]
%!   assert (f (ones (1, n)), 2 * ones (1, n));
%! endfor
%! assert (numel (strsplit (disp (f), "\n")) <= 18);

%!test # gather in the function; errors
%! f = symfunction (@(x) gather (x * 2));
%! assert ([f(1), f(2), f(3)], [2 4 6]);
%! f = symfunction (@(x, y) x * y);
%! fail ("f (ones (2), ones (3))", "nonconformant");
%! assert (f (ones (2), ones (2)), 2 * ones (2));

%!test # save and load
%! k = [1 2];
%! f = symfunction (@(x) x .* k);
%! f (1);
%! for format = {"-text", "-binary"}
%!   file = [tempname(), ".sf"];
%!   unwind_protect
%!     save (format{1}, file, "f");
%!     s = load (file);
%!     assert (class (s.f), "symfunction");
%!     assert ({s.f(2), s.f(3), s.f(4)}, {[2 4], [3 6], [4 8]});
%!   unwind_protect_cleanup
%!     unlink (file);
%!   end_unwind_protect
%! endfor

%!test # the example of the help
%! x = linspace (-1, 1, 32);  y = x .^ 2;
%! W = W1 = sin (1:8)';  V = V1 = cos (1:8);
%! f = symfunction (@sf_step);
%! for i = 1:50
%!   [W, V, e] = f (W, V, x, y);
%!   [W1, V1, e1] = sf_step (W1, V1, x, y);
%! endfor
%! assert ({W, V, e}, {W1, V1, e1}, 1e-12);

%!assert (class (symfunction (@sin)), "symfunction")
%!error <Invalid call to symfunction> symfunction ()
%!error id=symgpu:bad-class symfunction ("sin")
%!error <FCN must be a function handle, not a value of class double> symfunction (1)
%!error id=symgpu:bad-argument symfunction (@sin){1}
%!error <not implemented> symfunction (@sin) + 1
*/
