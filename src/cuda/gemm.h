/* Products by cuBLAS.  */

#ifndef SG_CUDA_GEMM_H
#define SG_CUDA_GEMM_H

#include "../core/plan.h"

/* Get cuBLAS ready for the device in use.  */
sg_status sg_gemm_open (void);
/* Sizes of cuBLAS are ints: larger products are left to the CPU.  */
static inline bool
sg_cuda_has_gemm (const sg_gemm *g)
{
  return g->m <= INT32_MAX && g->n <= INT32_MAX && g->k <= INT32_MAX;
}
/* A, B, C are addresses.  */
sg_status sg_cuda_gemm (const sg_gemm *g, uint64_t a, uint64_t b, uint64_t c);

#endif
