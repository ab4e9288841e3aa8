/* Powers with one exponent for all elements, which Octave does by products and quotients where it is
   a small whole number.  */

#include <math.h>

#include "block.h"

bool
sg_simple_power (const sg_kernels *k, sg_rtype rt, int64_t n, double e, const void *a, void *o,
                 void *room)
{
  if (e == 2)
    k->map[SG_TIMES][rt] (n, o, a, a);
  else if (e == 3)
    {
      k->map[SG_TIMES][rt] (n, room, a, a);
      k->map[SG_TIMES][rt] (n, o, room, a);
    }
  else if (e == -1)
    {
      if (rt == SG_R64)
        *(double *) room = 1;
      else
        *(float *) room = 1;
      sg_splat (rt, n, room);
      k->map[SG_RDIVIDE][rt] (n, o, room, a);
    }
  else
    return false;
  return true;
}

/* A .^ b for a scalar b.  */
void
sg_power (const sg_program *p, const sg_code *c, int64_t n, void *const *reg)
{
  char room[SG_BLOCK * 8];
  const void *b = reg[c->b];
  double e = c->rt == SG_R64 ? *(const double *) b : *(const float *) b;

  if (! sg_simple_power (p->k, c->rt, n, e, reg[c->a], reg[c->o], room))
    c->fn.map (n, reg[c->o], reg[c->a], b);
}

/* Complex A .^ b for a real scalar b: small whole exponents are products, in the order of those of
   the C++ library.  */
void
sg_cplx_power (const sg_program *p, const sg_code *c, int64_t n, void *const *reg)
{
  char one[2][SG_BLOCK * 8], square[2][SG_BLOCK * 8];
  const sg_cplx_fn times = p->k->cplx[SG_TIMES][SG_CX_BOTH][c->rt];
  double e = c->rt == SG_R64 ? *(const double *) reg[c->b] : *(const float *) reg[c->b];

  if (e != 2 && e != 3)
    {
      c->fn.cplx (n, reg[c->o], reg[c->oi], reg[c->a], reg[c->ai], reg[c->b], reg[c->bi]);
      return;
    }
  times (n, square[0], square[1], reg[c->a], reg[c->ai], reg[c->a], reg[c->ai]);
  if (e == 3)
    {
      times (n, reg[c->o], reg[c->oi], reg[c->a], reg[c->ai], square[0], square[1]);
      return;
    }
  for (int part = 0; part < 2; part++)
    {
      if (c->rt == SG_R64)
        *(double *) one[part] = 1 - part;
      else
        *(float *) one[part] = (float) (1 - part);
      sg_splat (c->rt, n, one[part]);
    }
  times (n, reg[c->o], reg[c->oi], one[0], one[1], square[0], square[1]);
}

/* The exponent of a power, if it is one number in memory.  */
static bool
get_exponent (const sg_program *p, int b, double *e)
{
  const sg_reg *r = b >= 0 && b < p->m->nreg ? &p->m->reg[b] : NULL;
  if (! r || r->kind != SG_REG_SCALAR || r->rt != SG_R64)
    return false;
  p->k->load[p->r->plan->slot[r->slot].cls][SG_R64] (1, e, p->r->ptr[r->slot]);
  return true;
}

bool
sg_is_exponent (const sg_program *p, int b, double e)
{
  double x;
  return get_exponent (p, b, &x) && x == e;
}

bool
sg_is_whole_power (const sg_program *p, const sg_ins *i)
{
  double e;
  return i->op == SG_POWER && get_exponent (p, i->b, &e) && e == floor (e) && fabs (e) < INT32_MAX;
}
