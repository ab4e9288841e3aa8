/* Order of a graph, and its key.  */

#include <string.h>

#include "graph.h"

static uint32_t epoch;

static sg_status
append (sg_graph *g, sg_node *n)
{
  if (g->n == g->room)
    {
      int room = g->room ? 2 * g->room : 32;
      sg_node **p = sg_realloc (g->order, room * sizeof *p);
      if (! p)
        return sg_fail (SG_NOMEM, "out of memory to order an expression of %d nodes", g->n);
      g->order = p;
      g->room = room;
    }
  n->slot = g->n;
  g->order[g->n++] = n;
  return SG_OK;
}

/* Depth first without recursion: the nodes on the way to the root are linked by NEXT, and
   SLOT counts the operands that are done.  */
static sg_status
visit (sg_graph *g, sg_node *root)
{
  if (root->mark == epoch)
    return SG_OK;
  root->mark = epoch;
  root->slot = 0;
  root->next = NULL;
  for (sg_node *top = root; top; )
    if (! sg_node_is_leaf (top) && top->slot < top->nin)
      {
        sg_node *c = top->in[top->slot++];
        if (c->mark != epoch)
          {
            c->mark = epoch;
            c->slot = 0;
            c->next = top;
            top = c;
          }
      }
    else
      {
        sg_node *done = top;
        top = top->next;
        SG_TRY (append (g, done));
      }
  return SG_OK;
}

/* A value that somebody outside this graph waits for, the user or another expression, is kept
   when it has been computed here: it would be computed again else.  */
static sg_status
find_kept (sg_graph *g)
{
  int *uses = sg_malloc (g->n * sizeof *uses);
  if (! uses)
    return sg_fail (SG_NOMEM, "out of memory to order an expression of %d nodes", g->n);
  memset (uses, 0, g->n * sizeof *uses);
  for (int k = 0; k < g->n; k++)
    if (! sg_node_is_leaf (g->order[k]))
      for (int i = 0; i < g->order[k]->nin; i++)
        uses[g->order[k]->in[i]->slot]++;
  for (int k = 0; k < g->n; k++)
    g->want[k] = ! sg_node_is_leaf (g->order[k]) && g->order[k]->refs > uses[k]
                 ? SG_WANT_KEPT : SG_WANT_NOT;
  sg_free (uses);
  return SG_OK;
}

sg_status
sg_graph_init (sg_graph *g, int nroots, sg_node *const *roots, sg_want want)
{
  *g = (sg_graph) { 0 };
  epoch++;
  for (int i = 0; i < nroots; i++)
    SG_TRY (visit (g, roots[i]));
  g->want = sg_malloc (g->n);
  if (! g->want)
    return sg_fail (SG_NOMEM, "out of memory to order an expression of %d nodes", g->n);
  SG_TRY (find_kept (g));
  for (int i = 0; i < nroots; i++)
    if (! sg_node_is_leaf (roots[i]))
      g->want[roots[i]->slot] = want;
  return SG_OK;
}

void
sg_graph_clear (sg_graph *g)
{
  sg_free (g->order);
  sg_free (g->want);
  sg_free (g->key);
}

/* ---- the key ------------------------------------------------------------------------- */

static sg_status
reserve (sg_graph *g, int more)
{
  if (g->nkey + more <= g->keyroom)
    return SG_OK;
  int room = 2 * g->keyroom + more + 64;
  uint64_t *p = sg_realloc (g->key, room * sizeof *p);
  if (! p)
    return sg_fail (SG_NOMEM, "out of memory for the key of an expression of %d nodes", g->n);
  g->key = p;
  g->keyroom = room;
  return SG_OK;
}

/* What a step of the plan depends on, and nothing else: values are bound when it runs.  */
static sg_status
describe (sg_graph *g, int k)
{
  const sg_node *n = g->order[k];
  bool leaf = sg_node_is_leaf (n);
  int nin = leaf ? 0 : n->nin, npar = leaf ? 0 : n->npar;
  SG_TRY (reserve (g, 1 + n->nd + nin + 4 * npar));
  uint64_t *w = g->key + g->nkey;
  *w++ = (leaf ? 0 : (uint64_t) n->op + 1) | (uint64_t) n->cls << 16
         | (uint64_t) (leaf ? n->cplx : n->dyn) << 24
         | (uint64_t) (leaf ? n->wide : n->leaves) << 25 | (uint64_t) (! leaf && n->narrow) << 26
         | (uint64_t) g->want[k] << 27
         | (uint64_t) n->nd << 32 | (uint64_t) nin << 48;
  for (int d = 0; d < n->nd; d++)
    *w++ = n->dim[d];
  for (int i = 0; i < nin; i++)
    *w++ = n->in[i]->slot;
  for (int i = 0; i < npar; i++)
    {
      *w++ = n->par[i];
      if (n->idx)
        *w++ = n->idx[i].kind;
    }
  g->nkey = w - g->key;
  return SG_OK;
}

sg_status
sg_graph_make_key (sg_graph *g)
{
  SG_TRY (reserve (g, 1));
  g->key[g->nkey++] = sg_cfg.fuse;
  for (int k = 0; k < g->n; k++)
    SG_TRY (describe (g, k));
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < g->nkey; i++)
    {
      h = (h ^ g->key[i]) * 0xff51afd7ed558ccdu;
      h ^= h >> 32;
    }
  g->hash = h;
  return SG_OK;
}
