/* The makers of nodes: class and shape of every operation, found before anything is computed.
   SG_DELEGATE says that the core has no lazy form for these operands, so Octave does it.  */

#include <string.h>

#include "node.h"
#include "plan.h"

/* ---- classes -------------------------------------------------------------------------- */

/* Result of arithmetic: an integer class wins, then single; -1: Octave has no such operation.  */
static int
arith_class (sg_class a, sg_class b)
{
  bool ia = sg_class_is_integer (a), ib = sg_class_is_integer (b);
  if (ia && ib)
    return a == b ? (int) a : -1;
  if (ia)
    return a;
  if (ib)
    return b;
  return a == SG_F32 || b == SG_F32 ? SG_F32 : SG_F64;
}

/* Class to compute comparisons and logic in.  */
static sg_class
comp_class (sg_class a, sg_class b)
{
  if (sg_is_wide (a) || sg_is_wide (b))
    return SG_I64;
  if (sg_class_is_integer (a) || sg_class_is_integer (b))
    return SG_F64;
  return a == SG_F32 || b == SG_F32 ? SG_F32 : SG_F64;
}

static sg_class
float_class (sg_class a)
{
  return a == SG_F32 ? SG_F32 : SG_F64;
}

/* Class of the result and class computed in, by the row and the operands.  False: none.  */
static bool
ew_class (const sg_opinfo *row, int nin, sg_node *const *in, sg_class *cls, sg_class *ctype)
{
  sg_class a = in[0]->cls, b = in[nin - 1]->cls;
  int c;
  switch (row->in)
    {
    case SG_IN_FLT2:
      if (sg_class_is_integer (a) || sg_class_is_integer (b))
        return false;
      /* FALLTHRU */
    case SG_IN_ARITH:
    case SG_IN_MINMAX:
      c = arith_class (a, b);
      if (c < 0)
        return false;
      *ctype = c;
      break;
    case SG_IN_LOGIC:
      if (arith_class (a, b) < 0)
        return false;
      /* FALLTHRU */
    case SG_IN_COMP:
      *ctype = comp_class (a, b);
      break;
    case SG_IN_FLT:
      *ctype = sg_is_wide (a) ? a : float_class (a);
      break;
    case SG_IN_KEEP:
      *ctype = sg_class_is_integer (a) ? a : float_class (a);
      break;
    default:
      *ctype = a == SG_BOOL ? SG_F64 : a;
      break;
    }
  if (row->out >= 0)
    *cls = row->out;
  else if (row->in == SG_IN_FLT)
    *cls = float_class (a);
  else
    *cls = *ctype;
  if (sg_is_wide (*cls))
    *ctype = *cls;
  return true;
}

/* ---- shapes ---------------------------------------------------------------------------- */

void
sg_dims_text (char *buf, size_t size, int nd, const int64_t *dim)
{
  size_t k = 0;
  buf[0] = '\0';
  for (int i = 0; i < nd && k < size; i++)
    k += snprintf (buf + k, size - k, "%s%lld", i ? "x" : "", (long long) dim[i]);
}

static sg_status
nonconformant (const char *name, const sg_node *a, const sg_node *b)
{
  char da[200], db[200];
  sg_dims_text (da, sizeof da, a->nd, a->dim);
  sg_dims_text (db, sizeof db, b->nd, b->dim);
  return sg_fail (SG_NONCONFORMANT, "%s: nonconformant arguments (op1 is %s, op2 is %s)",
                  name, da, db);
}

bool
sg_same_dims (const sg_node *a, const sg_node *b)
{
  if (a->nd != b->nd)
    return false;
  for (int i = 0; i < a->nd; i++)
    if (a->dim[i] != b->dim[i])
      return false;
  return true;
}

/* The common shape of two operands; false: they do not agree.  */
static bool
broadcast (const sg_node *a, const sg_node *b, int *nd, int64_t *dim)
{
  *nd = a->nd > b->nd ? a->nd : b->nd;
  for (int d = 0; d < *nd; d++)
    {
      int64_t x = sg_extent (a, d), y = sg_extent (b, d);
      if (x != y && x != 1 && y != 1)
        return false;
      dim[d] = x == 1 ? y : x;
    }
  return true;
}

