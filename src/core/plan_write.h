/* Between plan_map.c, plan_cast.c and plan_write.c: how map programs are written.  */

#ifndef SG_PLAN_WRITE_H
#define SG_PLAN_WRITE_H

#include "build.h"

/* A program while it is written.  */
typedef struct sg_writer
{
  sg_builder *b;
  sg_map *m;
  const sg_slot *space;      /* slot whose dimensions the loop has */
  int regroom, insroom, sinkroom;
  int *other;                /* by register: the same value in the other rtype, -1 */
  int node;                  /* position of the node that is written, -1 */
} sg_writer;

/* The registers of a value; of a real one IM is -1.  */
typedef struct sg_parts { int re, im; } sg_parts;

static inline sg_rtype
sg_rtype_of (sg_class c)
{
  return c == SG_F32 ? SG_R32 : SG_R64;
}

/* Append a program with the dimensions of slot SPACE; W.other is to be freed, whatever is returned
   from then on.  */
sg_status sg_write_begin (sg_builder *b, sg_writer *w, int space);
/* Give registers and loop their final form.  */
sg_status sg_write_end (sg_writer *w);

sg_status sg_write_no_room (void);
sg_status sg_write_reg (sg_writer *w, sg_regkind kind, sg_rtype rt, int slot, int *out);
/* *OUT is valid until the next one.  */
sg_status sg_write_ins (sg_writer *w, sg_inskind kind, int o, int a, int b, sg_ins **out);
/* An elementwise operation; its register.  */
sg_status sg_write_op (sg_writer *w, sg_op op, sg_rtype rt, int a, int b, int *out);

/* The value of a slot is in these registers.  */
void sg_write_bind (sg_writer *w, int slot, sg_parts r);
/* The registers that hold a slot's value, loaded if need be.  */
sg_status sg_write_fetch (sg_writer *w, int slot, sg_parts *out);
/* Bring the value of a slot to memory.  */
sg_status sg_write_deliver (sg_writer *w, int slot, sg_parts x);

/* The same value in the other rtype, saturated, converted to a class.  */
sg_status sg_write_as_rtype (sg_writer *w, int reg, sg_rtype rt, int *out);
sg_status sg_write_parts_as_rtype (sg_writer *w, sg_parts x, sg_rtype rt, sg_parts *out);
sg_status sg_write_saturate (sg_writer *w, int reg, sg_class cls, int *out);
sg_status sg_write_convert (sg_writer *w, int a, sg_class cls, int *out);

#endif
