// Where Octaves differ in the values they give.  The core has the rules of Octave 7; those of the
// Octave at hand are asked of its functions.  What differs between the headers is in compat.h.

#if ! defined (symgpu_dialect_h)
#define symgpu_dialect_h 1

#include "compat.h"
#include "symgpu.h"

namespace symgpu
{
  // Tells the core what it has to know from the beginning.
  void ask_octave ();

  // The reduction or scan OP of A along DIM (-1: none is given) has the class and the size that
  // the core infers.  If not, the call is for Octave.
  bool follows_core (sg_op op, const sg_node *a, int dim);

  // Max and min of two complex operands are as the core has them, with their NaNs.
  bool orders_complex_as_core ();

  // Its results of integers are double, as the core has it; then words can say otherwise.
  bool widens_integers (sg_op op);
}

#endif
