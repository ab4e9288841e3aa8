/* From a graph to a plan: what is done how, what shares a loop, in which order.

   Levels: a node that needs a finished value runs at a higher level than what makes that
   value; elementwise nodes that can take their operands from registers run at the same level.
   All elementwise nodes and reductions of one level and shape form a group, one loop over
   memory.  No edge goes down in level and edges between groups go up, so the order by level is
   always possible.  A second pass moves elementwise nodes up to the level of their first
   consumer, where they cost no memory.  */

#include <limits.h>
#include <string.h>

#include "build.h"

#define GROUP_MAX 100        /* nodes in a group: bounds the size of a program */

/* ---- how --------------------------------------------------------------------------- */

static bool
is_narrow (sg_class c)
{
  return c != SG_I64 && c != SG_U64;
}

static bool
operands_have_kernels (const sg_node *n)
{
  for (int i = 0; i < n->nin; i++)
    if (! is_narrow (n->in[i]->cls))
      return false;
  return is_narrow (n->cls) && is_narrow (n->ctype);
}

static bool
is_known (const sg_builder *b, const sg_node *n, sg_known what)
{
  return b->known[n->slot] == what;
}

static bool
any_known (const sg_builder *b, const sg_node *n, sg_known what)
{
  for (int i = 0; i < n->nin; i++)
    if (is_known (b, n->in[i], what))
      return true;
  return false;
}

static sg_how
how_move (const sg_builder *b, const sg_node *n)
{
  const sg_node *a = n->in[0];
  bool cplx = is_known (b, a, SG_KNOWN_CPLX);
  switch (n->op)
    {
    case SG_MTIMES:
      return SG_HOW_GEMM;
    case SG_RESHAPE:
      return SG_HOW_ALIAS;
    case SG_TRANSPOSE:
    case SG_CTRANSPOSE:
      return (a->dim[0] == 1 || a->dim[1] == 1) && ! (cplx && n->op == SG_CTRANSPOSE)
             ? SG_HOW_ALIAS : SG_HOW_MOVE;
    default:
      return SG_HOW_MOVE;
    }
}

sg_cplx_form
sg_build_form (const sg_builder *b, const sg_node *n)
{
  bool x = is_known (b, n->in[0], SG_KNOWN_CPLX);
  bool y = n->nin > 1 && is_known (b, n->in[1], SG_KNOWN_CPLX);
  return x && y ? SG_CX_BOTH : x ? SG_CX_A : y ? SG_CX_B : SG_CX_LEAVES;
}

/* True if node N has complex operands, or a complex result of real ones.  */
static bool
is_cplx_work (const sg_builder *b, const sg_node *n)
{
  return n->leaves || any_known (b, n, SG_KNOWN_CPLX);
}

/* The reductions and scans of complex numbers that are made of those of their parts.  */
static bool
has_cplx_parts (sg_op op)
{
  return op == SG_SUM || op == SG_SUMSQ || op == SG_ANY || op == SG_ALL || op == SG_CUMSUM
         || op == SG_NORM;
}

/* What there is for elementwise node N of complex operands.  */
static sg_cplx_out
cplx_result (const sg_builder *b, const sg_node *n)
{
  return n->op == SG_SELECT ? SG_CX_CPLX : sg_op_cplx (n->op, sg_build_form (b, n));
}

/* Operations on values of which it is not known whether they are complex, on classes without
   kernels, and those that a guard has found to be errors, are done by Octave.  */
static sg_how
how (const sg_builder *b, const sg_node *n)
{
  const sg_opinfo *row = sg_op_info (n->op);
  bool foreign = n->dyn || row->native || n->numel == 0 || any_known (b, n, SG_UNKNOWN);
  for (int i = 0; i < n->nin; i++)
    foreign |= n->in[i]->numel == 0;
  if (foreign || (n->narrow && row->family != SG_FAM_EW && row->family != SG_FAM_RED))
    return SG_HOW_FOREIGN;
  if (row->family == SG_FAM_MOVE)
    return how_move (b, n);
  if (! operands_have_kernels (n))
    return SG_HOW_FOREIGN;
  if (is_cplx_work (b, n))
    {
      if (row->family == SG_FAM_EW)
        return cplx_result (b, n) == SG_CX_NONE ? SG_HOW_FOREIGN : SG_HOW_MAP;
      if (! has_cplx_parts (n->op))
        return sg_op_has_cplx_lines (n->op) && ! n->narrow ? SG_HOW_SCAN : SG_HOW_FOREIGN;
    }
  return row->family == SG_FAM_EW ? SG_HOW_MAP
         : row->family == SG_FAM_RED ? SG_HOW_RED : SG_HOW_SCAN;
}

