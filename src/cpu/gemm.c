/* Matrix products: the calls of the BLAS that Octave itself makes (xgemm in dMatrix.cc and
   fMatrix.cc), so that the results have Octave's bits.  */

#include <limits.h>
#include <string.h>

#include "cpu.h"

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
                        const int *, size_t, size_t);                                   \
  extern T p##dot_ (const int *, const T *, const int *, const T *, const int *);

BLAS_DECLARE (d, double)
BLAS_DECLARE (s, float)

/* What both precisions need to know.  */
typedef struct product
{
  int m, k, n;
  int lda, tda, ldb, tdb;    /* stored rows and columns of the operands */
  bool ta, tb;
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
                &g->m, 1, 1);                                                           \
  }

PRODUCT (d, double)
PRODUCT (s, float)

sg_status
sg_cpu_gemm (const sg_gemm *g, sg_run *r)
{
  const void *a = r->ptr[g->a];
  const void *b = r->ptr[g->b];
  void *c = r->ptr[g->out];

  if (g->m > INT_MAX || g->k > INT_MAX || g->n > INT_MAX)
    {
      r->failed_node = -1;
      return sg_fail (SG_DELEGATE, "a product of %lldx%lld and %lldx%lld matrices is too "
                      "large for the BLAS", (long long) g->m, (long long) g->k,
                      (long long) g->k, (long long) g->n);
    }
  if (g->m == 0 || g->n == 0)
    return SG_OK;
  if (g->k == 0)
    {
      memset (c, 0, (size_t) (g->m * g->n) * sg_class_bytes (g->cls));
      return SG_OK;
    }

  bool ta = g->ta != 0, tb = g->tb != 0;
  int m = (int) g->m, k = (int) g->k, n = (int) g->n;
  product p = { m, k, n, ta ? k : m, ta ? m : k, tb ? n : k, tb ? k : n, ta, tb, a == b };

  if (g->cls == SG_F64)
    dproduct (&p, a, b, c);
  else if (g->cls == SG_F32)
    sproduct (&p, a, b, c);
  else
    return sg_fail (SG_INTERNAL, "no product for class %s", sg_class_name (g->cls));
  return SG_OK;
}
