/* Map programs: the instructions of a group of elementwise nodes and reductions.  */

#include <string.h>

#include "build.h"

/* A program while it is written.  */
typedef struct writer
{
  sg_builder *b;
  sg_map *m;
  const sg_slot *space;      /* slot whose dimensions the loop has */
  int regroom, insroom, sinkroom;
  int *other;                /* by register: the same value in the other rtype, -1 */
} writer;

static sg_rtype
rtype_of (sg_class c)
{
  return c == SG_F32 ? SG_R32 : SG_R64;
}

/* True if memory of this class is what a register of RT holds.  */
static bool
is_natural (sg_class c, sg_rtype rt)
{
  return c == (rt == SG_R32 ? SG_F32 : SG_F64);
}

static sg_status
no_room (void)
{
  return sg_fail (SG_NOMEM, "out of memory for a program of a plan");
}

static sg_status
new_reg (writer *w, sg_regkind kind, sg_rtype rt, int slot, int *out)
{
  sg_map *m = w->m;
  if (m->nreg == w->regroom)
    {
      int room = 2 * w->regroom + 8;
      sg_reg *p = sg_realloc (m->reg, room * sizeof *p);
      if (! p)
        return no_room ();
      m->reg = p;
      int *o = sg_realloc (w->other, room * sizeof *o);
      if (! o)
        return no_room ();
      w->other = o;
      w->regroom = room;
    }
  m->reg[m->nreg] = (sg_reg) { .kind = kind, .rt = rt, .scratch = -1, .slot = slot };
  w->other[m->nreg] = -1;
  *out = m->nreg++;
  return SG_OK;
}

static sg_status
new_ins (writer *w, sg_inskind kind, int o, int a, int b, sg_ins **out)
{
  sg_map *m = w->m;
  if (m->nins == w->insroom)
    {
      int room = 2 * w->insroom + 8;
      sg_ins *p = sg_realloc (m->ins, room * sizeof *p);
      if (! p)
        return no_room ();
      m->ins = p;
      w->insroom = room;
    }
  *out = &m->ins[m->nins++];
  **out = (sg_ins) { .kind = kind, .o = o, .a = a, .b = b, .slot = -1, .sink = -1, .node = -1 };
  return SG_OK;
}

/* ---- operands ----------------------------------------------------------------------------- */

static bool
same_space (const sg_slot *a, const sg_slot *b)
{
  return a->nd == b->nd && memcmp (a->dim, b->dim, a->nd * sizeof *a->dim) == 0;
}

/* Strides of slot S over the space, 0 where it is repeated.  */
static sg_status
strides (const writer *w, const sg_slot *s, int64_t **out)
{
  int nd = w->space->nd;
  int64_t *p = sg_malloc (nd * sizeof *p);
  if (! p)
    return no_room ();
  int64_t step = 1;
  for (int d = 0; d < nd; d++)
    {
      int64_t e = d < s->nd ? s->dim[d] : 1;
      p[d] = e == 1 ? 0 : step;
      step *= e;
    }
  *out = p;
  return SG_OK;
}

static void
bind (writer *w, int slot, int reg)
{
  w->b->reg_of[slot] = reg;
  w->b->reg_stamp[slot] = w->b->stamp;
}

/* The register that holds a slot's value, loaded if need be.  */
static sg_status
fetch (writer *w, int slot, int *out)
{
  if (w->b->reg_stamp[slot] == w->b->stamp)
    {
      *out = w->b->reg_of[slot];
      return SG_OK;
    }
  const sg_slot *s = &w->b->p->slot[slot];
  sg_rtype rt = rtype_of (s->cls);
  if (s->numel == 1)
    SG_TRY (new_reg (w, SG_REG_SCALAR, rt, slot, out));
  else if (same_space (s, w->space) && is_natural (s->cls, rt))
    SG_TRY (new_reg (w, SG_REG_MEM, rt, slot, out));
  else
    {
      sg_ins *ins;
      SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, out));
      SG_TRY (new_ins (w, SG_INS_LOAD, *out, -1, -1, &ins));
      ins->slot = slot;
      ins->cls = s->cls;
      if (! same_space (s, w->space))
        SG_TRY (strides (w, s, &ins->stride));
      w->m->cost += 4;
    }
  w->m->cost += 4;
  bind (w, slot, *out);
  return SG_OK;
}

