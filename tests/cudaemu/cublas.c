/* The calls of libcublas: done by the BLAS of the process, on memory of the emulated device.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#include "emu.h"

typedef enum cublasStatus
{
#define STATUS(id, number, text) CUBLAS_STATUS_##id = number,
#include "cublas.def"
} cublasStatus;

typedef struct handle
{
  void *stream;
  bool device_scalars;
  int math;
} handle;

typedef struct
{
  float re, im;
} c32;
typedef struct
{
  double re, im;
} c64;

/* ---- handles ----------------------------------------------------------------------------- */

EMU_API const char *
cublasGetStatusString (cublasStatus s)
{
  switch (s)
    {
#define STATUS(id, number, text)                                                                   \
  case CUBLAS_STATUS_##id:                                                                         \
    return text;
#include "cublas.def"
    }
  return "unknown cublas status";
}

EMU_API const char *
cublasGetStatusName (cublasStatus s)
{
  switch (s)
    {
#define STATUS(id, number, text)                                                                   \
  case CUBLAS_STATUS_##id:                                                                         \
    return "CUBLAS_STATUS_" #id;
#include "cublas.def"
    }
  return "unknown cublas status";
}

/* A lost device is an execution failure; what was asked for is returned as it is.  */
static cublasStatus
enter (emu_kind kind)
{
  CUresult r = emu_enter (kind);
  return r == CUDA_SUCCESS   ? CUBLAS_STATUS_SUCCESS
         : r == emu_state () ? CUBLAS_STATUS_EXECUTION_FAILED
                             : (cublasStatus) r;
}

#define CALL(kind)                                                                                 \
  do                                                                                               \
    {                                                                                              \
      cublasStatus enter_ = enter (kind);                                                          \
      if (enter_ != CUBLAS_STATUS_SUCCESS)                                                         \
        return enter_;                                                                             \
    }                                                                                              \
  while (0)

/* Products do not wait, and so nothing before them does.  */
#define HANDLE_CALL(h, kind)                                                                       \
  do                                                                                               \
    {                                                                                              \
      CALL (kind);                                                                                 \
      if (! (h))                                                                                   \
        return emu_leave (CUBLAS_STATUS_NOT_INITIALIZED);                                          \
      emu_flush ();                                                                                \
    }                                                                                              \
  while (0)

EMU_API cublasStatus
cublasCreate_v2 (handle **out)
{
  CALL (EMU_BLAS_CREATE);
  if (! out)
    return emu_leave (CUBLAS_STATUS_INVALID_VALUE);
  if (emu_count.contexts == 0)
    return emu_leave (CUBLAS_STATUS_NOT_INITIALIZED);
  *out = calloc (1, sizeof **out);
  emu_count.handles += *out != NULL;
  return emu_leave (*out ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED);
}

EMU_API cublasStatus
cublasDestroy_v2 (handle *h)
{
  HANDLE_CALL (h, EMU_FREE);
  free (h);
  emu_count.handles--;
  return emu_leave (CUBLAS_STATUS_SUCCESS);
}

EMU_API cublasStatus
cublasGetVersion_v2 (handle *h, int *version)
{
  HANDLE_CALL (h, EMU_OTHER);
  *version = 130000;
  return emu_leave (CUBLAS_STATUS_SUCCESS);
}

EMU_API cublasStatus
cublasSetStream_v2 (handle *h, void *stream)
{
  HANDLE_CALL (h, EMU_OTHER);
  h->stream = stream;
  return emu_leave (CUBLAS_STATUS_SUCCESS);
}

EMU_API cublasStatus
cublasGetStream_v2 (handle *h, void **stream)
{
  HANDLE_CALL (h, EMU_OTHER);
  *stream = h->stream;
  return emu_leave (CUBLAS_STATUS_SUCCESS);
}

