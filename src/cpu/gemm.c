/* Matrix products: the calls of the BLAS that Octave itself makes (xgemm in dMatrix.cc and
   fMatrix.cc).  Products of two matrices are cut in panels, which our own threads do with one
   thread of the BLAS each: that keeps more of the machine busy than the threads of OpenBLAS do,
   and these, which look for work for some time after each product, do not get in the way of the
   loops between products.  The cut depends on the sizes alone; so do the bits.  */

#include <limits.h>
#include <string.h>

#include "cpu.h"
#include "threads.h"

/* Where the BLAS is OpenBLAS.  */
extern void openblas_set_num_threads (int n) __attribute__ ((weak));
extern int openblas_get_num_threads (void) __attribute__ ((weak));

#define PANEL_FLOPS 2e6      /* work worth a unit */
#define PANELS_MAX 16
#define PANEL_STEP 8         /* panels end where the kernels of OpenBLAS end their tiles */
#define FLOPS_PER_NS 25

/* The BLAS that Octave links: 32-bit integers; the lengths of strings come last.  */
#define BLAS_DECLARE(p, T)                                                              \
  extern void p##gemm_ (const char *, const char *, const int *, const int *,           \
                        const int *, const T *, const T *, const int *, const T *,      \
                        const int *, const T *, T *, const int *, size_t, size_t);      \
  extern void p##gemv_ (const char *, const int *, const int *, const T *, const T *,   \
                        const int *, const T *, const int *, const T *, T *,            \
                        const int *, size_t);                                           \
  extern void p##syrk_ (const char *, const char *, const int *, const int *,           \
                        const T *, const T *, const int *, const T *, T *,              \
                        const int *, size_t, size_t)
#define BLAS_DECLARE_DOT(dot, T)                                                        \
  extern T dot (const int *, const T *, const int *, const T *, const int *)
#define BLAS_DECLARE_COMPLEX(p, T, real)                                                \
  BLAS_DECLARE (p, T);                                                                  \
  extern void p##herk_ (const char *, const char *, const int *, const int *,           \
                        const real *, const T *, const int *, const real *, T *,        \
                        const int *, size_t, size_t);                                   \
  BLAS_DECLARE_DOT (p##dotu_, T);                                                       \
  BLAS_DECLARE_DOT (p##dotc_, T)

BLAS_DECLARE (d, double);
BLAS_DECLARE (s, float);
BLAS_DECLARE_DOT (ddot_, double);
BLAS_DECLARE_DOT (sdot_, float);
BLAS_DECLARE_COMPLEX (z, double _Complex, double);
BLAS_DECLARE_COMPLEX (c, float _Complex, float);

/* What both precisions need to know.  */
typedef struct product
{
  int m, k, n;
  int lda, tda, ldb, tdb;    /* stored rows and columns of the operands */
  int ldc;
  bool ta, tb;
  bool ca, cb;               /* and conjugated */
  bool same;                 /* the operands are the same data */
} product;

static char
trans_arg (bool t)
{
  return t ? 'T' : 'N';
}

#define PRODUCT(p, T)                                                                   \
  static void                                                                           \
  p##syrk_full (const product *g, const T *a, T *c)                                     \
  {                                                                                     \
    const char t = trans_arg (g->ta);                                                   \
    const T one = 1, zero = 0;                                                          \
    const int64_t m = g->m;                                                             \
                                                                                        \
    p##syrk_ ("U", &t, &g->m, &g->k, &one, a, &g->lda, &zero, c, &g->m, 1, 1);          \
    for (int64_t j = 0; j < m; j++)                                                     \
      for (int64_t i = 0; i < j; i++)                                                   \
        c[j + m * i] = c[i + m * j];                                                    \
  }                                                                                     \
                                                                                        \
  static void                                                                           \
  p##product (const product *g, const T *a, const T *b, T *c)                           \
  {                                                                                     \
    const char ta = trans_arg (g->ta), tb = trans_arg (g->tb);                          \
    const T one = 1, zero = 0;                                                          \
    const int inc = 1;                                                                  \
                                                                                        \
    if (g->same && g->m == g->n && g->ta != g->tb)                                      \
      p##syrk_full (g, a, c);                                                           \
    else if (g->n == 1 && g->m == 1)                                                    \
      *c = p##dot_ (&g->k, a, &inc, b, &inc);                                           \
    else if (g->n == 1)                                                                 \
      p##gemv_ (&ta, &g->lda, &g->tda, &one, a, &g->lda, b, &inc, &zero, c, &inc, 1);   \
    else if (g->m == 1)                                                                 \
      {                                                                                 \
        const char rtb = trans_arg (! g->tb);                                           \
        p##gemv_ (&rtb, &g->ldb, &g->tdb, &one, b, &g->ldb, a, &inc, &zero, c, &inc,    \
                  1);                                                                   \
      }                                                                                 \
    else                                                                                \
      p##gemm_ (&ta, &tb, &g->m, &g->n, &g->k, &one, a, &g->lda, b, &g->ldb, &zero, c,  \
                &g->ldc, 1, 1);                                                         \
  }

