/* Straight pieces of map programs as C: a function does all instructions of a piece for the elements
   of one block, and what one instruction leaves to the next stays in registers of the processor.
   The bits are those of the interpreter: the same expressions of the same tables.  */

#ifndef SG_SEGMENTS_H
#define SG_SEGMENTS_H

#include "../core/plan.h"
#include "text.h"

#define SG_SEGMENT_ARGS 240
#define SG_SEGMENT_FLAGS 31

/* A function is int NAME (long n, void *const *p): p[k] is the address of the first of n elements of
   argument k; bit k of what it returns tells that flag k is set.  */
typedef struct sg_segarg
{
  bool mem;                  /* the memory that instruction INDEX loads or stores */
  int index;                 /* else a register; of a scalar one the first element counts */
} sg_segarg;

typedef struct sg_segment
{
  int from, to;              /* the instructions FROM to TO - 1 */
  int narg, nflag;
  sg_segarg arg[SG_SEGMENT_ARGS];
  int flag[SG_SEGMENT_FLAGS];   /* instructions: GUARD is hit; NARROW found an imaginary part */
} sg_segment;

/* What a caller knows of an instruction: how it is done in this program.  */
typedef enum sg_seghow
{
  SG_SEG_CALL,               /* by a kernel of its own, between segments */
  SG_SEG_EARLY,              /* likewise, before all segments */
  SG_SEG_TEXT,               /* as the tables say */
  SG_SEG_SQUARE,             /* a power, by a product of A with itself */
  SG_SEG_NOTHING             /* not at all */
} sg_seghow;

/* SG_SEG_TEXT if the expression of X is a few instructions of the processor, else SG_SEG_CALL.  */
sg_seghow sg_segment_how (const sg_plan *p, const sg_map *m, const sg_ins *x);

/* How many elements apart, in memory, two neighbours are that instruction X loads or stores: 1, or
   2 for the parts of complex values; 0: it is no plain walk through memory.  */
int sg_segment_step (const sg_plan *p, const sg_map *m, const sg_ins *x);

/* Add function number NUMBER to TEXT, "sg_s0", "sg_s1" ..., for S, of which FROM and TO are given; TO
   becomes less if one function cannot take all of it.  HOW is by instruction.  */
sg_status sg_segment_render (const sg_plan *p, const sg_map *m, const char *how, int number,
                             sg_segment *s, sg_text *text);

#endif
