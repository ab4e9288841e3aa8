/* What a person can look at: the steps of a plan, the rates of the machine, where the time
   goes.  */

#ifndef SG_LOOK_H
#define SG_LOOK_H

#include "symgpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- plans ---------------------------------------------------------------------------- */

typedef enum sg_work { SG_WORK_LOOP, SG_WORK_LINES, SG_WORK_PRODUCT, SG_WORK_MOVE, SG_WORK_OCTAVE,
                       SG_WORK_PLAN, SG_WORK_COMPILE, SG_NWORK } sg_work;
/* "loop", "lines", "product", "move", "Octave", "planning", "compiling" */
const char * sg_work_name (sg_work w);

/* Why a value goes through memory.  */
typedef enum sg_cut
{
  SG_CUT_NONE,
  SG_CUT_RESULT,             /* it is asked for */
  SG_CUT_HELD,               /* a variable or another expression holds it */
  SG_CUT_MADE,               /* the step that makes it is no loop */
  SG_CUT_REDUCED,            /* a reduction is complete only after its loop */
  SG_CUT_TAKEN,              /* the step that takes it is no loop */
  SG_CUT_SHAPE,              /* the loop that takes it has another size */
  SG_CUT_ORDER,              /* the loop that takes it needs something else first, or is full */
  SG_CUT_UNFUSED,            /* the setting "fuse" is 0 */
  SG_CUT_CONVERTED,          /* a conversion for the step that takes it */
  SG_NCUT
} sg_cut;

/* A value that a step leaves in memory.  */
typedef struct sg_look_value
{
  int node;                  /* position of its node, -1: a conversion */
  int64_t bytes;
  sg_cut cut;
  int step;                  /* the first step that takes it, -1: none */
  bool kept;                 /* it outlives the evaluation */
} sg_look_value;

typedef struct sg_look_step
{
  sg_work work;
  sg_op op;                  /* not LOOP */
  int nnode, *node;          /* positions of the nodes that it computes */
  int nvalue;
  sg_look_value *value;
  int64_t elements;          /* LOOP: of the loop; else of the result */
  int64_t read, written;     /* bytes */
  double flops;              /* PRODUCT */
  double ns;                 /* LOOP: of all elements on one core, about */
  int ta, tb;                /* PRODUCT: flags; M x K by K x N */
  int64_t m, k, n;
  bool same;                 /* PRODUCT: both operands are one value */
  int guards;                /* LOOP: checks that an argument is in the domain */
  bool compiled;             /* LOOP: it runs as code compiled for it alone */
  int narrows;               /* LOOP: checks that a value is complex */
  bool single;               /* PRODUCT */
  bool kernel;               /* backend "cuda" has a kernel for it */
} sg_look_step;

typedef struct sg_look
{
  int nnode;
  sg_node **order;           /* borrowed: the roots hold them */
  int nstep;
  sg_look_step *step;
  int64_t arena, peak;       /* bytes: of intermediate values; of all values of the plan at a time */
  int64_t inputs;            /* bytes of the values that exist */
  int64_t held;              /* bytes of results that outlive the evaluation */
  bool cached;               /* the plan was there */
  int64_t runs;              /* how often it has run */
} sg_look;

/* The plan of the CPU for these roots.  */
sg_status sg_look_new (int n, sg_node *const *roots, sg_look **out);
void sg_look_free (sg_look *l);

/* Print the program of each step, with the operations in comments and where they were made.  */
sg_status sg_look_source (FILE *f, int n, sg_node *const *roots);
/* Print the CUDA text of the kernels of each step, likewise; needs no GPU.  */
sg_status sg_look_cuda (FILE *f, int n, sg_node *const *roots);

/* ---- rates of the machine ---------------------------------------------------------------- */

/* False: it cannot be used here.  */
bool sg_backend_is_available (sg_backend b);

/* Of a backend.  */
typedef struct sg_rates
{
  bool known;
  double bytes;              /* per second, read and written */
  double unit;               /* what a nanosecond of the estimate NS of a loop takes, nanoseconds */
  double flops64, flops32;   /* of products, per second */
  double step;               /* seconds that a step takes at least */
} sg_rates;

/* Measured when they are first asked for, in some hundredths of a second.  */
sg_status sg_rates_get (sg_backend b, const sg_rates **out);
/* Seconds that step K takes, about; on SG_NATIVE what its nodes take one by one.  */
sg_status sg_look_seconds (const sg_look *l, int k, sg_backend b, double *out);

/* ---- where the time goes ------------------------------------------------------------------ */

typedef struct sg_profile_row
{
  sg_work work;
  uint32_t origin;
  int64_t count, bytes;
  double seconds;
} sg_profile_row;

extern bool sg_profile_on;
void sg_profile_reset (void);
int sg_profile_count (void);
const sg_profile_row * sg_profile_get (int k);
/* Seconds of some clock.  */
double sg_now (void);

/* Called before a step of a plan if it is set, with 0, 0 after the last one.  */
extern void (*sg_progress) (int step, int nsteps);

/* Origin of an expression on little data that has been evaluated so often; 0: none.  */
#define SG_REPEATED 1000
extern uint32_t sg_repeated;

#ifdef __cplusplus
}
#endif
#endif