static sg_status
as_rtype (writer *w, int reg, sg_rtype rt, int *out)
{
  *out = reg;
  if (w->m->reg[reg].rt == rt)
    return SG_OK;
  if (w->other[reg] < 0)
    {
      int o;
      sg_ins *ins;
      SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, &o));
      SG_TRY (new_ins (w, SG_INS_CVT, o, reg, -1, &ins));
      w->other[reg] = o;
      w->m->cost += 2;
    }
  *out = w->other[reg];
  return SG_OK;
}

static sg_status
saturate (writer *w, int reg, sg_class cls, int *out)
{
  sg_ins *ins;
  SG_TRY (new_reg (w, SG_REG_SCRATCH, SG_R64, -1, out));
  SG_TRY (new_ins (w, SG_INS_SAT, *out, reg, -1, &ins));
  ins->cls = cls;
  w->m->cost += 4;
  return SG_OK;
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* About what an operation costs, in sixteenths of a nanosecond for each element.  */
static int
op_cost (const sg_opinfo *row)
{
  return strchr (row->text, '(') == NULL ? 3
         : row->ulp == 0 ? 6 : row->n == 2 ? 64 : 24;
}

static sg_status
guard (writer *w, const sg_node *n, int a, int b)
{
  sg_ins *ins;
  SG_TRY (new_ins (w, SG_INS_GUARD, -1, a, b, &ins));
  ins->op = n->op;
  ins->node = n->slot;
  w->m->cost += 3;
  return SG_OK;
}

static sg_status
operate (writer *w, sg_op op, sg_rtype rt, int a, int b, int *out)
{
  sg_ins *ins;
  SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, out));
  SG_TRY (new_ins (w, SG_INS_OP, *out, a, b, &ins));
  ins->op = op;
  w->m->cost += op_cost (sg_op_info (op));
  return SG_OK;
}

/* A conversion to class CLS.  */
static sg_status
convert (writer *w, int a, sg_class cls, int *out)
{
  if (cls == SG_F64 || cls == SG_F32)
    return as_rtype (w, a, rtype_of (cls), out);
  SG_TRY (as_rtype (w, a, SG_R64, &a));
  return saturate (w, a, cls, out);
}

static sg_status
write_elementwise (writer *w, const sg_node *n)
{
  const sg_opinfo *row = sg_op_info (n->op);
  sg_rtype rt = rtype_of (n->ctype);
  int r[2] = { -1, -1 }, o;
  for (int i = 0; i < n->nin; i++)
    SG_TRY (fetch (w, n->in[i]->slot, &r[i]));
  if (row->in == SG_IN_CASTS && n->op != SG_LOGICAL)
    {
      SG_TRY (convert (w, r[0], n->cls, &o));
      bind (w, n->slot, o);
      return SG_OK;
    }
  for (int i = 0; i < n->nin; i++)
    {
      if (row->in == SG_IN_MINMAX && n->in[i]->cls != n->cls)
        SG_TRY (convert (w, r[i], n->cls, &r[i]));
      SG_TRY (as_rtype (w, r[i], rt, &r[i]));
    }
  if (row->guard != SG_GUARD_NONE)
    SG_TRY (guard (w, n, r[0], r[1]));
  SG_TRY (operate (w, n->op, rt, r[0], r[1], &o));
  if (sg_class_is_integer (n->cls))
    SG_TRY (saturate (w, o, n->cls, &o));
  bind (w, n->slot, o);
  return SG_OK;
}

