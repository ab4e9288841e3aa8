/* Nodes: memory, references, values.  What a node is, is decided in infer.c.  */

#include <string.h>

#include "node.h"

uint32_t sg_origin;

/* One block holds a node and, where the room inside does not do, its arrays.  */
sg_node *
sg_node_new (sg_op op, sg_class cls, int nd, int nin, int npar)
{
  size_t room = (nd > 2 ? nd * sizeof (int64_t) : 0)
                + (nin > 2 ? nin * sizeof (sg_node *) : 0)
                + (npar > 2 ? npar * sizeof (int64_t) : 0);
  sg_node *n = room ? sg_malloc (sizeof *n + room) : sg_cell_get (sizeof *n);
  if (! n)
    {
      sg_fail (SG_NOMEM, "out of memory for a node of the expression");
      return NULL;
    }
  *n = (sg_node) { .refs = 1, .op = op, .cls = cls, .ctype = cls, .nd = nd, .nin = nin,
                   .npar = npar, .weight = 1, .origin = sg_origin };
  char *p = (char *) (n + 1);
  n->dim = n->dim0;
  if (nd > 2)
    {
      n->dim = (int64_t *) p;
      p += nd * sizeof (int64_t);
    }
  n->in = n->in0;
  if (nin > 2)
    {
      n->in = (sg_node **) p;
      p += nin * sizeof (sg_node *);
    }
  n->par = n->par0;
  if (npar > 2)
    n->par = (int64_t *) p;
  sg_count.nodes++;
  return n;
}

static uint32_t
add32 (uint32_t a, uint32_t b)
{
  uint32_t s = a + b;
  return s < a ? UINT32_MAX : s;
}

static uint64_t
add64 (uint64_t a, uint64_t b)
{
  uint64_t s = a + b;
  return s < a ? UINT64_MAX : s;
}

void
sg_node_adopt (sg_node *n, sg_node *const *in)
{
  for (int i = 0; i < n->nin; i++)
    {
      n->in[i] = sg_node_ref (in[i]);
      n->weight = add32 (n->weight, in[i]->weight);
      n->pinned = add64 (n->pinned, in[i]->pinned);
    }
  n->numel = sg_numel (n->nd, n->dim);
}

sg_node *
sg_node_ref (sg_node *n)
{
  n->refs++;
  return n;
}

void
sg_index_free (sg_index *x)
{
  if (x->drop)
    x->drop (x);
  else
    sg_free (x->vec);
}

static void
free_subscripts (sg_node *n)
{
  if (! n->idx)
    return;
  for (int i = 0; i < n->npar; i++)
    sg_index_free (&n->idx[i]);
  sg_free (n->idx);
  n->idx = NULL;
}

static void
free_node (sg_node *n)
{
  if (n->dim == n->dim0 && n->in == n->in0 && n->par == n->par0)
    sg_cell_put (n, sizeof *n);
  else
    sg_free (n);
}

static void forget (sg_node *n);

/* Expressions can be a million nodes deep: those that die are kept in a list, not on the
   stack of calls.  */
void
sg_node_unref (sg_node *n)
{
  if (! n || --n->refs > 0)
    return;
  n->next = NULL;
  while (n)
    {
      sg_node *dead = n;
      n = dead->next;
      forget (dead);
      for (int i = 0; i < dead->nin; i++)
        {
          sg_node *c = dead->in[i];
          if (--c->refs == 0)
            {
              c->next = n;
              n = c;
            }
        }
      sg_buf_unref (dead->val);
      free_subscripts (dead);
      sg_free (dead->name);
      free_node (dead);
      sg_count.nodes--;
    }
}

bool
sg_has_no_imag (sg_class cls, int64_t n, const void *data)
{
  const double *d = data;
  const float *f = data;
  int64_t i = 0;
  if (cls == SG_F64)
    while (i < n && d[2 * i + 1] == 0)
      i++;
  else
    while (i < n && f[2 * i + 1] == 0)
      i++;
  return i == n;
}

/* A value that a device has made was looked at there.  */
static bool
is_wide (const sg_buf *b, int64_t numel)
{
  return b->cplx && b->data && sg_has_no_imag (b->cls, numel, b->data);
}