bool
sg_has_many_dims (int nin, sg_node *const *in)
{
  for (int i = 0; i < nin; i++)
    if (in[i]->nd > SG_MAXND)
      return true;
  return false;
}

/* ---- elementwise ------------------------------------------------------------------------ */

/* A power with a whole number as exponent is real.  */
static bool
is_whole_scalar (const sg_node *n)
{
  if (! n->val || n->numel != 1 || n->cplx || sg_buf_host (n->val) != SG_OK)
    return false;
  double v = n->cls == SG_F64 ? *(double *) n->val->data
             : n->cls == SG_F32 ? *(float *) n->val->data : 0;
  return v == __builtin_floor (v);
}

/* True if Octave's power of these operands is complex as soon as the first has a negative
   element and the second a fraction, whether the two meet or not.  */
static bool
is_mixed_power (const sg_node *a, const sg_node *b)
{
  if (a->numel == 1 || b->numel == 1 || sg_same_dims (a, b))
    return false;
  if (! b->val || b->cls != SG_F64 || sg_buf_host (b->val) != SG_OK)
    return b->cls != SG_BOOL;
  const double *v = b->val->data;
  for (int64_t i = 0; i < b->numel; i++)
    if (! (v[i] - __builtin_floor (v[i]) == 0))
      return true;
  return false;
}

static bool
any_cplx (int nin, sg_node *const *in)
{
  for (int i = 0; i < nin; i++)
    if (in[i]->cplx)
      return true;
  return false;
}

static bool
any_spec (int nin, sg_node *const *in)
{
  for (int i = 0; i < nin; i++)
    if (in[i]->spec)
      return true;
  return false;
}

bool
sg_any_maybe_cplx (int nin, sg_node *const *in)
{
  for (int i = 0; i < nin; i++)
    if (in[i]->cplx || (in[i]->spec && ! in[i]->val))
      return true;
  return false;
}

void
sg_set_complexity (sg_node *n, sg_guard guard)
{
  if (sg_op_is_always_real (n->op) || sg_class_is_integer (n->cls))
    return;
  n->cplx = any_cplx (n->nin, n->in);
  n->spec = n->cplx || any_spec (n->nin, n->in)
            || (sg_guard_is_complex (guard)
                && ! (guard == SG_GUARD_POW && is_whole_scalar (n->in[1])));
}

/* True if Octave has no such function of complex numbers.  */
static bool
refuses_complex (sg_op op)
{
  return op == SG_LOGICAL || op == SG_CBRT || op == SG_ERFINV || op == SG_ERFCINV
         || op == SG_GAMMA || op == SG_LGAMMA;
}

sg_status
sg_ew_new (sg_op op, int nin, sg_node *const *in, sg_node **out)
{
  const sg_opinfo *row = sg_op_info (op);
  sg_class cls, ctype;
  if (sg_has_many_dims (nin, in) || ! ew_class (row, nin, in, &cls, &ctype))
    return SG_DELEGATE;
  /* Octave has no integers with complex numbers, and such conversions are errors, here.  */
  if (sg_any_maybe_cplx (nin, in)
      && (sg_class_is_integer (cls) || sg_class_is_integer (in[0]->cls)
          || sg_class_is_integer (in[nin - 1]->cls) || refuses_complex (op)))
    return SG_DELEGATE;
  int nd;
  int64_t dim[SG_MAXND];
  if (! broadcast (in[0], in[nin - 1], &nd, dim))
    /* Octave looks for NaN in truth values before it looks at sizes.  */
    return row->in == SG_IN_LOGIC ? SG_DELEGATE : nonconformant (row->name, in[0], in[1]);
  sg_node *n = sg_node_new (op, cls, nd, nin, 0);
  if (! n)
    return SG_NOMEM;
  n->ctype = ctype;
  memcpy (n->dim, dim, nd * sizeof *dim);
  sg_node_adopt (n, in);
  sg_set_complexity (n, row->guard);
  n->dyn = op == SG_POWER && is_mixed_power (in[0], in[1]);
  *out = n;
  return SG_OK;
}

