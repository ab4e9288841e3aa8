/* The kernels of one type: T, an integer I as wide, S that puts a suffix to names.  */

#include "maps.h"
#include "reduce.h"

#if WITH_SLEEF
#define V S (V)
#define VI S (VI)
#define SLEEF S (SLEEF)
#define VSQRT S (VSQRT)
#include "vmath.h"
#undef V
#undef VI
#undef SLEEF
#undef VSQRT
#endif
