/* Map programs once their instructions stand: which block each register has, and the dimensions
   of the loop.  */

#include "build.h"

/* Blocks that are free to be written.  One that has held doubles is for doubles again, one of
   singles for singles: a loop that is compiled reads and writes element by element, and only
   elements of one size lie at the same place in both.  */
typedef struct idle
{
  int n[2];
  int *block[2];
} idle;

static void
place (sg_map *m, idle *f, int r)
{
  sg_reg *x = &m->reg[r];
  int k = x->rt == SG_R64;
  if (x->kind == SG_REG_SCRATCH && x->scratch < 0)
    x->scratch = f->n[k] ? f->block[k][--f->n[k]] : m->nscratch++;
}

static void
release (const sg_map *m, idle *f, int r)
{
  const sg_reg *x = &m->reg[r];
  int k = x->rt == SG_R64;
  if (x->kind == SG_REG_SCRATCH)
    f->block[k][f->n[k]++] = x->scratch;
}

/* Scratch blocks: scalars keep theirs, others give it back after their last use.  An
   operation may write where an operand was; a conversion may not, sizes differ.  */
sg_status
sg_build_registers (sg_map *m)
{
  int *last = sg_malloc ((3 * m->nreg + 1) * sizeof *last);
  if (! last)
    return sg_fail (SG_NOMEM, "out of memory for a program of a plan");
  idle f = { { 0, 0 }, { last + m->nreg, last + 2 * m->nreg } };
  for (int r = 0; r < m->nreg; r++)
    if (m->reg[r].kind == SG_REG_SCALAR)
      m->reg[r].scratch = m->nscratch++;
  for (int i = 0; i < m->nins; i++)
    {
      const sg_ins *x = &m->ins[i];
      int use[SG_NUSED] = SG_USED (x);
      for (int u = 0; u < SG_NUSED; u++)
        if (use[u] >= 0)
          last[use[u]] = i;
    }
  for (int i = 0; i < m->nins; i++)
    {
      const sg_ins *x = &m->ins[i];
      bool in_place = x->kind == SG_INS_OP || x->kind == SG_INS_OP3;
      int use[SG_NUSED] = SG_USED (x);
      if (! in_place)
        for (int u = SG_NOPERAND; u < SG_NUSED; u++)
          if (use[u] >= 0)
            place (m, &f, use[u]);
      for (int u = 0; u < SG_NUSED; u++)
        {
          if (u == SG_NOPERAND && in_place && x->o >= 0)
            place (m, &f, x->o);
          bool again = use[u] < 0 || last[use[u]] != i;
          for (int v = 0; v < u && ! again; v++)
            again = use[v] == use[u];
          if (! again)
            release (m, &f, use[u]);
        }
    }
  sg_free (last);
  return SG_OK;
}

/* Join dimensions over which every strided operand moves on evenly, drop those of extent 1.  */
sg_status
sg_build_dims (sg_map *m, const sg_slot *sp)
{
  m->dim = sg_malloc (sp->nd * sizeof *m->dim);
  if (! m->dim)
    return sg_fail (SG_NOMEM, "out of memory for a program of a plan");
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
