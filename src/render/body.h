/* The body of a loop over the elements of a map program, as text.  It is C as well as CUDA: what
   differs, complex numbers and pairs in memory, has the same names in the headers of both.  */

#ifndef SG_BODY_H
#define SG_BODY_H

#include "draft.h"

/* A value that is read element by element.  */
typedef struct sg_source
{
  int slot;
  const int64_t *stride;     /* as in the instruction; NULL: linear */
  int view;                  /* as in the instruction */
  int param;
  int step[SG_MAXND];        /* parameters of strides that are not 0, 1; else -1 */
} sg_source;

typedef struct sg_body sg_body;
struct sg_body
{
  sg_draft *k;
  const sg_map *m;
  int nsrc;
  sg_source *src;
  int *from;                 /* by register: its source, or -1 */
  int dim[SG_MAXND];         /* parameters of the extents, -1: not needed */
  int flags;                 /* parameter, -1: there are none */
  /* Sink number SINK takes register REG.  */
  void (*take) (sg_body *b, int sink, int reg);
};

/* SG_DELEGATE: there is something that no kernel can do.  */
sg_status sg_body_init (sg_body *b, sg_draft *k, const sg_map *m);
void sg_body_clear (sg_body *b);

/* How many elements a thread had better do at once, so that enough of memory is asked for.  */
int sg_body_unroll (const sg_body *b);

/* Before the loop: scalars, flags.  */
void sg_body_begin (sg_body *b);
/* Element i of all sources, to variables l0SUB, l1SUB ...; declared here if DECLARE.  */
void sg_body_declare (sg_body *b, int n);
void sg_body_load (sg_body *b, const char *sub);
/* The instructions for element i.  */
void sg_body_run (sg_body *b, const char *sub);
/* After the loop: flags.  */
void sg_body_end (sg_body *b);

/* The line that computes the results of X in RT; false: X is no such instruction.  */
bool sg_body_value (sg_draft *k, const sg_ins *x, sg_rtype rt);
/* Flag number FLAG |= the guard of X, whose operands are of RT.  */
void sg_body_guard (sg_draft *k, const sg_ins *x, sg_rtype rt, int flag);
/* The text of a part of a complex operation; NULL: it is not done by parts.  */
const char * sg_body_part_text (const sg_ins *x, int part);

/* Element AT of an output of class CLS is the value of variable X, of rtype RT.  */
void sg_body_store (sg_draft *k, int param, const char *at, sg_class cls, sg_rtype rt,
                    const char *x);

#endif