PRODUCT (d, double)
PRODUCT (s, float)

static char
cplx_trans_arg (bool t, bool conj)
{
  return conj ? 'C' : t ? 'T' : 'N';
}

/* How a complex number is returned depends on the Fortran compiler; OpenBLAS does as C does.  */
static bool
returns_complex (void)
{
  return openblas_get_num_threads != NULL;
}

/* As xgemm in CMatrix.cc and fCMatrix.cc.  */
#define PRODUCT_COMPLEX(p, T, real)                                                     \
  static void                                                                           \
  p##square (const product *g, const T *a, T *c)                                        \
  {                                                                                     \
    const char t = cplx_trans_arg (g->ta, g->ca);                                       \
    const bool h = g->ca || g->cb;                                                      \
    const T one = 1, zero = 0;                                                          \
    const real rone = 1, rzero = 0;                                                     \
    const int64_t m = g->m;                                                             \
                                                                                        \
    if (h)                                                                              \
      p##herk_ ("U", &t, &g->m, &g->k, &rone, a, &g->lda, &rzero, c, &g->m, 1, 1);      \
    else                                                                                \
      p##syrk_ ("U", &t, &g->m, &g->k, &one, a, &g->lda, &zero, c, &g->m, 1, 1);        \
    for (int64_t j = 0; j < m; j++)                                                     \
      for (int64_t i = 0; i < j; i++)                                                   \
        c[j + m * i] = h ? ~c[i + m * j] : c[i + m * j];                                \
  }                                                                                     \
                                                                                        \
  static void                                                                           \
  p##product (const product *g, const T *a, const T *b, T *c)                           \
  {                                                                                     \
    const char ta = cplx_trans_arg (g->ta, g->ca), tb = cplx_trans_arg (g->tb, g->cb);  \
    const T one = 1, zero = 0;                                                          \
    const int inc = 1;                                                                  \
                                                                                        \
    if (g->same && g->m == g->n && g->ta != g->tb)                                      \
      p##square (g, a, c);                                                              \
    else if (g->n == 1 && g->m == 1 && returns_complex ())                              \
      *c = g->ca && g->cb ? ~p##dotu_ (&g->k, a, &inc, b, &inc)                         \
           : g->ca ? p##dotc_ (&g->k, a, &inc, b, &inc)                                 \
           : g->cb ? p##dotc_ (&g->k, b, &inc, a, &inc)                                 \
           : p##dotu_ (&g->k, a, &inc, b, &inc);                                        \
    else if (g->n == 1 && ! g->cb)                                                      \
      p##gemv_ (&ta, &g->lda, &g->tda, &one, a, &g->lda, b, &inc, &zero, c, &inc, 1);   \
    else if (g->m == 1 && ! g->ca && ! g->cb)                                           \
      {                                                                                 \
        const char rtb = cplx_trans_arg (! g->tb, false);                               \
        p##gemv_ (&rtb, &g->ldb, &g->tdb, &one, b, &g->ldb, a, &inc, &zero, c, &inc,    \
                  1);                                                                   \
      }                                                                                 \
    else                                                                                \
      p##gemm_ (&ta, &tb, &g->m, &g->n, &g->k, &one, a, &g->lda, b, &g->ldb, &zero, c,  \
                &g->ldc, 1, 1);                                                         \
  }

PRODUCT_COMPLEX (z, double _Complex, double)
PRODUCT_COMPLEX (c, float _Complex, float)

/* What is multiplied.  */
typedef struct number
{
  sg_class cls;
  bool cplx;
} number;

static int64_t
number_bytes (number t)
{
  return (int64_t) sg_class_bytes (t.cls) << t.cplx;
}

