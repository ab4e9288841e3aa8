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
