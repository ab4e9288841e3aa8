/* Map programs: the instructions of a group of elementwise nodes and reductions.  */

#include <string.h>

#include "plan_write.h"

/* ---- nodes --------------------------------------------------------------------------------- */

int
sg_op_cost (const sg_opinfo *row)
{
  return strchr (row->text, '(') == NULL ? 3
         : row->ulp == 0 ? 6 : row->n == 2 ? 64 : 24;
}

/* The fraction of A; NaN of what is not finite.  */
static sg_status
fraction (sg_writer *w, int a, int *out)
{
  sg_rtype rt = w->m->reg[a].rt;
  int whole;
  SG_TRY (sg_write_op (w, SG_FLOOR, rt, a, -1, &whole));
  return sg_write_op (w, SG_MINUS, rt, a, whole, out);
}

static sg_status
guard (sg_writer *w, const sg_node *n, int a, int b)
{
  sg_ins *ins;
  /* Of the exponents of one number, or of arrays of other sizes, Octave does not ask that they
     are of type int.  */
  if (n->op == SG_POWER && n->in[1]->numel != 1 && ! sg_same_dims (n->in[0], n->in[1]))
    SG_TRY (fraction (w, b, &b));
  SG_TRY (sg_write_ins (w, SG_INS_GUARD, -1, a, b, &ins));
  ins->op = n->op;
  ins->node = n->slot;
  w->m->cost += 3;
  return SG_OK;
}

/* A complex result is real in Octave where it has no imaginary part.  That is guarded against,
   unless it is known to be so.  */
static sg_status
bind_complex (sg_writer *w, const sg_node *n, sg_parts o)
{
  if (n->narrow)
    o.im = -1;
  else
    {
      sg_ins *ins;
      SG_TRY (sg_write_ins (w, SG_INS_NARROW, -1, o.im, -1, &ins));
      ins->node = n->slot;
      w->m->nnarrow++;
    }
  sg_write_bind (w, n->slot, o);
  return SG_OK;
}

/* What takes a complex value apart or changes its class needs no kernel.  False: it does.  */
static sg_status
write_parts (sg_writer *w, const sg_node *n, sg_parts a, bool *done)
{
  *done = true;
  switch (n->op)
    {
    case SG_REAL:
      sg_write_bind (w, n->slot, (sg_parts) { a.re, -1 });
      return SG_OK;
    case SG_IMAG:
      sg_write_bind (w, n->slot, (sg_parts) { a.im, -1 });
      return SG_OK;
    case SG_DOUBLE:
    case SG_SINGLE:
      /* An imaginary part that single does not have becomes 0.  */
      SG_TRY (sg_write_parts_as_rtype (w, a, sg_rtype_of (n->cls), &a));
      return bind_complex (w, n, a);
    default:
      *done = false;
      return SG_OK;
    }
}

static sg_status
write_complex (sg_writer *w, const sg_node *n)
{
  sg_cplx_form form = sg_build_form (w->b, n);
  sg_rtype rt = sg_rtype_of (n->ctype);
  sg_parts r[2] = { { -1, -1 }, { -1, -1 } }, o = { -1, -1 };
  for (int i = 0; i < n->nin; i++)
    SG_TRY (sg_write_fetch (w, n->in[i]->slot, &r[i]));
  bool done;
  SG_TRY (write_parts (w, n, r[0], &done));
  if (done)
    return SG_OK;
  for (int i = 0; i < n->nin; i++)
    SG_TRY (sg_write_parts_as_rtype (w, r[i], rt, &r[i]));
  bool cplx = sg_op_cplx (n->op, form) == SG_CX_CPLX;
  SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, rt, -1, &o.re));
  if (cplx)
    SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, rt, -1, &o.im));
  sg_ins *ins;
  SG_TRY (sg_write_ins (w, SG_INS_CPLX, o.re, r[0].re, r[1].re, &ins));
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
  sg_write_bind (w, n->slot, o);
  return SG_OK;
}

