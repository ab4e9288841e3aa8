/* Graphs with holes, and the plans that fill them.  */

#include <string.h>

#include "build.h"
#include "function.h"

struct sg_function
{
  int nin, nout;
  sg_node **in;              /* the holes, owned */
  sg_node **out;             /* owned */
  int *at;                   /* their positions in the graph */
  sg_graph g;
  sg_plan *plan;
};

/* ---- holes ------------------------------------------------------------------------------- */

sg_status
sg_hole_new (sg_class cls, bool cplx, bool wide, int nd, const int64_t *dim, sg_node **out)
{
  sg_node *n = sg_node_new (SG_LEAF, cls, nd, 0, 0);
  if (! n)
    return SG_NOMEM;
  memcpy (n->dim, dim, nd * sizeof *dim);
  n->numel = sg_numel (nd, dim);
  n->cplx = cplx;
  n->wide = wide;
  *out = n;
  return SG_OK;
}

/* By position, whether there is a hole at or below.  */
static void
find_holes (const sg_graph *g, bool *has)
{
  for (int k = 0; k < g->n; k++)
    {
      const sg_node *n = g->order[k];
      has[k] = sg_node_is_hole (n);
      if (! n->val)
        for (int i = 0; i < n->nin; i++)
          has[k] |= has[n->in[i]->slot];
    }
}

static sg_status
no_room (int n)
{
  return sg_fail (SG_NOMEM, "out of memory for a function of %d nodes", n);
}

sg_status
sg_node_has_holes (sg_node *n, bool *out)
{
  sg_graph g;
  sg_status s = sg_graph_init (&g, 1, &n, SG_WANT_KEPT);
  bool *has = s == SG_OK ? sg_malloc (g.n) : NULL;
  if (has)
    {
      find_holes (&g, has);
      *out = has[g.n - 1];
    }
  else if (s == SG_OK)
    s = no_room (g.n);
  sg_free (has);
  sg_graph_clear (&g);
  return s;
}

/* ---- making ------------------------------------------------------------------------------ */

/* What has no holes below, but what uses it has, is a constant: computed once.  */
static sg_status
compute_constants (int nout, sg_node *const *out)
{
  sg_graph g;
  sg_status s = sg_graph_init (&g, nout, out, SG_WANT_KEPT);
  int n = g.n, count = 0;
  bool *has = s == SG_OK ? sg_malloc (n) : NULL;
  sg_node **list = s == SG_OK ? sg_malloc (n * sizeof *list) : NULL;
  if (has && list)
    {
      find_holes (&g, has);
      for (int k = 0; k < n; k++)
        if (has[k])
          for (int i = 0; i < g.order[k]->nin; i++)
            {
              sg_node *c = g.order[k]->in[i];
              if (! has[c->slot] && ! c->val)
                {
                  has[c->slot] = true;
                  list[count++] = c;
                }
            }
      if (count > 0)
        s = sg_compute (SG_CPU, count, list);
    }
  else if (s == SG_OK)
    s = no_room (n);
  sg_free (has);
  sg_free (list);
  sg_graph_clear (&g);
  return s;
}

static sg_status
copy_refs (int n, sg_node *const *from, sg_node ***out)
{
  *out = sg_malloc (n * sizeof **out);
  if (! *out)
    return no_room (n);
  for (int i = 0; i < n; i++)
    (*out)[i] = sg_node_ref (from[i]);
  return SG_OK;
}

/* The holes are filled.  Nothing but the results is wanted.  */
static sg_status
make_plan (sg_function *f)
{
  SG_TRY (sg_graph_init (&f->g, f->nout, f->out, SG_WANT_HOST));
  f->at = sg_malloc (f->nout * sizeof *f->at);
  f->g.kept = sg_malloc (f->g.n * sizeof *f->g.kept);
  if (! f->at || ! f->g.kept)
    return no_room (f->g.n);
  memset (f->g.want, SG_WANT_NOT, f->g.n);
  for (int i = 0; i < f->nout; i++)
    {
      f->at[i] = f->out[i]->slot;
      f->g.want[f->at[i]] = SG_WANT_HOST;
    }
  SG_TRY (sg_graph_make_key (&f->g));
  return sg_plan_build (&f->g, &f->plan);
}