/* Octave's "all" along a dimension of up to this many elements, with others before it, takes
   NaN as false; else as true.  */
#define ALL_SHORT 8

/* NaN becomes 0, all else keeps its truth value.  */
static sg_status
nan_to_false (writer *w, sg_rtype rt, int a, int *out)
{
  int number;
  SG_TRY (operate (w, SG_EQ, rt, a, a, &number));
  return operate (w, SG_MIN2, rt, number, a, out);
}

static sg_status
write_reduction (writer *w, const sg_node *n)
{
  sg_map *m = w->m;
  sg_rtype rt = rtype_of (n->ctype);
  int a;
  SG_TRY (fetch (w, n->in[0]->slot, &a));
  SG_TRY (as_rtype (w, a, rt, &a));
  int64_t pre, len, post;
  sg_line_shape (n->in[0], n->par[0], &pre, &len, &post);
  if (n->op == SG_ALL && pre > 1 && len <= ALL_SHORT)
    SG_TRY (nan_to_false (w, rt, a, &a));
  if (m->nsink == w->sinkroom)
    {
      int room = 2 * w->sinkroom + 2;
      sg_sink *p = sg_realloc (m->sink, room * sizeof *p);
      if (! p)
        return no_room ();
      m->sink = p;
      w->sinkroom = room;
    }
  m->sink[m->nsink] = (sg_sink) { .op = n->op, .rt = rt, .slot = n->slot, .cls = n->cls };
  sg_ins *ins;
  SG_TRY (new_ins (w, SG_INS_SINK, -1, a, -1, &ins));
  ins->sink = m->nsink++;
  m->cost += 4;
  return SG_OK;
}

/* Bring the value of a slot to memory: the instruction that makes it writes there if it can.  */
static sg_status
deliver (writer *w, int slot, int reg)
{
  const sg_slot *s = &w->b->p->slot[slot];
  sg_reg *r = &w->m->reg[reg];
  w->m->cost += 4;
  bool own = r->kind == SG_REG_SCRATCH;
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
  SG_TRY (new_ins (w, SG_INS_STORE, -1, reg, -1, &ins));
  ins->slot = slot;
  ins->cls = s->cls;
  return SG_OK;
}

/* ---- places -------------------------------------------------------------------------------- */

/* Blocks that are free to be written.  */
typedef struct idle
{
  int n;
  int *block;
} idle;

static void
place (sg_map *m, idle *f, int r)
{
  sg_reg *x = &m->reg[r];
  if (x->kind == SG_REG_SCRATCH && x->scratch < 0)
    x->scratch = f->n ? f->block[--f->n] : m->nscratch++;
}

static void
release (const sg_map *m, idle *f, int r)
{
  if (m->reg[r].kind == SG_REG_SCRATCH)
    f->block[f->n++] = m->reg[r].scratch;
}

/* Scratch blocks: scalars keep theirs, others give it back after their last use.  An
   operation may write where an operand was; a conversion may not, sizes differ.  */
static sg_status
place_registers (writer *w)
{
  sg_map *m = w->m;
  int *last = sg_malloc ((2 * m->nreg + 1) * sizeof *last);
  if (! last)
    return no_room ();
  idle f = { 0, last + m->nreg };
  for (int r = 0; r < m->nreg; r++)
    if (m->reg[r].kind == SG_REG_SCALAR)
      m->reg[r].scratch = m->nscratch++;
  for (int i = 0; i < m->nins; i++)
    {
      const sg_ins *x = &m->ins[i];
      int use[3] = { x->a, x->b, x->o };
      for (int u = 0; u < 3; u++)
        if (use[u] >= 0)
          last[use[u]] = i;
    }
  for (int i = 0; i < m->nins; i++)
    {
      const sg_ins *x = &m->ins[i];
      bool in_place = x->kind == SG_INS_OP;
      if (x->o >= 0 && ! in_place)
        place (m, &f, x->o);
      if (x->a >= 0 && last[x->a] == i)
        release (m, &f, x->a);
      if (x->b >= 0 && x->b != x->a && last[x->b] == i)
        release (m, &f, x->b);
      if (x->o >= 0 && in_place)
        place (m, &f, x->o);
      if (x->o >= 0 && last[x->o] == i)
        release (m, &f, x->o);
    }
  sg_free (last);
  return SG_OK;
}

