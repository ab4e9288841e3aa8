/* INDEX: the lines of a move that takes the elements which subscripts name.  */

#include "lines.h"

static int64_t
position (const sg_index *x, int64_t k)
{
  return x->kind == SG_IDX_VECTOR ? x->vec[k]
         : x->kind == SG_IDX_RANGE ? x->start + k * x->step : k;
}

static bool
is_contiguous (const sg_index *x)
{
  return x->kind == SG_IDX_COLON || (x->kind == SG_IDX_RANGE && x->step == 1);
}

#define PICK(name, T)                                                                   \
  static void                                                                           \
  pick_##name (const sg_index *x, int64_t i0, int64_t i1, void *vout, const void *vin)  \
  {                                                                                     \
    T *out = vout;                                                                      \
    const T *in = vin;                                                                  \
                                                                                        \
    if (x->kind == SG_IDX_VECTOR)                                                       \
      for (int64_t i = i0; i < i1; i++)                                                 \
        *out++ = in[x->vec[i]];                                                         \
    else                                                                                \
      for (int64_t i = i0; i < i1; i++)                                                 \
        *out++ = in[x->start + i * x->step];                                            \
  }

PICK (1, uint8_t)
PICK (2, uint16_t)
PICK (4, uint32_t)
PICK (8, uint64_t)
PICK (16, sg_uint128)

/* Line O: one position in each dimension but the first.  */
static void
line_index (const sg_lines *j, int64_t o, int64_t i0, int64_t i1)
{
  int64_t e = j->esize, in = 0;
  char *to = j->out + (o * j->inner + i0) * e;

  for (int d = 1; d < j->nd; d++)
    {
      int64_t rest = d + 1 < j->nd ? o / j->idx[d].n : 0;
      in += position (&j->idx[d], o - rest * j->idx[d].n) * j->istr[d];
      o = rest;
    }
  const char *from = j->in + in * e;

  if (is_contiguous (j->idx))
    {
      from += position (j->idx, i0) * e;
      sg_copy_runs (1, (i1 - i0) * e, to, 0, from, 0);
      return;
    }
  switch (e)
    {
    case 1: pick_1 (j->idx, i0, i1, to, from); break;
    case 2: pick_2 (j->idx, i0, i1, to, from); break;
    case 4: pick_4 (j->idx, i0, i1, to, from); break;
    case 8: pick_8 (j->idx, i0, i1, to, from); break;
    default: pick_16 (j->idx, i0, i1, to, from); break;
    }
}

/* Leading colons and a contiguous subscript after them are one contiguous subscript.  Returns
   how many subscripts it stands for; X is it.  */
static int
join_subscripts (const sg_lines *j, const sg_index *idx, sg_index *x)
{
  int d = 1;

  *x = idx[0];
  while (d < j->v->nd && idx[d - 1].kind == SG_IDX_COLON && is_contiguous (&idx[d]))
    {
      int64_t below = j->istr[d];
      x->kind = SG_IDX_RANGE;
      x->start = position (&idx[d], 0) * below;
      x->step = 1;
      x->n = below * idx[d].n;
      d++;
    }
  return d;
}

sg_status
sg_lines_index (sg_lines *j, const sg_run *r)
{
  const sg_move *v = j->v;
  const sg_index *idx = r->order[v->inode]->idx;
  sg_index x[SG_MAXND];
  int64_t s = 1;

  for (int d = 0; d < v->nd; d++)
    {
      j->istr[d] = s;
      s *= v->dim[d];
    }
  int first = join_subscripts (j, idx, &x[0]);
  j->nd = 1;
  for (int d = first; d < v->nd; d++)
    {
      x[j->nd] = idx[d];
      j->istr[j->nd++] = j->istr[d];
    }
  j->idx = x;
  j->line = line_index;
  j->outer = 1;
  for (int d = 1; d < j->nd; d++)
    j->outer *= x[d].n;
  j->inner = x[0].n;
  j->weight = j->esize;
  j->round = 1;
  return sg_lines_run (j, r);
}
