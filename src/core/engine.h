/* What a backend that runs plans gives to the core.  */

#ifndef SG_ENGINE_H
#define SG_ENGINE_H

#include "graph.h"
#include "plan.h"

typedef struct sg_engine
{
  /* Get ready, or say why not.  NULL: always ready.  */
  sg_status (*open) (void);
  /* Run P, hand the results to the nodes of G.  SG_DELEGATE with FAILED_NODE, the position of
     a node, if Octave is to do it, without (-1) if nodes have been marked as real: the graph is
     to be planned again.  */
  sg_status (*run) (const sg_graph *g, sg_plan *p, int *failed_node);
  /* Let go of memory that is kept for reuse; NULL: there is none.  */
  void (*trim) (void);
} sg_engine;

extern const sg_engine sg_cpu_engine, sg_cuda_engine;

/* Whether backend "cuda" has kernels for step S of P; products are not among them.  */
sg_status sg_cuda_has_kernel (const sg_plan *p, const sg_step *s, sg_node *const *order, bool *out);

/* For run: hand the outputs to their nodes.  BUF by slot; those of leaves are borrowed, the
   others owned.  KEEP false: there are no outputs.  All that is owned is let go.  */
void sg_engine_finish (const sg_graph *g, const sg_plan *p, sg_buf **buf, bool keep);
/* Have Octave do F with the values in BUF, which are on the host; the caller owns OUT.  */
sg_status sg_engine_foreign (const sg_graph *g, const sg_foreign *f, sg_buf *const *buf,
                             sg_buf **out);
/* Let go of what nothing reads after step K.  DEAD counts how far the plan's list has been worked off.  */
void sg_engine_bury (const sg_plan *p, sg_buf **buf, int *dead, int k);

#endif