EMU_API cublasStatus
cublasSetWorkspace_v2 (handle *h, void *p, size_t bytes)
{
  HANDLE_CALL (h, EMU_OTHER);
  if (! emu_range ("the workspace of cuBLAS", (uintptr_t) p, bytes))
    return emu_leave (CUBLAS_STATUS_INVALID_VALUE);
  return emu_leave (CUBLAS_STATUS_SUCCESS);
}

EMU_API cublasStatus
cublasSetMathMode (handle *h, int mode)
{
  HANDLE_CALL (h, EMU_OTHER);
  h->math = mode;
  return emu_leave (CUBLAS_STATUS_SUCCESS);
}

EMU_API cublasStatus
cublasGetMathMode (handle *h, int *mode)
{
  HANDLE_CALL (h, EMU_OTHER);
  *mode = h->math;
  return emu_leave (CUBLAS_STATUS_SUCCESS);
}

EMU_API cublasStatus
cublasSetPointerMode_v2 (handle *h, int mode)
{
  HANDLE_CALL (h, EMU_OTHER);
  if (mode != 0 && mode != 1)
    return emu_leave (CUBLAS_STATUS_INVALID_VALUE);
  h->device_scalars = mode;
  return emu_leave (CUBLAS_STATUS_SUCCESS);
}

EMU_API cublasStatus
cublasSetAtomicsMode (handle *h, int mode)
{
  HANDLE_CALL (h, EMU_OTHER);
  return emu_leave (mode == 0 || mode == 1 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE);
}

/* ---- checks ------------------------------------------------------------------------------ */

/* The function of the process's BLAS, or of the system's.  */
static void *
blas (const char *name)
{
  static void *lib;
  void *f = dlsym (RTLD_DEFAULT, name);
  if (f)
    return f;
  if (! lib)
    lib = dlopen ("libblas.so.3", RTLD_NOW | RTLD_LOCAL);
  return lib ? dlsym (lib, name) : NULL;
}

static bool
is_matrix (const char *who, const void *a, int64_t m, int64_t n, int64_t ld, size_t size)
{
  if (m == 0 || n == 0)
    return true;
  return emu_range (who, (uintptr_t) a, ((n - 1) * ld + m) * size);
}

static bool
is_vector (const char *who, const void *x, int64_t n, int64_t inc, size_t size)
{
  return n == 0 || emu_range (who, (uintptr_t) x, ((n - 1) * llabs (inc) + 1) * size);
}

static bool
is_scalar (const handle *h, const char *who, const void *a, size_t size)
{
  return a && (! h->device_scalars || emu_range (who, (uintptr_t) a, size));
}

static bool
is_size (int64_t n)
{
  return n >= 0 && n <= INT_MAX;
}

static const char op_letter[] = "NTC";

#define FAIL_IF(cond, status)                                                                      \
  if (cond)                                                                                        \
  return status

#define TYPES(X) X (S, s, float) X (D, d, double) X (C, c, c32) X (Z, z, c64)

typedef void gemm_fn (const char *, const char *, const int *, const int *, const int *,
                      const void *, const void *, const int *, const void *, const int *,
                      const void *, void *, const int *, size_t, size_t);
typedef void rank_fn (const char *, const char *, const int *, const int *, const void *,
                      const void *, const int *, const void *, void *, const int *, size_t, size_t);
typedef void gemv_fn (const char *, const int *, const int *, const void *, const void *,
                      const int *, const void *, const int *, const void *, void *, const int *,
                      size_t);
typedef void trsm_fn (const char *, const char *, const char *, const char *, const int *,
                      const int *, const void *, const void *, const int *, void *, const int *,
                      size_t, size_t, size_t, size_t);

/* ---- products ---------------------------------------------------------------------------- */

typedef struct operand
{
  const char *at;
  int64_t ld, stride;
} operand;

