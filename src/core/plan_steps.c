/* The slots and steps of a plan, once it is known what is done how.  */

#include <string.h>

#include "build.h"

bool
sg_build_escapes (const sg_builder *b, int pos)
{
  return b->p->slot[pos].bytes > 0;
}

/* ---- slots and steps -------------------------------------------------------------------- */

static sg_status
slot_new (sg_builder *b, int nd, const int64_t *dim, int *out)
{
  sg_plan *p = b->p;
  if (p->nslots == b->slotroom)
    {
      int room = 2 * b->slotroom + 8;
      sg_slot *q = sg_realloc (p->slot, room * sizeof *q);
      if (! q)
        return sg_fail (SG_NOMEM, "out of memory for a plan of %d values", p->nslots);
      p->slot = q;
      int *r = sg_realloc (b->reg_of, room * sizeof *r);
      if (! r)
        return sg_fail (SG_NOMEM, "out of memory for a plan of %d values", p->nslots);
      b->reg_of = r;
      r = sg_realloc (b->reg_imag, room * sizeof *r);
      if (! r)
        return sg_fail (SG_NOMEM, "out of memory for a plan of %d values", p->nslots);
      b->reg_imag = r;
      r = sg_realloc (b->reg_stamp, room * sizeof *r);
      if (! r)
        return sg_fail (SG_NOMEM, "out of memory for a plan of %d values", p->nslots);
      b->reg_stamp = r;
      b->slotroom = room;
    }
  int64_t *d = sg_malloc (nd * sizeof *d);
  if (! d)
    return sg_fail (SG_NOMEM, "out of memory for a plan of %d values", p->nslots);
  memcpy (d, dim, nd * sizeof *d);
  p->slot[p->nslots] = (sg_slot) { .nd = nd, .dim = d, .numel = sg_numel (nd, dim),
                                   .alias = -1, .node = -1, .first = -1, .last = -1 };
  b->reg_stamp[p->nslots] = -1;
  *out = p->nslots++;
  return SG_OK;
}

sg_status
sg_build_slot (sg_builder *b, const sg_slot *like, sg_class cls, bool cplx, int *out)
{
  SG_TRY (slot_new (b, like->nd, like->dim, out));
  sg_slot *s = &b->p->slot[*out];
  s->kind = SG_SLOT_ARENA;
  s->cls = cls;
  s->cplx = cplx;
  s->bytes = s->numel * sg_class_bytes (cls) << cplx;
  return SG_OK;
}

/* Values that are made of complex ones in memory and may turn out to be real.  Elementwise
   ones are looked at while they are made.  */
static bool
may_narrow (const sg_builder *b, const sg_node *n)
{
  sg_how h = b->how[n->slot];
  return h == SG_HOW_RED || h == SG_HOW_SCAN || h == SG_HOW_GEMM
         || (h == SG_HOW_MOVE && (n->op == SG_INDEX || n->op == SG_TRIL || n->op == SG_TRIU
                                   || (n->op == SG_CAT && n->cls == SG_F32)));
}

/* One slot for each position of the graph.  Elementwise values get memory only if another
   step needs them; which is known when the groups are.  */
sg_status
sg_build_slots (sg_builder *b)
{
  static const sg_slotkind kind[] = {
    [SG_HOW_LEAF] = SG_SLOT_LEAF, [SG_HOW_ALIAS] = SG_SLOT_ALIAS,
    [SG_HOW_FOREIGN] = SG_SLOT_FOREIGN, [SG_HOW_MAP] = SG_SLOT_ARENA,
    [SG_HOW_RED] = SG_SLOT_ARENA, [SG_HOW_SCAN] = SG_SLOT_ARENA, [SG_HOW_GEMM] = SG_SLOT_ARENA,
    [SG_HOW_MOVE] = SG_SLOT_ARENA, [SG_HOW_VIEW] = SG_SLOT_ARENA };
  for (int k = 0; k < b->g->n; k++)
    {
      const sg_node *n = b->g->order[k];
      int s;
      SG_TRY (slot_new (b, n->nd, n->dim, &s));
      sg_slot *t = &b->p->slot[s];
      t->kind = kind[b->how[k]];
      t->cls = n->cls;
      t->cplx = b->known[k] == SG_KNOWN_CPLX;
      t->verify = t->cplx && may_narrow (b, n);
      t->node = k;
      t->output = b->g->want[k] != SG_WANT_NOT;
      t->to_host = b->g->want[k] == SG_WANT_HOST;
      if (t->kind == SG_SLOT_ALIAS)
        t->alias = n->in[0]->slot;
      if ((b->how[k] != SG_HOW_MAP && b->how[k] != SG_HOW_VIEW) || t->output)
        t->bytes = n->numel * sg_class_bytes (n->cls) << t->cplx;
    }
  for (int k = 0; k < b->g->n; k++)
    if (b->how[k] != SG_HOW_LEAF)
      for (int i = 0; i < b->g->order[k]->nin; i++)
        {
          const sg_node *c = b->g->order[k]->in[i];
          if (b->how[c->slot] == SG_HOW_MAP
              && (b->group[k] < 0 || b->group[k] != b->group[c->slot]))
            b->p->slot[c->slot].bytes
              = c->numel * sg_class_bytes (c->cls) << b->p->slot[c->slot].cplx;
        }
  return SG_OK;
}

