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
  int node;                  /* position of the node that is written, -1 */
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
  **out = (sg_ins) { .kind = kind, .o = o, .a = a, .b = b, .c = -1, .oi = -1, .ai = -1,
                     .bi = -1, .slot = -1, .sink = -1, .node = w->node };
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
strides (const writer *w, const sg_slot *s, int64_t **out)
{
  int nd = w->space->nd;
  int64_t *p = sg_malloc (nd * sizeof *p);
  if (! p)
    return no_room ();
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

/* The registers of a value; of a real one IM is -1.  */
typedef struct parts { int re, im; } parts;

static void
bind (writer *w, int slot, parts r)
{
  w->b->reg_of[slot] = r.re;
  w->b->reg_imag[slot] = r.im;
  w->b->reg_stamp[slot] = w->b->stamp;
}

static sg_status
fetch_part (writer *w, int slot, int part, int *out)
{
  const sg_slot *s = &w->b->p->slot[slot];
  sg_rtype rt = rtype_of (s->cls);
  bool same = same_space (s, w->space) && ! s->cplx;
  if (s->numel == 1)
    {
      SG_TRY (new_reg (w, SG_REG_SCALAR, rt, slot, out));
      w->m->reg[*out].part = part;
    }
  else if (same && is_natural (s->cls, rt))
    SG_TRY (new_reg (w, SG_REG_MEM, rt, slot, out));
  else
    {
      sg_ins *ins;
      SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, out));
      SG_TRY (new_ins (w, SG_INS_LOAD, *out, -1, -1, &ins));
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

/* The registers that hold a slot's value, loaded if need be.  */
static sg_status
fetch (writer *w, int slot, parts *out)
{
  *out = (parts) { w->b->reg_of[slot], w->b->reg_imag[slot] };
  if (w->b->reg_stamp[slot] == w->b->stamp)
    return SG_OK;
  out->im = -1;
  SG_TRY (fetch_part (w, slot, 0, &out->re));
  if (w->b->p->slot[slot].cplx)
    SG_TRY (fetch_part (w, slot, 1, &out->im));
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
parts_as_rtype (writer *w, parts x, sg_rtype rt, parts *out)
{
  out->im = -1;
  SG_TRY (as_rtype (w, x.re, rt, &out->re));
  return x.im < 0 ? SG_OK : as_rtype (w, x.im, rt, &out->im);
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

int
sg_op_cost (const sg_opinfo *row)
{
  return strchr (row->text, '(') == NULL ? 3
         : row->ulp == 0 ? 6 : row->n == 2 ? 64 : 24;
}

static sg_status
operate (writer *w, sg_op op, sg_rtype rt, int a, int b, int *out)
{
  sg_ins *ins;
  SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, out));
  SG_TRY (new_ins (w, SG_INS_OP, *out, a, b, &ins));
  ins->op = op;
  w->m->cost += sg_op_cost (sg_op_info (op));
  return SG_OK;
}

/* The fraction of A; NaN of what is not finite.  */
static sg_status
fraction (writer *w, int a, int *out)
{
  sg_rtype rt = w->m->reg[a].rt;
  int whole;
  SG_TRY (operate (w, SG_FLOOR, rt, a, -1, &whole));
  return operate (w, SG_MINUS, rt, a, whole, out);
}

static sg_status
guard (writer *w, const sg_node *n, int a, int b)
{
  sg_ins *ins;
  /* Of the exponents of one number, or of arrays of other sizes, Octave does not ask that they
     are of type int.  */
  if (n->op == SG_POWER && n->in[1]->numel != 1 && ! sg_same_dims (n->in[0], n->in[1]))
    SG_TRY (fraction (w, b, &b));
  SG_TRY (new_ins (w, SG_INS_GUARD, -1, a, b, &ins));
  ins->op = n->op;
  ins->node = n->slot;
  w->m->cost += 3;
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

/* A complex result is real in Octave where it has no imaginary part.  That is guarded against,
   unless it is known to be so.  */
static sg_status
bind_complex (writer *w, const sg_node *n, parts o)
{
  if (n->narrow)
    o.im = -1;
  else
    {
      sg_ins *ins;
      SG_TRY (new_ins (w, SG_INS_NARROW, -1, o.im, -1, &ins));
      ins->node = n->slot;
      w->m->nnarrow++;
    }
  bind (w, n->slot, o);
  return SG_OK;
}

/* What takes a complex value apart or changes its class needs no kernel.  False: it does.  */
static sg_status
write_parts (writer *w, const sg_node *n, parts a, bool *done)
{
  *done = true;
  switch (n->op)
    {
    case SG_REAL:
      bind (w, n->slot, (parts) { a.re, -1 });
      return SG_OK;
    case SG_IMAG:
      bind (w, n->slot, (parts) { a.im, -1 });
      return SG_OK;
    case SG_DOUBLE:
    case SG_SINGLE:
      /* An imaginary part that single does not have becomes 0.  */
      SG_TRY (parts_as_rtype (w, a, rtype_of (n->cls), &a));
      return bind_complex (w, n, a);
    default:
      *done = false;
      return SG_OK;
    }
}

static sg_status
write_complex (writer *w, const sg_node *n)
{
  sg_cplx_form form = sg_build_form (w->b, n);
  sg_rtype rt = rtype_of (n->ctype);
  parts r[2] = { { -1, -1 }, { -1, -1 } }, o = { -1, -1 };
  for (int i = 0; i < n->nin; i++)
    SG_TRY (fetch (w, n->in[i]->slot, &r[i]));
  bool done;
  SG_TRY (write_parts (w, n, r[0], &done));
  if (done)
    return SG_OK;
  for (int i = 0; i < n->nin; i++)
    SG_TRY (parts_as_rtype (w, r[i], rt, &r[i]));
  bool cplx = sg_op_cplx (n->op, form) == SG_CX_CPLX;
  SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, &o.re));
  if (cplx)
    SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, &o.im));
  sg_ins *ins;
  SG_TRY (new_ins (w, SG_INS_CPLX, o.re, r[0].re, r[1].re, &ins));
  ins->op = n->op;
  /* Where arrays of different sizes meet, Octave takes whole exponents as any others.  */
  ins->form = n->op == SG_POWER && form == SG_CX_A && n->in[0]->numel != 1
              && n->in[1]->numel != 1 && ! sg_same_dims (n->in[0], n->in[1])
              ? SG_CX_LEAVES : form;
  ins->oi = o.im;
  ins->ai = r[0].im;
  ins->bi = r[1].im;
  w->m->cost += 2 * sg_op_cost (sg_op_info (n->op));
  if (cplx)
    return bind_complex (w, n, o);
  bind (w, n->slot, o);
  return SG_OK;
}

