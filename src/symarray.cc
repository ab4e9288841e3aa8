// The type: what it knows without computing, how it is made, how it is computed.

#include "compat.h"

#include <octave/ov-fcn.h>
#include <octave/ov-re-mat.h>
#include <octave/pt-eval.h>

#include "cat.h"
#include "convert.h"
#include "look.h"
#include "native.h"
#include "symarray.h"
#include "watch.h"

int octave_symarray::s_type_id = -1;

// ---- life -------------------------------------------------------------------------------

octave_symarray::octave_symarray ()
  : m_node (nullptr), m_val (Matrix ())
{ }

octave_symarray::octave_symarray (const octave_value& v)
  : m_node (nullptr), m_val (v)
{ }

octave_symarray::octave_symarray (double number)
  : m_node (nullptr), m_is_number (true), m_number (number)
{ }

octave_symarray::octave_symarray (sg_node *n)
  : m_node (nullptr)
{
  set_node (n);
}

octave_symarray::octave_symarray (std::unique_ptr<symgpu::cat_builder> b)
  : m_node (nullptr), m_cat (std::move (b))
{ }

octave_symarray::octave_symarray (const octave_symarray& a)
  : octave_base_value (), m_node (nullptr), m_val (a.m_val), m_is_number (a.m_is_number),
    m_number (a.m_number)
{
  // Of two copies each would make a leaf of its own.
  if (a.m_node || a.m_cat)
    set_node (sg_node_ref (a.node ()));
}

void *
octave_symarray::operator new (std::size_t n)
{
  void *p = sg_cell_get (n);
  if (! p)
    throw std::bad_alloc ();
  return p;
}

octave_symarray::~octave_symarray ()
{
  drop_node ();
}

octave_base_value *
octave_symarray::empty_clone () const
{
  // What is assigned to piece by piece starts as a plain array.
  return symgpu::stand_in (value_class (), dim_vector (0, 0)).get_rep ().clone ();
}

void
octave_symarray::register_type (octave::type_info& ti)
{
  octave_value v (new octave_symarray ());
  s_type_id = ti.register_type ("symarray", "symarray", v);
}

void
octave_symarray::set_node (sg_node *n) const
{
  m_node = n;
}

void
octave_symarray::drop_node () const
{
  if (m_node)
    {
      sg_node *n = m_node;
      m_node = nullptr;
      sg_node_unref (n);
    }
}

// The value if there is one.
const octave_value&
octave_symarray::plain_val () const
{
  if (m_is_number && m_val.is_undefined ())
    m_val = octave_value (m_number);
  return m_val;
}

void
octave_symarray::replace (const octave_value& v)
{
  m_is_number = false;
  const octave_symarray *s = symgpu::as_symarray (v);
  if (s)
    {
      sg_node *n = s->has_val () ? nullptr : sg_node_ref (s->node ());
      m_val = s->plain_val ();
      drop_node ();
      if (n)
        set_node (n);
    }
  else
    {
      m_val = v;
      drop_node ();
    }
}

// ---- expression and value -----------------------------------------------------------------

void
octave_symarray::make_leaf (const char *name) const
{
  sg_node *n;
  if (m_is_number && ! name)
    {
      symgpu::check (sg_number_new (m_number, &n));
      set_node (n);
      return;
    }
  const octave_value& v = plain_val ();
  sg_buf *b = symgpu::buf_of_value (v, symgpu::plain_type_of (v.type_id ()));
  symgpu::dim_list dim (v.dims ());
  sg_status s = sg_leaf_new (b, dim.length (), dim.data (), name, &n);
  if (s != SG_OK)
    sg_buf_unref (b);
  symgpu::check (s);
  set_node (n);
}

sg_node *
octave_symarray::node () const
{
  if (m_node)
    return m_node;
  if (m_cat)
    {
      octave_value v = m_cat->finish ();
      const octave_symarray *s = symgpu::as_symarray (v);
      if (s)
        {
          m_val = s->plain_val ();
          set_node (sg_node_ref (s->node ()));
        }
      else
        m_val = v;
      m_cat.reset ();
    }
  if (! m_node && (m_is_number || symgpu::plain_type_of (m_val.type_id ()).cls >= 0))
    make_leaf (nullptr);
  return m_node;
}

void
octave_symarray::set_name (const std::string& name)
{
  if (! m_node && ! m_cat)
    make_leaf (name.c_str ());
}

const octave_value&
octave_symarray::val () const
{
  if (plain_val ().is_undefined ())
    {
      sg_node *n = node ();
      if (m_val.is_undefined ())
        {
          if (! n->val)
            symgpu::evaluate (1, &n);
          m_val = symgpu::value_of_buf (n->val, symgpu::dims_of_node (n));
        }
    }
  return m_val;
}