sg_status
sg_build_step (sg_builder *b, sg_stepkind kind, sg_step **out)
{
  sg_plan *p = b->p;
  if (p->nsteps == b->steproom)
    {
      int room = 2 * b->steproom + 4;
      sg_step *q = sg_realloc (p->step, room * sizeof *q);
      if (! q)
        return sg_fail (SG_NOMEM, "out of memory for a plan of %d steps", p->nsteps);
      p->step = q;
      b->steproom = room;
    }
  *out = &p->step[p->nsteps++];
  memset (*out, 0, sizeof **out);
  (*out)->kind = kind;
  return SG_OK;
}

static sg_status
copy_words (int n, const int64_t *from, int64_t **out)
{
  *out = sg_malloc (n * sizeof **out);
  if (! *out)
    return sg_fail (SG_NOMEM, "out of memory for a step of a plan");
  memcpy (*out, from, n * sizeof **out);
  return SG_OK;
}

/* The operands of node K as slots, converted to class CLS, and to complex numbers if the node is
   complex, where they are not.  */
static sg_status
operands (sg_builder *b, int k, sg_class cls, bool convert, int **out)
{
  bool cplx = b->p->slot[k].cplx;
  const sg_node *n = b->g->order[k];
  int *in = sg_malloc (n->nin * sizeof *in);
  if (! in)
    return sg_fail (SG_NOMEM, "out of memory for a step of a plan");
  for (int i = 0; i < n->nin; i++)
    {
      in[i] = n->in[i]->slot;
      sg_status s = SG_OK;
      if (convert && (n->in[i]->cls != cls || b->p->slot[in[i]].cplx != cplx))
        s = sg_build_cast (b, in[i], cls, cplx, &in[i]);
      if (s != SG_OK)
        {
          sg_free (in);
          return s;
        }
    }
  *out = in;
  return SG_OK;
}

/* The product of node K with operands X and Y to slot OUT.  */
static sg_status
product (sg_builder *b, int k, int x, int y, int out)
{
  const sg_node *n = b->g->order[k];
  sg_step *s;
  SG_TRY (sg_build_step (b, SG_STEP_GEMM, &s));
  s->u.gemm = (sg_gemm) { .cls = n->cls, .cplx = b->p->slot[out].cplx, .a = x, .b = y,
                          .out = out, .ta = n->par[0], .tb = n->par[1], .m = n->dim[0],
                          .n = n->dim[1], .k = n->in[0]->dim[n->par[0] ? 0 : 1] };
  return SG_OK;
}

/* A real matrix with a complex one: two real products, as in Octave.  */
static sg_status
build_mixed_gemm (sg_builder *b, int k)
{
  const sg_node *n = b->g->order[k];
  int x[2], c = b->p->slot[n->in[0]->slot].cplx ? 0 : 1, out[2];
  x[1 - c] = n->in[1 - c]->slot;
  if (n->in[1 - c]->cls != n->cls)
    SG_TRY (sg_build_cast (b, x[1 - c], n->cls, false, &x[1 - c]));
  for (int part = 0; part < 2; part++)
    {
      SG_TRY (sg_build_part (b, n->in[c]->slot, part, n->cls, &x[c]));
      SG_TRY (sg_build_slot (b, &b->p->slot[k], n->cls, false, &out[part]));
      SG_TRY (product (b, k, x[0], x[1], out[part]));
    }
  return sg_build_join (b, out[0], out[1], n->par[c] == 2, k);
}

static sg_status
build_gemm (sg_builder *b, int k)
{
  const sg_node *n = b->g->order[k];
  int64_t m = n->dim[0], len = n->in[0]->dim[n->par[0] ? 0 : 1];
  bool mixed = b->p->slot[n->in[0]->slot].cplx != b->p->slot[n->in[1]->slot].cplx;
  if (mixed && len > (m < n->dim[1] ? m : n->dim[1]) / 10)
    return build_mixed_gemm (b, k);
  int *in;
  SG_TRY (operands (b, k, n->cls, true, &in));
  int x = in[0], y = in[1];
  sg_free (in);
  return product (b, k, x, y, k);
}

