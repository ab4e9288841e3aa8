/* Where the values of a plan live, and how long.  Values that the host looks at, or that it
   takes part in, are in its memory, values that are kept have memory of their own; all others
   share one arena, at offsets fixed here.  */

#include "build.h"

#define ALIGN 64

/* Note that STEP reads or writes a slot; the step is made to name the slot that owns the data.  */
static void
reads (sg_plan *p, int *slot, int step)
{
  *slot = sg_plan_resolve (p, *slot);
  sg_slot *s = &p->slot[*slot];
  s->last = step > s->last ? step : s->last;
}

static void
writes (sg_plan *p, int slot, int step)
{
  sg_slot *s = &p->slot[slot];
  if (s->first < 0)
    s->first = step;
  s->last = step > s->last ? step : s->last;
}

static void
map_slots (sg_plan *p, sg_map *m, int step)
{
  /* A register in memory is an operand unless an instruction makes it.  */
  for (int r = 0; r < m->nreg; r++)
    if (m->reg[r].slot >= 0)
      {
        bool made = false;
        for (int i = 0; i < m->nins && ! made; i++)
          made = m->ins[i].o == r || m->ins[i].oi == r;
        if (made)
          writes (p, m->reg[r].slot, step);
        else
          reads (p, &m->reg[r].slot, step);
      }
  for (int i = 0; i < m->nins; i++)
    if (m->ins[i].kind == SG_INS_LOAD)
      reads (p, &m->ins[i].slot, step);
    else if (m->ins[i].kind == SG_INS_STORE)
      writes (p, m->ins[i].slot, step);
  for (int k = 0; k < m->nsink; k++)
    writes (p, m->sink[k].slot, step);
}

static void
step_slots (sg_plan *p, int k)
{
  sg_step *s = &p->step[k];
  switch (s->kind)
    {
    case SG_STEP_MAP:
      map_slots (p, &s->u.map, k);
      break;
    case SG_STEP_SCAN:
      reads (p, &s->u.scan.in, k);
      writes (p, s->u.scan.out, k);
      break;
    case SG_STEP_GEMM:
      reads (p, &s->u.gemm.a, k);
      reads (p, &s->u.gemm.b, k);
      writes (p, s->u.gemm.out, k);
      break;
    case SG_STEP_MOVE:
      for (int i = 0; i < s->u.move.nin; i++)
        reads (p, &s->u.move.in[i], k);
      writes (p, s->u.move.out, k);
      break;
    case SG_STEP_FOREIGN:
      for (int i = 0; i < s->u.foreign.nin; i++)
        {
          reads (p, &s->u.foreign.in[i], k);
          sg_slot *o = &p->slot[s->u.foreign.in[i]];
          if (o->kind == SG_SLOT_ARENA)
            o->kind = SG_SLOT_HOST;
        }
      writes (p, s->u.foreign.out, k);
      break;
    }
}

/* Results stay until the end, in memory that is theirs.  */
static void
keep_outputs (sg_plan *p)
{
  for (int i = 0; i < p->nslots; i++)
    if (p->slot[i].output)
      {
        sg_slot *s = &p->slot[sg_plan_resolve (p, i)];
        s->last = p->nsteps;
        if (p->slot[i].to_host && (s->kind == SG_SLOT_ARENA || s->kind == SG_SLOT_POOL))
          s->kind = SG_SLOT_HOST;
        else if (s->kind == SG_SLOT_ARENA)
          s->kind = SG_SLOT_POOL;
      }
}

/* ---- the arena ----------------------------------------------------------------------- */

/* Free ranges, by offset.  */
typedef struct range { int64_t at, end; } range;

typedef struct arena
{
  range *r;
  int n, room;
  int64_t end;
} arena;