static cublasStatus
gemm (const handle *h, const char *who, const char *fn, size_t size, int ta, int tb, int64_t m,
      int64_t n, int64_t k, const void *alpha, operand a, operand b, const void *beta, operand c,
      int64_t batch)
{
  FAIL_IF (ta < 0 || ta > 2 || tb < 0 || tb > 2, CUBLAS_STATUS_INVALID_VALUE);
  FAIL_IF (! is_size (m) || ! is_size (n) || ! is_size (k) || ! is_size (batch),
           CUBLAS_STATUS_INVALID_VALUE);
  int64_t ra = ta ? k : m, ca = ta ? m : k, rb = tb ? n : k, cb = tb ? k : n;
  FAIL_IF (a.ld < ra || b.ld < rb || c.ld < m || a.ld < 1 || b.ld < 1 || c.ld < 1,
           CUBLAS_STATUS_INVALID_VALUE);
  FAIL_IF (! is_scalar (h, who, alpha, size) || ! is_scalar (h, who, beta, size),
           CUBLAS_STATUS_INVALID_VALUE);
  gemm_fn *f = (gemm_fn *) blas (fn);
  FAIL_IF (! f, CUBLAS_STATUS_NOT_SUPPORTED);
  int im = m, in = n, ik = k, lda = a.ld, ldb = b.ld, ldc = c.ld;
  for (int64_t i = 0; i < batch; i++)
    {
      const char *pa = a.at + i * a.stride * size, *pb = b.at + i * b.stride * size;
      char *pc = (char *) c.at + i * c.stride * size;
      FAIL_IF (! is_matrix (who, pa, ra, ca, a.ld, size)
                   || ! is_matrix (who, pb, rb, cb, b.ld, size)
                   || ! is_matrix (who, pc, m, n, c.ld, size),
               CUBLAS_STATUS_EXECUTION_FAILED);
      if (m && n)
        f (op_letter + ta, op_letter + tb, &im, &in, &ik, alpha, pa, &lda, pb, &ldb, beta, pc, &ldc,
           1, 1);
    }
  emu_count.products++;
  emu_trace ("%s, %lld x %lld x %lld, batch %lld", who, (long long) m, (long long) n, (long long) k,
             (long long) batch);
  return CUBLAS_STATUS_SUCCESS;
}

#define GEMM_FORM(l, T, name, int_t)                                                               \
  EMU_API cublasStatus name (handle *h, int ta, int tb, int_t m, int_t n, int_t k, const T *alpha, \
                             const T *a, int_t lda, const T *b, int_t ldb, const T *beta, T *c,    \
                             int_t ldc)                                                            \
  {                                                                                                \
    HANDLE_CALL (h, EMU_BLAS);                                                                     \
    return emu_leave (gemm (h, #name, #l "gemm_", sizeof (T), ta, tb, m, n, k, alpha,              \
                            (operand){ (const char *) a, lda, 0 },                                 \
                            (operand){ (const char *) b, ldb, 0 }, beta,                           \
                            (operand){ (const char *) c, ldc, 0 }, 1));                            \
  }

#define BATCH_FORM(l, T, name, int_t)                                                              \
  EMU_API cublasStatus name (handle *h, int ta, int tb, int_t m, int_t n, int_t k, const T *alpha, \
                             const T *a, int_t lda, long long stride_a, const T *b, int_t ldb,     \
                             long long stride_b, const T *beta, T *c, int_t ldc,                   \
                             long long stride_c, int_t batch)                                      \
  {                                                                                                \
    HANDLE_CALL (h, EMU_BLAS);                                                                     \
    return emu_leave (gemm (h, #name, #l "gemm_", sizeof (T), ta, tb, m, n, k, alpha,              \
                            (operand){ (const char *) a, lda, stride_a },                          \
                            (operand){ (const char *) b, ldb, stride_b }, beta,                    \
                            (operand){ (const char *) c, ldc, stride_c }, batch));                 \
  }