sg_status
sg_leaf_new (sg_buf *b, int nd, const int64_t *dim, const char *name, sg_node **out)
{
  sg_node *n = sg_node_new (SG_LEAF, b->cls, nd, 0, 0);
  if (! n)
    return SG_NOMEM;
  if (name)
    {
      size_t len = strlen (name) + 1;
      n->name = sg_malloc (len);
      if (! n->name)
        {
          sg_node_unref (n);
          return sg_fail (SG_NOMEM, "out of memory for the name of a value");
        }
      memcpy (n->name, name, len);
    }
  memcpy (n->dim, dim, nd * sizeof *dim);
  n->numel = sg_numel (nd, dim);
  n->val = b;
  n->cplx = b->cplx;
  n->wide = is_wide (b, n->numel);
  n->pinned = b->bytes;
  *out = n;
  return SG_OK;
}

/* ---- history -------------------------------------------------------------------------- */

/* Computed nodes keep their expressions, to be looked at and computed again, in the order in
   which they were computed.  Programs store many small results of large values: what all these
   expressions hold has a bound, and the oldest go first.  */
static sg_node *oldest, *newest;
static uint64_t history;

static void
forget (sg_node *n)
{
  if (n->history == 0)
    return;
  *(n->older ? &n->older->newer : &oldest) = n->newer;
  *(n->newer ? &n->newer->older : &newest) = n->older;
  history -= n->history;
  n->history = 0;
  n->older = n->newer = NULL;
}

static void
keep_history (sg_node *n)
{
  uint64_t bytes = add64 (n->pinned, n->weight * sizeof *n);
  forget (n);
  if (n->weight > sg_cfg.history_nodes || bytes > (uint64_t) sg_cfg.history_bytes)
    {
      sg_node_cut (n);
      return;
    }
  n->history = bytes;
  n->older = newest;
  *(newest ? &newest->newer : &oldest) = n;
  newest = n;
  history += bytes;
}

void
sg_history_trim (void)
{
  while (oldest && history > (uint64_t) sg_cfg.history_bytes)
    sg_node_cut (oldest);
}

void
sg_node_cut (sg_node *n)
{
  forget (n);
  if (n->op == SG_LEAF)
    return;
  n->cut = true;
  int nin = n->nin;
  n->nin = 0;
  for (int i = 0; i < nin; i++)
    sg_node_unref (n->in[i]);
  free_subscripts (n);
  n->op = SG_LEAF;
  n->npar = 0;
  n->weight = 1;
  n->pinned = n->val ? n->val->bytes : 0;
}

#define DEEP 64

/* True if N is in the tree below TOP.  What is too deep or costs more than the budget counts as not
   there.  */
static bool
holds (const sg_node *top, const sg_node *n, int64_t *budget)
{
  const sg_node *open[DEEP];
  int nopen = 1;
  open[0] = top;
  while (nopen > 0)
    {
      const sg_node *at = open[--nopen];
      for (int i = 0; i < at->nin && (*budget)-- > 0; i++)
        {
          if (at->in[i] == n)
            return true;
          if (at->in[i]->nin > 0 && nopen < DEEP)
            open[nopen++] = at->in[i];
        }
    }
  return false;
}

void
sg_node_release (sg_node *n, int64_t budget)
{
  for (sg_node *at = newest, *older; at && n->refs > 1 && budget > 0; at = older)
    {
      older = at->older;
      if (at != n && holds (at, n, &budget))
        {
          /* Other nodes of the list may die with its tree.  */
          sg_node_ref (at);
          sg_node_cut (at);
          older = newest;
          sg_node_unref (at);
        }
      budget--;
    }
}

void
sg_node_set_value (sg_node *n, sg_buf *b)
{
  n->val = b;
  n->cplx = b->cplx;
  n->wide = is_wide (b, n->numel);
  n->spec = n->dyn = n->leaves = n->narrow = false;
  n->pinned = add64 (n->pinned, b->bytes);
  if (n->op != SG_LEAF)
    keep_history (n);
}

bool
sg_node_is_over_bound (const sg_node *n)
{
  return (n->weight > sg_cfg.graph_nodes || n->pinned > (uint64_t) sg_cfg.graph_bytes)
         && ! n->val;
}