/* Join dimensions over which every strided operand moves on evenly, drop those of extent 1.  */
static sg_status
join_dims (writer *w)
{
  sg_map *m = w->m;
  const sg_slot *sp = w->space;
  m->dim = sg_malloc (sp->nd * sizeof *m->dim);
  if (! m->dim)
    return no_room ();
  int nd = 0;
  for (int d = 0; d < sp->nd; d++)
    {
      if (sp->dim[d] == 1)
        continue;
      bool even = nd > 0;
      for (int i = 0; i < m->nins && even; i++)
        {
          const int64_t *st = m->ins[i].stride;
          even = ! st || st[d] == st[nd - 1] * m->dim[nd - 1];
        }
      if (even)
        m->dim[nd - 1] *= sp->dim[d];
      else
        {
          for (int i = 0; i < m->nins; i++)
            if (m->ins[i].stride)
              m->ins[i].stride[nd] = m->ins[i].stride[d];
          m->dim[nd++] = sp->dim[d];
        }
    }
  if (nd == 0)
    {
      m->dim[nd++] = 1;
      for (int i = 0; i < m->nins; i++)
        if (m->ins[i].stride)
          m->ins[i].stride[0] = 0;
    }
  m->nd = nd;
  return SG_OK;
}

static sg_status
finish (writer *w)
{
  SG_TRY (place_registers (w));
  return join_dims (w);
}

static sg_status
write_group (writer *w, const sg_group *q)
{
  sg_builder *b = w->b;
  for (int k = q->first; k >= 0; k = k == q->last ? -1 : b->member_next[k])
    {
      const sg_node *n = b->g->order[k];
      if (b->how[k] == SG_HOW_RED)
        SG_TRY (write_reduction (w, n));
      else
        SG_TRY (write_elementwise (w, n));
    }
  for (int k = q->first; k >= 0; k = k == q->last ? -1 : b->member_next[k])
    if (b->how[k] == SG_HOW_MAP && sg_build_escapes (b, k))
      SG_TRY (deliver (w, k, b->reg_of[k]));
  w->m->pre = q->pre;
  w->m->len = q->len;
  w->m->post = q->post;
  return finish (w);
}

static sg_status
begin (sg_builder *b, writer *w, int space)
{
  sg_step *s;
  SG_TRY (sg_build_step (b, SG_STEP_MAP, &s));
  *w = (writer) { .b = b, .m = &s->u.map, .space = &b->p->slot[space] };
  w->m->numel = w->space->numel;
  b->stamp++;
  return SG_OK;
}

sg_status
sg_build_map (sg_builder *b, int group)
{
  writer w;
  SG_TRY (begin (b, &w, b->groups[group].like));
  sg_status s = write_group (&w, &b->groups[group]);
  sg_free (w.other);
  return s;
}

static sg_status
write_cast (writer *w, int from, int to)
{
  int a, o;
  SG_TRY (fetch (w, from, &a));
  SG_TRY (convert (w, a, w->b->p->slot[to].cls, &o));
  SG_TRY (deliver (w, to, o));
  return finish (w);
}

sg_status
sg_build_cast (sg_builder *b, int from, sg_class cls, int *out)
{
  SG_TRY (sg_build_slot (b, &b->p->slot[from], cls, out));
  writer w;
  SG_TRY (begin (b, &w, from));
  sg_status s = write_cast (&w, from, *out);
  sg_free (w.other);
  return s;
}