#define GEMM(U, l, T)                                                                              \
  GEMM_FORM (l, T, cublas##U##gemm_v2, int)                                                        \
  GEMM_FORM (l, T, cublas##U##gemm_v2_64, int64_t)                                                 \
  BATCH_FORM (l, T, cublas##U##gemmStridedBatched, int)                                            \
  BATCH_FORM (l, T, cublas##U##gemmStridedBatched_64, int64_t)

TYPES (GEMM)

/* One triangle of A * A.', A * A' or with A before transposed.  */
static cublasStatus
rank_k (const handle *h, const char *who, const char *fn, size_t size, size_t scalar_size, int uplo,
        int trans, int64_t n, int64_t k, const void *alpha, const void *a, int64_t lda,
        const void *beta, void *c, int64_t ldc)
{
  FAIL_IF (uplo < 0 || uplo > 1 || trans < 0 || trans > 2, CUBLAS_STATUS_INVALID_VALUE);
  FAIL_IF (! is_size (n) || ! is_size (k), CUBLAS_STATUS_INVALID_VALUE);
  int64_t ra = trans ? k : n, ca = trans ? n : k;
  FAIL_IF (lda < ra || lda < 1 || ldc < n || ldc < 1, CUBLAS_STATUS_INVALID_VALUE);
  FAIL_IF (! is_scalar (h, who, alpha, scalar_size) || ! is_scalar (h, who, beta, scalar_size),
           CUBLAS_STATUS_INVALID_VALUE);
  rank_fn *f = (rank_fn *) blas (fn);
  FAIL_IF (! f, CUBLAS_STATUS_NOT_SUPPORTED);
  FAIL_IF (! is_matrix (who, a, ra, ca, lda, size) || ! is_matrix (who, c, n, n, ldc, size),
           CUBLAS_STATUS_EXECUTION_FAILED);
  int in = n, ik = k, ilda = lda, ildc = ldc;
  if (n)
    f (uplo ? "U" : "L", op_letter + trans, &in, &ik, alpha, a, &ilda, beta, c, &ildc, 1, 1);
  emu_count.products++;
  emu_trace ("%s, %lld x %lld", who, (long long) n, (long long) k);
  return CUBLAS_STATUS_SUCCESS;
}

#define RANK_FORM(fn, T, R, name, int_t)                                                           \
  EMU_API cublasStatus name (handle *h, int uplo, int trans, int_t n, int_t k, const R *alpha,     \
                             const T *a, int_t lda, const R *beta, T *c, int_t ldc)                \
  {                                                                                                \
    HANDLE_CALL (h, EMU_BLAS);                                                                     \
    return emu_leave (rank_k (h, #name, #fn "_", sizeof (T), sizeof (R), uplo, trans, n, k, alpha, \
                              a, lda, beta, c, ldc));                                              \
  }

#define SYRK(U, l, T)                                                                              \
  RANK_FORM (l##syrk, T, T, cublas##U##syrk_v2, int)                                               \
  RANK_FORM (l##syrk, T, T, cublas##U##syrk_v2_64, int64_t)

TYPES (SYRK)
RANK_FORM (cherk, c32, float, cublasCherk_v2, int)
RANK_FORM (cherk, c32, float, cublasCherk_v2_64, int64_t)
RANK_FORM (zherk, c64, double, cublasZherk_v2, int)
RANK_FORM (zherk, c64, double, cublasZherk_v2_64, int64_t)

static cublasStatus
gemv (const handle *h, const char *who, const char *fn, size_t size, int trans, int64_t m,
      int64_t n, const void *alpha, const void *a, int64_t lda, const void *x, int64_t incx,
      const void *beta, void *y, int64_t incy)
{
  FAIL_IF (trans < 0 || trans > 2 || ! is_size (m) || ! is_size (n), CUBLAS_STATUS_INVALID_VALUE);
  FAIL_IF (lda < m || lda < 1 || incx == 0 || incy == 0, CUBLAS_STATUS_INVALID_VALUE);
  FAIL_IF (! is_scalar (h, who, alpha, size) || ! is_scalar (h, who, beta, size),
           CUBLAS_STATUS_INVALID_VALUE);
  gemv_fn *f = (gemv_fn *) blas (fn);
  FAIL_IF (! f, CUBLAS_STATUS_NOT_SUPPORTED);
  FAIL_IF (! is_matrix (who, a, m, n, lda, size) || ! is_vector (who, x, trans ? m : n, incx, size)
               || ! is_vector (who, y, trans ? n : m, incy, size),
           CUBLAS_STATUS_EXECUTION_FAILED);
  int im = m, in = n, ilda = lda, ix = incx, iy = incy;
  f (op_letter + trans, &im, &in, alpha, a, &ilda, x, &ix, beta, y, &iy, 1);
  emu_count.products++;
  emu_trace ("%s, %lld x %lld", who, (long long) m, (long long) n);
  return CUBLAS_STATUS_SUCCESS;
}

#define GEMV_FORM(fn, T, name, int_t)                                                              \
  EMU_API cublasStatus name (handle *h, int trans, int_t m, int_t n, const T *alpha, const T *a,   \
                             int_t lda, const T *x, int_t incx, const T *beta, T *y, int_t incy)   \
  {                                                                                                \
    HANDLE_CALL (h, EMU_BLAS);                                                                     \
    return emu_leave (                                                                             \
        gemv (h, #name, #fn "_", sizeof (T), trans, m, n, alpha, a, lda, x, incx, beta, y, incy)); \
  }

#define GEMV(U, l, T)                                                                              \
  GEMV_FORM (l##gemv, T, cublas##U##gemv_v2, int)                                                  \
  GEMV_FORM (l##gemv, T, cublas##U##gemv_v2_64, int64_t)

TYPES (GEMV)

static cublasStatus
trsm (const handle *h, const char *who, const char *fn, size_t size, int side, int uplo, int trans,
      int diag, int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda, void *b,
      int64_t ldb)
{
  FAIL_IF (side < 0 || side > 1 || uplo < 0 || uplo > 1 || trans < 0 || trans > 2 || diag < 0
               || diag > 1 || ! is_size (m) || ! is_size (n),
           CUBLAS_STATUS_INVALID_VALUE);
  int64_t k = side ? n : m;
  FAIL_IF (lda < k || lda < 1 || ldb < m || ldb < 1 || ! is_scalar (h, who, alpha, size),
           CUBLAS_STATUS_INVALID_VALUE);
  trsm_fn *f = (trsm_fn *) blas (fn);
  FAIL_IF (! f, CUBLAS_STATUS_NOT_SUPPORTED);
  FAIL_IF (! is_matrix (who, a, k, k, lda, size) || ! is_matrix (who, b, m, n, ldb, size),
           CUBLAS_STATUS_EXECUTION_FAILED);
  int im = m, in = n, ilda = lda, ildb = ldb;
  f (side ? "R" : "L", uplo ? "U" : "L", op_letter + trans, diag ? "U" : "N", &im, &in, alpha, a,
     &ilda, b, &ildb, 1, 1, 1, 1);
  emu_count.products++;
  emu_trace ("%s, %lld x %lld", who, (long long) m, (long long) n);
  return CUBLAS_STATUS_SUCCESS;
}

#define TRSM_FORM(fn, T, name, int_t)                                                              \
  EMU_API cublasStatus name (handle *h, int side, int uplo, int trans, int diag, int_t m, int_t n, \
                             const T *alpha, const T *a, int_t lda, T *b, int_t ldb)               \
  {                                                                                                \
    HANDLE_CALL (h, EMU_BLAS);                                                                     \
    return emu_leave (trsm (h, #name, #fn "_", sizeof (T), side, uplo, trans, diag, m, n, alpha,   \
                            a, lda, b, ldb));                                                      \
  }

#define TRSM(U, l, T)                                                                              \
  TRSM_FORM (l##trsm, T, cublas##U##trsm_v2, int)                                                  \
  TRSM_FORM (l##trsm, T, cublas##U##trsm_v2_64, int64_t)

TYPES (TRSM)
