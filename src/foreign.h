// What the folders on the load path bring: compiled functions and classes.

#if ! defined (symgpu_foreign_h)
#define symgpu_foreign_h 1

#include "compat.h"

namespace symgpu
{
  // Looks into all folders on the load path, and into those that are put there later.
  void watch_load_path (octave::interpreter& interp);
}

#endif
