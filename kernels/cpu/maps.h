/* Elementwise operations and their guards, for one type: T with the suffix S.  */

/* o may be a or b, never half of one: element i depends on elements i alone.  */
#define ELEMENTS _Pragma ("GCC ivdep") for (int64_t i = 0; i < n; i++)

#define NATIVE (T) 0
#define MAP_1(id, expr)                                                                     \
  static void                                                                               \
  S (map_##id) (int64_t n, void *op, const void *ap, const void *bp)                        \
  {                                                                                         \
    T *o = op;                                                                              \
    const T *pa = ap;                                                                       \
    (void) bp;                                                                              \
    ELEMENTS { T a = pa[i]; (void) a; o[i] = (T) (expr); }                                  \
  }
#define MAP_2(id, expr)                                                                     \
  static void                                                                               \
  S (map_##id) (int64_t n, void *op, const void *ap, const void *bp)                        \
  {                                                                                         \
    T *o = op;                                                                              \
    const T *pa = ap, *pb = bp;                                                             \
    ELEMENTS { T a = pa[i], b = pb[i]; o[i] = (T) (expr); }                                 \
  }
#define EW(id, name, n, in, out, guard, ulp, lo, hi, expr) MAP_##n (id, expr)
#include "op.def"
#undef NATIVE
#undef MAP_1
#undef MAP_2

/* Guards look at everything: a hit is rare.  */
#define GUARD(id, test)                                                                     \
  static int                                                                                \
  S (guard_##id) (int64_t n, const void *ap, const void *bp)                                \
  {                                                                                         \
    const T *pa = ap, *pb = bp;                                                             \
    I hit = 0;                                                                              \
    (void) pb;                                                                              \
    for (int64_t i = 0; i < n; i++)                                                         \
      {                                                                                     \
        T a = pa[i];                                                                        \
        hit |= (test) ? 1 : 0;                                                              \
      }                                                                                     \
    return hit != 0;                                                                        \
  }
GUARD (NEG, a < 0)
GUARD (SIGN, sg_copysign ((T) 1, a) < 0)
GUARD (LT1, a < 1)
GUARD (ABS1, sg_fabs (a) > 1)
GUARD (LTM1, a < -1)
GUARD (NANL, a != a)
GUARD (NANL2, (a != a) | (pb[i] != pb[i]))
/* Octave takes an exponent for an integer if it is one of type int.  */
GUARD (POW, (a < 0) & ! ((pb[i] == sg_nint (pb[i])) & (sg_fabs (pb[i]) < (T) INT32_MAX)))
#undef GUARD

#undef ELEMENTS
