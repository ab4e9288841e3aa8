/* What has to be evaluated: the nodes below some roots, operands first, and the key under
   which a plan for such a graph is found again.  */

#ifndef SG_GRAPH_H
#define SG_GRAPH_H

#include "symgpu.h"

typedef struct sg_graph
{
  int n, room;
  sg_node **order;           /* leaves (nodes with a value) and nodes; borrowed */
  bool *is_output;           /* the value is wanted: a root, or the user holds the node */
  uint64_t *key;
  int nkey, keyroom;
  uint64_t hash;
} sg_graph;

/* Order the graph; each node's slot is its position.  */
sg_status sg_graph_init (sg_graph *g, int nroots, sg_node *const *roots);
/* Describe its structure: equal keys, equal plans.  */
sg_status sg_graph_make_key (sg_graph *g);
void sg_graph_clear (sg_graph *g);

static inline bool
sg_node_is_leaf (const sg_node *n)
{
  return n->val != NULL;
}

#endif