/* O = A ? B : C, parts of them; a part that is not there is 0.  */
static sg_status
select_part (sg_writer *w, sg_rtype rt, int a, int b, int c, int *o)
{
  if (b < 0)
    SG_TRY (sg_write_op (w, SG_IMAG, rt, a, -1, &b));
  if (c < 0)
    SG_TRY (sg_write_op (w, SG_IMAG, rt, a, -1, &c));
  sg_ins *ins;
  SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, rt, -1, o));
  SG_TRY (sg_write_ins (w, SG_INS_OP3, *o, a, b, &ins));
  ins->op = SG_SELECT;
  ins->c = c;
  w->m->cost += sg_op_cost (sg_op_info (SG_SELECT));
  return SG_OK;
}

static sg_status
write_select (sg_writer *w, const sg_node *n)
{
  sg_rtype rt = sg_rtype_of (n->cls);
  sg_parts r[3], o = { -1, -1 };
  for (int i = 0; i < 3; i++)
    {
      SG_TRY (sg_write_fetch (w, n->in[i]->slot, &r[i]));
      if (i > 0 && n->in[i]->cls != n->cls)
        SG_TRY (sg_write_convert (w, r[i].re, n->cls, &r[i].re));
      SG_TRY (sg_write_parts_as_rtype (w, r[i], rt, &r[i]));
    }
  SG_TRY (select_part (w, rt, r[0].re, r[1].re, r[2].re, &o.re));
  if (r[1].im < 0 && r[2].im < 0)
    {
      sg_write_bind (w, n->slot, o);
      return SG_OK;
    }
  if (! n->narrow)
    SG_TRY (select_part (w, rt, r[0].re, r[1].im, r[2].im, &o.im));
  return bind_complex (w, n, o);
}

bool sg_first_extreme = false;

