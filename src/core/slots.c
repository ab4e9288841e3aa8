/* What the steps of a plan read and write.  */

#include <string.h>

#include "slots.h"

sg_status
sg_slots_init (sg_slots *t, const sg_plan *p)
{
  *t = (sg_slots) { .p = p };
  size_t bytes = (p->nslots + 1) * sizeof *t->seen;
  t->seen = sg_malloc (bytes);
  t->read = sg_malloc (bytes);
  t->write = sg_malloc (bytes);
  if (! (t->seen && t->read && t->write))
    {
      sg_slots_clear (t);
      return sg_fail (SG_NOMEM, "out of memory to look at a plan of %d values", p->nslots);
    }
  memset (t->seen, 0, bytes);
  return SG_OK;
}

void
sg_slots_clear (sg_slots *t)
{
  sg_free (t->seen);
  sg_free (t->read);
  sg_free (t->write);
  *t = (sg_slots) { 0 };
}

static void
writes (sg_slots *t, int slot)
{
  if (t->seen[slot] >= 2 * t->turn)
    return;
  t->seen[slot] = 2 * t->turn + 1;
  t->write[t->nwrite++] = slot;
  t->write_bytes += t->p->slot[slot].bytes;
}

/* After all that is written.  */
static void
reads (sg_slots *t, int slot)
{
  if (t->seen[slot] >= 2 * t->turn)
    return;
  t->seen[slot] = 2 * t->turn;
  t->read[t->nread++] = slot;
  t->read_bytes += t->p->slot[slot].bytes;
}

static void
map_slots (sg_slots *t, const sg_map *m)
{
  for (int i = 0; i < m->nins; i++)
    {
      const sg_ins *x = &m->ins[i];
      const int made[2] = { x->o, x->oi };
      if (x->kind == SG_INS_STORE)
        writes (t, x->slot);
      for (int u = 0; u < 2; u++)
        if (made[u] >= 0 && m->reg[made[u]].kind == SG_REG_MEM)
          writes (t, m->reg[made[u]].slot);
    }
  for (int i = 0; i < m->nsink; i++)
    writes (t, m->sink[i].slot);
  for (int i = 0; i < m->nins; i++)
    if (m->ins[i].kind == SG_INS_LOAD)
      reads (t, m->ins[i].slot);
  for (int r = 0; r < m->nreg; r++)
    if (m->reg[r].kind != SG_REG_SCRATCH)
      reads (t, m->reg[r].slot);
}

void
sg_slots_of (sg_slots *t, const sg_step *s)
{
  t->turn++;
  t->nread = t->nwrite = 0;
  t->read_bytes = t->write_bytes = 0;
  switch (s->kind)
    {
    case SG_STEP_MAP:
      map_slots (t, &s->u.map);
      break;
    case SG_STEP_SCAN:
      writes (t, s->u.scan.out);
      reads (t, s->u.scan.in);
      break;
    case SG_STEP_GEMM:
      writes (t, s->u.gemm.out);
      reads (t, s->u.gemm.a);
      reads (t, s->u.gemm.b);
      break;
    case SG_STEP_MOVE:
      writes (t, s->u.move.out);
      for (int i = 0; i < s->u.move.nin; i++)
        reads (t, s->u.move.in[i]);
      break;
    default:
      writes (t, s->u.foreign.out);
      for (int i = 0; i < s->u.foreign.nin; i++)
        reads (t, s->u.foreign.in[i]);
      break;
    }
}
