/* Elements that subscripts name, in the text of kernels.  */

#ifndef SG_VIEWS_H
#define SG_VIEWS_H

#include "draft.h"

/* Declare vNAME, the position in the operand of element i of INDEX node NODE.  */
void sg_view_declare (sg_draft *k, int node, int name);

#endif
