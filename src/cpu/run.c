/* The CPU runs a plan: bind values, run the steps, hand over the results.  */

#include "../core/engine.h"
#include "../core/node.h"
#include "../core/profile.h"
#include "cpu.h"

typedef struct run
{
  sg_run r;
  const sg_graph *g;
  const sg_plan *p;
  sg_buf **buf;              /* by slot; owned, but for leaves */
  void *arena;
  int born, dead, verified;  /* how far the plan's lists have been worked off */
} run;

/* Slots that exist before the first step.  */
static sg_status
bind (run *x)
{
  const sg_plan *p = x->p;
  for (int i = 0; i < p->nslots; i++)
    x->buf[i] = NULL;
  if (p->arena_bytes > 0)
    {
      x->arena = sg_pool_get (p->arena_bytes);
      if (! x->arena)
        return sg_fail (SG_NOMEM, "out of memory: the evaluation needs %lld bytes for"
                        " intermediate values", (long long) p->arena_bytes);
    }
  for (int i = 0; i < p->nslots; i++)
    {
      const sg_slot *s = &p->slot[i];
      if (s->kind == SG_SLOT_LEAF)
        {
          x->buf[i] = x->g->order[s->node]->val;
          SG_TRY (sg_buf_host (x->buf[i]));
        }
      x->r.ptr[i] = s->kind == SG_SLOT_LEAF ? x->buf[i]->data
                    : s->kind == SG_SLOT_ARENA ? (char *) x->arena + s->offset : NULL;
    }
  return SG_OK;
}

static sg_status
run_foreign (run *x, const sg_foreign *f)
{
  sg_buf *out;
  SG_TRY (sg_engine_foreign (x->g, f, x->buf, &out));
  x->buf[f->out] = out;
  x->r.ptr[f->out] = out->data;
  return SG_OK;
}

sg_status
sg_cpu_step (const sg_step *s, sg_run *r)
{
  switch (s->kind)
    {
    case SG_STEP_MAP:
      return sg_cpu_map (&s->u.map, r);
    case SG_STEP_SCAN:
      return (s->u.scan.cplx ? sg_cpu_cplx_lines : sg_cpu_scan) (&s->u.scan, r);
    case SG_STEP_GEMM:
      return sg_cpu_gemm (&s->u.gemm, r);
    case SG_STEP_MOVE:
      return sg_cpu_move (&s->u.move, r);
    default:
      return sg_fail (SG_INTERNAL, "the CPU has no function for step %d", (int) s->kind);
    }
}

static sg_status
run_step (run *x, const sg_step *s)
{
  sg_count.steps++;
  return s->kind == SG_STEP_FOREIGN ? run_foreign (x, &s->u.foreign) : sg_cpu_step (s, &x->r);
}

/* Look at the values that step K has made.  */
static sg_status
verify_values (run *x, int k)
{
  const sg_plan *p = x->p;
  sg_status st = SG_OK;
  for (; x->verified < p->nverify && p->slot[p->verify[x->verified]].first == k; x->verified++)
    {
      const sg_slot *s = &p->slot[p->verify[x->verified]];
      if (sg_has_no_imag (s->cls, s->numel, x->r.ptr[p->verify[x->verified]]))
        {
          sg_run_narrow (&x->r, s->node);
          st = SG_DELEGATE;
        }
    }
  return st;
}

/* Memory that is not the arena's comes when a step first writes it and goes after the last use.  */
static sg_status
run_steps (run *x)
{
  const sg_plan *p = x->p;
  for (int k = 0; k < p->nsteps; k++)
    {
      for (; x->born < p->nborn && p->slot[p->born[x->born]].first == k; x->born++)
        {
          int i = p->born[x->born];
          const sg_slot *s = &p->slot[i];
          sg_failed_origin = s->node < 0 ? 0 : x->g->order[s->node]->origin;
          if (s->kind == SG_SLOT_HOST)
            SG_TRY (sg_host_value_new (s, &x->buf[i]));
          else
            SG_TRY (sg_buf_pool (s->cls, s->cplx, s->bytes, &x->buf[i]));
          x->r.ptr[i] = x->buf[i]->data;
        }
      sg_failed_origin = 0;
      if (sg_is_interrupted ())
        return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
      sg_progress_show (k, p->nsteps);
      double start = sg_profile_start ();
      SG_TRY (run_step (x, &p->step[k]));
      sg_profile_step (p, x->g->order, &p->step[k], sg_step_work (&p->step[k]), start);
      SG_TRY (verify_values (x, k));
      sg_engine_bury (p, x->buf, &x->dead, k);
    }
  return SG_OK;
}

static sg_status
run_plan (const sg_graph *g, sg_plan *p, int *failed_node)
{
  size_t n = p->nslots;
  void *few[2 * 64];
  void **mem = n <= 64 ? few : sg_malloc (2 * n * sizeof *mem);
  if (! mem)
    return sg_fail (SG_NOMEM, "out of memory for the values of a plan");
  run x = { .r = { .plan = p, .order = g->order, .ptr = mem, .threads = sg_cpu_threads (),
                   .failed_node = -1 },
            .g = g, .p = p, .buf = (sg_buf **) (mem + n) };
  sg_status s = bind (&x);
  if (s == SG_OK)
    s = run_steps (&x);
  sg_engine_finish (g, p, x.buf, s == SG_OK);
  sg_pool_put (x.arena);
  *failed_node = x.r.failed_node;
  if (mem != few)
    sg_free (mem);
  return s;
}

const sg_engine sg_cpu_engine = { .run = run_plan };