// Conditions are mostly of one truth value, or a number, that is there.  Octave has something to say of NaN.
bool
octave_symarray::is_true () const
{
  const sg_node *n = node_get ();
  double x;
  if (is_number (x) && x == x)
    return x != 0;
  if (n && n->val && n->val->data && n->cls == SG_BOOL && n->numel == 1)
    return *static_cast<const bool *> (n->val->data);
  return plain ().is_true ();
}

bool
octave_symarray::is_known_number () const
{
  // One with an expression keeps it.
  if (m_node && m_node->op != SG_LEAF)
    return false;
  return m_is_number || (is_computed () && numel () == 1
                         && symgpu::plain_type_of (val ().type_id ()).scalar);
}

octave_base_value&
octave_symarray::plain () const
{
  return const_cast<octave_base_value&> (val ().get_rep ());
}

// ---- what is known without computing --------------------------------------------------------

sg_class
octave_symarray::value_class () const
{
  if (m_is_number)
    return SG_F64;
  if (! m_node && m_val.is_defined ())
    return static_cast<sg_class> (symgpu::plain_type_of (m_val.type_id ()).cls);
  return static_cast<sg_class> (node ()->cls);
}

dim_vector
octave_symarray::dims () const
{
  if (m_node)
    return symgpu::dims_of_node (m_node);
  return m_cat ? m_cat->dims () : plain_val ().dims ();
}

octave_idx_type
octave_symarray::numel () const
{
  if (m_is_number)
    return 1;
  if (m_node)
    return m_node->numel;
  return m_cat ? m_cat->dims ().numel () : m_val.numel ();
}

// Of the value, which need not be there.
std::size_t
octave_symarray::byte_size () const
{
  if (has_val ())
    return plain_val ().byte_size ();
  return (sg_class_bytes (value_class ()) << is_cplx ()) * numel ();
}

bool
octave_symarray::is_cplx () const
{
  if (m_is_number)
    return false;
  if (m_val.is_undefined ())
    {
      const sg_node *n = node ();
      if (! n->cplx && ! n->spec)
        return false;
    }
  // A complex result may turn out to be real.
  return val ().iscomplex ();
}

// Of the value, too.
std::string
octave_symarray::type_name () const
{
  if (has_val () || is_cplx ())
    return val ().type_name ();
  int n = numel () == 1;
  return symgpu::stand_in (value_class (), dim_vector (n, n)).type_name ();
}

// Mat files name the class of integers by class_name; of all others they ask predicates.
static bool
is_being_saved ()
{
  octave_function *f = symgpu::interpreter ().get_evaluator ().current_function ();
  return f && f->name () == "save";
}

// Scalars are what their values are, so that every builtin takes them and ranges accept
// them; arrays have a class of their own, so that functions are dispatched to our methods.
std::string
octave_symarray::class_name () const
{
  sg_class c = value_class ();
  if (numel () == 1 || (sg_class_is_integer (c) && is_being_saved ()))
    return sg_class_name (c);
  return "symarray";
}

builtin_type_t
octave_symarray::builtin_type () const
{
  static const builtin_type_t of_class[SG_NCLASS] =
  {
#define TYPE(id, name, ctype, bytes, kind) btyp_##id,
#define btyp_F64 btyp_double
#define btyp_F32 btyp_float
#define btyp_BOOL btyp_bool
#define btyp_I8 btyp_int8
#define btyp_I16 btyp_int16
#define btyp_I32 btyp_int32
#define btyp_I64 btyp_int64
#define btyp_U8 btyp_uint8
#define btyp_U16 btyp_uint16
#define btyp_U32 btyp_uint32
#define btyp_U64 btyp_uint64
#include "type.def"
  };

  if (numel () != 1)
    return btyp_unknown;
  builtin_type_t t = of_class[value_class ()];
  if (t == btyp_double && is_cplx ())
    return btyp_complex;
  if (t == btyp_float && is_cplx ())
    return btyp_float_complex;
  return t;
}

bool
octave_symarray::is_instance_of (const std::string& c) const
{
  return c == "symarray" || c == sg_class_name (value_class ());
}

static octave_base_value *
convert_to_plain (const octave_base_value& v)
{
  return static_cast<const octave_symarray&> (v).val ().get_rep ().clone ();
}

octave_base_value::type_conv_info
octave_symarray::numeric_conversion_function () const
{
  return type_conv_info (convert_to_plain, val ().type_id ());
}

// ---- from and to plain values -----------------------------------------------------------------

