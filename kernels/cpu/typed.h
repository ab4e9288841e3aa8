/* The kernels of one type: T, an integer I as wide, a suffix that S puts to names.  */

#define V S (V)
#define VI S (VI)

#define VN ((int) (sizeof (V) / sizeof (T)))

static inline V
S (vload) (const T *p)
{
  V v;
  memcpy (&v, p, sizeof v);
  return v;
}

static inline void
S (vstore) (T *p, V v)
{
  memcpy (p, &v, sizeof v);
}

#include "maps.h"
#include "reduce.h"
#if WITH_SLEEF
#include "vmath.h"
#endif
#include "cplx.h"

#undef V
#undef VI
#undef VN
