/* Between the files that make plans: plan.c decides what is computed where, plan_map.c and
   plan_cast.c write map programs, plan_mem.c gives values their memory.  */

#ifndef SG_BUILD_H
#define SG_BUILD_H

#include "graph.h"
#include "node.h"
#include "plan.h"

/* How a node is done.  */
typedef enum sg_how
{
  SG_HOW_LEAF, SG_HOW_MAP, SG_HOW_RED, SG_HOW_SCAN, SG_HOW_GEMM, SG_HOW_MOVE, SG_HOW_ALIAS,
  SG_HOW_FOREIGN,
  SG_HOW_VIEW                /* INDEX: read where it is, by the loops that need it */
} sg_how;

/* What is known of a value when the plan is made.  */
typedef enum sg_known { SG_KNOWN_REAL, SG_KNOWN_CPLX, SG_UNKNOWN } sg_known;

/* Nodes that share one loop: elementwise ones of one shape and level, and reductions of it.  */
typedef struct sg_group
{
  int level;
  int like;                  /* a position that has the iteration's dimensions */
  int count;
  int first, last;           /* members, linked by member_next */
  int more;                  /* the next group with the same level and shape, -1 */
  int rank;                  /* its place in the list of those */
  int tail;                  /* of the first: the last of the list */
  int open;                  /* of the first: all groups before this one are full */
  bool has_sinks;
  int64_t pre, len, post;    /* of the sinks */
  bool ordered;              /* and whether they are ordered reductions */
} sg_group;

typedef struct sg_builder
{
  const sg_graph *g;
  sg_plan *p;
  int slotroom, steproom;
  uint8_t *how;              /* by position: sg_how */
  uint8_t *known;            /* by position: sg_known */
  int *level;                /* by position: the step that computes it runs at this level */
  int *group;                /* by position: -1 or the group */
  int *member_next;
  sg_group *groups;
  int ngroups, grouproom;
  int *hash;                 /* (level, shape) to first group, chained by group_chain */
  int *group_chain;
  int nhash;
  int *reg_of;               /* by slot: its register in the program being written */
  int *reg_imag;             /*          and that of its imaginary part, or -1, */
  int *reg_stamp;            /*          if this is the number of the program */
  int stamp;
} sg_builder;

/* A slot for each position of the graph; the steps in order.  */
sg_status sg_build_slots (sg_builder *b);
sg_status sg_build_steps (sg_builder *b);

/* Append a step, return it in *OUT (valid until the next one).  */
sg_status sg_build_step (sg_builder *b, sg_stepkind kind, sg_step **out);
/* Append a slot beyond those of the graph.  */
sg_status sg_build_slot (sg_builder *b, const sg_slot *like, sg_class cls, bool cplx, int *out);

/* True if a value has to be in memory after the step of group G.  */
bool sg_build_escapes (const sg_builder *b, int pos);

/* About what an operation costs, in sixteenths of a nanosecond for each element.  */
int sg_op_cost (const sg_opinfo *row);

/* Write the program of a group.  */
sg_status sg_build_map (sg_builder *b, int group);
/* Write a program that converts slot FROM to class CLS, real numbers to complex ones if CPLX,
   in a new slot.  */
sg_status sg_build_cast (sg_builder *b, int from, sg_class cls, bool cplx, int *out);
/* Write a program that copies one part of a complex slot, converted to class CLS, to a new
   slot; one that makes slot TO of its parts.  */
sg_status sg_build_part (sg_builder *b, int from, int part, sg_class cls, int *out);
sg_status sg_build_join (sg_builder *b, int re, int im, bool conj, int to);
/* The form of elementwise node N.  */
sg_cplx_form sg_build_form (const sg_builder *b, const sg_node *n);

/* Give the registers of a program their blocks; set the dimensions of its loop over SPACE.  */
sg_status sg_build_registers (sg_map *m);
sg_status sg_build_dims (sg_map *m, const sg_slot *space);

/* What of V depends on the node alone: extents, parameters.  And its arrays set free.  */
sg_status sg_build_move (const sg_node *n, sg_move *v);
void sg_move_clear (sg_move *v);

/* Life times and places.  */
sg_status sg_build_memory (sg_builder *b);

/* PRE, LEN, POST of a node's line dimension, or of all its elements as one line.  */
void sg_line_shape (const sg_node *a, int dim, int64_t *pre, int64_t *len, int64_t *post);

/* Of "all" N.  Octave does so along a dimension of few elements with others before it; else a NaN
   is true.  */
bool sg_takes_nan_as_false (const sg_node *n);

/* Make a plan for a graph; the key of the graph becomes the plan's.  */
sg_status sg_plan_build (sg_graph *g, sg_plan **out);
void sg_plan_free (sg_plan *p);
/* SG_INTERNAL if the plan is not sound.  */
sg_status sg_plan_check (const sg_plan *p);
/* PLACES: with the operations in comments and where they were made.  */
void sg_plan_emit (FILE *f, const sg_plan *p, sg_node *const *order, bool places);

/* Run a plan for a graph.  SG_DELEGATE: this backend runs no plans, or the plan does not fit the
   values.  */
sg_status sg_run_plan (sg_backend b, const sg_graph *g, sg_plan *p);

/* Order the graph below the roots and take its plan; G is to be cleared, whatever is returned.  */
sg_status sg_plan_of (sg_graph *g, int nroots, sg_node *const *roots, sg_want want, sg_plan **out);
/* Take a plan from the cache or make one; it stays the cache's.  */
sg_status sg_plan_get (sg_graph *g, sg_plan **out);
void sg_plan_cache_clear (void);

/* Of two equal elements, 0 and -0, max and min of Octave up to 10 take that of the first operand,
   unless that is spread along the first dimension that counts: then the inner loop of Octave is one over
   the second operand, and this is true.  */
bool sg_takes_second_first (const sg_node *n);

#endif
