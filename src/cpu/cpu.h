/* The CPU backend: runs the steps of a plan.  Every function leaves the same bits whatever
   the number of threads.  */

#ifndef SG_CPU_H
#define SG_CPU_H

#include "../core/plan.h"

/* SG_DELEGATE with r->failed_node set if Octave is to do that node, without if nodes have been
   marked as real: the graph is to be planned again.  */
sg_status sg_cpu_step (const sg_step *s, sg_run *r);
/* The parts of that.  */
sg_status sg_cpu_map (const sg_map *m, sg_run *r);
sg_status sg_cpu_scan (const sg_scan *s, sg_run *r);
/* The same for complex numbers, and the reductions that go with them.  */
sg_status sg_cpu_cplx_lines (const sg_scan *s, sg_run *r);
sg_status sg_cpu_gemm (const sg_gemm *g, sg_run *r);
sg_status sg_cpu_move (const sg_move *v, sg_run *r);
/* What those two leave to files of their own.  */
sg_status sg_cpu_sort (const sg_scan *s, sg_run *r);
sg_status sg_cpu_trilu (const sg_move *v, sg_run *r);

/* ---- kernels: one table for each instruction set, chosen once --------------------------- */

/* o = op (a, b) for n elements; b may be NULL for one operand.  No alignment is needed, o may
   be a or b, n is at most SG_BLOCK.  Same bits wherever in the array an element stands.  */
typedef void (*sg_map_fn) (int64_t n, void *o, const void *a, const void *b);
/* o = op (a, b, c) likewise.  */
typedef void (*sg_map3_fn) (int64_t n, void *o, const void *a, const void *b, const void *c);
/* The same for complex numbers: o, oi = op (a, ai, b, bi), see cplx.def; parts that the form has
   not are NULL, o and oi are apart from all operands.  */
typedef void (*sg_cplx_fn) (int64_t n, void *o, void *oi, const void *a, const void *ai,
                            const void *b, const void *bi);
/* Memory o = the parts re and im (NULL: 0) side by side.  */
typedef void (*sg_merge_fn) (int64_t n, void *o, const void *re, const void *im);
/* True if one of a is not 0.  */
typedef int (*sg_nonzero_fn) (int64_t n, const void *a);
/* o = a converted.  */
typedef void (*sg_conv_fn) (int64_t n, void *o, const void *a);
/* Nonzero if the guard is hit.  */
typedef int (*sg_guard_fn) (int64_t n, const void *a, const void *b);
/* *acc takes n elements of a line, in an order that depends on n alone.  */
typedef void (*sg_line_fn) (int64_t n, const void *x, void *acc);
/* acc[i] takes x[i].  */
typedef void (*sg_elem_fn) (int64_t n, const void *x, void *acc);
/* As the two above for IMAX and IMIN; POS is the position in the line of x[0] (line) or of all
   x (elem).  acc: best so far (NaN: none), pos: its position.  */
typedef void (*sg_iline_fn) (int64_t n, const void *x, int64_t at, void *acc, int64_t *pos);
typedef void (*sg_ielem_fn) (int64_t n, const void *x, int64_t at, void *acc, int64_t *pos);

typedef struct sg_kernels
{
  const char *isa;                                   /* "x86-64-v3" ... or "generic" */
  const char *vector_math;                           /* "SLEEF ..." or "libm" */
  sg_map_fn map[SG_NOP][2];                          /* [op][rtype]; NULL: no kernel */
  sg_map3_fn map3[SG_NOP][2];
  /* (a op b) op c, or c op (a op b), of +, - and .*, in one pass.  */
  sg_map3_fn pair[3][3][2][2];
  sg_cplx_fn cplx[SG_NOP][SG_NCX][2];
  sg_merge_fn merge[2];
  sg_nonzero_fn nonzero[2];
  sg_guard_fn guard[SG_GUARD_POW + 1][2];
  sg_conv_fn load[SG_NCLASS][2];                     /* memory of a class to rtype */
  sg_conv_fn store[2][SG_NCLASS];                    /* rtype to memory; values fit already */
  sg_conv_fn sat[SG_NCLASS];                         /* R64 to R64: round and saturate, NaN to 0 */
  sg_line_fn line[SG_NOP][2];                        /* reductions: elements into an accumulator */
  sg_elem_fn elem[SG_NOP][2];
  sg_elem_fn join[SG_NOP][2];                        /* accumulators into accumulators */
  sg_iline_fn iline[SG_NOP][2];
  sg_ielem_fn ielem[SG_NOP][2];
} sg_kernels;

/* The best table for this machine.  */
const sg_kernels * sg_kernels_get (void);
/* What an empty accumulator holds: 0, 1, or NaN for MAX, MIN, IMAX, IMIN.  */
double sg_red_init (sg_op op);

#endif
