/* Writing map programs: registers, operands, results.  */

#include <string.h>

#include "plan_write.h"

/* True if memory of this class is what a register of RT holds.  */
static bool
is_natural (sg_class c, sg_rtype rt)
{
  return c == (rt == SG_R32 ? SG_F32 : SG_F64);
}

sg_status
sg_write_no_room (void)
{
  return sg_fail (SG_NOMEM, "out of memory for a program of a plan");
}

sg_status
sg_write_reg (sg_writer *w, sg_regkind kind, sg_rtype rt, int slot, int *out)
{
  sg_map *m = w->m;
  if (m->nreg == w->regroom)
    {
      int room = 2 * w->regroom + 8;
      sg_reg *p = sg_realloc (m->reg, room * sizeof *p);
      if (! p)
        return sg_write_no_room ();
      m->reg = p;
      int *o = sg_realloc (w->other, room * sizeof *o);
      if (! o)
        return sg_write_no_room ();
      w->other = o;
      w->regroom = room;
    }
  m->reg[m->nreg] = (sg_reg) { .kind = kind, .rt = rt, .scratch = -1, .slot = slot };
  w->other[m->nreg] = -1;
  *out = m->nreg++;
  return SG_OK;
}

sg_status
sg_write_ins (sg_writer *w, sg_inskind kind, int o, int a, int b, sg_ins **out)
{
  sg_map *m = w->m;
  if (m->nins == w->insroom)
    {
      int room = 2 * w->insroom + 8;
      sg_ins *p = sg_realloc (m->ins, room * sizeof *p);
      if (! p)
        return sg_write_no_room ();
      m->ins = p;
      w->insroom = room;
    }
  *out = &m->ins[m->nins++];
  **out = (sg_ins) { .kind = kind, .o = o, .a = a, .b = b, .c = -1, .oi = -1, .ai = -1,
                     .bi = -1, .slot = -1, .view = -1, .sink = -1, .node = w->node };
  return SG_OK;
}

/* ---- operands ----------------------------------------------------------------------------- */

static bool
same_space (const sg_slot *a, const sg_slot *b)
{
  return a->nd == b->nd && memcmp (a->dim, b->dim, a->nd * sizeof *a->dim) == 0;
}

/* Strides of slot S over the space, in real numbers, 0 where it is repeated.  */
static sg_status
strides (const sg_writer *w, const sg_slot *s, int64_t **out)
{
  int nd = w->space->nd;
  int64_t *p = sg_malloc (nd * sizeof *p);
  if (! p)
    return sg_write_no_room ();
  int64_t step = s->cplx ? 2 : 1;
  for (int d = 0; d < nd; d++)
    {
      int64_t e = d < s->nd ? s->dim[d] : 1;
      p[d] = e == 1 ? 0 : step;
      step *= e;
    }
  *out = p;
  return SG_OK;
}

void
sg_write_bind (sg_writer *w, int slot, sg_parts r)
{
  w->b->reg_of[slot] = r.re;
  w->b->reg_imag[slot] = r.im;
  w->b->reg_stamp[slot] = w->b->stamp;
}

static sg_status
fetch_part (sg_writer *w, int slot, int part, int *out)
{
  const sg_slot *s = &w->b->p->slot[slot];
  sg_rtype rt = sg_rtype_of (s->cls);
  bool same = same_space (s, w->space) && ! s->cplx;
  if (s->numel == 1)
    {
      SG_TRY (sg_write_reg (w, SG_REG_SCALAR, rt, slot, out));
      w->m->reg[*out].part = part;
    }
  else if (same && is_natural (s->cls, rt))
    SG_TRY (sg_write_reg (w, SG_REG_MEM, rt, slot, out));
  else
    {
      sg_ins *ins;
      SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, rt, -1, out));
      SG_TRY (sg_write_ins (w, SG_INS_LOAD, *out, -1, -1, &ins));
      ins->slot = slot;
      ins->cls = s->cls;
      ins->part = part;
      if (! same)
        SG_TRY (strides (w, s, &ins->stride));
      w->m->cost += 4;
    }
  w->m->cost += 4;
  return SG_OK;
}

/* What INDEX node VIEW takes of its operand.  */
static sg_status
fetch_view (sg_writer *w, int view, int *out)
{
  const sg_node *n = w->b->g->order[view];
  sg_ins *ins;
  SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, sg_rtype_of (n->cls), -1, out));
  SG_TRY (sg_write_ins (w, SG_INS_LOAD, *out, -1, -1, &ins));
  ins->slot = n->in[0]->slot;
  ins->cls = n->cls;
  ins->view = view;
  w->m->nview++;
  w->m->nviewdim += n->npar;
  w->m->cost += 6;
  return SG_OK;
}