bool
sg_takes_second_first (const sg_node *n)
{
  if (sg_op_info (n->op)->in != SG_IN_MINMAX || sg_first_extreme)
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
write_elementwise (sg_writer *w, const sg_node *n)
{
  if (n->op == SG_SELECT)
    return write_select (w, n);
  if (n->leaves || sg_build_form (w->b, n) != SG_CX_LEAVES)
    return write_complex (w, n);
  const sg_opinfo *row = sg_op_info (n->op);
  sg_rtype rt = sg_rtype_of (n->ctype);
  int r[2] = { -1, -1 }, o;
  for (int i = 0; i < n->nin; i++)
    {
      sg_parts x;
      SG_TRY (sg_write_fetch (w, n->in[i]->slot, &x));
      r[i] = x.re;
    }
  if (row->in == SG_IN_CASTS && n->op != SG_LOGICAL)
    {
      SG_TRY (sg_write_convert (w, r[0], n->cls, &o));
      sg_write_bind (w, n->slot, (sg_parts) { o, -1 });
      return SG_OK;
    }
  for (int i = 0; i < n->nin; i++)
    {
      if (row->in == SG_IN_MINMAX && n->in[i]->cls != n->cls)
        SG_TRY (sg_write_convert (w, r[i], n->cls, &r[i]));
      SG_TRY (sg_write_as_rtype (w, r[i], rt, &r[i]));
    }
  if (row->guard != SG_GUARD_NONE)
    SG_TRY (guard (w, n, r[0], r[1]));
  bool swapped = sg_takes_second_first (n);
  SG_TRY (sg_write_op (w, n->op, rt, r[swapped], r[! swapped], &o));
  if (sg_class_is_integer (n->cls))
    SG_TRY (sg_write_saturate (w, o, n->cls, &o));
  sg_write_bind (w, n->slot, (sg_parts) { o, -1 });
  return SG_OK;
}

/* NaN becomes 0, all else keeps its truth value.  */
static sg_status
nan_to_false (sg_writer *w, sg_rtype rt, int a, int *out)
{
  int number;
  SG_TRY (sg_write_op (w, SG_EQ, rt, a, a, &number));
  return sg_write_op (w, SG_MIN2, rt, number, a, out);
}

/* 1 or 0 by the truth of a complex value, NaN for one that has a NaN.  */
static sg_status
truth_of (sg_writer *w, sg_rtype rt, sg_parts a, int *out)
{
  sg_ins *ins;
  SG_TRY (sg_write_reg (w, SG_REG_SCRATCH, rt, -1, out));
  SG_TRY (sg_write_ins (w, SG_INS_CPLX, *out, a.re, -1, &ins));
  ins->op = SG_ANY;
  ins->form = SG_CX_A;
  ins->ai = a.im;
  w->m->cost += 6;
  return SG_OK;
}

/* A reduction takes register A.  */
static sg_status
write_sink (sg_writer *w, const sg_node *n, sg_op op, sg_rtype rt, int a, int part)
{
  sg_map *m = w->m;
  if (m->nsink == w->sinkroom)
    {
      int room = 2 * w->sinkroom + 2;
      sg_sink *p = sg_realloc (m->sink, room * sizeof *p);
      if (! p)
        return sg_write_no_room ();
      m->sink = p;
      w->sinkroom = room;
    }
  m->sink[m->nsink] = (sg_sink) { .op = op, .rt = rt, .slot = n->slot, .cls = n->cls,
                                  .part = part, .root = n->op == SG_NORM, .node = n->slot };
  sg_ins *ins;
  SG_TRY (sg_write_ins (w, SG_INS_SINK, -1, a, -1, &ins));
  ins->sink = m->nsink++;
  m->cost += 4;
  return SG_OK;
}

/* The sums of the parts of a complex value; of the real parts alone where that is known to be
   all.  */
static sg_status
write_sums (sg_writer *w, const sg_node *n, sg_rtype rt, sg_parts a)
{
  if (n->narrow)
    return write_sink (w, n, SG_SUM, rt, a.re, -1);
  SG_TRY (write_sink (w, n, SG_SUM, rt, a.re, 0));
  return write_sink (w, n, SG_SUM, rt, a.im, 1);
}

static sg_status
write_reduction (sg_writer *w, const sg_node *n)
{
  sg_rtype rt = sg_rtype_of (n->ctype);
  sg_parts a;
  SG_TRY (sg_write_fetch (w, n->in[0]->slot, &a));
  SG_TRY (sg_write_parts_as_rtype (w, a, rt, &a));
  if (a.im >= 0 && n->op == SG_SUM)
    return write_sums (w, n, rt, a);
  if (a.im >= 0 && (n->op == SG_SUMSQ || n->op == SG_NORM))
    {
      SG_TRY (sg_write_op (w, SG_TIMES, rt, a.re, a.re, &a.re));
      SG_TRY (sg_write_op (w, SG_TIMES, rt, a.im, a.im, &a.im));
      SG_TRY (sg_write_op (w, SG_PLUS, rt, a.re, a.im, &a.re));
      return write_sink (w, n, SG_SUM, rt, a.re, -1);
    }
  if (a.im >= 0)
    SG_TRY (truth_of (w, rt, a, &a.re));
  if (n->op == SG_ALL && sg_takes_nan_as_false (n))
    SG_TRY (nan_to_false (w, rt, a.re, &a.re));
  if (n->op == SG_DOT)
    {
      sg_parts y;
      SG_TRY (sg_write_fetch (w, n->in[1]->slot, &y));
      SG_TRY (sg_write_parts_as_rtype (w, y, rt, &y));
      SG_TRY (sg_write_op (w, SG_TIMES, rt, a.re, y.re, &a.re));
    }
  sg_op op = n->op == SG_DOT ? SG_SUM : n->op == SG_NORM ? SG_SUMSQ : n->op;
  return write_sink (w, n, op, rt, a.re, -1);
}

/* ---- programs -------------------------------------------------------------------------------- */

static sg_status
write_group (sg_writer *w, const sg_group *q)
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
        SG_TRY (sg_write_deliver (w, k, (sg_parts) { b->reg_of[k], b->reg_imag[k] }));
      }
  w->m->pre = q->pre;
  w->m->len = q->len;
  w->m->post = q->post;
  return sg_write_end (w);
}

sg_status
sg_build_map (sg_builder *b, int group)
{
  sg_writer w;
  SG_TRY (sg_write_begin (b, &w, b->groups[group].like));
  sg_status s = write_group (&w, &b->groups[group]);
  sg_free (w.other);
  return s;
}