sg_status
sg_function_new (int nin, sg_node *const *in, sg_buf *const *val, int nout,
                 sg_node *const *out, sg_function **result)
{
  SG_TRY (compute_constants (nout, out));
  sg_function *f = sg_malloc (sizeof *f);
  if (! f)
    return no_room (nout);
  *f = (sg_function) { 0 };
  sg_status s = copy_refs (nin, in, &f->in);
  f->nin = s == SG_OK ? nin : 0;
  if (s == SG_OK)
    s = copy_refs (nout, out, &f->out);
  f->nout = s == SG_OK ? nout : 0;
  if (s == SG_OK)
    {
      sg_function_fill (f, val);
      s = make_plan (f);
      sg_function_fill (f, NULL);
    }
  if (s != SG_OK)
    {
      sg_function_free (f);
      return s;
    }
  *result = f;
  return SG_OK;
}

void
sg_function_free (sg_function *f)
{
  if (! f)
    return;
  for (int i = 0; i < f->nin; i++)
    sg_node_unref (f->in[i]);
  for (int i = 0; i < f->nout; i++)
    sg_node_unref (f->out[i]);
  sg_free (f->in);
  sg_free (f->out);
  sg_free (f->at);
  sg_free (f->g.kept);
  sg_plan_free (f->plan);
  sg_graph_clear (&f->g);
  sg_free (f);
}

/* ---- running ------------------------------------------------------------------------------- */

void
sg_function_fill (sg_function *f, sg_buf *const *val)
{
  for (int i = 0; i < f->nin; i++)
    f->in[i]->val = val ? val[i] : NULL;
}

sg_status
sg_function_run (sg_function *f, sg_backend b, sg_buf *const *val, sg_buf **out)
{
  sg_function_fill (f, val);
  sg_count.evaluations++;
  sg_status s = sg_run_plan (b, &f->g, f->plan);
  sg_function_fill (f, NULL);
  if (s == SG_OK)
    for (int i = 0; i < f->nout; i++)
      out[i] = f->g.kept[f->at[i]];
  else
    for (int k = 0; k < f->g.n; k++)
      f->g.order[k]->narrow = false;
  return s;
}

int
sg_function_nodes (const sg_function *f)
{
  return f->g.n;
}

/* ---- comparing ----------------------------------------------------------------------------- */

static bool
same_subscripts (const sg_node *a, const sg_node *b)
{
  if (! a->idx || ! b->idx)
    return ! a->idx && ! b->idx;
  for (int i = 0; i < a->npar; i++)
    {
      const sg_index *x = &a->idx[i], *y = &b->idx[i];
      if (x->kind != y->kind || x->n != y->n || x->start != y->start || x->step != y->step
          || (x->vec && memcmp (x->vec, y->vec, x->n * sizeof *x->vec) != 0))
        return false;
    }
  return true;
}

static int
find_hole (const sg_function *f, const sg_node *n)
{
  int i = 0;
  while (i < f->nin && f->in[i] != n)
    i++;
  return i;
}

static bool
same_leaf (const sg_function *f, const sg_node *a, const sg_function *g, const sg_node *b)
{
  if (! a->val || ! b->val)
    return ! a->val && ! b->val && find_hole (f, a) == find_hole (g, b);
  return a->val->bytes == b->val->bytes
         && (a->val == b->val
             || (sg_buf_host (a->val) == SG_OK && sg_buf_host (b->val) == SG_OK
                 && memcmp (a->val->data, b->val->data, a->val->bytes) == 0));
}

static bool
is_source (const sg_node *n)
{
  return n->val || sg_node_is_hole (n);
}

bool
sg_function_same (const sg_function *f, const sg_function *g)
{
  const sg_plan *p = f->plan, *q = g->plan;
  if (p->nkey != q->nkey || f->nout != g->nout
      || memcmp (p->key, q->key, p->nkey * sizeof *p->key) != 0)
    return false;
  for (int i = 0; i < f->nout; i++)
    if (f->at[i] != g->at[i])
      return false;
  for (int k = 0; k < f->g.n; k++)
    {
      const sg_node *a = f->g.order[k], *b = g->g.order[k];
      if (is_source (a) != is_source (b)
          || ! (is_source (a) ? same_leaf (f, a, g, b) : same_subscripts (a, b)))
        return false;
    }
  return true;
}
