// Whether a function is a function of its arguments, as far as its text tells.

#if ! defined (symgpu_purity_h)
#define symgpu_purity_h 1

#include <string>

#include "compat.h"

namespace symgpu
{
  // Why a function, or one that it calls, cannot be replayed; empty if nothing is known.
  std::string find_impurity (const octave_value& fcn);
}

#endif
