/* Evaluation: order the graph, get a plan, bind values, run the steps, keep the results.  */

#include <string.h>

#include "../cpu/cpu.h"
#include "build.h"

static const sg_host *host;
uint32_t sg_failed_origin;

void
sg_set_host (const sg_host *h)
{
  host = h;
}

bool
sg_is_interrupted (void)
{
  return host->interrupted ();
}

/* ---- one operation by the host -------------------------------------------------------- */

static sg_status
wrong_value (const sg_node *n, const sg_buf *b)
{
  char dims[200];
  sg_dims_text (dims, sizeof dims, n->nd, n->dim);
  return sg_fail (SG_INTERNAL, "%s: a %s %s was expected, Octave gave a %s of %zu bytes",
                  sg_op_info (n->op)->name, dims, sg_class_name (n->cls),
                  sg_class_name (b->cls), b->bytes);
}

/* IN are the values of the operands.  */
static sg_status
do_foreign (sg_node *n, sg_buf *const *in, sg_buf **out)
{
  sg_count.foreign++;
  sg_failed_origin = n->origin;
  SG_TRY (host->foreign (n, in, out));
  sg_buf *b = *out;
  if (b->cls != n->cls || b->bytes != (size_t) n->numel * sg_class_bytes (n->cls) << b->cplx)
    {
      sg_status s = wrong_value (n, b);
      sg_buf_unref (b);
      return s;
    }
  return SG_OK;
}

/* ---- a run of a plan --------------------------------------------------------------------- */

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
        x->buf[i] = x->g->order[s->node]->val;
      x->r.ptr[i] = s->kind == SG_SLOT_LEAF ? x->buf[i]->data
                    : s->kind == SG_SLOT_ARENA ? (char *) x->arena + s->offset : NULL;
    }
  return SG_OK;
}

static sg_status
run_foreign (run *x, const sg_foreign *f)
{
  sg_buf *few[4];
  sg_buf **in = f->nin <= 4 ? few : sg_malloc (f->nin * sizeof *in);
  if (! in)
    return sg_fail (SG_NOMEM, "out of memory for the operands of a function");
  for (int i = 0; i < f->nin; i++)
    in[i] = x->buf[f->in[i]];
  sg_buf *out = NULL;
  sg_status s = do_foreign (x->g->order[f->node], in, &out);
  if (s == SG_OK)
    {
      x->buf[f->out] = out;
      x->r.ptr[f->out] = out->data;
    }
  if (in != few)
    sg_free (in);
  return s;
}

static sg_status
run_step (run *x, const sg_step *s)
{
  sg_count.steps++;
  switch (s->kind)
    {
    case SG_STEP_MAP:
      return sg_cpu_map (&s->u.map, &x->r);
    case SG_STEP_SCAN:
      return (s->u.scan.cplx ? sg_cpu_cplx_lines : sg_cpu_scan) (&s->u.scan, &x->r);
    case SG_STEP_GEMM:
      return sg_cpu_gemm (&s->u.gemm, &x->r);
    case SG_STEP_MOVE:
      return sg_cpu_move (&s->u.move, &x->r);
    default:
      return run_foreign (x, &s->u.foreign);
    }
}

void
sg_run_narrow (sg_run *r, int node)
{
  r->order[node]->narrow = true;
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
            SG_TRY (host->value_new (s->cls, s->cplx, s->nd, s->dim, &x->buf[i]));
          else
            SG_TRY (sg_buf_pool (s->cls, s->cplx, s->bytes, &x->buf[i]));
          x->r.ptr[i] = x->buf[i]->data;
        }
      sg_failed_origin = 0;
      if (sg_is_interrupted ())
        return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
      SG_TRY (run_step (x, &p->step[k]));
      SG_TRY (verify_values (x, k));
      for (; x->dead < p->ndead && p->slot[p->dead[x->dead]].last == k; x->dead++)
        {
          int i = p->dead[x->dead];
          sg_buf_unref (x->buf[i]);
          x->buf[i] = NULL;
        }
    }
  return SG_OK;
}

/* Hand the outputs to their nodes.  Some may share a buffer (a reshaped value), some may be
   the buffer of a leaf.  */
static void
keep_values (run *x)
{
  const sg_plan *p = x->p;
  for (int i = 0; i < x->g->n; i++)
    {
      if (! p->slot[i].output)
        continue;
      int o = i;
      while (p->slot[o].kind == SG_SLOT_ALIAS)
        o = p->slot[o].alias;
      sg_node_set_value (x->g->order[i], sg_buf_ref (x->buf[o]));
    }
}

static sg_status
run_plan (const sg_graph *g, const sg_plan *p, int *failed_node)
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
  /* The leaves' buffers belong to nodes that may die when values are kept.  */
  if (s == SG_OK)
    {
      for (size_t i = 0; i < n; i++)
        if (p->slot[i].kind == SG_SLOT_LEAF)
          sg_buf_ref (x.buf[i]);
      keep_values (&x);
    }
  for (size_t i = 0; i < n; i++)
    if (s == SG_OK || p->slot[i].kind != SG_SLOT_LEAF)
      sg_buf_unref (x.buf[i]);
  sg_pool_put (x.arena);
  *failed_node = x.r.failed_node;
  if (mem != few)
    sg_free (mem);
  return s;
}

/* ---- the backends -------------------------------------------------------------------------- */

