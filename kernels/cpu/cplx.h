/* Elementwise operations on complex numbers, for one type.  Real and imaginary parts are apart,
   so that most of them become vector code.  No result is where an operand is.  */

#define Z T _Complex
#define ar pa[i]
#define ai pai[i]
#define br pb[i]
#define bi pbi[i]

#define CPLX_FN(name, ...)                                                                  \
  static void                                                                               \
  S (name) (int64_t n, void *op, void *opi, const void *ap, const void *api,                \
            const void *bp, const void *bpi)                                                \
  {                                                                                         \
    T *restrict o = op;                                                                     \
    T *restrict oi = opi;                                                                   \
    const T *pa = ap, *pai = api, *pb = bp, *pbi = bpi;                                     \
    (void) pa, (void) pai, (void) pb, (void) pbi;                                                     \
    for (int64_t i = 0; i < n; i++)                                                         \
      { __VA_ARGS__ }                                                                       \
  }

#define PUT_REAL(re, im) (void) oi; o[i] = (T) (re);
#define PUT_CPLX(re, im) T x = (T) (re), y = (T) (im); o[i] = x; oi[i] = y;
#define PUT_Z_REAL(text) (void) oi; o[i] = (T) (text);
#define PUT_Z_CPLX(text) Z z = text; o[i] = sg_creal (z); oi[i] = sg_cimag (z);

#define CX(form, id, out, re, im) CPLX_FN (cplx_##form##_##id, PUT_##out (re, im))
#define CZ(form, id, out, text)                                                             \
  CPLX_FN (cplx_##form##_##id,                                                              \
           Z a = __builtin_complex (ar, pai ? ai : 0);                                      \
           Z b = __builtin_complex (pb ? br : 0, pbi ? bi : 0);                             \
           (void) a, (void) b;                                                              \
           PUT_Z_##out (text))
#include "cplx.def"

/* Products of infinities, where both parts are NaN, as annex G of the C standard has them.  Values
   that diverge stay infinite, so that all of an array may be such: no branches.  */
#define IS_INF(x) (sg_fabs (x) == (T) INFINITY)
#define BOXED(x, inf) (inf ? sg_copysign (IS_INF (x) ? (T) 1 : (T) 0, x) : x)
#define NUMBER(x, inf) (inf & (x != x) ? sg_copysign ((T) 0, x) : x)
static void
S (cplx_infinities) (int64_t n, void *op, void *opi, const void *ap, const void *api,
                     const void *bp, const void *bpi)
{
  T *restrict o = op;
  T *restrict oi = opi;
  const T *pa = ap, *pai = api, *pb = bp, *pbi = bpi;

  for (int64_t i = 0; i < n; i++)
    {
      T a = ar, b = ai, c = br, d = bi;
      I lost = (o[i] != o[i]) & (oi[i] != oi[i]);
      I of_products = IS_INF (a * c) | IS_INF (b * d) | IS_INF (a * d) | IS_INF (b * c);
      I left = IS_INF (a) | IS_INF (b), right = IS_INF (c) | IS_INF (d);
      I some = of_products & ! (left | right);
      a = BOXED (a, left);
      b = BOXED (b, left);
      c = NUMBER (c, left);
      d = NUMBER (d, left);
      c = BOXED (c, right);
      d = BOXED (d, right);
      a = NUMBER (a, right);
      b = NUMBER (b, right);
      a = NUMBER (a, some);
      b = NUMBER (b, some);
      c = NUMBER (c, some);
      d = NUMBER (d, some);
      I again = lost & (left | right | some);
      T x = (T) INFINITY * (a * c - b * d), y = (T) INFINITY * (a * d + b * c);
      o[i] = again ? x : o[i];
      oi[i] = again ? y : oi[i];
    }
}
#undef IS_INF
#undef BOXED
#undef NUMBER

static void
S (cplx_product) (int64_t n, void *op, void *opi, const void *ap, const void *api,
                  const void *bp, const void *bpi)
{
  T *restrict o = op;
  T *restrict oi = opi;
  const T *pa = ap, *pai = api, *pb = bp, *pbi = bpi;
  I nan = 0;

  for (int64_t i = 0; i < n; i++)
    {
      T x = ar * br - ai * bi, y = ar * bi + ai * br;
      o[i] = x;
      oi[i] = y;
      nan |= (x != x) & (y != y);
    }
  if (nan)
    S (cplx_infinities) (n, op, opi, ap, api, bp, bpi);
}

/* Quotients of doubles by Smith's formula, as in the run-time library of the compiler, where
   nothing is near the ends of the range; all others are the library's, and so are quotients of
   singles, which it takes in doubles, and all on machines for which the library itself is
   compiled with contracted products.  */
#define MIDDLE(x) ((x) > (T) 0x1p-100 && (x) < (T) 0x1p100)

static void __attribute__ ((unused))
S (cplx_quotient) (int64_t n, void *op, void *opi, const void *ap, const void *api,
                   const void *bp, const void *bpi)
{
  T *restrict o = op;
  T *restrict oi = opi;
  const T *pa = ap, *pai = api, *pb = bp, *pbi = bpi;
  I far = 0;

  for (int64_t i = 0; i < n; i++)
    {
      T a = ar, b = ai, c = sg_fabs (br), d = sg_fabs (bi);
      int steep = c < d;
      T small = steep ? br : bi, large = steep ? bi : br;
      T ratio = small / large, denom = small * ratio + large;
      T x = (steep ? a : b) * ratio + (steep ? b : a);
      T y = steep ? b * ratio - a : b - a * ratio;
      o[i] = x / denom;
      oi[i] = y / denom;
      a = sg_fabs (a);
      b = sg_fabs (b);
      far |= ! (MIDDLE (c) & MIDDLE (d) & (MIDDLE (a) | (a == 0)) & (MIDDLE (b) | (b == 0)));
    }
  if (far)
    S (cplx_BOTH_RDIVIDE) (n, op, opi, ap, api, bp, bpi);
}
#undef MIDDLE

#if WITH_SLEEF
static void
S (cplx_abs) (int64_t n, void *op, void *opi, const void *ap, const void *api, const void *bp,
              const void *bpi)
{
  (void) opi, (void) bp, (void) bpi;
  S (vmap_HYPOT) (n, op, ap, api);
}

static void
S (cplx_arg) (int64_t n, void *op, void *opi, const void *ap, const void *api, const void *bp,
              const void *bpi)
{
  (void) opi, (void) bp, (void) bpi;
  S (vmap_ATAN2) (n, op, api, ap);
}
#endif

#undef ar
#undef ai
#undef br
#undef bi
#undef CPLX_FN
#undef PUT_REAL
#undef PUT_CPLX
#undef PUT_Z_REAL
#undef PUT_Z_CPLX

/* Memory has the parts side by side.  No imaginary part: 0.  */
static void
S (merge) (int64_t n, void *op, const void *re, const void *im)
{
  T *restrict o = op;
  const T *x = re, *y = im;

  if (y)
    for (int64_t i = 0; i < n; i++)
      {
        o[2 * i] = x[i];
        o[2 * i + 1] = y[i];
      }
  else
    for (int64_t i = 0; i < n; i++)
      {
        o[2 * i] = x[i];
        o[2 * i + 1] = 0;
      }
}

static int
S (nonzero) (int64_t n, const void *ap)
{
  const T *a = ap;
  I some = 0;

  for (int64_t i = 0; i < n; i++)
    some |= a[i] != 0;
  return some != 0;
}

#undef Z
