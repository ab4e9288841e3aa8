/* Plans as numbers for those who look at them: what each step does, reads and writes, and why
   its values go through memory.  */

#include <string.h>

#include "build.h"
#include "engine.h"
#include "look.h"
#include "slots.h"

const char *
sg_work_name (sg_work w)
{
  static const char *const name[SG_NWORK] = {
    [SG_WORK_LOOP] = "loop", [SG_WORK_LINES] = "lines", [SG_WORK_PRODUCT] = "product",
    [SG_WORK_MOVE] = "move", [SG_WORK_OCTAVE] = "Octave", [SG_WORK_PLAN] = "planning",
    [SG_WORK_COMPILE] = "compiling" };
  return name[w];
}

sg_work
sg_step_work (const sg_step *s)
{
  static const sg_work work[] = { [SG_STEP_MAP] = SG_WORK_LOOP, [SG_STEP_SCAN] = SG_WORK_LINES,
                                  [SG_STEP_GEMM] = SG_WORK_PRODUCT,
                                  [SG_STEP_MOVE] = SG_WORK_MOVE,
                                  [SG_STEP_FOREIGN] = SG_WORK_OCTAVE };
  return work[s->kind];
}

/* ---- why ------------------------------------------------------------------------------ */

typedef struct looker
{
  const sg_graph *g;
  const sg_plan *p;
  sg_look *l;
  int *taker;                /* by position: the node that takes its value in another step, -1 */
  int *count;                /* by step: nodes */
} looker;

/* The position whose step makes the value at position K: views are followed.  */
static int
maker (const looker *x, int k)
{
  while (x->p->slot[k].kind == SG_SLOT_ALIAS)
    k = x->p->slot[k].alias;
  return k;
}

/* By node, the one that takes its value in the earliest other step.  */
static void
find_takers (looker *x)
{
  const sg_graph *g = x->g;
  for (int k = 0; k < g->n; k++)
    x->taker[k] = -1;
  for (int c = 0; c < g->n; c++)
    {
      if (sg_node_is_leaf (g->order[c]) || x->p->step_of[c] < 0)
        continue;
      for (int i = 0; i < g->order[c]->nin; i++)
        {
          int k = maker (x, g->order[c]->in[i]->slot);
          if (x->p->step_of[k] == x->p->step_of[c])
            continue;
          if (x->taker[k] < 0 || x->p->step_of[c] < x->p->step_of[x->taker[k]])
            x->taker[k] = c;
        }
    }
}

static sg_cut
why (const looker *x, int k)
{
  const sg_graph *g = x->g;
  const sg_plan *p = x->p;
  int c = x->taker[k];
  const sg_step *mine = &p->step[p->step_of[k]];
  if (c < 0)
    return p->slot[k].to_host || g->want[k] == SG_WANT_NOT ? SG_CUT_RESULT : SG_CUT_HELD;
  if (mine->kind != SG_STEP_MAP)
    return SG_CUT_MADE;
  if (sg_op_info (g->order[k]->op)->family == SG_FAM_RED)
    return SG_CUT_REDUCED;
  if (p->step[p->step_of[c]].kind != SG_STEP_MAP)
    return SG_CUT_TAKEN;
  if (! sg_cfg.fuse)
    return SG_CUT_UNFUSED;
  bool red = sg_op_info (g->order[c]->op)->family == SG_FAM_RED;
  return red || sg_same_dims (g->order[c], g->order[k]) ? SG_CUT_ORDER : SG_CUT_SHAPE;
}

/* ---- steps ------------------------------------------------------------------------------ */

static sg_status
no_room (void)
{
  return sg_fail (SG_NOMEM, "out of memory to describe a plan");
}

static void
describe_kind (const sg_step *s, sg_node *const *order, sg_look_step *o)
{
  o->work = sg_step_work (s);
  switch (s->kind)
    {
    case SG_STEP_MAP:
      o->elements = s->u.map.numel;
      o->compiled = s->u.map.tier && s->u.map.tier->text;
      o->ns = (double) s->u.map.numel * s->u.map.cost / 16;
      for (int i = 0; i < s->u.map.nins; i++)
        {
          o->guards += s->u.map.ins[i].kind == SG_INS_GUARD;
          o->narrows += s->u.map.ins[i].kind == SG_INS_NARROW;
        }
      break;
    case SG_STEP_SCAN:
      o->op = s->u.scan.op;
      o->elements = s->u.scan.pre * s->u.scan.len * s->u.scan.post;
      break;
    case SG_STEP_GEMM:
      {
        const sg_gemm *q = &s->u.gemm;
        o->op = SG_MTIMES;
        o->ta = q->ta;
        o->tb = q->tb;
        o->m = q->m;
        o->k = q->k;
        o->n = q->n;
        o->same = q->a == q->b;
        o->single = q->cls == SG_F32;
        o->elements = q->m * q->n;
        o->flops = 2.0 * q->m * q->k * q->n * (q->cplx ? 4 : 1);
        break;
      }
    case SG_STEP_MOVE:
      o->op = s->u.move.op;
      break;
    default:
      o->op = order[s->u.foreign.node]->op;
      break;
    }
}

