// What the functions that users call have in common.

#if ! defined (symgpu_main_h)
#define symgpu_main_h 1

#include "compat.h"

// As in DESCRIPTION.
#define SYMGPU_VERSION "0.1.0"

namespace symgpu
{
  // Every function of ours calls this first: it registers the type once.
  void set_up (octave::interpreter& interp);
}

#endif
