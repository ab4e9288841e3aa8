/* Evaluation: order the graph, get a plan, let a backend run it, keep the results.  */

#include <string.h>

#include "build.h"
#include "engine.h"
#include "fault.h"
#include "profile.h"

static const sg_host *host;
uint32_t sg_failed_origin;
uint32_t sg_repeated;

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

sg_status
sg_host_value_new (const sg_slot *s, sg_buf **out)
{
  return host->value_new (s->cls, s->cplx, s->nd, s->dim, out);
}

void
sg_host_warn (const char *id, const char *text)
{
  if (host && host->warn)
    host->warn (id, text);
}

const char *
sg_host_place (uint32_t origin)
{
  return host && host->place ? host->place (origin) : "";
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
host_foreign (sg_node *n, sg_buf *const *in, sg_buf **out)
{
  sg_count.foreign++;
  sg_failed_origin = n->origin;
  for (int i = 0; i < n->nin; i++)
    SG_TRY (sg_buf_host (in[i]));
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

/* ---- for the backends that run plans --------------------------------------------------- */

int
sg_plan_resolve (const sg_plan *p, int slot)
{
  while (p->slot[slot].kind == SG_SLOT_ALIAS)
    slot = p->slot[slot].alias;
  return slot;
}

void
sg_run_narrow (sg_run *r, int node)
{
  r->order[node]->narrow = true;
}

/* Some outputs may share a buffer (a reshaped value), some may be the buffer of a leaf, which
   belongs to a node that may die when values are kept.  */
void
sg_engine_finish (const sg_graph *g, const sg_plan *p, sg_buf **buf, bool keep)
{
  if (keep)
    for (int i = 0; i < p->nslots; i++)
      if (p->slot[i].kind == SG_SLOT_LEAF)
        sg_buf_ref (buf[i]);
  for (int i = 0; i < g->n && keep; i++)
    if (p->slot[i].output)
      {
        sg_buf *b = sg_buf_ref (buf[sg_plan_resolve (p, i)]);
        if (g->kept)
          g->kept[i] = b;
        else
          sg_node_set_value (g->order[i], b);
      }
  for (int i = 0; i < p->nslots; i++)
    if (keep || p->slot[i].kind != SG_SLOT_LEAF)
      sg_buf_unref (buf[i]);
}

#define FEW 4

sg_status
sg_engine_foreign (const sg_graph *g, const sg_foreign *f, sg_buf *const *buf, sg_buf **out)
{
  sg_buf *few[FEW] = { NULL };
  sg_buf **in = f->nin <= FEW ? few : sg_malloc (f->nin * sizeof *in);
  if (! in)
    return sg_fail (SG_NOMEM, "out of memory for the operands of a function");
  for (int i = 0; i < f->nin; i++)
    in[i] = buf[f->in[i]];
  sg_status s = host_foreign (g->order[f->node], in, out);
  if (in != few)
    sg_free (in);
  return s;
}

void
sg_engine_bury (const sg_plan *p, sg_buf **buf, int *dead, int k)
{
  for (; *dead < p->ndead && p->slot[p->dead[*dead]].last == k; ++*dead)
    {
      int i = p->dead[*dead];
      sg_buf_unref (buf[i]);
      buf[i] = NULL;
    }
}

/* ---- the backends -------------------------------------------------------------------------- */

sg_status
sg_plan_of (sg_graph *g, int nroots, sg_node *const *roots, sg_want want, sg_plan **out)
{
  double start = sg_profile_start ();
  SG_TRY (sg_graph_init (g, nroots, roots, want));
  SG_TRY (sg_graph_make_key (g));
  SG_TRY (sg_plan_get (g, out));
  sg_profile_add (SG_WORK_PLAN, roots[0]->origin, start, 0);
  return SG_OK;
}

/* Small data, whose evaluation takes no longer than to get ready for it.  */
#define SMALL_ELEMENTS 1000

static void
count_run (const sg_graph *g, sg_plan *p, sg_node *const *roots)
{
  for (int k = 0; k < g->n; k++)
    if (g->order[k]->op != SG_LEAF)
      sg_line_seen (g->order[k]);
  if (++p->runs != SG_REPEATED)
    return;
  for (int k = 0; k < g->n; k++)
    if (g->order[k]->numel > SMALL_ELEMENTS)
      return;
  sg_repeated = roots[0]->origin;
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
eval_plan (const sg_engine *e, int nroots, sg_node *const *roots, sg_want want)
{
  if (e->open)
    SG_TRY (e->open ());
  for (;;)
    {
      sg_graph g;
      sg_plan *p;
      int failed = -1;
      sg_status s = sg_plan_of (&g, nroots, roots, want, &p);
      if (s == SG_OK)
        {
          count_run (&g, p, roots);
          s = e->run (&g, p, &failed);
        }
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
  double start = sg_profile_start ();
  sg_status s = host_foreign (n, in, &out);
  if (in != few)
    sg_free (in);
  SG_TRY (s);
  sg_profile_add (SG_WORK_OCTAVE, n->origin, start, out->bytes);
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
    {
      sg_progress_show (k, g->n);
      if (sg_node_is_leaf (g->order[k]))
        buf[k] = sg_buf_ref (g->order[k]->val);
      else
        SG_TRY (native_node (g, k, buf, last));
    }
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

/* NULL: node by node.  */
static const sg_engine *const engine[SG_NBACKEND] = {
  [SG_CPU] = &sg_cpu_engine, [SG_CUDA] = &sg_cuda_engine };

bool
sg_backend_is_available (sg_backend b)
{
  return ! engine[b] || ! engine[b]->open || engine[b]->open () == SG_OK;
}

static sg_status
eval_on (sg_backend b, int n, sg_node *const *roots, sg_want want)
{
  return engine[b] ? eval_plan (engine[b], n, roots, want) : eval_native (n, roots, want);
}

static sg_status
plant_fault (sg_backend b, int n, sg_node *const *roots)
{
  sg_graph g;
  sg_status s = sg_graph_init (&g, n, roots, SG_WANT_NOT);
  if (s == SG_OK)
    s = sg_fault_plant (b, &g, eval_on);
  sg_graph_clear (&g);
  return s;
}

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
  sg_status s = sg_cfg.fault[0] ? plant_fault (b, n, roots) : SG_OK;
  if (s == SG_OK)
    s = eval_on (b, n, roots, want);
  sg_progress_show (0, 0);
  if (s != SG_OK && sg_failed_origin == 0)
    sg_failed_origin = roots[0]->origin;
  sg_history_trim ();
  return s;
}

sg_status
sg_run_plan (sg_backend b, const sg_graph *g, sg_plan *p)
{
  int failed = -1;
  if (! engine[b])
    return SG_DELEGATE;
  if (engine[b]->open)
    SG_TRY (engine[b]->open ());
  return engine[b]->run (g, p, &failed);
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

static sg_status
print_plan (FILE *f, int n, sg_node *const *roots, bool places)
{
  sg_graph g;
  sg_plan *p;
  sg_status s = sg_plan_of (&g, n, roots, SG_WANT_HOST, &p);
  if (s == SG_OK)
    sg_plan_emit (f, p, g.order, places);
  sg_graph_clear (&g);
  return s;
}

sg_status
sg_plan_print (FILE *f, int n, sg_node *const *roots)
{
  return print_plan (f, n, roots, false);
}

sg_status
sg_look_source (FILE *f, int n, sg_node *const *roots)
{
  return print_plan (f, n, roots, true);
}

void
sg_release_caches (void)
{
  sg_plan_cache_clear ();
  for (int b = 0; b < SG_NBACKEND; b++)
    if (engine[b] && engine[b]->trim)
      engine[b]->trim ();
  sg_pool_trim ();
}