/* What is known of the value of node N, done so.  */
static sg_known
known (const sg_builder *b, const sg_node *n, sg_how h)
{
  if (n->narrow || sg_op_is_always_real (n->op) || sg_class_is_integer (n->cls))
    return SG_KNOWN_REAL;
  bool cplx = is_cplx_work (b, n);
  if (h == SG_HOW_FOREIGN)
    return cplx || any_known (b, n, SG_UNKNOWN)
           || sg_guard_is_complex (sg_op_info (n->op)->guard) ? SG_UNKNOWN : SG_KNOWN_REAL;
  if (h == SG_HOW_MAP && cplx)
    cplx = cplx_result (b, n) == SG_CX_CPLX;
  return cplx ? SG_KNOWN_CPLX : SG_KNOWN_REAL;
}

/* ---- views --------------------------------------------------------------------------- */

/* The position whose dimensions the loop of node K runs over.  */
static int
loop_like (const sg_builder *b, int k)
{
  return b->how[k] == SG_HOW_RED ? b->g->order[k]->in[0]->slot : k;
}

static bool
may_be_view (const sg_builder *b, int k)
{
  const sg_node *n = b->g->order[k];
  return b->how[k] == SG_HOW_MOVE && n->op == SG_INDEX && b->g->want[k] == SG_WANT_NOT
         && b->known[k] == SG_KNOWN_REAL && is_narrow (n->cls) && n->npar <= SG_MAXND;
}

/* Loops read the elements that subscripts name where they are.  Not what other steps need as well,
   nor what is repeated in a larger loop: those need it in memory.  */
static void
find_views (sg_builder *b)
{
  for (int k = 0; k < b->g->n; k++)
    if (may_be_view (b, k))
      b->how[k] = SG_HOW_VIEW;
  for (int k = 0; k < b->g->n; k++)
    {
      const sg_node *n = b->g->order[k];
      bool loop = b->how[k] == SG_HOW_MAP || b->how[k] == SG_HOW_RED;
      for (int i = 0; b->how[k] != SG_HOW_LEAF && i < n->nin; i++)
        {
          int j = n->in[i]->slot;
          if (b->how[j] == SG_HOW_VIEW
              && ! (loop && sg_same_dims (b->g->order[loop_like (b, k)], n->in[i])))
            b->how[j] = SG_HOW_MOVE;
        }
    }
}

/* ---- levels ------------------------------------------------------------------------- */

/* True if consumer C can take its operand J from a register of the same loop.  */
static bool
shares_loop (const sg_builder *b, int c, int j)
{
  if (b->how[j] == SG_HOW_VIEW)
    return true;
  if (! sg_cfg.fuse || b->how[j] != SG_HOW_MAP)
    return false;
  if (b->how[c] == SG_HOW_RED)
    return true;
  return b->how[c] == SG_HOW_MAP && sg_same_dims (b->g->order[c], b->g->order[j]);
}

static void
lowest_level (sg_builder *b, int k)
{
  const sg_node *n = b->g->order[k];
  int l = 0;
  for (int i = 0; i < n->nin; i++)
    {
      int j = n->in[i]->slot;
      if (b->how[j] == SG_HOW_LEAF)
        continue;
      int need = b->level[j] + ! shares_loop (b, k, j);
      l = need > l ? need : l;
    }
  b->level[k] = l;
}

/* Elementwise nodes go up to where their value is first needed.  LIMIT is scratch.  */
static void
raise_levels (sg_builder *b, int *limit)
{
  for (int k = 0; k < b->g->n; k++)
    limit[k] = INT_MAX;
  for (int k = b->g->n - 1; k >= 0; k--)
    {
      const sg_node *n = b->g->order[k];
      if (b->how[k] == SG_HOW_LEAF)
        continue;
      if (b->how[k] == SG_HOW_MAP && b->g->want[k] == SG_WANT_NOT && limit[k] != INT_MAX
          && limit[k] > b->level[k])
        b->level[k] = limit[k];
      for (int i = 0; i < n->nin; i++)
        {
          int j = n->in[i]->slot;
          int l = b->level[k] - ! shares_loop (b, k, j);
          limit[j] = l < limit[j] ? l : limit[j];
        }
    }
}

/* ---- groups --------------------------------------------------------------------------- */

