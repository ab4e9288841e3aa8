/* Between node.c, infer.c and infer_move.c: how nodes are made.  */

#ifndef SG_NODE_H
#define SG_NODE_H

#include "symgpu.h"

/* A node without operands and dimensions yet; NULL after sg_fail.  */
sg_node * sg_node_new (sg_op op, sg_class cls, int nd, int nin, int npar);
/* Fill in the operands (new references) once the dimensions stand.  */
void sg_node_adopt (sg_node *n, sg_node *const *in);

static inline int64_t
sg_numel (int nd, const int64_t *dim)
{
  int64_t n = 1;
  for (int i = 0; i < nd; i++)
    n *= dim[i];
  return n;
}

/* The dimension of a reduction over all elements.  */
#define SG_ALL_DIMS (-2)

/* "3x4" */
void sg_dims_text (char *buf, size_t size, int nd, const int64_t *dim);
bool sg_same_dims (const sg_node *a, const sg_node *b);

static inline bool
sg_is_wide (sg_class c)
{
  return c == SG_I64 || c == SG_U64;
}

static inline int64_t
sg_extent (const sg_node *n, int d)
{
  return d < n->nd ? n->dim[d] : 1;
}

/* Drop trailing dimensions of extent 1.  */
static inline int
sg_chop (int nd, const int64_t *dim)
{
  while (nd > 2 && dim[nd - 1] == 1)
    nd--;
  return nd;
}

/* True if one has more dimensions than the core takes.  */
bool sg_has_many_dims (int nin, sg_node *const *in);
/* True if one is complex, or may prove to be.  */
bool sg_any_maybe_cplx (int nin, sg_node *const *in);
/* Whether N is complex or may prove to be, by its operands and the guard of its operation.  */
void sg_set_complexity (sg_node *n, sg_guard guard);

/* True if each of N complex numbers has the imaginary part 0.  */
bool sg_has_no_imag (sg_class cls, int64_t n, const void *data);

/* N is evaluated: lines whose values are evaluated again and again are those of loops.  */
void sg_line_seen (const sg_node *n);
/* N has been computed when it was made.  */
void sg_line_computed (const sg_node *n);

/* Let go of the expressions of the oldest computed nodes while all together hold too much.  Not
   during an evaluation: nodes may die by it.  */
void sg_history_trim (void);

/* True if the value of such an operation is real whatever its operands are.  */
static inline bool
sg_op_is_always_real (sg_op op)
{
  const sg_opinfo *r = sg_op_info (op);
  return r->out == SG_BOOL || r->out == SG_OUT_IDX || op == SG_ABS || op == SG_REAL
         || op == SG_IMAG || op == SG_ARG || op == SG_SUMSQ || op == SG_NORM;
}

/* True for the guards that mean "the result is complex", not "this is an error".  */
static inline bool
sg_guard_is_complex (sg_guard g)
{
  return g != SG_GUARD_NONE && g != SG_GUARD_NANL && g != SG_GUARD_NANL2;
}

#endif
