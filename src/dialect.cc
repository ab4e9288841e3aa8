// Questions to the Octave at hand.

#include "dialect.h"

#include <cmath>
#include <limits>

#include "compose.h"
#include "convert.h"

namespace symgpu
{
  static octave_value
  ask (sg_op op, const octave_value_list& args)
  {
    octave::interpreter& interp = interpreter ();
    const char *name = sg_op_info (op)->name;
    octave_value_list r
      = interp.feval (interp.get_symbol_table ().find_built_in_function (name), args, 1);
    return r(0);
  }

  // The peculiarities of kernels/sg_wide.h, one of each kind.
  static bool
  computes_wide_by_cases ()
  {
    const octave_int64 most = octave_int64::max ();
    octave_value less = ask (SG_MINUS, ovl (octave_int64 (1), 0.5));
    octave_value half = ask (SG_TIMES, ovl (octave_int64 (10), -0.5));
    octave_value bit = ask (SG_TIMES, ovl (octave_int64 (INT64_C (1) << 53), 1 + 0x1p-52));
    octave_value above = ask (SG_GT, ovl (most, 0x1p63));
    octave_value below = ask (SG_LT, ovl (octave_int64::min (), -0x1p63));
    return (less.double_value () == 0 && half.double_value () == 0
            && bit.double_value () == 0x1p53 && above.bool_value () && below.bool_value ());
  }

  void
  ask_octave ()
  {
    octave_value m = ask (SG_MAX2, ovl (0.0, -0.0));
    sg_first_extreme = ! std::signbit (m.double_value ());
    sg_wide_by_cases = computes_wide_by_cases ();
  }

  bool
  orders_complex_as_core ()
  {
    static const double nan = std::numeric_limits<double>::quiet_NaN ();
    static const bool yes = ask (SG_MAX2, ovl (Complex (1, nan), 1.0)).iscomplex ();
    return yes;
  }

  // What of the core's rules holds for an operation here.
  struct line_rules
  {
    bool asked;
    bool integers;              // the class of results of integers
    bool nothing;               // the size of the results of a 0x0 array along a given dimension
  };

  static term
  line_node (sg_op op, const octave_value& v, int dim)
  {
    term a (v);
    sg_node *n;
    bool scans = sg_op_info (op)->family == SG_FAM_SCAN;
    check (scans ? sg_scan_new (op, a.get (), dim, &n) : sg_reduce_new (op, a.get (), dim, &n));
    return term (n);
  }

  static const line_rules&
  rules_of (sg_op op)
  {
    static line_rules rules[SG_NOP];
    line_rules& r = rules[op];
    if (r.asked)
      return r;
    octave_value number = octave_int8 (1), nothing = NDArray (dim_vector (0, 0));
    r.integers = plain_type_of (ask (op, ovl (number)).type_id ()).cls
                 == line_node (op, number, -1)->cls;
    r.nothing = true;
    for (int dim = 0; dim < 3; dim++)
      r.nothing = r.nothing && ask (op, ovl (nothing, dim + 1.0)).dims ()
                               == dims_of_node (line_node (op, nothing, dim).get ());
    r.asked = true;
    return r;
  }

  bool
  follows_core (sg_op op, const sg_node *a, int dim)
  {
    bool integer = sg_class_is_integer (static_cast<sg_class> (a->cls));
    bool nothing = dim >= 0 && a->nd == 2 && a->dim[0] == 0 && a->dim[1] == 0;
    return (! integer || rules_of (op).integers) && (! nothing || rules_of (op).nothing);
  }

  bool
  widens_integers (sg_op op)
  {
    return rules_of (op).integers && ! sg_op_info (op)->ints;
  }
}
