// Operations done by Octave itself.

#if ! defined (symgpu_native_h)
#define symgpu_native_h 1

#include "compat.h"
#include "symgpu.h"

namespace symgpu
{
  // The binary operators of Octave that are elementwise operations of the core or products.
  enum operator_kind
  {
    ELEMENTWISE,
    PRODUCT,                    // elementwise if an operand is a scalar
    RIGHT_DIVISION,             // elementwise if the right operand is a scalar, else Octave's
    LEFT_DIVISION,              // elementwise if the left operand is a scalar, else Octave's
    POWER                       // elementwise for two scalars, else Octave's
  };

  struct operator_row
  {
    octave_value::binary_op octave_op;
    operator_kind kind;
    sg_op op;
  };

  extern const operator_row operator_rows[];
  extern const int operator_count;

  // The row of a mapper, -1 if it has none.
  int op_of_mapper (octave_base_value::unary_mapper_t m);

  extern sg_backend current_backend;

  // The kernel of an operation on numbers gives what the backend of the user gives.
  inline bool
  is_own_number_op (sg_op op)
  {
    return current_backend == SG_CPU || sg_op_info (op)->ulp == 0;
  }

  // Make ourselves the host of the core.
  void init_native (octave::interpreter& interp);

  void install_operators (octave::type_info& ti);
}

#endif