void
sg_line_shape (const sg_node *a, int dim, int64_t *pre, int64_t *len, int64_t *post)
{
  *pre = *post = 1;
  *len = dim == SG_ALL_DIMS ? a->numel : dim < a->nd ? a->dim[dim] : 1;
  if (dim == SG_ALL_DIMS)
    return;
  for (int d = 0; d < dim && d < a->nd; d++)
    *pre *= a->dim[d];
  for (int d = dim + 1; d < a->nd; d++)
    *post *= a->dim[d];
}

#define ALL_SHORT 8

bool
sg_takes_nan_as_false (const sg_node *n)
{
  int64_t pre, len, post;
  sg_line_shape (n->in[0], n->par[0], &pre, &len, &post);
  return pre > 1 && len <= ALL_SHORT;
}

static unsigned
group_hash (const sg_builder *b, int level, const sg_node *like)
{
  uint64_t h = level;
  for (int d = 0; d < like->nd; d++)
    h = (h ^ (uint64_t) like->dim[d]) * 0x9e3779b97f4a7c15u;
  return (h >> 32) % b->nhash;
}

/* First group of this level and shape, -1 if there is none.  */
static int
group_find (const sg_builder *b, int level, const sg_node *like, unsigned h)
{
  for (int q = b->hash[h]; q >= 0; q = b->group_chain[q])
    if (b->groups[q].level == level && sg_same_dims (b->g->order[b->groups[q].like], like))
      return q;
  return -1;
}

static sg_status
group_new (sg_builder *b, int level, int like, int *out)
{
  if (b->ngroups == b->grouproom)
    {
      int room = 2 * b->grouproom + 16;
      sg_group *p = sg_realloc (b->groups, room * sizeof *p);
      if (! p)
        return sg_fail (SG_NOMEM, "out of memory for a plan of %d nodes", b->g->n);
      b->groups = p;
      int *c = sg_realloc (b->group_chain, room * sizeof *c);
      if (! c)
        return sg_fail (SG_NOMEM, "out of memory for a plan of %d nodes", b->g->n);
      b->group_chain = c;
      b->grouproom = room;
    }
  b->groups[b->ngroups] = (sg_group) { .level = level, .like = like, .first = -1, .last = -1,
                                       .more = -1 };
  b->group_chain[b->ngroups] = -1;
  *out = b->ngroups++;
  return SG_OK;
}

/* True if a reduction of these lines fits among the sinks of a group.  */
static bool
sinks_agree (const sg_group *q, const sg_group *lines)
{
  return ! q->has_sinks
         || (q->pre == lines->pre && q->len == lines->len && q->post == lines->post
             && q->ordered == lines->ordered);
}

/* Of group Q of a list and that of operand J of node K, if it is in the list, the one whose step
   comes later.  */
static int
later_group (const sg_builder *b, int q, int k, int j)
{
  if (b->group[j] < 0 || ! shares_loop (b, k, j) || b->level[j] != b->level[k])
    return q;
  int x = b->group[j];
  return b->groups[x].rank > b->groups[q].rank ? x : q;
}

/* The first group of a list that is not full, or the last.  */
static int
open_group (const sg_builder *b, int head)
{
  sg_group *g = b->groups;
  while (g[g[head].open].count >= GROUP_MAX && g[g[head].open].more >= 0)
    g[head].open = g[g[head].open].more;
  return g[head].open;
}

/* The group of the list that begins with HEAD which node K can join; -1: none, *LAST is where
   the list ends.  Groups of one level and shape are a list in the order of their steps.  An
   elementwise node goes into the last one; a reduction into the first that comes no earlier than
   its operands and whose reductions have the same lines.  */
static int
group_for (const sg_builder *b, int head, int k, const sg_group *lines, int *last)
{
  const sg_node *n = b->g->order[k];
  int q = *last = b->groups[head].tail;
  if (lines)
    {
      q = open_group (b, head);
      for (int i = 0; i < n->nin; i++)
        q = later_group (b, q, k, n->in[i]->slot);
    }
  while (q >= 0 && (b->groups[q].count >= GROUP_MAX
                    || (lines && ! sinks_agree (&b->groups[q], lines))))
    q = b->groups[q].more;
  return q;
}

/* A new group at the end of the list of HEAD, LAST its last one; -1: a list of its own.  */
static sg_status
group_append (sg_builder *b, int head, int last, int k, int like, unsigned h, int *out)
{
  SG_TRY (group_new (b, b->level[k], like, out));
  sg_group *q = &b->groups[*out];
  q->tail = q->open = *out;
  if (head >= 0)
    {
      b->groups[last].more = b->groups[head].tail = *out;
      q->rank = b->groups[last].rank + 1;
    }
  else if (sg_cfg.fuse)
    {
      b->group_chain[*out] = b->hash[h];
      b->hash[h] = *out;
    }
  return SG_OK;
}

