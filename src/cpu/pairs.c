/* Two operations in one pass: where a sum, difference or product is taken by another one alone, the
   value between them stays in a register of the processor.  The roundings are those of both.  */

#include <string.h>

#include "block.h"

static int
place (sg_op op)
{
  return op == SG_PLUS ? 0 : op == SG_MINUS ? 1 : op == SG_TIMES ? 2 : -1;
}

/* How often each register is taken, up to 2.  */
static void
count_uses (const sg_program *p, char *uses)
{
  memset (uses, 0, (size_t) p->m->nreg + 1);
  for (int k = 0; k < p->m->nins; k++)
    {
      const sg_code *c = &p->code[k];
      const int taken[5] = { c->a, c->b, c->c, c->ai, c->bi };
      for (int u = 0; u < 5; u++)
        uses[taken[u]] += uses[taken[u]] < 2;
    }
}

/* True if instruction C may come before the operation FIRST: it only loads, and not into a block
   that FIRST takes.  */
static bool
may_pass (const sg_program *p, const sg_code *c, const sg_code *first)
{
  const sg_reg *reg = p->m->reg;
  if (c->kind == SG_CODE_NOTHING)
    return true;
  return (c->kind == SG_CODE_LOAD || c->kind == SG_CODE_GATHER || c->kind == SG_CODE_VIEW)
         && reg[c->o].scratch != reg[first->a].scratch
         && reg[c->o].scratch != reg[first->b].scratch;
}

void
sg_program_pair (sg_program *p, char *uses)
{
  const sg_map *m = p->m;

  count_uses (p, uses);
  for (int k = 0; k + 1 < m->nins; k++)
    {
      sg_code *first = &p->code[k];
      if (first->kind != SG_CODE_MAP || place (first->op) < 0 || uses[first->o] != 1
          || m->reg[first->o].kind != SG_REG_SCRATCH)
        continue;
      int j = k + 1;
      while (j < m->nins && may_pass (p, &p->code[j], first))
        j++;
      sg_code *second = &p->code[j];
      if (j == m->nins || second->kind != SG_CODE_MAP || place (second->op) < 0
          || second->rt != first->rt || (second->a == first->o) == (second->b == first->o))
        continue;
      bool right = second->b == first->o;
      second->c = right ? second->a : second->b;
      second->a = first->a;
      second->b = first->b;
      second->kind = SG_CODE_MAP3;
      second->fn.map3
        = p->k->pair[place (first->op)][place (second->op)][right][second->rt];
      first->kind = SG_CODE_NOTHING;
      k = j;
    }
}