sg_status
sg_select_new (sg_node *mask, sg_node *yes, sg_node *no, sg_class cls, bool assign,
               sg_node **out)
{
  sg_node *in[3] = { mask, yes, no };
  if (sg_has_many_dims (3, in) || mask->cls != SG_BOOL
      || (sg_any_maybe_cplx (3, in) && sg_class_kind (cls) != SG_KIND_FLOAT))
    return SG_DELEGATE;
  for (int i = 1; i < 3; i++)
    if (in[i]->numel != 1 && ! sg_same_dims (in[i], mask))
      return SG_DELEGATE;
  sg_node *n = sg_node_new (SG_SELECT, cls, mask->nd, 3, 1);
  if (! n)
    return SG_NOMEM;
  n->ctype = sg_is_wide (cls) ? cls : float_class (cls);
  memcpy (n->dim, mask->dim, mask->nd * sizeof *mask->dim);
  n->par[0] = assign;
  sg_node_adopt (n, in);
  sg_set_complexity (n, SG_GUARD_NONE);
  *out = n;
  return SG_OK;
}

/* ---- reductions and scans ----------------------------------------------------------------- */

/* Octave's default: the first dimension that is not 1.  */
static int
default_dim (const sg_node *a)
{
  for (int d = 0; d < a->nd; d++)
    if (a->dim[d] != 1)
      return d;
  return 0;
}

/* Class of a reduction or scan, by the row and the operand.  */
static sg_class
line_class (const sg_opinfo *row, sg_class a)
{
  if (row->out == SG_BOOL)
    return SG_BOOL;
  if (row->out == SG_OUT_IDX)
    return SG_F64;
  if (row->out == SG_OUT_SAME)
    return a;
  return row->ints && sg_class_is_integer (a) ? a : float_class (a);
}

/* The extents D of A's reduction along DIM.  Of nothing at all Octave takes sums as of a column
   of no rows; extremes leave an extent of 0 as it is.  */
static void
reduced_dims (sg_op op, const sg_node *a, int dim, int64_t *d)
{
  bool extreme = op == SG_MAX || op == SG_MIN || op == SG_IMAX || op == SG_IMIN;
  memcpy (d, a->dim, a->nd * sizeof *d);
  if (! extreme && a->nd == 2 && d[0] == 0 && d[1] == 0)
    d[1] = 1;
  if (dim < a->nd && ! (extreme && d[dim] == 0))
    d[dim] = 1;
}

/* DIM as for sg_reduce_new, or SG_ALL_DIMS.  */
static sg_status
reduce_new (sg_op op, int nin, sg_node *const *in, int dim, sg_node **out)
{
  const sg_opinfo *row = sg_op_info (op);
  if (sg_has_many_dims (nin, in))
    return SG_DELEGATE;
  if (dim == -1)
    dim = default_dim (in[0]);
  int64_t d[SG_MAXND] = { 1, 1 };
  if (dim != SG_ALL_DIMS)
    reduced_dims (op, in[0], dim, d);
  int nd = dim == SG_ALL_DIMS ? 2 : sg_chop (in[0]->nd, d);
  sg_class cls = nin == 2 ? arith_class (in[0]->cls, in[1]->cls) : in[0]->cls;
  sg_node *n = sg_node_new (op, line_class (row, cls), nd, nin, 1);
  if (! n)
    return SG_NOMEM;
  n->ctype = float_class (cls);
  memcpy (n->dim, d, nd * sizeof *d);
  n->par[0] = dim;
  sg_node_adopt (n, in);
  sg_set_complexity (n, SG_GUARD_NONE);
  *out = n;
  return SG_OK;
}