static sg_status
give (arena *a, int64_t at, int64_t end)
{
  int k = 0;
  while (k < a->n && a->r[k].at < at)
    k++;
  bool below = k > 0 && a->r[k - 1].end == at, above = k < a->n && a->r[k].at == end;
  if (below && above)
    {
      a->r[k - 1].end = a->r[k].end;
      for (int i = k; i + 1 < a->n; i++)
        a->r[i] = a->r[i + 1];
      a->n--;
    }
  else if (below)
    a->r[k - 1].end = end;
  else if (above)
    a->r[k].at = at;
  else
    {
      if (a->n == a->room)
        {
          int room = 2 * a->room + 8;
          range *p = sg_realloc (a->r, room * sizeof *p);
          if (! p)
            return sg_fail (SG_NOMEM, "out of memory to place the values of a plan");
          a->r = p;
          a->room = room;
        }
      for (int i = a->n; i > k; i--)
        a->r[i] = a->r[i - 1];
      a->r[k] = (range) { at, end };
      a->n++;
    }
  return SG_OK;
}

/* First fit; the end of the arena moves if nothing fits.  */
static int64_t
take (arena *a, int64_t bytes)
{
  for (int k = 0; k < a->n; k++)
    if (a->r[k].end - a->r[k].at >= bytes)
      {
        int64_t at = a->r[k].at;
        a->r[k].at += bytes;
        if (a->r[k].at == a->r[k].end)
          {
            for (int i = k; i + 1 < a->n; i++)
              a->r[i] = a->r[i + 1];
            a->n--;
          }
        return at;
      }
  int64_t at = a->end;
  if (a->n && a->r[a->n - 1].end == a->end)
    at = a->r[--a->n].at;
  a->end = at + bytes;
  return at;
}

static int64_t
rounded (int64_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Slots by first and by last step: heads of lists, then links.  */
typedef struct lists
{
  int *born, *dead, *next_born, *next_dead;
} lists;

static void
fill_lists (const sg_plan *p, lists *l)
{
  for (int k = 0; k <= p->nsteps; k++)
    l->born[k] = l->dead[k] = -1;
  for (int i = p->nslots - 1; i >= 0; i--)
    {
      const sg_slot *s = &p->slot[i];
      if (s->kind == SG_SLOT_LEAF || s->kind == SG_SLOT_ALIAS || s->first < 0)
        continue;
      l->next_born[i] = l->born[s->first];
      l->born[s->first] = i;
      l->next_dead[i] = l->dead[s->last];
      l->dead[s->last] = i;
    }
}

static sg_status
place (sg_plan *p, arena *a, const lists *l)
{
  for (int k = 0; k < p->nsteps; k++)
    {
      for (int i = l->born[k]; i >= 0; i = l->next_born[i])
        {
          if (p->slot[i].kind == SG_SLOT_ARENA)
            p->slot[i].offset = take (a, rounded (p->slot[i].bytes));
          else if (p->slot[i].kind != SG_SLOT_FOREIGN)
            p->born[p->nborn++] = i;
          if (p->slot[i].verify)
            p->verify[p->nverify++] = i;
        }
      for (int i = l->dead[k]; i >= 0; i = l->next_dead[i])
        if (p->slot[i].kind != SG_SLOT_ARENA)
          p->dead[p->ndead++] = i;
        else
          SG_TRY (give (a, p->slot[i].offset, p->slot[i].offset + rounded (p->slot[i].bytes)));
    }
  return SG_OK;
}

sg_status
sg_build_memory (sg_builder *b)
{
  sg_plan *p = b->p;
  for (int k = 0; k < p->nsteps; k++)
    step_slots (p, k);
  keep_outputs (p);
  int n = p->nsteps + 1;
  int *room = sg_malloc ((2 * n + 2 * p->nslots) * sizeof *room);
  p->born = sg_malloc (p->nslots * sizeof *p->born);
  p->dead = sg_malloc (p->nslots * sizeof *p->dead);
  p->verify = sg_malloc (p->nslots * sizeof *p->verify);
  sg_status s = SG_OK;
  arena a = { 0 };
  if (! room || ! p->born || ! p->dead || ! p->verify)
    s = sg_fail (SG_NOMEM, "out of memory to place the values of a plan");
  else
    {
      lists l = { room, room + n, room + 2 * n, room + 2 * n + p->nslots };
      fill_lists (p, &l);
      s = place (p, &a, &l);
    }
  p->arena_bytes = a.end;
  sg_free (a.r);
  sg_free (room);
  return s;
}