/* O = A ? B : C, parts of them; a part that is not there is 0.  */
static sg_status
select_part (writer *w, sg_rtype rt, int a, int b, int c, int *o)
{
  if (b < 0)
    SG_TRY (operate (w, SG_IMAG, rt, a, -1, &b));
  if (c < 0)
    SG_TRY (operate (w, SG_IMAG, rt, a, -1, &c));
  sg_ins *ins;
  SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, o));
  SG_TRY (new_ins (w, SG_INS_OP3, *o, a, b, &ins));
  ins->op = SG_SELECT;
  ins->c = c;
  w->m->cost += sg_op_cost (sg_op_info (SG_SELECT));
  return SG_OK;
}

static sg_status
write_select (writer *w, const sg_node *n)
{
  sg_rtype rt = rtype_of (n->cls);
  parts r[3], o = { -1, -1 };
  for (int i = 0; i < 3; i++)
    {
      SG_TRY (fetch (w, n->in[i]->slot, &r[i]));
      if (i > 0 && n->in[i]->cls != n->cls)
        SG_TRY (convert (w, r[i].re, n->cls, &r[i].re));
      SG_TRY (parts_as_rtype (w, r[i], rt, &r[i]));
    }
  SG_TRY (select_part (w, rt, r[0].re, r[1].re, r[2].re, &o.re));
  if (r[1].im < 0 && r[2].im < 0)
    {
      bind (w, n->slot, o);
      return SG_OK;
    }
  if (! n->narrow)
    SG_TRY (select_part (w, rt, r[0].re, r[1].im, r[2].im, &o.im));
  return bind_complex (w, n, o);
}

bool
sg_takes_second_first (const sg_node *n)
{
  if (sg_op_info (n->op)->in != SG_IN_MINMAX)
    return false;
  const sg_node *a = n->in[0], *b = n->in[1];
  for (int d = 0; d < a->nd || d < b->nd; d++)
    {
      int64_t x = d < a->nd ? a->dim[d] : 1, y = d < b->nd ? b->dim[d] : 1;
      if (x != 1 || y != 1)
        return x == 1;
    }
  return false;
}

