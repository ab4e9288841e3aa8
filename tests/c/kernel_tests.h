/* What the tests of the kernels share.  */

#ifndef KERNEL_TESTS_H
#define KERNEL_TESTS_H

#include <float.h>
#include <string.h>
#include <stdlib.h>
#include <tgmath.h>

#include "cpu.h"

extern const sg_kernels sg_kernels_generic;
#ifdef __x86_64__
extern const sg_kernels sg_kernels_v2, sg_kernels_v3, sg_kernels_v4;
#endif

static const sg_kernels *table[4];
static int ntables;

static void
find_tables (void)
{
  table[ntables++] = &sg_kernels_generic;
#ifdef __x86_64__
  if (__builtin_cpu_supports ("x86-64-v2"))
    table[ntables++] = &sg_kernels_v2;
  if (__builtin_cpu_supports ("x86-64-v3"))
    table[ntables++] = &sg_kernels_v3;
  if (__builtin_cpu_supports ("x86-64-v4"))
    table[ntables++] = &sg_kernels_v4;
#endif
}

/* ---- counting ---------------------------------------------------------------------------- */

static int passed, failed;
static bool ok;

#define FAIL(...)                                                                           \
  do                                                                                        \
    {                                                                                       \
      if (ok)                                                                               \
        {                                                                                   \
          printf ("FAIL  ");                                                                \
          printf (__VA_ARGS__);                                                             \
          printf ("\n");                                                                    \
        }                                                                                   \
      ok = false;                                                                           \
    }                                                                                       \
  while (0)

static void
end_test (void)
{
  if (ok)
    passed++;
  else
    failed++;
  ok = true;
}

/* ---- values ------------------------------------------------------------------------------ */

static uint64_t seed = 88172645463325252u;

static uint64_t
random_bits (void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

static double
random_in (double lo, double hi)
{
  return lo + (hi - lo) * ((double) (random_bits () >> 11) * 0x1p-53);
}

static const int size[2] = { [SG_R64] = 8, [SG_R32] = 4 };
static const char *const rt_name[2] = { [SG_R64] = "double", [SG_R32] = "single" };

/* Arrays of either type seen as doubles.  */
static double
get (int rt, const void *p, int64_t i)
{
  return rt == SG_R64 ? ((const double *) p)[i] : (double) ((const float *) p)[i];
}

static void
set (int rt, void *p, int64_t i, double v)
{
  if (rt == SG_R64)
    ((double *) p)[i] = v;
  else
    ((float *) p)[i] = (float) v;
}

/* Any number that the type has, NaN and infinities among them.  */
static inline double
random_any (int rt)
{
  union { uint64_t u; double d; } x = { .u = random_bits () };
  union { uint32_t u; float f; } y = { .u = (uint32_t) (x.u >> 32) };
  return rt == SG_R64 ? x.d : (double) y.f;
}

static const double special[2][48] = {
  [SG_R64] = { 0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 10, -5, 0.1, 0.3,
               INFINITY, -INFINITY, NAN, DBL_MIN, -DBL_MIN, DBL_MAX, -DBL_MAX, DBL_EPSILON,
               5e-324, -1e-310, 4503599627370496.5, 4503599627370497.5, 9007199254740992.0,
               9007199254740991.0, -9007199254740993.0, 0.49999999999999994, -0.49999999999999994,
               1e22, -1e22, 709.7, 710.5, -745.2, 1e307, 1e160, 3.141592653589793,
               1.5707963267948966, 0.9999999999999999, 1.0000000000000002, 1000, 8 },
  [SG_R32] = { 0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 10, -5,
               (double) 0.1f, (double) 0.3f, INFINITY, -INFINITY, NAN, FLT_MIN, -FLT_MIN, FLT_MAX,
               -FLT_MAX, FLT_EPSILON, 1e-45, -1e-40, 4194304.5, 4194305.5, 16777216, 16777215,
               -8388609, 0.49999997019767761, -0.49999997019767761, 1e22, -1e22, 88.5, 89, -103.9,
               1e38, 3e19, (double) 3.1415927f, (double) 1.5707964f, 0.99999994039535522,
               1.00000011920928955, 1000, 8 }
};
enum { NSPECIAL = 48 };

/* Distance in units in the last place; equal and NaN to NaN are 0, signs of 0 differ by one.  */
static inline double
distance (int rt, double a, double b)
{
  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? 0 : INFINITY;
  union { double d; int64_t i; } x = { .d = a }, y = { .d = b };
  union { float f; int32_t i; } u = { .f = (float) a }, v = { .f = (float) b };
  int64_t p = x.i, q = y.i, base = INT64_MIN;
  if (rt == SG_R32)
    {
      p = u.i;
      q = v.i;
      base = INT32_MIN;
    }
  p = p < 0 ? base - p - 1 : p;
  q = q < 0 ? base - q - 1 : q;
  return fabs ((double) p - (double) q) < 1e15 ? (double) (p > q ? p - q : q - p) : 1e15;
}

static bool
is_same (double a, double b)
{
  return (isnan (a) && isnan (b)) || (a == b && signbit (a) == signbit (b));
}

/* ---- room -------------------------------------------------------------------------------- */

enum { MANY = SG_BLOCK };
static char bufa[MANY * 8 + 256], bufo[MANY * 8 + 256];

#endif
