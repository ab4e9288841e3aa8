/* From the steps of a plan to the text of kernels.  Pure: no device, no input or output; the
   same step always gives the same text.  Sizes are arguments, so that one kernel serves all
   sizes of a structure; what changes the code (which strides are 0 or 1, whether positions fit
   in 32 bits) stands in the text.  */

#ifndef SG_RENDER_H
#define SG_RENDER_H

#include "../core/plan.h"

/* What an argument of a kernel is; each is 8 bytes.  */
typedef enum sg_argkind
{
  SG_ARG_SLOT,               /* address of the data of slot VALUE */
  SG_ARG_INT,                /* VALUE */
  SG_ARG_START,              /* first position of subscript VALUE of node NODE, a range */
  SG_ARG_STEP,               /* and the distance of its positions */
  SG_ARG_VECTOR,             /* address of the int64 positions, from 0, of subscript VALUE of NODE */
  SG_ARG_SCRATCH,            /* address of byte VALUE of the scratch memory of the step */
  SG_ARG_FLAGS               /* address of the int flags of the step */
} sg_argkind;

typedef struct sg_arg
{
  sg_argkind kind;
  int node;                  /* position in the order of the graph; -1 */
  int64_t value;
} sg_arg;

/* One kernel: a whole translation unit with one function extern "C" __global__ void NAME.  */
typedef struct sg_launch
{
  char *text;
  const char *name;
  int narg;
  sg_arg *arg;
  int64_t blocks;            /* at least 1, at most 2^31 - 1 */
  int threads;               /* of a block */
  int shared;                /* bytes of dynamic shared memory */
} sg_launch;

/* A kernel says something of a node by setting an int to 1; all are 0 before.  GUARD: the node has
   left its domain; of several the first in the list counts, those after it may come of its values.
   NARROW: an imaginary part is not 0; all flags that stay 0 mean real values.  */
typedef enum sg_flagkind { SG_FLAG_GUARD, SG_FLAG_NARROW } sg_flagkind;

typedef struct sg_flag
{
  sg_flagkind kind;
  int node;
} sg_flag;

/* The kernels of one step, to be launched in order; none where nothing is to be done.  */
typedef struct sg_rendered
{
  int nlaunch;
  sg_launch *launch;
  int nflag;
  sg_flag *flag;
  int64_t scratch;           /* bytes, aligned to 16 */
} sg_rendered;

/* SG_DELEGATE: there is no kernel for this step, the CPU does it.  ORDER is the graph, whose
   subscripts say which positions are ranges and whose nodes are those of steps of Octave.  */
sg_status sg_render_cuda (const sg_plan *p, const sg_step *s, sg_node *const *order,
                          sg_rendered *out);
/* Sets the flag of slot SLOT, complex, unless all its imaginary parts are 0.  */
sg_status sg_render_cuda_verify (const sg_plan *p, int slot, sg_rendered *out);
void sg_rendered_clear (sg_rendered *r);

/* The headers that the texts include, by name; ends with a NULL name.  */
typedef struct sg_header
{
  const char *name, *text;
} sg_header;
extern const sg_header sg_render_headers[];
/* A hash of them all: what is compiled from the texts depends on it.  */
uint64_t sg_render_headers_hash (void);

#endif
