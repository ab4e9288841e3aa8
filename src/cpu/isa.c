/* Which kernels run on this machine.  */

#include <math.h>

#include "cpu.h"

extern const sg_kernels sg_kernels_generic;
#ifdef __x86_64__
extern const sg_kernels sg_kernels_v2, sg_kernels_v3, sg_kernels_v4;
#endif

static const sg_kernels *
best_kernels (void)
{
#ifdef __x86_64__
  __builtin_cpu_init ();
  /* By features: not every compiler knows the names of the levels.  */
#define HAS(feature) __builtin_cpu_supports (feature)
  bool v2 = HAS ("sse4.2") && HAS ("ssse3") && HAS ("popcnt");
  bool v3 = v2 && HAS ("avx2") && HAS ("fma") && HAS ("bmi") && HAS ("bmi2");
  bool v4 = v3 && HAS ("avx512f") && HAS ("avx512bw") && HAS ("avx512cd") && HAS ("avx512dq")
            && HAS ("avx512vl");
#undef HAS
  if (v4)
    return &sg_kernels_v4;
  if (v3)
    return &sg_kernels_v3;
  if (v2)
    return &sg_kernels_v2;
#endif
  return &sg_kernels_generic;
}

const sg_kernels *
sg_kernels_get (void)
{
  /* Threads that come here first together find the same.  */
  static const sg_kernels *best;
  const sg_kernels *k = __atomic_load_n (&best, __ATOMIC_RELAXED);
  if (! k)
    {
      k = best_kernels ();
      __atomic_store_n (&best, k, __ATOMIC_RELAXED);
    }
  return k;
}

double
sg_red_init (sg_op op)
{
  static const double init[SG_NOP] = {
    [SG_PROD] = 1, [SG_ALL] = 1,
    [SG_MAX] = NAN, [SG_MIN] = NAN, [SG_IMAX] = NAN, [SG_IMIN] = NAN
  };
  return init[op];
}

const char *
sg_cpu_isa (void)
{
  return sg_kernels_get ()->isa;
}

const char *
sg_cpu_vector_math (void)
{
  return sg_kernels_get ()->vector_math;
}
