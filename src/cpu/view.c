/* Views: how elements that subscripts name are found.  */

#include <string.h>

#include "threads.h"
#include "view.h"

typedef struct { uint64_t v[2]; } uint128;

/* ---- making one ------------------------------------------------------------------------ */

static void
add_dim (sg_view *v, sg_viewdim x)
{
  sg_viewdim *last = v->nd > 0 ? &v->dim[v->nd - 1] : NULL;

  if (last && ! last->vec && ! x.vec && x.step == last->n * last->step)
    last->n *= x.n;
  else
    v->dim[v->nd++] = x;
}

/* The runs of neighbours in the positions of dimension 0.  */
static void
find_pieces (sg_view *v)
{
  const sg_viewdim *x = &v->dim[0];

  v->npiece = 0;
  if (! x->vec || x->step != 1)
    return;
  int k = 0;
  for (int64_t i = 1; i < x->n; i++)
    if (x->vec[i] != x->vec[i - 1] + 1)
      {
        if (k == SG_PIECES - 1)
          return;
        v->end[k++] = i;
      }
  v->end[k++] = x->n;
  v->npiece = k;
}

void
sg_view_make (sg_view *v, const sg_node *n, sg_viewdim *dim)
{
  const sg_node *a = n->in[0];
  int64_t stride = 1;

  v->base = 0;
  v->nd = 0;
  v->dim = dim;
  for (int d = 0; d < n->npar; d++)
    {
      const sg_index *x = &n->idx[d];
      bool vector = x->kind == SG_IDX_VECTOR, range = x->kind == SG_IDX_RANGE;
      if (x->n == 1)
        v->base += (vector ? x->vec[0] : range ? x->start : 0) * stride;
      else
        {
          v->base += range ? x->start * stride : 0;
          add_dim (v, (sg_viewdim) { x->n, vector ? x->vec : NULL,
                                     range ? x->step * stride : stride });
        }
      stride *= d < a->nd ? a->dim[d] : 1;
    }
  if (v->nd == 0)
    v->dim[v->nd++] = (sg_viewdim) { 1, NULL, 1 };
  find_pieces (v);
}

/* ---- finding elements ------------------------------------------------------------------ */

/* Element I: its position in dimension 0, and where the line begins that it is in.  */
static int64_t
line_of (const sg_view *v, int64_t i, int64_t *at)
{
  int64_t off = v->base, rest = i / v->dim[0].n;

  *at = i - rest * v->dim[0].n;
  for (int d = 1; d < v->nd; d++)
    {
      const sg_viewdim *x = &v->dim[d];
      int64_t k = rest;
      if (d + 1 < v->nd)
        {
          rest /= x->n;
          k -= rest * x->n;
        }
      off += (x->vec ? x->vec[k] : k) * x->step;
    }
  return off;
}

/* Elements from position AT of a line on that are neighbours.  */
static int64_t
neighbours (const sg_view *v, int64_t at)
{
  const sg_viewdim *x = &v->dim[0];

  if (! x->vec)
    return x->step == 1 ? x->n - at : 0;
  for (int k = 0; k < v->npiece; k++)
    if (at < v->end[k])
      return v->end[k] - at;
  return 0;
}

int64_t
sg_view_run (const sg_view *v, int64_t i, int64_t n)
{
  const sg_viewdim *x = &v->dim[0];
  int64_t at, off = line_of (v, i, &at);

  if (neighbours (v, at) < n)
    return -1;
  return off + (x->vec ? x->vec[at] : at);
}

#define PICK(name, T)                                                                   \
  static void                                                                           \
  pick_##name (const sg_viewdim *x, int64_t at, int64_t n, void *vout, const void *vin) \
  {                                                                                     \
    T *out = vout;                                                                      \
    const T *in = vin;                                                                  \
    const int64_t *p = x->vec, s = x->step;                                             \
                                                                                        \
    if (! p)                                                                            \
      for (int64_t i = 0; i < n; i++)                                                   \
        out[i] = in[(at + i) * s];                                                      \
    else if (s == 1)                                                                    \
      for (int64_t i = 0; i < n; i++)                                                   \
        out[i] = in[p[at + i]];                                                         \
    else                                                                                \
      for (int64_t i = 0; i < n; i++)                                                   \
        out[i] = in[p[at + i] * s];                                                     \
  }

PICK (1, uint8_t)
PICK (2, uint16_t)
PICK (4, uint32_t)
PICK (8, uint64_t)
PICK (16, uint128)

static void
pick (const sg_viewdim *x, int64_t esize, int64_t at, int64_t n, void *out, const void *in)
{
  switch (esize)
    {
    case 1: pick_1 (x, at, n, out, in); break;
    case 2: pick_2 (x, at, n, out, in); break;
    case 4: pick_4 (x, at, n, out, in); break;
    case 8: pick_8 (x, at, n, out, in); break;
    default: pick_16 (x, at, n, out, in); break;
    }
}

void
sg_view_copy (const sg_view *v, int64_t esize, int64_t i, int64_t n, void *vout, const void *vin)
{
  const sg_viewdim *x = &v->dim[0];
  const char *in = vin;
  char *out = vout;

  while (n > 0)
    {
      int64_t at, off = line_of (v, i, &at);
      int64_t line = sg_min64 (n, x->n - at);
      i += line;
      n -= line;
      while (line > 0)
        {
          int64_t k = sg_min64 (line, neighbours (v, at));
          if (k > 0)
            memcpy (out, in + (off + (x->vec ? x->vec[at] : at)) * esize, (size_t) (k * esize));
          else
            pick (x, esize, at, k = line, out, in + off * esize);
          out += k * esize;
          at += k;
          line -= k;
        }
    }
}
