/* The makers of nodes that move elements: class and shape of every one, as in infer.c.  */

#include <string.h>

#include "node.h"
#include "plan.h"

/* A node with one operand, its class, NPAR parameters and these dimensions.  */
static sg_status
move_new (sg_op op, sg_node *a, int nd, const int64_t *dim, int npar, const int64_t *par,
          sg_node **out)
{
  sg_node *n = sg_node_new (op, a->cls, nd, 1, npar);
  if (! n)
    return SG_NOMEM;
  memcpy (n->dim, dim, nd * sizeof *dim);
  if (par)
    memcpy (n->par, par, npar * sizeof *par);
  sg_node_adopt (n, &a);
  n->cplx = a->cplx;
  n->spec = a->cplx || a->spec;
  *out = n;
  return SG_OK;
}

sg_status
sg_transpose_new (sg_node *a, bool conj, sg_node **out)
{
  if (a->nd > 2)
    return SG_DELEGATE;
  return move_new (conj ? SG_CTRANSPOSE : SG_TRANSPOSE, a, 2,
                   (int64_t[]) { a->dim[1], a->dim[0] }, 0, NULL, out);
}

sg_status
sg_trilu_new (sg_op op, sg_node *a, int64_t k, sg_node **out)
{
  if (a->nd > 2)
    return SG_DELEGATE;
  return move_new (op, a, 2, a->dim, 1, &k, out);
}

sg_status
sg_permute_new (sg_node *a, int n, const int64_t *perm, sg_node **out)
{
  if (n > SG_MAXND || n < a->nd)
    return SG_DELEGATE;
  int64_t dim[SG_MAXND];
  bool seen[SG_MAXND] = { false };
  for (int d = 0; d < n; d++)
    {
      if (perm[d] < 0 || perm[d] >= n || seen[perm[d]])
        return SG_DELEGATE;
      seen[perm[d]] = true;
      dim[d] = sg_extent (a, perm[d]);
    }
  return move_new (SG_PERMUTE, a, sg_chop (n, dim), dim, n, perm, out);
}

sg_status
sg_reshape_new (sg_node *a, int nd, const int64_t *dim, sg_node **out)
{
  int64_t n = 1;
  for (int d = 0; d < nd; d++)
    if (dim[d] < 0 || __builtin_mul_overflow (n, dim[d], &n))
      return SG_DELEGATE;
  if (nd < 2 || n != a->numel)
    return SG_DELEGATE;
  nd = sg_chop (nd, dim);
  if (nd > SG_MAXND)
    return SG_DELEGATE;
  return move_new (SG_RESHAPE, a, nd, dim, 0, NULL, out);
}

sg_status
sg_repmat_new (sg_node *a, int n, const int64_t *reps, sg_node **out)
{
  int nd = n > a->nd ? n : a->nd;
  if (nd < 2 || nd > SG_MAXND)
    return SG_DELEGATE;
  int64_t dim[SG_MAXND], r[SG_MAXND], total = 1;
  for (int d = 0; d < nd; d++)
    {
      r[d] = d < n ? reps[d] : 1;
      if (r[d] < 0 || __builtin_mul_overflow (sg_extent (a, d), r[d], &dim[d])
          || __builtin_mul_overflow (total, dim[d], &total))
        return SG_DELEGATE;
    }
  return move_new (SG_REPMAT, a, sg_chop (nd, dim), dim, nd, r, out);
}

/* Class of a concatenation: the first integer class, then single, double, logical.  */
static bool
cat_class (int nin, sg_node *const *in, sg_class *cls)
{
  int ints = -1;
  bool single = false, dbl = false;
  for (int i = 0; i < nin; i++)
    {
      sg_class c = in[i]->cls;
      if (sg_class_is_integer (c))
        {
          if (ints >= 0 && ints != (int) c)
            return false;
          ints = c;
        }
      single |= c == SG_F32;
      dbl |= c == SG_F64;
    }
  *cls = ints >= 0 ? (sg_class) ints : single ? SG_F32 : dbl ? SG_F64 : SG_BOOL;
  return true;
}

sg_status
sg_cat_new (int dim, int nin, sg_node *const *in, sg_node **out)
{
  sg_class cls;
  if (nin == 0 || dim < 0 || dim >= SG_MAXND || ! cat_class (nin, in, &cls)
      || sg_has_many_dims (nin, in))
    return SG_DELEGATE;
  int nd = dim + 1;
  for (int i = 0; i < nin; i++)
    nd = in[i]->nd > nd ? in[i]->nd : nd;
  int64_t d[SG_MAXND];
  for (int k = 0; k < nd; k++)
    d[k] = k == dim ? 0 : sg_extent (in[0], k);
  for (int i = 0; i < nin; i++)
    {
      /* Octave lets empty arrays of some sizes pass; it knows which.  */
      if (in[i]->numel == 0 || (sg_is_wide (cls) && in[i]->cls != cls)
          || (sg_class_is_integer (cls) && sg_any_maybe_cplx (1, &in[i])))
        return SG_DELEGATE;
      for (int k = 0; k < nd; k++)
        if (k == dim)
          d[k] += sg_extent (in[i], k);
        else if (d[k] != sg_extent (in[i], k))
          return SG_DELEGATE;
    }
  sg_node *n = sg_node_new (SG_CAT, cls, sg_chop (nd, d), nin, 1);
  if (! n)
    return SG_NOMEM;
  memcpy (n->dim, d, n->nd * sizeof *d);
  n->par[0] = dim;
  sg_node_adopt (n, in);
  sg_set_complexity (n, SG_GUARD_NONE);
  *out = n;
  return SG_OK;
}

sg_status
sg_index_new (sg_node *a, int nidx, const sg_index *idx, int nd, const int64_t *dim,
              sg_node **out)
{
  if (nidx > SG_MAXND || nd > SG_MAXND || a->nd > SG_MAXND)
    return SG_DELEGATE;
  sg_index *own = sg_malloc (nidx * sizeof *own);
  if (! own)
    return sg_fail (SG_NOMEM, "out of memory for %d subscripts", nidx);
  sg_status s = move_new (SG_INDEX, a, sg_chop (nd, dim), dim, nidx, NULL, out);
  if (s != SG_OK)
    {
      sg_free (own);
      return s;
    }
  memcpy (own, idx, nidx * sizeof *own);
  for (int i = 0; i < nidx; i++)
    (*out)->par[i] = idx[i].n;
  (*out)->idx = own;
  return SG_OK;
}