/* Along lines of complex numbers that are not taken apart.  */
static sg_status
build_cplx_lines (sg_builder *b, int k)
{
  const sg_node *n = b->g->order[k], *a = n->in[0];
  sg_step *s;
  SG_TRY (sg_build_step (b, SG_STEP_SCAN, &s));
  sg_scan *c = &s->u.scan;
  *c = (sg_scan) { .op = n->op, .cls = a->cls, .in = a->slot, .out = k, .cplx = true };
  sg_line_shape (a, n->par[0], &c->pre, &c->len, &c->post);
  return SG_OK;
}

static sg_status
build_scan (sg_builder *b, int k)
{
  const sg_node *n = b->g->order[k];
  if (b->known[n->in[0]->slot] == SG_KNOWN_CPLX && n->op != SG_CUMSUM)
    return build_cplx_lines (b, k);
  bool place = sg_op_info (n->op)->out == SG_OUT_IDX;
  sg_class cls = ! place ? n->cls : n->in[0]->cls == SG_BOOL ? SG_U8 : n->in[0]->cls;
  int *in;
  SG_TRY (operands (b, k, cls, true, &in));
  int x = in[0];
  sg_free (in);
  sg_step *s;
  SG_TRY (sg_build_step (b, SG_STEP_SCAN, &s));
  sg_scan *c = &s->u.scan;
  *c = (sg_scan) { .op = n->op, .cls = cls, .in = x, .out = k,
                   .descend = n->npar > 1 && n->par[1] };
  sg_line_shape (n, n->par[0], &c->pre, &c->len, &c->post);
  /* Parts are lines of their own.  */
  if (b->p->slot[k].cplx)
    c->pre *= 2;
  return SG_OK;
}

static sg_status
build_foreign (sg_builder *b, int k)
{
  int *in;
  SG_TRY (operands (b, k, 0, false, &in));
  sg_step *s;
  sg_status e = sg_build_step (b, SG_STEP_FOREIGN, &s);
  if (e != SG_OK)
    {
      sg_free (in);
      return e;
    }
  s->u.foreign = (sg_foreign) { .node = k, .out = k, .nin = b->g->order[k]->nin, .in = in };
  return SG_OK;
}

/* The operand seen with as many dimensions as there are subscripts.  */
static void
fold_dims (const sg_node *a, int nd, int64_t *dim)
{
  for (int d = 0; d < nd; d++)
    dim[d] = d < a->nd ? a->dim[d] : 1;
  for (int d = nd; d < a->nd; d++)
    dim[nd - 1] *= a->dim[d];
}

sg_status
sg_build_move (const sg_node *n, sg_move *v)
{
  const sg_node *a = n->in[0];
  int64_t dim[SG_MAXND];
  switch (n->op)
    {
    case SG_TRANSPOSE:
    case SG_CTRANSPOSE:
    case SG_PERMUTE:
      v->op = SG_PERMUTE;
      v->nd = n->op == SG_PERMUTE ? n->npar : 2;
      fold_dims (a, v->nd, dim);
      SG_TRY (copy_words (v->nd, n->op == SG_PERMUTE ? n->par : (int64_t[]) { 1, 0 }, &v->perm));
      return copy_words (v->nd, dim, &v->dim);
    case SG_REPMAT:
      v->nd = n->npar;
      fold_dims (a, v->nd, dim);
      SG_TRY (copy_words (v->nd, n->par, &v->reps));
      return copy_words (v->nd, dim, &v->dim);
    case SG_TRIL:
    case SG_TRIU:
      v->k = n->par[0];
      return copy_words (2, a->dim, &v->dim);
    case SG_INDEX:
      v->nd = n->npar;
      fold_dims (a, v->nd, dim);
      return copy_words (v->nd, dim, &v->dim);
    default:
      {
        int c = n->par[0];
        int64_t len;
        if (c < n->nd)
          sg_line_shape (n, c, &v->pre, &len, &v->post);
        else
          {
            v->pre = n->numel;
            v->post = 1;
          }
        v->len = sg_malloc (n->nin * sizeof *v->len);
        if (! v->len)
          return sg_fail (SG_NOMEM, "out of memory for a step of a plan");
        for (int i = 0; i < n->nin; i++)
          v->len[i] = c < n->in[i]->nd ? n->in[i]->dim[c] : 1;
        return SG_OK;
      }
    }
}