static void
product_whole (number t, const product *g, const void *a, const void *b, void *c)
{
  if (t.cls == SG_F64)
    {
      if (t.cplx)
        zproduct (g, a, b, c);
      else
        dproduct (g, a, b, c);
    }
  else if (t.cplx)
    cproduct (g, a, b, c);
  else
    sproduct (g, a, b, c);
}

/* ---- panels --------------------------------------------------------------------------- */

typedef struct panels
{
  product g;
  number of;
  const char *a, *b;
  char *c;
  bool columns;              /* panels are columns of the result, else rows */
  int64_t width;
} panels;

static bool
panel_unit (void *ctx, int64_t u, int t)
{
  (void) t;
  const panels *p = ctx;
  product g = p->g;
  int64_t size = number_bytes (p->of), at = u * p->width;
  const char *a = p->a, *b = p->b;
  char *c = p->c;

  if (p->columns)
    {
      g.n = (int) sg_min64 (p->width, g.n - at);
      b += at * size * (g.tb ? 1 : g.ldb);
      c += at * size * g.ldc;
    }
  else
    {
      g.m = (int) sg_min64 (p->width, g.m - at);
      a += at * size * (g.ta ? g.lda : 1);
      c += at * size;
    }
  product_whole (p->of, &g, a, b, c);
  return true;
}

/* The longer side of the result is cut.  No panel has one row or column: that would be another
   function of the BLAS.  */
static int64_t
cut (panels *p)
{
  int64_t side = p->columns ? p->g.n : p->g.m;
  double flops = (p->of.cplx ? 8.0 : 2.0) * p->g.m * p->g.n * p->g.k;
  int64_t units = flops / PANEL_FLOPS < PANELS_MAX ? (int64_t) (flops / PANEL_FLOPS) : PANELS_MAX;

  p->width = side;
  if (units < 2)
    return 1;
  /* The same work for 2 threads and for 4.  */
  units = units < 4 ? 2 : units / 4 * 4;
  p->width = sg_ceil_div (sg_ceil_div (side, units), PANEL_STEP) * PANEL_STEP;
  while (side % p->width == 1)
    p->width += PANEL_STEP;
  return sg_ceil_div (side, p->width);
}

static sg_status
product_in_panels (const product *g, number of, const void *a, const void *b, void *c,
                   int threads)
{
  panels p = { .g = *g, .of = of, .a = a, .b = b, .c = c, .columns = g->n >= g->m };
  int64_t units = cut (&p);
  int old = openblas_get_num_threads ();

  openblas_set_num_threads (1);
  threads = sg_threads_for (threads, (of.cplx ? 8.0 : 2.0) * g->m * g->n * g->k / FLOPS_PER_NS, units);
  sg_status s = sg_units_run (threads, units, panel_unit, &p);
  openblas_set_num_threads (old);
  return s;
}

static bool
is_matrix_product (const product *g)
{
  return g->m > 1 && g->n > 1 && ! (g->same && g->m == g->n && g->ta != g->tb);
}

sg_status
sg_cpu_gemm (const sg_gemm *g, sg_run *r)
{
  const void *a = r->ptr[g->a];
  const void *b = r->ptr[g->b];
  void *c = r->ptr[g->out];
  number of = { g->cls, g->cplx };

  if (g->m > INT_MAX || g->k > INT_MAX || g->n > INT_MAX)
    {
      r->failed_node = r->plan->slot[g->out].node;
      return sg_fail (SG_DELEGATE, "a product of %lldx%lld and %lldx%lld matrices is too "
                      "large for the BLAS", (long long) g->m, (long long) g->k,
                      (long long) g->k, (long long) g->n);
    }
  if (g->m == 0 || g->n == 0)
    return SG_OK;
  if (g->k == 0)
    {
      memset (c, 0, (size_t) (g->m * g->n * number_bytes (of)));
      return SG_OK;
    }

  bool ta = g->ta != 0, tb = g->tb != 0;
  int m = (int) g->m, k = (int) g->k, n = (int) g->n;
  product p = { m, k, n, ta ? k : m, ta ? m : k, tb ? n : k, tb ? k : n, m, ta, tb,
                g->cplx && g->ta == 2, g->cplx && g->tb == 2, a == b };

  if (g->cls != SG_F64 && g->cls != SG_F32)
    return sg_fail (SG_INTERNAL, "no product for class %s", sg_class_name (g->cls));
  if (is_matrix_product (&p) && openblas_set_num_threads && openblas_get_num_threads)
    return product_in_panels (&p, of, a, b, c, r->threads);
  product_whole (of, &p, a, b, c);
  return SG_OK;
}
