/* For run.c: the fault that tests plant.  */

#ifndef SG_FAULT_H
#define SG_FAULT_H

#include "graph.h"

typedef sg_status (*sg_evaluator) (sg_backend b, int n, sg_node *const *roots, sg_want want);

/* Compute the nodes of the operation that the setting "fault" names, wrongly.  */
sg_status sg_fault_plant (sg_backend b, const sg_graph *g, sg_evaluator eval);

#endif
