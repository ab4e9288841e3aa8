/* What the device makes of a plan: the kernels of its steps.  */

#ifndef SG_CUDA_CODE_H
#define SG_CUDA_CODE_H

#include "../core/plan.h"
#include "../render/render.h"

/* The kernels of a step, or of the look at a value after it.  */
typedef struct sg_kernels_of
{
  bool none;                 /* the CPU does it */
  sg_rendered r;
  void **function;           /* one for each launch */
  int flag;                  /* number of the first of its flags */
} sg_kernels_of;

typedef struct sg_code
{
  int generation;            /* of the device */
  int64_t fmad;
  int nsteps, nverify;
  sg_kernels_of *step;       /* NSTEPS of them, then NVERIFY for the slots to verify, in order */
  int nflag;
  sg_flag *flag;             /* all flags */
  int *flag_step;            /* and the steps after which they hold */
} sg_code;

/* The code of a plan, made at its first run.  ORDER is a graph that the plan fits.  */
sg_status sg_code_get (sg_plan *p, sg_node *const *order, sg_code **out);
/* Put the node that step K computes, and where the user made it, before the message.  */
sg_status sg_code_blame (sg_status s, const sg_plan *p, sg_node *const *order, int k);

#endif