sg_status
sg_reduce_new (sg_op op, sg_node *a, int dim, sg_node **out)
{
  return reduce_new (op, 1, &a, dim, out);
}

sg_status
sg_reduce_all_new (sg_op op, sg_node *a, sg_node **out)
{
  return reduce_new (op, 1, &a, SG_ALL_DIMS, out);
}

sg_status
sg_dot_new (sg_node *a, sg_node *b, int dim, sg_node **out)
{
  if (! sg_same_dims (a, b) || sg_class_kind (a->cls) != SG_KIND_FLOAT
      || sg_class_kind (b->cls) != SG_KIND_FLOAT)
    return SG_DELEGATE;
  return reduce_new (SG_DOT, 2, (sg_node *[]) { a, b }, dim, out);
}

static sg_status
scan_new (sg_op op, sg_node *a, int npar, const int64_t *par, sg_node **out)
{
  if (sg_has_many_dims (1, &a))
    return SG_DELEGATE;
  sg_node *n = sg_node_new (op, line_class (sg_op_info (op), a->cls), a->nd, 1, npar);
  if (! n)
    return SG_NOMEM;
  memcpy (n->dim, a->dim, a->nd * sizeof *a->dim);
  memcpy (n->par, par, npar * sizeof *par);
  if (par[0] < 0)
    n->par[0] = default_dim (a);
  sg_node_adopt (n, &a);
  sg_set_complexity (n, SG_GUARD_NONE);
  *out = n;
  return SG_OK;
}

sg_status
sg_scan_new (sg_op op, sg_node *a, int dim, sg_node **out)
{
  return scan_new (op, a, 1, (int64_t[]) { dim }, out);
}

sg_status
sg_sort_new (sg_op op, sg_node *a, int dim, bool descend, sg_node **out)
{
  return scan_new (op, a, 2, (int64_t[]) { dim, descend }, out);
}

/* ---- products ------------------------------------------------------------------------------ */

sg_status
sg_mtimes_new (sg_node *a, int ta, sg_node *b, int tb, sg_node **out)
{
  if (sg_class_is_integer (a->cls) || sg_class_is_integer (b->cls) || a->nd > 2 || b->nd > 2)
    return SG_DELEGATE;
  int64_t m = a->dim[ta ? 1 : 0], k = a->dim[ta ? 0 : 1];
  int64_t k2 = b->dim[tb ? 1 : 0], n2 = b->dim[tb ? 0 : 1];
  if (k != k2)
    {
      if (a->numel == 1 || b->numel == 1)
        return SG_DELEGATE;
      return sg_fail (SG_NONCONFORMANT,
                      "operator *: nonconformant arguments (op1 is %lldx%lld, op2 is %lldx%lld)",
                      (long long) m, (long long) k, (long long) k2, (long long) n2);
    }
  sg_node *n = sg_node_new (SG_MTIMES, arith_class (a->cls, b->cls), 2, 2, 2);
  if (! n)
    return SG_NOMEM;
  n->dim[0] = m;
  n->dim[1] = n2;
  n->par[0] = ta;
  n->par[1] = tb;
  sg_node_adopt (n, (sg_node *[]) { a, b });
  sg_set_complexity (n, SG_GUARD_NONE);
  *out = n;
  return SG_OK;
}

/* ---- what Octave computes ------------------------------------------------------------------- */

sg_status
sg_foreign_new (sg_op op, int nin, sg_node *const *in, sg_class cls, int nd, const int64_t *dim,
                int npar, const int64_t *par, sg_node **out)
{
  if (nd > SG_MAXND || sg_has_many_dims (nin, in) || sg_any_maybe_cplx (nin, in))
    return SG_DELEGATE;
  sg_node *n = sg_node_new (op, cls, sg_chop (nd, dim), nin, npar);
  if (! n)
    return SG_NOMEM;
  memcpy (n->dim, dim, n->nd * sizeof *dim);
  memcpy (n->par, par, npar * sizeof *par);
  sg_node_adopt (n, in);
  n->dyn = true;
  *out = n;
  return SG_OK;
}