static sg_status
describe_values (const looker *x, const sg_slots *t, sg_look_step *o)
{
  o->value = sg_malloc (t->nwrite * sizeof *o->value);
  if (! o->value)
    return no_room ();
  for (int i = 0; i < t->nwrite; i++)
    {
      int k = t->write[i];
      const sg_slot *s = &x->p->slot[k];
      bool conversion = s->node < 0;
      int c = conversion ? -1 : x->taker[k];
      o->value[o->nvalue++] = (sg_look_value) {
        .node = s->node, .bytes = s->bytes, .kept = s->output,
        .cut = conversion ? SG_CUT_CONVERTED : why (x, k),
        .step = c < 0 ? -1 : x->p->step_of[c] };
    }
  return SG_OK;
}

static sg_status
describe_step (const looker *x, sg_slots *t, int k)
{
  const sg_step *s = &x->p->step[k];
  sg_look_step *o = &x->l->step[k];
  describe_kind (s, x->g->order, o);
  sg_slots_of (t, s);
  o->read = t->read_bytes;
  o->written = t->write_bytes;
  if (s->kind == SG_STEP_MOVE || s->kind == SG_STEP_FOREIGN)
    o->elements = x->p->slot[t->write[0]].numel;
  SG_TRY (sg_cuda_has_kernel (x->p, s, x->g->order, &o->kernel));
  o->node = sg_malloc (x->count[k] * sizeof *o->node);
  if (! o->node)
    return no_room ();
  return describe_values (x, t, o);
}

static sg_status
describe_steps (looker *x)
{
  const sg_plan *p = x->p;
  sg_slots t;
  SG_TRY (sg_slots_init (&t, p));
  sg_status s = SG_OK;
  for (int k = 0; k < p->nsteps && s == SG_OK; k++)
    s = describe_step (x, &t, k);
  sg_slots_clear (&t);
  SG_TRY (s);
  for (int k = 0; k < p->nnodes; k++)
    if (p->step_of[k] >= 0)
      {
        sg_look_step *o = &x->l->step[p->step_of[k]];
        o->node[o->nnode++] = k;
      }
  return SG_OK;
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* The largest sum of the values that live at the same time, beside the arena.  */
static sg_status
find_peak (const sg_plan *p, sg_look *l)
{
  int64_t *change = sg_malloc ((p->nsteps + 2) * sizeof *change);
  if (! change)
    return no_room ();
  memset (change, 0, (p->nsteps + 2) * sizeof *change);
  for (int k = 0; k < p->nslots; k++)
    {
      const sg_slot *s = &p->slot[k];
      if (s->kind == SG_SLOT_LEAF)
        l->inputs += s->bytes;
      if (s->output && s->kind != SG_SLOT_ALIAS)
        l->held += s->bytes;
      if ((s->kind != SG_SLOT_POOL && s->kind != SG_SLOT_HOST && s->kind != SG_SLOT_FOREIGN)
          || s->first < 0)
        continue;
      change[s->first] += s->bytes;
      change[(s->output ? p->nsteps : s->last) + 1] -= s->bytes;
    }
  int64_t now = p->arena_bytes;
  l->peak = now;
  for (int k = 0; k < p->nsteps; k++)
    {
      now += change[k];
      l->peak = now > l->peak ? now : l->peak;
    }
  l->arena = p->arena_bytes;
  sg_free (change);
  return SG_OK;
}

static sg_status
describe_plan (looker *x)
{
  const sg_plan *p = x->p;
  sg_look *l = x->l;
  x->taker = sg_malloc (x->g->n * sizeof *x->taker);
  x->count = sg_malloc ((p->nsteps + 1) * sizeof *x->count);
  l->step = sg_malloc (p->nsteps * sizeof *l->step);
  l->order = sg_malloc (x->g->n * sizeof *l->order);
  if (! (x->taker && x->count && l->step && l->order))
    return no_room ();
  memset (l->step, 0, p->nsteps * sizeof *l->step);
  memcpy (l->order, x->g->order, x->g->n * sizeof *l->order);
  memset (x->count, 0, (p->nsteps + 1) * sizeof *x->count);
  l->nstep = p->nsteps;
  l->nnode = x->g->n;
  l->runs = p->runs;
  for (int k = 0; k < p->nnodes; k++)
    if (p->step_of[k] >= 0)
      x->count[p->step_of[k]]++;
  find_takers (x);
  SG_TRY (describe_steps (x));
  return find_peak (p, l);
}

sg_status
sg_look_new (int n, sg_node *const *roots, sg_look **out)
{
  sg_graph g;
  sg_plan *p;
  looker x = { .g = &g, .l = sg_malloc (sizeof *x.l) };
  if (! x.l)
    return no_room ();
  *x.l = (sg_look) { 0 };
  int64_t made = sg_count.plan_misses;
  sg_status s = sg_plan_of (&g, n, roots, SG_WANT_HOST, &p);
  if (s == SG_OK)
    {
      x.p = p;
      s = describe_plan (&x);
      x.l->cached = sg_count.plan_misses == made;
    }
  sg_free (x.taker);
  sg_free (x.count);
  sg_graph_clear (&g);
  if (s != SG_OK)
    {
      sg_look_free (x.l);
      return s;
    }
  *out = x.l;
  return SG_OK;
}

void
sg_look_free (sg_look *l)
{
  if (! l)
    return;
  for (int k = 0; l->step && k < l->nstep; k++)
    {
      sg_free (l->step[k].node);
      sg_free (l->step[k].value);
    }
  sg_free (l->step);
  sg_free (l->order);
  sg_free (l);
}
