/* What has to be evaluated: the nodes below some roots, operands first, and the key under
   which a plan for such a graph is found again.  */

#ifndef SG_GRAPH_H
#define SG_GRAPH_H

#include "symgpu.h"

/* Whether a value outlives the evaluation.  */
typedef enum sg_want
{
  SG_WANT_NOT,
  SG_WANT_KEPT,              /* the user or another expression holds the node */
  SG_WANT_HOST               /* and will look at it now: in memory of the host */
} sg_want;

typedef struct sg_graph
{
  int n, room;
  sg_node **order;           /* leaves (nodes with a value) and nodes; borrowed */
  uint8_t *want;             /* by position: sg_want */
  sg_buf **kept;             /* by position: where wanted values go; NULL: to their nodes */
  uint64_t *key;
  int nkey, keyroom;
  uint64_t hash;
} sg_graph;

/* Order the graph; each node's slot is its position.  WANT is that of the roots.  */
sg_status sg_graph_init (sg_graph *g, int nroots, sg_node *const *roots, sg_want want);
/* Describe its structure: equal keys, equal plans.  */
sg_status sg_graph_make_key (sg_graph *g);
void sg_graph_clear (sg_graph *g);

static inline bool
sg_node_is_leaf (const sg_node *n)
{
  return n->val != NULL;
}

#endif