namespace symgpu
{
  octave_value
  unwrap (const octave_base_value& v)
  {
    const octave_symarray *s = as_symarray (v);
    return s ? s->val () : octave_value (const_cast<octave_base_value *> (&v), true);
  }

  octave_value_list
  unwrap (const octave_value_list& args)
  {
    octave_value_list list (args);
    for (octave_idx_type i = 0; i < list.length (); i++)
      if (as_symarray (list(i)))
        list(i) = unwrap (list(i));
    return list;
  }

  bool
  has_symarray (const octave_value_list& args)
  {
    for (octave_idx_type i = 0; i < args.length (); i++)
      if (as_symarray (args(i)))
        return true;
    return false;
  }

  octave_value
  wrap (const octave_value& v)
  {
    if (v.is_undefined ())
      return v;
    const plain_type& t = plain_type_of (v.type_id ());
    if (t.cls == SG_F64 && t.scalar && ! t.cplx)
      return octave_value (new octave_symarray (v.double_value ()));
    return t.cls >= 0 ? octave_value (new octave_symarray (v)) : v;
  }

  octave_value_list
  wrap (octave_value_list list)
  {
    for (octave_idx_type i = 0; i < list.length (); i++)
      list(i) = wrap (list(i));
    return list;
  }

  // A NaN that is taken as a truth value is an error, of this line and no later one.
  static bool
  may_fail (const sg_node *n)
  {
    sg_guard guard = sg_op_info (static_cast<sg_op> (n->op))->guard;
    if (n->val || (guard != SG_GUARD_NANL && guard != SG_GUARD_NANL2))
      return false;
    for (int i = 0; i < n->nin; i++)
      if (sg_class_kind (static_cast<sg_class> (n->in[i]->cls)) == SG_KIND_FLOAT
          || may_fail (n->in[i]))
        return true;
    return false;
  }

  octave_value
  wrap (sg_node *n)
  {
    octave_value v (new octave_symarray (n));
    if (sg_compute_part (n) || (current_backend == SG_CPU && sg_compute_small (n)))
      {
        if (sg_repeated)
          warn_of_loop ();
        // What follows is as quick with a mere number as it is in Octave.
        if (n->numel == 1 && n->cls == SG_F64 && ! n->cplx && sg_line_is_loop (n))
          return octave_value (new octave_symarray (*static_cast<const double *> (n->val->data)));
        return v;
      }
    if (may_fail (n))
      compute (n);
    if (sg_node_is_over_bound (n))
      {
        sg_count.bound_evals++;
        compute (n);
      }
    return v;
  }

  operand::operand (const octave_base_value& v)
    : m_node (nullptr), m_owned (false)
  {
    const octave_symarray *s = as_symarray (v);
    if (s)
      {
        m_node = s->node ();
        return;
      }
    plain_type t = plain_type_of (v.type_id ());
    if (t.cls == SG_F64 && t.scalar && ! t.cplx)
      {
        check (sg_number_new (*static_cast<const double *> (v.mex_get_data ()), &m_node));
        m_owned = true;
        return;
      }
    octave_value held (const_cast<octave_base_value *> (&v), true);
    if (t.cls < 0)
      {
        if (! t.text)
          return;
        held = octave_value (NDArray (held.char_array_value ()));
        t = plain_type_of (held.type_id ());
      }
    sg_buf *b = buf_of_value (held, t);
    dim_list dim (held.dims ());
    sg_status st = sg_leaf_new (b, dim.length (), dim.data (), nullptr, &m_node);
    if (st != SG_OK)
      sg_buf_unref (b);
    check (st);
    m_owned = true;
  }
}

/*
%!demo
%! ## The gradient of a small autoencoder: only the inputs are wrapped.
%! X = symarray (reshape (mod (7 * (1:320), 11), 20, 16) / 10);
%! W = symarray (reshape (sin (1:128), 8, 16) / 10);
%! h = 1 ./ (1 + exp (-(X * W')));
%! z = 1 ./ (1 + exp (-(h * W)));
%! delta_o = -(X - z) .* z .* (1 - z);
%! delta_h = delta_o * W' .* h .* (1 - h);
%! grad_W = delta_h' * X + h' * delta_o;
%! ## Nothing has been computed, but all can be looked at.
%! size (grad_W)
%! symtree (grad_W)
%! symexplain (grad_W)
%! sympeek (grad_W, "z")(1,1:3)
%! ## Computed, and checked operation by operation against Octave itself.
%! g = gather (grad_W);
%! symverify (grad_W)

## The demonstration runs.
%!test
%! [code, first] = test ("symarray", "grabdemo");
%! assert (numel (first), 2);
%! text = evalc (code);
%! assert (! isempty (strfind (text, "delta_h = delta_o * W'")));
*/
