/* A BLAS for tests on machines that have none: what src/cpu/gemm.c calls, as its definition
   says, and slow.  */

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* Element (I, J) of op (A).  */
#define AT(a, ld, op, i, j, conj_of) \
  (*(op) == 'N' || *(op) == 'n' ? (a)[(i) + (size_t) (j) * (ld)] \
   : *(op) == 'C' || *(op) == 'c' ? conj_of ((a)[(j) + (size_t) (i) * (ld)]) \
   : (a)[(j) + (size_t) (i) * (ld)])
#define SAME(x) (x)

/* What was there counts only if beta is not 0: it may be NaN.  */
#define GEMM(p, T, conj_of)                                                             \
  void p##gemm_ (const char *ta, const char *tb, const int *m, const int *n,            \
                 const int *k, const T *alpha, const T *a, const int *lda, const T *b,  \
                 const int *ldb, const T *beta, T *c, const int *ldc)                   \
  {                                                                                     \
    for (int j = 0; j < *n; j++)                                                        \
      for (int i = 0; i < *m; i++)                                                      \
        {                                                                               \
          T s = 0, *to = &c[i + (size_t) j * *ldc];                                     \
          for (int l = 0; l < *k; l++)                                                  \
            s += AT (a, *lda, ta, i, l, conj_of) * AT (b, *ldb, tb, l, j, conj_of);     \
          *to = *alpha * s + (*beta == 0 ? 0 : *beta * *to);                            \
        }                                                                               \
  }

/* X and Y are contiguous wherever the core calls it.  */
#define GEMV(p, T)                                                                      \
  void p##gemv_ (const char *t, const int *m, const int *n, const T *alpha, const T *a, \
                 const int *lda, const T *x, const int *incx, const T *beta, T *y,      \
                 const int *incy)                                                       \
  {                                                                                     \
    bool plain = *t == 'N' || *t == 'n';                                                \
    const int one = 1, rows = plain ? *m : *n, inner = plain ? *n : *m;                 \
    (void) incx;                                                                        \
    (void) incy;                                                                        \
    p##gemm_ (t, "N", &rows, &one, &inner, alpha, a, lda, x, &inner, beta, y, &rows);   \
  }

/* The upper half of alpha * op (A) * op (A)' + beta * C; REAL the type of the factors.  */
#define SYRK(name, T, REAL, conj_of)                                                    \
  void name (const char *uplo, const char *t, const int *n, const int *k,               \
             const REAL *alpha, const T *a, const int *lda, const REAL *beta, T *c,     \
             const int *ldc)                                                            \
  {                                                                                     \
    bool upper = *uplo == 'U' || *uplo == 'u', plain = *t == 'N' || *t == 'n';          \
    for (int j = 0; j < *n; j++)                                                        \
      for (int i = upper ? 0 : j; i < (upper ? j + 1 : *n); i++)                        \
        {                                                                               \
          T s = 0, *to = &c[i + (size_t) j * *ldc];                                     \
          for (int l = 0; l < *k; l++)                                                  \
            s += plain ? a[i + (size_t) l * *lda] * conj_of (a[j + (size_t) l * *lda])  \
                 : conj_of (a[l + (size_t) i * *lda]) * a[l + (size_t) j * *lda];       \
          *to = *alpha * s + (*beta == 0 ? 0 : *beta * *to);                            \
        }                                                                               \
  }

#define DOT(name, T, conj_of)                                                           \
  T name (const int *n, const T *x, const int *incx, const T *y, const int *incy)       \
  {                                                                                     \
    T s = 0;                                                                            \
    for (int i = 0; i < *n; i++)                                                        \
      s += conj_of (x[(size_t) i * *incx]) * y[(size_t) i * *incy];                     \
    return s;                                                                           \
  }

#define REAL_BLAS(p, T) \
  GEMM (p, T, SAME)  GEMV (p, T)  SYRK (p##syrk_, T, T, SAME)  DOT (p##dot_, T, SAME)
#define COMPLEX_BLAS(p, T, REAL, conj_of)                               \
  GEMM (p, T, conj_of)  GEMV (p, T)  SYRK (p##syrk_, T, T, SAME)        \
  SYRK (p##herk_, T, REAL, conj_of)  DOT (p##dotu_, T, SAME)  DOT (p##dotc_, T, conj_of)

REAL_BLAS (d, double)
REAL_BLAS (s, float)
COMPLEX_BLAS (z, double _Complex, double, conj)
COMPLEX_BLAS (c, float _Complex, float, conjf)