static sg_status
write_elementwise (writer *w, const sg_node *n)
{
  if (n->op == SG_SELECT)
    return write_select (w, n);
  if (n->leaves || sg_build_form (w->b, n) != SG_CX_LEAVES)
    return write_complex (w, n);
  const sg_opinfo *row = sg_op_info (n->op);
  sg_rtype rt = rtype_of (n->ctype);
  int r[2] = { -1, -1 }, o;
  for (int i = 0; i < n->nin; i++)
    {
      parts x;
      SG_TRY (fetch (w, n->in[i]->slot, &x));
      r[i] = x.re;
    }
  if (row->in == SG_IN_CASTS && n->op != SG_LOGICAL)
    {
      SG_TRY (convert (w, r[0], n->cls, &o));
      bind (w, n->slot, (parts) { o, -1 });
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
  bool swapped = sg_takes_second_first (n);
  SG_TRY (operate (w, n->op, rt, r[swapped], r[! swapped], &o));
  if (sg_class_is_integer (n->cls))
    SG_TRY (saturate (w, o, n->cls, &o));
  bind (w, n->slot, (parts) { o, -1 });
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

/* 1 or 0 by the truth of a complex value, NaN for one that has a NaN.  */
static sg_status
truth_of (writer *w, sg_rtype rt, parts a, int *out)
{
  sg_ins *ins;
  SG_TRY (new_reg (w, SG_REG_SCRATCH, rt, -1, out));
  SG_TRY (new_ins (w, SG_INS_CPLX, *out, a.re, -1, &ins));
  ins->op = SG_ANY;
  ins->form = SG_CX_A;
  ins->ai = a.im;
  w->m->cost += 6;
  return SG_OK;
}

/* A reduction takes register A.  */
static sg_status
write_sink (writer *w, const sg_node *n, sg_op op, sg_rtype rt, int a, int part)
{
  sg_map *m = w->m;
  if (m->nsink == w->sinkroom)
    {
      int room = 2 * w->sinkroom + 2;
      sg_sink *p = sg_realloc (m->sink, room * sizeof *p);
      if (! p)
        return no_room ();
      m->sink = p;
      w->sinkroom = room;
    }
  m->sink[m->nsink] = (sg_sink) { .op = op, .rt = rt, .slot = n->slot, .cls = n->cls,
                                  .part = part, .root = n->op == SG_NORM, .node = n->slot };
  sg_ins *ins;
  SG_TRY (new_ins (w, SG_INS_SINK, -1, a, -1, &ins));
  ins->sink = m->nsink++;
  m->cost += 4;
  return SG_OK;
}

/* The sums of the parts of a complex value; of the real parts alone where that is known to be
   all.  */
static sg_status
write_sums (writer *w, const sg_node *n, sg_rtype rt, parts a)
{
  if (n->narrow)
    return write_sink (w, n, SG_SUM, rt, a.re, -1);
  SG_TRY (write_sink (w, n, SG_SUM, rt, a.re, 0));
  return write_sink (w, n, SG_SUM, rt, a.im, 1);
}

static sg_status
write_reduction (writer *w, const sg_node *n)
{
  sg_rtype rt = rtype_of (n->ctype);
  parts a;
  SG_TRY (fetch (w, n->in[0]->slot, &a));
  SG_TRY (parts_as_rtype (w, a, rt, &a));
  if (a.im >= 0 && n->op == SG_SUM)
    return write_sums (w, n, rt, a);
  if (a.im >= 0 && (n->op == SG_SUMSQ || n->op == SG_NORM))
    {
      SG_TRY (operate (w, SG_TIMES, rt, a.re, a.re, &a.re));
      SG_TRY (operate (w, SG_TIMES, rt, a.im, a.im, &a.im));
      SG_TRY (operate (w, SG_PLUS, rt, a.re, a.im, &a.re));
      return write_sink (w, n, SG_SUM, rt, a.re, -1);
    }
  if (a.im >= 0)
    SG_TRY (truth_of (w, rt, a, &a.re));
  int64_t pre, len, post;
  sg_line_shape (n->in[0], n->par[0], &pre, &len, &post);
  if (n->op == SG_ALL && pre > 1 && len <= ALL_SHORT)
    SG_TRY (nan_to_false (w, rt, a.re, &a.re));
  if (n->op == SG_DOT)
    {
      parts y;
      SG_TRY (fetch (w, n->in[1]->slot, &y));
      SG_TRY (parts_as_rtype (w, y, rt, &y));
      SG_TRY (operate (w, SG_TIMES, rt, a.re, y.re, &a.re));
    }
  sg_op op = n->op == SG_DOT ? SG_SUM : n->op == SG_NORM ? SG_SUMSQ : n->op;
  return write_sink (w, n, op, rt, a.re, -1);
}

/* Bring the value of a slot to memory: the instruction that makes it writes there if it can.  */
static sg_status
deliver (writer *w, int slot, parts x)
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
  SG_TRY (new_ins (w, SG_INS_STORE, -1, reg, -1, &ins));
  ins->ai = x.im;
  ins->slot = slot;
  ins->cls = s->cls;
  return SG_OK;
}

/* ---- programs -------------------------------------------------------------------------------- */

static sg_status
finish (writer *w)
{
  SG_TRY (sg_build_registers (w->m));
  return sg_build_dims (w->m, w->space);
}

static sg_status
write_group (writer *w, const sg_group *q)
{
  sg_builder *b = w->b;
  for (int k = q->first; k >= 0; k = k == q->last ? -1 : b->member_next[k])
    {
      const sg_node *n = b->g->order[k];
      w->node = k;
      if (b->how[k] == SG_HOW_RED)
        SG_TRY (write_reduction (w, n));
      else
        SG_TRY (write_elementwise (w, n));
    }
  for (int k = q->first; k >= 0; k = k == q->last ? -1 : b->member_next[k])
    if (b->how[k] == SG_HOW_MAP && sg_build_escapes (b, k))
      {
        w->node = k;
        SG_TRY (deliver (w, k, (parts) { b->reg_of[k], b->reg_imag[k] }));
      }
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
  *w = (writer) { .b = b, .m = &s->u.map, .space = &b->p->slot[space], .node = -1 };
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
  parts a;
  sg_class cls = w->b->p->slot[to].cls;
  SG_TRY (fetch (w, from, &a));
  SG_TRY (convert (w, a.re, cls, &a.re));
  if (a.im >= 0)
    SG_TRY (convert (w, a.im, cls, &a.im));
  SG_TRY (deliver (w, to, a));
  return finish (w);
}

sg_status
sg_build_cast (sg_builder *b, int from, sg_class cls, bool cplx, int *out)
{
  SG_TRY (sg_build_slot (b, &b->p->slot[from], cls, cplx, out));
  writer w;
  SG_TRY (begin (b, &w, from));
  sg_status s = write_cast (&w, from, *out);
  sg_free (w.other);
  return s;
}

static sg_status
write_part (writer *w, int from, int part, int to)
{
  parts a;
  SG_TRY (fetch (w, from, &a));
  a.re = part ? a.im : a.re;
  a.im = -1;
  SG_TRY (convert (w, a.re, w->b->p->slot[to].cls, &a.re));
  SG_TRY (deliver (w, to, a));
  return finish (w);
}

sg_status
sg_build_part (sg_builder *b, int from, int part, sg_class cls, int *out)
{
  SG_TRY (sg_build_slot (b, &b->p->slot[from], cls, false, out));
  writer w;
  SG_TRY (begin (b, &w, from));
  sg_status s = write_part (&w, from, part, *out);
  sg_free (w.other);
  return s;
}

static sg_status
write_join (writer *w, int re, int im, bool conj, int to)
{
  parts x, y;
  SG_TRY (fetch (w, re, &x));
  SG_TRY (fetch (w, im, &y));
  if (conj)
    SG_TRY (operate (w, SG_UMINUS, rtype_of (w->b->p->slot[to].cls), y.re, -1, &y.re));
  SG_TRY (deliver (w, to, (parts) { x.re, y.re }));
  return finish (w);
}

sg_status
sg_build_join (sg_builder *b, int re, int im, bool conj, int to)
{
  writer w;
  SG_TRY (begin (b, &w, to));
  sg_status s = write_join (&w, re, im, conj, to);
  sg_free (w.other);
  return s;
}
