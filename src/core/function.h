/* A graph with holes: expressions whose inputs are given when it runs, with a plan that was made
   once.  */

#ifndef SG_FUNCTION_H
#define SG_FUNCTION_H

#include "symgpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A leaf without a value: class, complexity and size of what will be given.  WIDE: it will be
   complex without any imaginary part.  */
sg_status sg_hole_new (sg_class cls, bool cplx, bool wide, int nd, const int64_t *dim,
                       sg_node **out);
static inline bool
sg_node_is_hole (const sg_node *n)
{
  return n->op == SG_LEAF && ! n->val;
}
/* True if there is a hole at or below N.  */
sg_status sg_node_has_holes (sg_node *n, bool *has);

typedef struct sg_function sg_function;

/* OUT are nodes with holes below that nobody else changes; what among their operands has none is
   computed now.  IN are the holes, VAL values like those to come.  The function refers to all
   nodes.  */
sg_status sg_function_new (int nin, sg_node *const *in, sg_buf *const *val, int nout,
                           sg_node *const *out, sg_function **f);
void sg_function_free (sg_function *f);
/* Put values into the holes, or take them out again: VAL NULL.  They are borrowed.  */
void sg_function_fill (sg_function *f, sg_buf *const *val);
/* Fill in VAL, run the plan, give new references in OUT.  SG_DELEGATE: the plan does not fit these
   values; a value is complex, or real, that was not before.  Borrowed values may be among OUT.  */
sg_status sg_function_run (sg_function *f, sg_backend b, sg_buf *const *val, sg_buf **out);
/* True if both compute the same of their inputs, constants included.  */
bool sg_function_same (const sg_function *a, const sg_function *b);
int sg_function_nodes (const sg_function *f);

#ifdef __cplusplus
}
#endif
#endif
