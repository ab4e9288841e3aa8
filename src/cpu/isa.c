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
  if (__builtin_cpu_supports ("x86-64-v4"))
    return &sg_kernels_v4;
  if (__builtin_cpu_supports ("x86-64-v3"))
    return &sg_kernels_v3;
  if (__builtin_cpu_supports ("x86-64-v2"))
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
