/* Map steps: a fused program over an iteration space, in units of blocks.  */

#include "block.h"
#include "threads.h"

/* Programs that need no more than this have their memory on the stack: small arrays must not
   pay for anything.  */
#define ROOM 16384

/* A map without reductions.  */
typedef struct plain
{
  sg_program *p;
  sg_worker *w;
  int64_t unit;              /* elements in a unit */
} plain;

static bool
plain_unit (void *ctx, int64_t u, int t)
{
  plain *q = ctx;
  int64_t end = sg_min64 ((u + 1) * q->unit, q->p->m->numel);

  for (int64_t i = u * q->unit, n; i < end; i += n)
    {
      n = sg_min64 (sg_min64 (end - i, SG_BLOCK), q->p->run - i % q->p->run);
      int node = sg_block_run (q->p, &q->w[t], i, n);
      if (node >= 0)
        {
          sg_program_hit (q->p, u, node);
          return false;
        }
    }
  return true;
}

/* Nothing here depends on the size of a unit, so that it may depend on the threads: several
   units for each, in case one is slower than the others.  */
static sg_status
plain_run (sg_program *p, sg_worker *w, int threads)
{
  int64_t numel = p->m->numel;
  int64_t unit = SG_UNIT;

  if (threads > 1)
    {
      unit = sg_ceil_div (sg_ceil_div (numel, threads * INT64_C (8)), SG_BLOCK) * SG_BLOCK;
      unit = sg_min64 (unit, SG_UNIT);
    }
  plain q = { p, w, unit };
  return sg_units_run (threads, sg_ceil_div (numel, unit), plain_unit, &q);
}

/* What is needed beside the program itself, in one piece of memory: the program's tables, then
   for each thread its registers and its accumulators, then the workers.  */
typedef struct layout
{
  size_t program, worker, reduce, total;
} layout;

static layout
layout_make (const sg_map *m, const sg_compiled *f, const sg_cut *c, int threads)
{
  layout s;
  s.program = sg_program_bytes (m);
  s.worker = sg_worker_bytes (m, f);
  s.reduce = m->nsink > 0 ? sg_align64 (sg_reduce_bytes (c, m)) : 0;
  s.total = s.program + (size_t) threads * (s.worker + s.reduce + sizeof (sg_worker));
  return s;
}

static sg_status
run_in (const sg_map *m, sg_run *r, const sg_compiled *f, const sg_cut *c, int threads, layout s, char *area)
{
  sg_program p;
  sg_worker *w = (sg_worker *) (area + s.program + (size_t) threads * (s.worker + s.reduce));

  SG_TRY (sg_program_bind (&p, m, r, f, area));
  for (int t = 0; t < threads; t++)
    {
      char *mine = area + s.program + (size_t) t * (s.worker + s.reduce);
      sg_worker_init (&p, &w[t], mine);
      w[t].ctx = mine + s.worker;
    }
  sg_status st = m->nsink > 0 ? sg_reduce_run (&p, c, w, threads) : plain_run (&p, w, threads);
  if (st == SG_OK && p.hit_node >= 0)
    {
      r->failed_node = p.hit_node;
      return SG_DELEGATE;
    }
  return st == SG_OK && m->nnarrow > 0 && sg_program_narrow (&p, r) ? SG_DELEGATE : st;
}

/* Apart, so that the stack of other calls is not touched.  */
static __attribute__ ((noinline)) sg_status
run_in_room (const sg_map *m, sg_run *r, const sg_compiled *f, const sg_cut *c, int threads, layout s)
{
  _Alignas (64) char room[ROOM];
  return run_in (m, r, f, c, threads, s, room);
}

sg_status
sg_cpu_map (const sg_map *m, sg_run *r)
{
  sg_cut c;
  double ns = (double) m->numel * m->cost / 16;

  if (m->numel == 0)
    return SG_OK;
  int threads = sg_threads_for (r->threads, ns, sg_ceil_div (m->numel, SG_BLOCK));
  if (m->nsink > 0)
    {
      sg_cut_make (&c, m, threads);
      threads = (int) sg_min64 (threads, c.ns * c.nl * c.nr);
    }
  const sg_compiled *f = sg_compiled_get (m, r);
  layout s = layout_make (m, f, &c, threads);
  if (s.total <= ROOM)
    return run_in_room (m, r, f, &c, threads, s);

  char *area = sg_pool_get (s.total);
  if (! area)
    return sg_fail (SG_NOMEM, "out of memory: %zu bytes for the registers of a loop", s.total);
  sg_status st = run_in (m, r, f, &c, threads, s, area);
  sg_pool_put (area);
  return st;
}
