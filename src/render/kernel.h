/* A kernel while it is written: its parameters, its text, its arguments.  */

#ifndef SG_KERNEL_H
#define SG_KERNEL_H

#include "render.h"
#include "text.h"

#define SG_THREADS 256       /* of a block */

/* What of the headers a text needs.  */
enum { SG_NEEDS_MATH = 1, SG_NEEDS_CMATH = 2 };

typedef struct sg_kernel
{
  const sg_plan *p;
  sg_rendered *out;
  sg_text param, text;       /* between the parentheses, between the braces */
  int needs;
  bool wide;                 /* positions do not fit in 32 bits */
  int narg, argroom;
  sg_arg *arg;
  bool failed;
  int indent;
} sg_kernel;

/* WIDE if one of these numbers of elements is near the end of 32 bits.  */
void sg_kernel_init (sg_kernel *k, const sg_plan *p, sg_rendered *out, int64_t numel);
void sg_kernel_clear (sg_kernel *k);
/* Append it to what is rendered: BLOCKS of SG_THREADS.  SG_DELEGATE: that is too many.  */
sg_status sg_kernel_finish (sg_kernel *k, int64_t blocks);

/* Numbers of parameters: pN, an address of things of TYPE, the same one for the same slot and
   type; nN, an integer.  */
int sg_kernel_slot (sg_kernel *k, int slot, const char *type);
int sg_kernel_pointer (sg_kernel *k, sg_arg a, const char *type);
int sg_kernel_int (sg_kernel *k, int64_t value);
int sg_kernel_arg (sg_kernel *k, sg_arg a);
/* The number of a flag; its int is fl[number].  */
int sg_kernel_flag (sg_kernel *k, sg_flagkind kind, int node);

/* A line of text.  */
void sg_line (sg_kernel *k, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/* Lines in braces between.  */
void sg_open (sg_kernel *k);
void sg_close (sg_kernel *k);

/* Types of memory, of registers and of complex values in memory.  */
const char * sg_class_ctype (sg_class c);
const char * sg_rtype_ctype (sg_rtype rt);
const char * sg_pair_ctype (sg_class c);

static inline int64_t
sg_kernel_div (int64_t a, int64_t b)
{
  return (a + b - 1) / b;
}

static inline bool
sg_op_is_place (sg_op op)
{
  return sg_op_info (op)->out == SG_OUT_IDX;
}

/* The kinds of steps.  They add kernels to OUT; SG_DELEGATE: there are none.  */
sg_status sg_render_map (const sg_plan *p, const sg_map *m, sg_rendered *out);
sg_status sg_render_reduction (const sg_plan *p, const sg_map *m, sg_rendered *out);
sg_status sg_render_scan (const sg_plan *p, const sg_scan *s, sg_rendered *out);
sg_status sg_render_move (const sg_plan *p, const sg_move *v, sg_node *const *order,
                          sg_rendered *out);

#endif