/* The registers that hold a slot's value, loaded if need be.  */
sg_status
sg_write_fetch (sg_writer *w, int slot, sg_parts *out)
{
  *out = (sg_parts) { w->b->reg_of[slot], w->b->reg_imag[slot] };
  if (w->b->reg_stamp[slot] == w->b->stamp)
    return SG_OK;
  out->im = -1;
  if (slot < w->b->g->n && w->b->how[slot] == SG_HOW_VIEW)
    {
      SG_TRY (fetch_view (w, slot, &out->re));
      sg_write_bind (w, slot, *out);
      return SG_OK;
    }
  SG_TRY (fetch_part (w, slot, 0, &out->re));
  if (w->b->p->slot[slot].cplx)
    SG_TRY (fetch_part (w, slot, 1, &out->im));
  sg_write_bind (w, slot, *out);
  return SG_OK;
}

sg_status
sg_write_as_rtype (sg_writer *w, int reg, sg_rtype rt, int *out)
{
  *out = reg;
  if (w->m->reg[reg].rt == rt)
    return SG_OK;
  if (w->other[reg] < 0)
    {
      int o;
      sg_ins *ins;
      SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, rt, -1, &o));
      SG_TRY (sg_write_ins (w, SG_INS_CVT, o, reg, -1, &ins));
      w->other[reg] = o;
      w->m->cost += 2;
    }
  *out = w->other[reg];
  return SG_OK;
}

sg_status
sg_write_parts_as_rtype (sg_writer *w, sg_parts x, sg_rtype rt, sg_parts *out)
{
  out->im = -1;
  SG_TRY (sg_write_as_rtype (w, x.re, rt, &out->re));
  return x.im < 0 ? SG_OK : sg_write_as_rtype (w, x.im, rt, &out->im);
}

sg_status
sg_write_saturate (sg_writer *w, int reg, sg_class cls, int *out)
{
  sg_ins *ins;
  SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, SG_R64, -1, out));
  SG_TRY (sg_write_ins (w, SG_INS_SAT, *out, reg, -1, &ins));
  ins->cls = cls;
  w->m->cost += 4;
  return SG_OK;
}

/* A conversion to class CLS.  */
sg_status
sg_write_convert (sg_writer *w, int a, sg_class cls, int *out)
{
  if (cls == SG_F64 || cls == SG_F32)
    return sg_write_as_rtype (w, a, sg_rtype_of (cls), out);
  SG_TRY (sg_write_as_rtype (w, a, SG_R64, &a));
  return sg_write_saturate (w, a, cls, out);
}

/* ---- instructions and results ---------------------------------------------------------------- */

sg_status
sg_write_op (sg_writer *w, sg_op op, sg_rtype rt, int a, int b, int *out)
{
  sg_ins *ins;
  SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, rt, -1, out));
  SG_TRY (sg_write_ins (w, SG_INS_OP, *out, a, b, &ins));
  ins->op = op;
  w->m->cost += sg_op_cost (sg_op_info (op));
  return SG_OK;
}

/* Bring the value of a slot to memory: the instruction that makes it writes there if it can.  */
sg_status
sg_write_deliver (sg_writer *w, int slot, sg_parts x)
{
  const sg_slot *s = &w->b->p->slot[slot];
  int reg = x.re;
  sg_reg *r = &w->m->reg[reg];
  w->m->cost += 4;
  bool own = r->kind == SG_REG_SCRATCH && ! s->cplx;
  if (own)
    for (int i = 0; i < w->m->nins; i++)
      own &= ! (w->m->ins[i].kind == SG_INS_LOAD && w->m->ins[i].o == reg);
  if (own && is_natural (s->cls, r->rt))
    {
      r->kind = SG_REG_MEM;
      r->slot = slot;
      return SG_OK;
    }
  sg_ins *ins;
  SG_TRY (sg_write_ins (w, SG_INS_STORE, -1, reg, -1, &ins));
  ins->ai = x.im;
  ins->slot = slot;
  ins->cls = s->cls;
  return SG_OK;
}

/* ---- programs -------------------------------------------------------------------------------- */

sg_status
sg_write_begin (sg_builder *b, sg_writer *w, int space)
{
  sg_step *s;
  SG_TRY (sg_build_step (b, SG_STEP_MAP, &s));
  *w = (sg_writer) { .b = b, .m = &s->u.map, .space = &b->p->slot[space], .node = -1 };
  w->m->numel = w->space->numel;
  b->stamp++;
  return SG_OK;
}

sg_status
sg_write_end (sg_writer *w)
{
  w->m->tier = sg_malloc (sizeof *w->m->tier);
  if (! w->m->tier)
    return sg_fail (SG_NOMEM, "out of memory for a program of a plan");
  *w->m->tier = (sg_tier) { 0 };
  SG_TRY (sg_build_registers (w->m));
  return sg_build_dims (w->m, w->space);
}
