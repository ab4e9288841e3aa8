/* Vector mathematics with SLEEF, for one type: T with the suffix S; V is a vector of T, VI of
   integers as wide, S (SLEEF) (f, u) the name of a function, ANY (m), ALL (m) test a mask.

   The functions used are SLEEF's reproducible ones: a lane's result depends on that lane
   alone, and not on the instruction set either among those that have fma.

   Where a result is not finite SLEEF may be wrong (log1p, sinh, cosh, asinh, acosh and pow are
   infinite too early), and the C library keeps the payload that makes a NaN an NA.  So such
   lanes are done again by the C library: Octave's own result.  */

static inline VI
S (vfinite) (V a)
{
  return (VI) (a - a == 0);
}

static __attribute__ ((noinline, cold)) V
S (redo_1) (V y, V a, VI redo, T (*f) (T))
{
  for (int j = 0; j < VN; j++)
    if (redo[j])
      y[j] = f (a[j]);
  return y;
}

static __attribute__ ((noinline, cold)) V
S (redo_2) (V y, V a, V b, VI redo, T (*f) (T, T))
{
  for (int j = 0; j < VN; j++)
    if (redo[j])
      y[j] = f (a[j], b[j]);
  return y;
}

/* Whole vectors, then the rest padded to one.  */
#define VMAP_1(id, value)                                                                   \
  static void                                                                               \
  S (vmap_##id) (int64_t n, void *op, const void *ap, const void *bp)                       \
  {                                                                                         \
    T *o = op;                                                                              \
    const T *pa = ap;                                                                       \
    (void) bp;                                                                              \
    int64_t i = 0;                                                                          \
    for (; i + VN <= n; i += VN)                                                            \
      {                                                                                     \
        V a = S (vload) (pa + i);                                                           \
        S (vstore) (o + i, value);                                                          \
      }                                                                                     \
    if (i < n)                                                                              \
      {                                                                                     \
        V a = { 0 };                                                                        \
        memcpy (&a, pa + i, (size_t) (n - i) * sizeof (T));                                 \
        V y = value;                                                                        \
        memcpy (o + i, &y, (size_t) (n - i) * sizeof (T));                                  \
      }                                                                                     \
  }

#define VMAP_2(id, value)                                                                   \
  static void                                                                               \
  S (vmap_##id) (int64_t n, void *op, const void *ap, const void *bp)                       \
  {                                                                                         \
    T *o = op;                                                                              \
    const T *pa = ap, *pb = bp;                                                             \
    int64_t i = 0;                                                                          \
    for (; i + VN <= n; i += VN)                                                            \
      {                                                                                     \
        V a = S (vload) (pa + i), b = S (vload) (pb + i);                                   \
        S (vstore) (o + i, value);                                                          \
      }                                                                                     \
    if (i < n)                                                                              \
      {                                                                                     \
        V a = { 0 }, b = { 0 };                                                             \
        memcpy (&a, pa + i, (size_t) (n - i) * sizeof (T));                                 \
        memcpy (&b, pb + i, (size_t) (n - i) * sizeof (T));                                 \
        V y = value;                                                                        \
        memcpy (o + i, &y, (size_t) (n - i) * sizeof (T));                                  \
      }                                                                                     \
  }

#define V1(id, f, err)                                                                      \
  static inline V                                                                           \
  S (v_##id) (V a)                                                                          \
  {                                                                                         \
    V y = S (SLEEF) (f, err) (a);                                                               \
    VI redo = ~S (vfinite) (y);                                                             \
    return ANY (redo) ? S (redo_1) (y, a, redo, SG_LIBM (f, (T) 0)) : y;                    \
  }                                                                                         \
  VMAP_1 (id, S (v_##id) (a))

#define V2(id, f, err)                                                                      \
  static inline V                                                                           \
  S (v_##id) (V a, V b)                                                                     \
  {                                                                                         \
    V y = S (SLEEF) (f, err) (a, b);                                                            \
    VI redo = ~S (vfinite) (y);                                                             \
    return ANY (redo) ? S (redo_2) (y, a, b, redo, SG_LIBM (f, (T) 0)) : y;                 \
  }                                                                                         \
  VMAP_2 (id, S (v_##id) (a, b))

/* The exponents that are often meant as x.*x, 1./x and sqrt (x) give exactly that.  Integer
   powers of ten are left to the C library, which is right where SLEEF is off by one unit:
   10^-5 == 1e-5.  */
static inline V
S (power) (V a, V b)
{
  VI two = (VI) (b == 2), three = (VI) (b == 3), inv = (VI) (b == -1);
  VI root = (VI) (b == (T) 0.5) & (VI) (a > 0);
  VI easy = two | three | inv | root;
  V s = a;
  if (ANY (easy))
    {
      V aa = a * a;
      s = (V) ((two & (VI) aa) | (three & (VI) (aa * a)) | (inv & (VI) (1 / a))
               | (root & (VI) S (VSQRT) (a)));
      if (ALL (easy))
        return s;
    }
  V y = S (SLEEF) (pow, u10) (a, b);
  const T big = (T) (sizeof (T) == 8 ? 0x1.8p52 : 0x1.8p23);    /* b + big: rounded */
  VI redo = ~S (vfinite) (y) | ((VI) (a == 10) & (VI) ((b + big) - big == b));
  y = (V) ((easy & (VI) s) | (~easy & (VI) y));
  redo &= ~easy;
  return ANY (redo) ? S (redo_2) (y, a, b, redo, SG_LIBM (pow, (T) 0)) : y;
}

#if WITH_PAIRS
#include "vpower.h"
static inline V
S (v_POWER) (V a, V b)
{
  VI here = is_power_of_pairs (a, b);
  if (! ANY (here))
    return S (power) (a, b);
  return put_powers_of_pairs (ALL (here) ? a : S (power) (a, b), a, b, here);
}
#else
#define v_POWER_64 power_64
#define v_POWER_32 power_32
#endif
#define VP(id) VMAP_2 (id, S (v_##id) (a, b))

#include "vmath.def"

#undef VMAP_1
#undef VMAP_2