static sg_status
build_move (sg_builder *b, int k)
{
  const sg_node *n = b->g->order[k];
  int *in;
  SG_TRY (operands (b, k, n->cls, n->op == SG_CAT, &in));
  sg_step *s;
  sg_status e = sg_build_step (b, SG_STEP_MOVE, &s);
  if (e != SG_OK)
    {
      sg_free (in);
      return e;
    }
  bool cplx = b->p->slot[k].cplx;
  s->u.move = (sg_move) { .op = n->op, .esize = sg_class_bytes (n->cls) << cplx, .out = k,
                          .conj = cplx && n->op == SG_CTRANSPOSE, .in = in, .nin = n->nin,
                          .inode = k };
  return sg_build_move (n, &s->u.move);
}

static sg_status
steps_of_nodes (sg_builder *b)
{
  sg_plan *p = b->p;
  p->step_of = sg_malloc (b->g->n * sizeof *p->step_of);
  if (! p->step_of)
    return sg_fail (SG_NOMEM, "out of memory for a plan of %d nodes", b->g->n);
  p->nnodes = b->g->n;
  memset (p->step_of, -1, b->g->n * sizeof *p->step_of);
  return SG_OK;
}

/* The last step completes node or group K.  */
static void
note_step (sg_builder *b, int k)
{
  int n = b->g->n, last = b->p->nsteps - 1;
  if (k < n)
    {
      b->p->step_of[k] = last;
      return;
    }
  const sg_group *q = &b->groups[k - n];
  for (int j = q->first; j >= 0; j = j == q->last ? -1 : b->member_next[j])
    b->p->step_of[j] = last;
}

/* Groups and single nodes by level; within a level in the order of their making.  */
sg_status
sg_build_steps (sg_builder *b)
{
  int n = b->g->n, total = n + b->ngroups, levels = 0;
  for (int k = 0; k < n; k++)
    if (b->how[k] != SG_HOW_LEAF && b->level[k] >= levels)
      levels = b->level[k] + 1;
  int *start = sg_malloc ((levels + 1 + total) * sizeof *start);
  if (! start)
    return sg_fail (SG_NOMEM, "out of memory for a plan of %d nodes", n);
  int *list = start + levels + 1;
  memset (start, 0, (levels + 1) * sizeof *start);
#define SINGLE(k) (b->how[k] != SG_HOW_LEAF && b->how[k] != SG_HOW_ALIAS                 \
                   && b->how[k] != SG_HOW_VIEW && b->group[k] < 0)
  for (int k = 0; k < n; k++)
    if (SINGLE (k))
      start[b->level[k] + 1]++;
  for (int q = 0; q < b->ngroups; q++)
    start[b->groups[q].level + 1]++;
  for (int l = 0; l < levels; l++)
    start[l + 1] += start[l];
  int count = start[levels];
  for (int k = 0; k < n; k++)
    if (SINGLE (k))
      list[start[b->level[k]]++] = k;
  for (int q = 0; q < b->ngroups; q++)
    list[start[b->groups[q].level]++] = n + q;
#undef SINGLE
  sg_status s = steps_of_nodes (b);
  for (int i = 0; i < count && s == SG_OK; i++)
    {
      int k = list[i];
      s = k >= n ? sg_build_map (b, k - n)
          : b->how[k] == SG_HOW_SCAN ? build_scan (b, k)
          : b->how[k] == SG_HOW_GEMM ? build_gemm (b, k)
          : b->how[k] == SG_HOW_MOVE ? build_move (b, k) : build_foreign (b, k);
      note_step (b, k);
    }
  sg_free (start);
  return s;
}

void
sg_move_clear (sg_move *v)
{
  sg_free (v->in);
  sg_free (v->dim);
  sg_free (v->perm);
  sg_free (v->reps);
  sg_free (v->len);
}

static void
free_step (sg_step *s)
{
  if (s->kind == SG_STEP_MAP)
    {
      sg_map *m = &s->u.map;
      if (m->tier && m->tier->data)
        m->tier->data_free (m->tier->data);
      sg_free (m->tier);
      for (int i = 0; i < m->nins; i++)
        sg_free (m->ins[i].stride);
      sg_free (m->dim);
      sg_free (m->reg);
      sg_free (m->ins);
      sg_free (m->sink);
    }
  else if (s->kind == SG_STEP_MOVE)
    sg_move_clear (&s->u.move);
  else if (s->kind == SG_STEP_FOREIGN)
    sg_free (s->u.foreign.in);
}

void
sg_plan_free (sg_plan *p)
{
  if (! p)
    return;
  if (p->compiled)
    p->compiled_free (p->compiled);
  for (int i = 0; i < p->nsteps; i++)
    free_step (&p->step[i]);
  for (int i = 0; i < p->nslots; i++)
    sg_free (p->slot[i].dim);
  sg_free (p->born);
  sg_free (p->dead);
  sg_free (p->verify);
  sg_free (p->step);
  sg_free (p->step_of);
  sg_free (p->slot);
  sg_free (p->key);
  sg_free (p);
}