static sg_status
join_group (sg_builder *b, int k)
{
  const sg_node *n = b->g->order[k];
  int like = loop_like (b, k), q = -1, last = -1;
  unsigned h = group_hash (b, b->level[k], b->g->order[like]);
  int head = sg_cfg.fuse ? group_find (b, b->level[k], b->g->order[like], h) : -1;
  bool red = b->how[k] == SG_HOW_RED;
  sg_group lines = { .has_sinks = red, .ordered = sg_op_is_ordered (n->op) };
  if (red)
    sg_line_shape (n->in[0], n->par[0], &lines.pre, &lines.len, &lines.post);
  if (head >= 0)
    q = group_for (b, head, k, red ? &lines : NULL, &last);
  if (q < 0)
    SG_TRY (group_append (b, head, last, k, like, h, &q));
  sg_group *grp = &b->groups[q];
  if (red)
    {
      grp->has_sinks = true;
      grp->pre = lines.pre;
      grp->len = lines.len;
      grp->post = lines.post;
      grp->ordered = lines.ordered;
    }
  if (grp->first < 0)
    grp->first = k;
  else
    b->member_next[grp->last] = k;
  grp->last = k;
  grp->count++;
  b->group[k] = q;
  return SG_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static sg_status
builder_init (sg_builder *b, sg_graph *g)
{
  int n = g->n;
  *b = (sg_builder) { .g = g, .nhash = n + 1 };
  b->how = sg_malloc (n);
  b->known = sg_malloc (n);
  b->level = sg_malloc (n * sizeof (int));
  b->group = sg_malloc (n * sizeof (int));
  b->member_next = sg_malloc (n * sizeof (int));
  b->hash = sg_malloc (b->nhash * sizeof (int));
  b->p = sg_malloc (sizeof *b->p);
  if (b->p)
    *b->p = (sg_plan) { 0 };
  if (! (b->how && b->known && b->level && b->group && b->member_next && b->hash && b->p))
    return sg_fail (SG_NOMEM, "out of memory for a plan of %d nodes", n);
  memset (b->hash, -1, b->nhash * sizeof (int));
  return SG_OK;
}

static void
builder_clear (sg_builder *b)
{
  sg_free (b->how);
  sg_free (b->known);
  sg_free (b->level);
  sg_free (b->group);
  sg_free (b->member_next);
  sg_free (b->hash);
  sg_free (b->groups);
  sg_free (b->group_chain);
  sg_free (b->reg_of);
  sg_free (b->reg_imag);
  sg_free (b->reg_stamp);
}

static sg_status
build (sg_builder *b)
{
  int n = b->g->n;
  for (int k = 0; k < n; k++)
    {
      const sg_node *x = b->g->order[k];
      bool leaf = sg_node_is_leaf (x);
      b->how[k] = leaf ? SG_HOW_LEAF : how (b, x);
      b->known[k] = leaf ? (x->wide ? SG_UNKNOWN : x->cplx ? SG_KNOWN_CPLX : SG_KNOWN_REAL)
                    : known (b, x, b->how[k]);
      b->level[k] = 0;
      b->group[k] = b->member_next[k] = -1;
    }
  if (sg_cfg.fuse)
    find_views (b);
  for (int k = 0; k < n; k++)
    if (b->how[k] != SG_HOW_LEAF)
      lowest_level (b, k);
  if (sg_cfg.fuse)
    raise_levels (b, b->group);
  for (int k = 0; k < n; k++)
    b->group[k] = -1;
  for (int k = 0; k < n; k++)
    if (b->how[k] == SG_HOW_MAP || b->how[k] == SG_HOW_RED)
      SG_TRY (join_group (b, k));
  SG_TRY (sg_build_slots (b));
  SG_TRY (sg_build_steps (b));
  return sg_build_memory (b);
}

sg_status
sg_plan_build (sg_graph *g, sg_plan **out)
{
  sg_builder b;
  sg_status s = builder_init (&b, g);
  if (s == SG_OK)
    s = build (&b);
#ifdef SG_DEBUG
  if (s == SG_OK)
    s = sg_plan_check (b.p);
#endif
  builder_clear (&b);
  if (s != SG_OK)
    {
      sg_plan_free (b.p);
      return s;
    }
  b.p->key = g->key;
  b.p->nkey = g->nkey;
  b.p->hash = g->hash;
  g->key = NULL;
  *out = b.p;
  return SG_OK;
}
