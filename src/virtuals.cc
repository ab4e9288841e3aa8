// The type: conversions and functions that Octave calls as virtuals.

#include "compat.h"

#include "cat.h"
#include "convert.h"
#include "dialect.h"
#include "native.h"
#include "symarray.h"

octave_value
octave_symarray::narrowed () const
{
  if (is_computed () && val ().iscomplex () && node ()->wide)
    return symgpu::wrap (val ().get_rep ().full_value ());
  return octave_value (const_cast<octave_symarray *> (this), true);
}

octave_value
octave_symarray::full_value () const
{
  return narrowed ();
}

// Without FORCE it is the end of a concatenation with strings.
octave_value
octave_symarray::convert_to_str (bool pad, bool force, char type) const
{
  return m_cat && ! force ? m_cat->finish_text () : plain ().convert_to_str (pad, force, type);
}

octave_value
octave_symarray::cast (sg_op op, octave_value (octave_base_value::*plain_cast) () const) const
{
  sg_node *in = node (), *n;
  sg_status s = sg_ew_new (op, 1, &in, &n);
  if (s == SG_OK)
    return symgpu::wrap (n);
  if (s != SG_DELEGATE)
    symgpu::check (s);
  return symgpu::wrap ((plain ().*plain_cast) ());
}

#define CAST(name, op) \
  octave_value \
  octave_symarray::name () const \
  { \
    return cast (op, &octave_base_value::name); \
  }

CAST (as_double, SG_DOUBLE)
CAST (as_single, SG_SINGLE)
CAST (as_int8, SG_INT8)
CAST (as_int16, SG_INT16)
CAST (as_int32, SG_INT32)
CAST (as_int64, SG_INT64)
CAST (as_uint8, SG_UINT8)
CAST (as_uint16, SG_UINT16)
CAST (as_uint32, SG_UINT32)
CAST (as_uint64, SG_UINT64)
#undef CAST

// Octave's function and the kernel have the same bits.
static bool
is_exact (sg_op op, bool cplx)
{
  const sg_opinfo *row = sg_op_info (op);
  return row->ulp == 0 || (row->in == SG_IN_KEEP && ! cplx);
}

octave_value
octave_symarray::map (unary_mapper_t m) const
{
  int op = symgpu::op_of_mapper (m);
  double x;
  if (op >= 0 && is_number (x) && symgpu::is_own_number_op (static_cast<sg_op> (op))
      && sg_number_op (static_cast<sg_op> (op), x, 0, &x))
    return (sg_op_info (static_cast<sg_op> (op))->out == SG_BOOL
            ? symgpu::wrap (octave_value (x != 0)) : octave_value (new octave_symarray (x)));
  if (op >= 0 && ! (is_known_number () && is_exact (static_cast<sg_op> (op), is_cplx ())))
    {
      sg_node *in = node (), *n;
      symgpu::set_origin ();
      sg_status s = sg_ew_new (static_cast<sg_op> (op), 1, &in, &n);
      if (s == SG_OK)
        return symgpu::wrap (n);
      if (s != SG_DELEGATE)
        symgpu::check (s);
    }
  return symgpu::wrap (plain ().map (m));
}

octave_value
octave_symarray::squeeze () const
{
  // As Array<T>::squeeze, which makes a column of what has one extent left.
  const dim_vector dv = dims ();
  if (dv.ndims () < 3)
    return narrowed ();
  dim_vector r = dim_vector::alloc (dv.ndims ());
  int k = 0;
  for (int i = 0; i < dv.ndims (); i++)
    if (dv(i) != 1)
      r(k++) = dv(i);
  while (k < 2)
    r(k++) = 1;
  r.resize (k);
  return reshape (r);
}

octave_value
octave_symarray::reshape (const dim_vector& dv) const
{
  symgpu::dim_list dim (dv);
  sg_node *n;
  symgpu::set_origin ();
  sg_status s = sg_reshape_new (node (), dim.length (), dim.data (), &n);
  if (s == SG_OK)
    return symgpu::wrap (n);
  return symgpu::wrap (plain ().reshape (dv));
}

octave_value
octave_symarray::permute (const Array<int>& perm, bool inv) const
{
  // An inverse that meets no permutation is left with a -1, which the core refuses.
  int np = perm.numel ();
  std::vector<int64_t> p (np, -1);
  for (int i = 0; i < np; i++)
    if (! inv)
      p[i] = perm(i);
    else if (perm(i) >= 0 && perm(i) < np)
      p[perm(i)] = i;
  sg_node *n;
  symgpu::set_origin ();
  sg_status s = sg_permute_new (node (), np, p.data (), &n);
  if (s == SG_OK)
    return symgpu::wrap (n);
  return symgpu::wrap (plain ().permute (perm, inv));
}

// Octave makes [x, y; z] from an array of no elements and one of all, into which the pieces
// are put one by one; here both only announce a concatenation.
octave_value
octave_symarray::resize (const dim_vector& dv, bool fill) const
{
  std::unique_ptr<symgpu::cat_builder> b
    = fill ? nullptr : symgpu::cat_builder::announce (*this, dv);
  if (b)
    return octave_value (new octave_symarray (std::move (b)));
  octave_value v = plain ().resize (dv, fill);
  // cellfun makes its result from the first scalar, and compares its class with that of others.
  return numel () == 1 ? v : symgpu::wrap (v);
}

static octave_value
reduce_virtual (const octave_symarray& a, sg_op op, int dim)
{
  symgpu::set_origin ();
  sg_node *n;
  if (symgpu::follows_core (op, a.node (), dim)
      && sg_reduce_new (op, a.node (), dim, &n) == SG_OK)
    return symgpu::wrap (n);
  const octave_value& v = a.val ();
  return symgpu::wrap (op == SG_ALL ? v.all (dim) : v.any (dim));
}

octave_value
octave_symarray::all (int dim) const
{
  return reduce_virtual (*this, SG_ALL, dim);
}

octave_value
octave_symarray::any (int dim) const
{
  return reduce_virtual (*this, SG_ANY, dim);
}
