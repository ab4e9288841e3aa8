/* Powers with one exponent for all elements, which Octave does by products and quotients where it is
   a small whole number.  */

#include <math.h>

#include "block.h"

/* A .^ b for a scalar b.  These exponents are products and quotients in Octave too.  */
void
sg_power (const sg_program *p, const sg_code *c, int64_t n, void *const *reg)
{
  char t[SG_BLOCK * 8];
  void *o = reg[c->o];
  const void *a = reg[c->a], *b = reg[c->b];
  double e = c->rt == SG_R64 ? *(const double *) b : *(const float *) b;

  if (e == 2)
    p->k->map[SG_TIMES][c->rt] (n, o, a, a);
  else if (e == 3)
    {
      p->k->map[SG_TIMES][c->rt] (n, t, a, a);
      p->k->map[SG_TIMES][c->rt] (n, o, t, a);
    }
  else if (e == -1)
    {
      if (c->rt == SG_R64)
        *(double *) t = 1;
      else
        *(float *) t = 1;
      sg_splat (c->rt, n, t);
      p->k->map[SG_RDIVIDE][c->rt] (n, o, t, a);
    }
  else
    c->fn.map (n, o, a, b);
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