static sg_status
plan_of (sg_graph *g, int nroots, sg_node *const *roots, sg_want want, sg_plan **out)
{
  SG_TRY (sg_graph_init (g, nroots, roots, want));
  SG_TRY (sg_graph_make_key (g));
  return sg_plan_get (g, out);
}

/* A kernel met an argument outside the domain of node N: its value is complex, or Octave has
   an error to raise.  */
static void
leave_domain (sg_node *n)
{
  if (sg_guard_is_complex (sg_op_info (n->op)->guard)
      && sg_op_cplx (n->op, SG_CX_LEAVES) != SG_CX_NONE)
    n->leaves = true;
  else
    n->dyn = true;
}

/* Where a value is found to be complex, or real, against what the plan was made for, the node
   is marked and the graph is planned again.  */
static sg_status
eval_cpu (int nroots, sg_node *const *roots, sg_want want)
{
  for (;;)
    {
      sg_graph g;
      sg_plan *p;
      int failed = -1;
      sg_status s = plan_of (&g, nroots, roots, want, &p);
      if (s == SG_OK)
        s = run_plan (&g, p, &failed);
      if (failed >= 0)
        leave_domain (g.order[failed]);
      sg_graph_clear (&g);
      if (s != SG_DELEGATE)
        return s;
      sg_count.redone++;
    }
}

/* Node by node, each with Octave's own function.  LAST[k]: the position that needs value k
   last.  */
static sg_status
native_node (const sg_graph *g, int k, sg_buf **buf, const int *last)
{
  sg_node *n = g->order[k];
  if (sg_is_interrupted ())
    return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
  sg_buf *few[4], *out = NULL;
  sg_buf **in = n->nin <= 4 ? few : sg_malloc (n->nin * sizeof *in);
  if (! in)
    return sg_fail (SG_NOMEM, "out of memory for the operands of a function");
  for (int i = 0; i < n->nin; i++)
    in[i] = buf[n->in[i]->slot];
  sg_status s = do_foreign (n, in, &out);
  if (in != few)
    sg_free (in);
  SG_TRY (s);
  buf[k] = out;
  for (int i = 0; i < n->nin; i++)
    {
      int c = n->in[i]->slot;
      if (last[c] == k)
        {
          sg_buf_unref (buf[c]);
          buf[c] = NULL;
        }
    }
  return SG_OK;
}

static sg_status
run_native (const sg_graph *g, sg_buf **buf, int *last)
{
  for (int k = 0; k < g->n; k++)
    {
      sg_node *n = g->order[k];
      buf[k] = NULL;
      last[k] = -1;
      if (! sg_node_is_leaf (n))
        for (int i = 0; i < n->nin; i++)
          last[n->in[i]->slot] = k;
    }
  for (int k = 0; k < g->n; k++)
    if (g->want[k] != SG_WANT_NOT)
      last[k] = g->n;
  for (int k = 0; k < g->n; k++)
    if (sg_node_is_leaf (g->order[k]))
      buf[k] = sg_buf_ref (g->order[k]->val);
    else
      SG_TRY (native_node (g, k, buf, last));
  return SG_OK;
}

static sg_status
eval_native (int nroots, sg_node *const *roots, sg_want want)
{
  sg_graph g;
  sg_status s = sg_graph_init (&g, nroots, roots, want);
  sg_buf **buf = NULL;
  int *last = NULL;
  if (s == SG_OK)
    {
      buf = sg_malloc (g.n * sizeof *buf);
      last = sg_malloc (g.n * sizeof *last);
      s = buf && last ? run_native (&g, buf, last)
          : sg_fail (SG_NOMEM, "out of memory to evaluate %d nodes", g.n);
      if (! (buf && last))
        g.n = 0;
    }
  else
    g.n = 0;
  for (int k = 0; k < g.n; k++)
    if (s == SG_OK && g.want[k] != SG_WANT_NOT)
      sg_node_set_value (g.order[k], buf[k]);
    else
      sg_buf_unref (buf[k]);
  sg_free (buf);
  sg_free (last);
  sg_graph_clear (&g);
  return s;
}

static sg_status (*const eval[SG_NBACKEND]) (int, sg_node *const *, sg_want) = {
  [SG_NATIVE] = eval_native, [SG_CPU] = eval_cpu };

static sg_status
evaluate (sg_backend b, int n, sg_node *const *roots, sg_want want)
{
  bool done = true;
  for (int i = 0; i < n; i++)
    done &= sg_node_is_leaf (roots[i]);
  if (done)
    return SG_OK;
  sg_count.evaluations++;
  sg_failed_origin = 0;
  sg_status s = eval[b] (n, roots, want);
  if (s != SG_OK && sg_failed_origin == 0)
    sg_failed_origin = roots[0]->origin;
  sg_history_trim ();
  return s;
}

sg_status
sg_eval (sg_backend b, int n, sg_node *const *roots)
{
  return evaluate (b, n, roots, SG_WANT_HOST);
}

sg_status
sg_compute (sg_backend b, int n, sg_node *const *roots)
{
  return evaluate (b, n, roots, SG_WANT_KEPT);
}

sg_status
sg_plan_print (FILE *f, int n, sg_node *const *roots)
{
  sg_graph g;
  sg_plan *p;
  sg_status s = plan_of (&g, n, roots, SG_WANT_HOST, &p);
  if (s == SG_OK)
    sg_plan_emit (f, p, g.order);
  sg_graph_clear (&g);
  return s;
}

void
sg_release_caches (void)
{
  sg_plan_cache_clear ();
  sg_pool_trim ();
}
