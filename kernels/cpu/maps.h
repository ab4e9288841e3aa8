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
#define EW3(id, name, expr)                                                                  \
  static void                                                                               \
  S (map_##id) (int64_t n, void *op, const void *ap, const void *bp, const void *cp)        \
  {                                                                                         \
    T *o = op;                                                                              \
    const T *pa = ap, *pb = bp, *pc = cp;                                                   \
    ELEMENTS { T a = pa[i], b = pb[i], c = pc[i]; o[i] = expr; }                            \
  }
#define EW(id, name, n, in, out, guard, ulp, lo, hi, expr) MAP_##n (id, expr)
#include "op.def"

/* Two of them in one pass.  */
#define PAIR(first, second, expr)                                                           \
  static void                                                                               \
  S (pair_##first##_##second) (int64_t n, void *op, const void *ap, const void *bp,         \
                               const void *cp)                                              \
  {                                                                                         \
    T *o = op;                                                                              \
    const T *pa = ap, *pb = bp, *pc = cp;                                                   \
    ELEMENTS { T a = pa[i], b = pb[i], c = pc[i], t = expr; o[i] = t; }                     \
  }
#define PAIRS(first, op1)                                                                   \
  PAIR (first, PLUS, (a op1 b) + c)                                                         \
  PAIR (first, MINUS, (a op1 b) - c)                                                        \
  PAIR (first, TIMES, (a op1 b) * c)                                                        \
  PAIR (first, RIGHT_PLUS, c + (a op1 b))                                                   \
  PAIR (first, RIGHT_MINUS, c - (a op1 b))                                                  \
  PAIR (first, RIGHT_TIMES, c * (a op1 b))
PAIRS (PLUS, +)
PAIRS (MINUS, -)
PAIRS (TIMES, *)
#undef PAIR
#undef PAIRS

#undef NATIVE
#undef MAP_1
#undef MAP_2

/* Guards look at everything: a hit is rare.  */
#define GUARD_1 T a = pa[i]
#define GUARD_2 T a = pa[i], b = ((const T *) bp)[i]
#define GUARD(id, n, test)                                                                  \
  static int                                                                                \
  S (guard_##id) (int64_t n_, const void *ap, const void *bp)                               \
  {                                                                                         \
    const T *pa = ap;                                                                       \
    I hit = 0;                                                                              \
    (void) bp;                                                                              \
    for (int64_t i = 0; i < n_; i++)                                                        \
      {                                                                                     \
        GUARD_##n;                                                                          \
        hit |= (test) ? 1 : 0;                                                              \
      }                                                                                     \
    return hit != 0;                                                                        \
  }
#include "guard.def"
#undef GUARD_1
#undef GUARD_2

#undef ELEMENTS
