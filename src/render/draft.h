/* A kernel while it is written: its parameters, its text, its arguments.  */

#ifndef SG_DRAFT_H
#define SG_DRAFT_H

#include "render.h"
#include "text.h"

#define SG_THREADS 256       /* of a block */

/* What of the headers a text needs.  */
enum { SG_NEEDS_MATH = 1, SG_NEEDS_CMATH = 2, SG_NEEDS_WIDE = 4, SG_NEEDS_SORT = 8 };

typedef struct sg_draft
{
  const sg_plan *p;
  sg_node *const *order;     /* where there are subscripts, else NULL */
  sg_rendered *out;
  sg_text param, text;       /* between the parentheses, between the braces */
  int needs;
  bool wide;                 /* positions do not fit in 32 bits */
  int narg, argroom;
  sg_arg *arg;
  bool failed;
  int indent;
} sg_draft;

/* WIDE if one of these numbers of elements is near the end of 32 bits.  */
void sg_draft_init (sg_draft *k, const sg_plan *p, sg_node *const *order, sg_rendered *out,
                    int64_t numel);
void sg_draft_clear (sg_draft *k);
/* Append it to what is rendered: BLOCKS of SG_THREADS.  SG_DELEGATE: that is too many.  */
sg_status sg_draft_finish (sg_draft *k, int64_t blocks);

/* Numbers of parameters: pN, an address of things of TYPE, the same one for the same slot and
   type; nN, an integer.  */
int sg_draft_slot (sg_draft *k, int slot, const char *type);
int sg_draft_pointer (sg_draft *k, sg_arg a, const char *type);
int sg_draft_int (sg_draft *k, int64_t value);
int sg_draft_arg (sg_draft *k, sg_arg a);
/* The number of a flag; its int is fl[number].  */
int sg_draft_flag (sg_draft *k, sg_flagkind kind, int node);

/* A line of text.  */
void sg_line (sg_draft *k, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/* Lines in braces between.  */
void sg_open (sg_draft *k);
void sg_close (sg_draft *k);

/* Types of memory, of registers and of complex values in memory.  */
const char * sg_class_ctype (sg_class c);
const char * sg_rtype_ctype (sg_rtype rt);
const char * sg_pair_ctype (sg_class c);

static inline int64_t
sg_draft_div (int64_t a, int64_t b)
{
  return (a + b - 1) / b;
}

static inline bool
sg_op_is_place (sg_op op)
{
  return sg_op_info (op)->out == SG_OUT_IDX;
}

/* The kinds of steps.  They add kernels to OUT; SG_DELEGATE: there are none.  */
sg_status sg_render_map (const sg_plan *p, const sg_map *m, sg_node *const *order,
                           sg_rendered *out);
sg_status sg_render_reduction (const sg_plan *p, const sg_map *m, sg_node *const *order,
                                 sg_rendered *out);
sg_status sg_render_scan (const sg_plan *p, const sg_scan *s, sg_rendered *out);
sg_status sg_render_sort (const sg_plan *p, const sg_scan *s, sg_rendered *out);
sg_status sg_render_move (const sg_plan *p, const sg_move *v, sg_node *const *order,
                          sg_rendered *out);
sg_status sg_render_wide (const sg_plan *p, const sg_foreign *f, sg_node *const *order,
                          sg_rendered *out);

#endif
