/* What must hold for every plan: values are written before they are read, values that live at
   the same time do not share memory, registers are made before they are used.  */

#include "build.h"

typedef struct checker
{
  const sg_plan *p;
  bool *written;
  int step;
} checker;

static sg_status
bad (const checker *c, const char *what, int k)
{
  return sg_fail (SG_INTERNAL, "plan_check: step %d: %s %d", c->step, what, k);
}

static sg_status
check_read (const checker *c, int slot)
{
  if (slot < 0 || slot >= c->p->nslots || c->p->slot[slot].kind == SG_SLOT_ALIAS)
    return bad (c, "reads no value:", slot);
  const sg_slot *s = &c->p->slot[slot];
  if (s->kind != SG_SLOT_LEAF && ! c->written[slot])
    return bad (c, "reads before it is written: value", slot);
  if (s->kind == SG_SLOT_ARENA && s->last < c->step)
    return bad (c, "reads after its memory was given back: value", slot);
  return SG_OK;
}

static sg_status
check_write (checker *c, int slot)
{
  if (slot < 0 || slot >= c->p->nslots || c->p->slot[slot].kind == SG_SLOT_LEAF
      || c->p->slot[slot].kind == SG_SLOT_ALIAS || c->p->slot[slot].bytes <= 0)
    return bad (c, "writes no value:", slot);
  if (c->written[slot])
    return bad (c, "writes a second time: value", slot);
  c->written[slot] = true;
  return SG_OK;
}

static sg_status
check_reg (const checker *c, const sg_map *m, const bool *made, int r)
{
  if (r >= m->nreg || (r >= 0 && ! made[r]))
    return bad (c, "uses before it is made: register", r);
  return SG_OK;
}

/* Operands in memory and scalars are there; all else has to be made.  */
static sg_status
check_program (checker *c, const sg_map *m, bool *made)
{
  for (int r = 0; r < m->nreg; r++)
    {
      const sg_reg *x = &m->reg[r];
      made[r] = x->kind == SG_REG_SCALAR;
      if (x->kind != SG_REG_MEM && (x->scratch < 0 || x->scratch >= m->nscratch))
        return bad (c, "has no block: register", r);
      if (x->kind == SG_REG_MEM)
        {
          made[r] = true;
          for (int i = 0; i < m->nins; i++)
            made[r] &= m->ins[i].o != r && m->ins[i].oi != r;
        }
      if (made[r])
        SG_TRY (check_read (c, x->slot));
    }
  for (int i = 0; i < m->nins; i++)
    {
      const sg_ins *x = &m->ins[i];
      const int used[5] = { x->a, x->ai, x->b, x->bi, x->c }, makes[2] = { x->o, x->oi };
      for (int u = 0; u < 5; u++)
        SG_TRY (check_reg (c, m, made, used[u]));
      if (x->kind == SG_INS_LOAD)
        SG_TRY (check_read (c, x->slot));
      if (x->kind == SG_INS_STORE)
        SG_TRY (check_write (c, x->slot));
      /* The parts of a complex value are written by two reductions.  */
      if (x->kind == SG_INS_SINK && m->sink[x->sink].part < 1)
        SG_TRY (check_write (c, m->sink[x->sink].slot));
      for (int u = 0; u < 2; u++)
        if (makes[u] >= 0)
          {
            const sg_reg *r = &m->reg[makes[u]];
            if (r->kind == SG_REG_MEM && ! made[makes[u]])
              SG_TRY (check_write (c, r->slot));
            made[makes[u]] = true;
          }
    }
  return SG_OK;
}

static sg_status
check_map (checker *c, const sg_map *m)
{
  int64_t n = 1;
  for (int d = 0; d < m->nd; d++)
    n *= m->dim[d];
  if (n != m->numel)
    return bad (c, "has dimensions that do not fit its elements:", m->nd);
  if (m->nsink && m->pre * m->len * m->post != m->numel)
    return bad (c, "has lines that do not fit its elements:", m->nsink);
  for (int k = 1; k < m->nsink; k++)
    if (sg_op_is_ordered (m->sink[k].op) != sg_op_is_ordered (m->sink[0].op))
      return bad (c, "mixes ordered reductions with others:", k);
  bool *made = sg_malloc (m->nreg + 1);
  if (! made)
    return sg_fail (SG_NOMEM, "out of memory to check a plan");
  sg_status s = check_program (c, m, made);
  sg_free (made);
  return s;
}

static sg_status
check_step (checker *c, const sg_step *s)
{
  switch (s->kind)
    {
    case SG_STEP_MAP:
      return check_map (c, &s->u.map);
    case SG_STEP_SCAN:
      SG_TRY (check_read (c, s->u.scan.in));
      return check_write (c, s->u.scan.out);
    case SG_STEP_GEMM:
      SG_TRY (check_read (c, s->u.gemm.a));
      SG_TRY (check_read (c, s->u.gemm.b));
      return check_write (c, s->u.gemm.out);
    case SG_STEP_MOVE:
      for (int i = 0; i < s->u.move.nin; i++)
        SG_TRY (check_read (c, s->u.move.in[i]));
      return check_write (c, s->u.move.out);
    default:
      for (int i = 0; i < s->u.foreign.nin; i++)
        SG_TRY (check_read (c, s->u.foreign.in[i]));
      return check_write (c, s->u.foreign.out);
    }
}

/* No two values of the arena overlap both in memory and in time.  */
static sg_status
check_arena (const checker *c)
{
  const sg_plan *p = c->p;
  for (int i = 0; i < p->nslots; i++)
    for (int k = 0; k < i; k++)
      {
        const sg_slot *a = &p->slot[i], *b = &p->slot[k];
        if (a->kind != SG_SLOT_ARENA || b->kind != SG_SLOT_ARENA || a->first < 0 || b->first < 0)
          continue;
        bool time = a->first <= b->last && b->first <= a->last;
        bool space = a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
        if (time && space)
          return bad (c, "two values share memory, one of them is", i);
      }
  return SG_OK;
}

/* The arena of large plans is not checked: it takes a time that grows with the square.  */
#define ARENA_CHECKED 2000

sg_status
sg_plan_check (const sg_plan *p)
{
  checker c = { .p = p };
  c.written = sg_malloc (p->nslots + 1);
  if (! c.written)
    return sg_fail (SG_NOMEM, "out of memory to check a plan");
  for (int i = 0; i < p->nslots; i++)
    c.written[i] = false;
  sg_status s = p->nslots <= ARENA_CHECKED ? check_arena (&c) : SG_OK;
  for (c.step = 0; c.step < p->nsteps && s == SG_OK; c.step++)
    s = check_step (&c, &p->step[c.step]);
  for (int i = 0; i < p->nslots && s == SG_OK; i++)
    if (p->slot[i].output && p->slot[i].kind != SG_SLOT_ALIAS && ! c.written[i])
      s = bad (&c, "is a result that no step writes: value", i);
  sg_free (c.written);
  return s;
}
