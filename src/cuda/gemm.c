/* Products.  X' * X is computed as Octave does it, one half and its mirror, so that it is
   symmetric to the bit.  */

#include <stdio.h>

#include "api.h"
#include "device.h"
#include "gemm.h"
#include "module.h"

enum { OP_N, OP_T, OP_C, UPPER = 1, DEFAULT_MATH = 0 };

sg_status
sg_gemm_open (void)
{
  SG_CU (cublasCreate_v2, &sg_dev.cublas);
  SG_CU (cublasSetStream_v2, sg_dev.cublas, sg_dev.stream);
  /* Singles as singles: not through a shorter format.  */
  SG_CU (cublasSetMathMode, sg_dev.cublas, DEFAULT_MATH);
  return SG_OK;
}

/* C is M x M; the part below the diagonal is made of that above.  */
static const char *const element[2][2] = {
  { "typedef double T;\n__device__ T turned (T x) { return x; }\n",
    "struct T { double r, i; };\n__device__ T turned (T x) { return T { x.r, -x.i }; }\n" },
  { "typedef float T;\n__device__ T turned (T x) { return x; }\n",
    "struct T { float r, i; };\n__device__ T turned (T x) { return T { x.r, -x.i }; }\n" } };

static const char *const mirror_text =
  "extern \"C\" __global__ void\n"
  "sg_mirror (T *c, long long m, long long conj)\n"
  "{\n"
  "  long long step = (long long) gridDim.x * blockDim.x;\n"
  "  for (long long k = (long long) blockIdx.x * blockDim.x + threadIdx.x; k < m * m; k += step)\n"
  "    {\n"
  "      long long i = k % m, j = k / m;\n"
  "      if (i > j)\n"
  "        c[k] = conj ? turned (c[j + m * i]) : c[j + m * i];\n"
  "    }\n"
  "}\n";

#define THREADS 256
#define BLOCKS_MAX 65536

static sg_status
mirror (const sg_gemm *g, uint64_t c, bool conj)
{
  char text[1024];
  void *function;
  int64_t m = g->m, turn = conj, blocks = (m * m + THREADS - 1) / THREADS;
  snprintf (text, sizeof text, "%s%s", element[g->cls == SG_F32][g->cplx], mirror_text);
  SG_TRY (sg_module_get ("sg_mirror", text, &function));
  return sg_module_launch (function, blocks < BLOCKS_MAX ? blocks : BLOCKS_MAX, THREADS, 0,
                           (void *[]) { &c, &m, &turn });
}

/* What the calls have in common.  */
typedef struct product
{
  int m, n, k, ta, tb, lda, ldb;
  uint64_t a, b, c;
} product;

#define AT(type, address) ((type *) (uintptr_t) (address))
#define GEMM(symbol, T)                                                                 \
  sg_cu.symbol (sg_dev.cublas, p->ta, p->tb, p->m, p->n, p->k, (T[]) { 1, 0 },          \
                AT (const T, p->a), p->lda, AT (const T, p->b), p->ldb, (T[]) { 0, 0 }, \
                AT (T, p->c), p->m)
#define SYRK(symbol, T)                                                                 \
  sg_cu.symbol (sg_dev.cublas, UPPER, p->ta, p->m, p->k, (T[]) { 1, 0 },                \
                AT (const T, p->a), p->lda, (T[]) { 0, 0 }, AT (T, p->c), p->m)

static sg_status
whole (const sg_gemm *g, const product *p)
{
  int e = g->cls == SG_F64
          ? (g->cplx ? GEMM (cublasZgemm_v2, double) : GEMM (cublasDgemm_v2, double))
          : (g->cplx ? GEMM (cublasCgemm_v2, float) : GEMM (cublasSgemm_v2, float));
  return e == 0 ? SG_OK : sg_cu_fail ("cublas gemm", e);
}

static sg_status
half (const sg_gemm *g, const product *p, bool conj)
{
  int e = g->cls == SG_F64
          ? (! g->cplx ? SYRK (cublasDsyrk_v2, double)
             : conj ? SYRK (cublasZherk_v2, double) : SYRK (cublasZsyrk_v2, double))
          : (! g->cplx ? SYRK (cublasSsyrk_v2, float)
             : conj ? SYRK (cublasCherk_v2, float) : SYRK (cublasCsyrk_v2, float));
  return e == 0 ? SG_OK : sg_cu_fail ("cublas syrk", e);
}

static int
op_of (const sg_gemm *g, int t)
{
  return t == 0 ? OP_N : g->cplx && t == 2 ? OP_C : OP_T;
}

sg_status
sg_cuda_gemm (const sg_gemm *g, uint64_t a, uint64_t b, uint64_t c)
{
  if (g->k == 0)
    return sg_zero (c, (size_t) (g->m * g->n) * sg_class_bytes (g->cls) << g->cplx);
  product p = { .m = g->m, .n = g->n, .k = g->k, .ta = op_of (g, g->ta), .tb = op_of (g, g->tb),
                .lda = g->ta ? g->k : g->m, .ldb = g->tb ? g->n : g->k, .a = a, .b = b, .c = c };
  sg_count.launches++;
  bool conj = g->cplx && (g->ta == 2 || g->tb == 2);
  /* One number only where its imaginary part has to be 0.  */
  if (a != b || g->m != g->n || (g->ta != 0) == (g->tb != 0) || (g->m == 1 && ! conj))
    return whole (g, &p);
  SG_TRY (half (g, &p, conj));
  return g->m > 1 ? mirror (g, c, conj) : SG_OK;
}
