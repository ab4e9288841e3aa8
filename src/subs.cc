// Subscripts: reading and assigning.

#include "compat.h"

#include <cmath>
#include <cstring>

#include <octave/ov-range.h>
#include <octave/ov-re-mat.h>
#include <octave/ov-scalar.h>
#include <octave/ov-str-mat.h>

#include "compose.h"
#include "convert.h"
#include "symarray.h"
#include "watch.h"

namespace symgpu
{
  // ---- reading ----------------------------------------------------------------------------

  // Subscripts on their way into a node, which then owns the vectors.
  class subscript_list
  {
  public:

    explicit subscript_list (int n) : m_n (0), m_idx (n) { }
    subscript_list (const subscript_list&) = delete;
    subscript_list& operator = (const subscript_list&) = delete;
    ~subscript_list ()
    {
      for (int i = 0; i < m_n; i++)
        sg_index_free (&m_idx[i]);
    }

    void add (const octave::idx_vector& i, octave_idx_type extent)
    {
      const octave_idx_type n = i.length (extent);
      if (i.is_scalar ())
        m_idx[m_n] = sg_index_range (i(0), 1, n);
      else if (i.is_range () && n > 0)
        m_idx[m_n] = sg_index_range (i(0), n > 1 ? i(1) - i(0) : 1, n);
      else if (i.is_colon ())
        m_idx[m_n] = sg_index_colon (n);
      else
        m_idx[m_n] = shared (i, n);
      m_n++;
    }

    const sg_index * data () const { return m_idx.data (); }
    void release () { m_n = 0; }

  private:

    // Octave's vector stands in the place of a pointer.
    static_assert (sizeof (octave::idx_vector) == sizeof (void *), "more than a reference");
    static_assert (sizeof (octave_idx_type) == sizeof (int64_t), "positions have another size");

    static octave::idx_vector * owner_of (sg_index& x)
    {
      return reinterpret_cast<octave::idx_vector *> (&x.owner);
    }

    // The positions stay where Octave has them, maybe for other variables, too.
    static sg_index shared (const octave::idx_vector& i, octave_idx_type n)
    {
      sg_index x = sg_index_vector (n, nullptr);
      octave::idx_vector *owner = new (owner_of (x)) octave::idx_vector (i);
      x.vec = reinterpret_cast<int64_t *> (const_cast<octave_idx_type *> (owner->raw ()));
      x.drop = [] (sg_index *s) { owner_of (*s)->~idx_vector (); };
      return x;
    }

    int m_n;
    std::vector<sg_index> m_idx;
  };

  // Array<T>::index (i): a vector indexed by a vector keeps its orientation.
  static dim_vector
  linear_result (const dim_vector& dv, octave_idx_type n, const octave::idx_vector& i)
  {
    if (i.is_colon ())
      return dim_vector (n, 1);
    dim_vector r = i.orig_dimensions ();
    octave_idx_type len = i.length (n);
    if (n != 1 && dv.is_nd_vector () && len != 1 && r.is_nd_vector ())
      return dv.make_nd_vector (len);
    return r;
  }

  // The element if all subscripts are scalars of a value that exists.  False: not so.
  static bool
  element (const octave_symarray& a, const Array<octave::idx_vector>& ia, const dim_vector& dv,
           octave_value& result)
  {
    if (! a.is_computed ())
      return false;
    octave_idx_type at = 0, stride = 1;
    for (octave_idx_type k = 0; k < ia.numel (); k++)
      {
        if (! ia(k).is_scalar ())
          return false;
        at += ia(k)(0) * stride;
        stride *= dv(k);
      }
    result = wrap (a.val ().fast_elem_extract (at));
    return true;
  }

  // One of N positions, from 0, if it is a number, plain or ours.
  static bool
  get_position (const octave_value& v, octave_idx_type n, octave_idx_type& at)
  {
    const octave_base_value& i = v.get_rep ();
    const int type = i.type_id ();
    double d;
    if (type == octave_scalar::static_type_id ())
      d = static_cast<const octave_scalar&> (i).scalar_ref ();
    else if (type != octave_symarray::s_type_id || ! static_cast<const octave_symarray&> (i).is_number (d))
      return false;
    if (! (d >= 1 && d <= n) || d != std::floor (d))
      return false;
    at = static_cast<octave_idx_type> (d) - 1;
    return true;
  }

  // The same, found without Octave's subscripts if they are plain numbers.
  static bool
  numbered_element (const octave_symarray& a, const octave_value_list& idx, octave_value& result)
  {
    const int n = idx.length ();
    const dim_vector dv = a.dims ();
    if (! a.is_computed () || (n != 1 && n != dv.ndims ()))
      return false;
    octave_idx_type at = 0, stride = 1;
    for (int k = 0; k < n; k++)
      {
        octave_idx_type extent = n == 1 ? dv.numel () : dv(k), i;
        if (! get_position (idx(k), extent, i))
          return false;
        at += i * stride;
        stride *= extent;
      }
    result = wrap (a.val ().fast_elem_extract (at));
    return true;
  }

  const double *
  numbers_of (const octave_base_value& v, double& room, octave_idx_type& rows,
              octave_idx_type& columns)
  {
    const int type = v.type_id ();
    rows = columns = 1;
    if (type == octave_scalar::static_type_id ())
      {
        room = static_cast<const octave_scalar&> (v).scalar_ref ();
        return &room;
      }
    if (type == octave_matrix::static_type_id ())
      {
        const NDArray& x = static_cast<const octave_matrix&> (v).matrix_ref ();
        rows = x.dim1 ();
        columns = x.dim2 ();
        return x.ndims () == 2 ? x.data () : nullptr;
      }
    if (type != octave_symarray::s_type_id)
      return nullptr;
    const octave_symarray& s = static_cast<const octave_symarray&> (v);
    const sg_node *n = s.node_get ();
    if (s.is_number (room))
      return &room;
    if (n && n->val && n->val->data)
      {
        rows = n->dim[0];
        columns = n->dim[1];
        return n->cls == SG_F64 && ! n->cplx && n->nd == 2
               ? static_cast<const double *> (n->val->data) : nullptr;
      }
    return ! n && s.has_val () ? numbers_of (s.val ().get_rep (), room, rows, columns) : nullptr;
  }

  // x(i), x(i,j) of a matrix: all that costs in loops over elements.
  static bool
  quick_element (const octave_symarray& a, const octave_value_list& idx, octave_value& result)
  {
    octave_idx_type rows, columns, i, j = 0;
    const int n = idx.length ();
    double room;
    const double *x = n == 1 || n == 2 ? numbers_of (a, room, rows, columns) : nullptr;
    if (! x || ! get_position (idx(0), n == 1 ? rows * columns : rows, i)
        || (n == 2 && ! get_position (idx(1), columns, j)))
      return false;
    result = octave_value (new octave_symarray (x[i + j * rows]));
    return true;
  }

  // Neighbouring positions, from 0, as one subscript of EXTENT positions names them: a colon, a plain
  // number or one of ours, a range that goes up by 1.
  static bool
  get_span (const octave_value& v, octave_idx_type extent, sg_index& x)
  {
    octave_idx_type at;
    if (v.is_magic_colon ())
      x = sg_index_colon (extent);
    else if (get_position (v, extent, at))
      x = sg_index_range (at, 1, 1);
    else if (v.get_rep ().type_id () == ov_range<double>::static_type_id ())
      {
        const octave::range<double> r = v.range_value ();
        const octave_idx_type n = r.numel ();
        if (n < 2 || r.increment () != 1 || ! (r.base () >= 1 && r.base () + (n - 1) <= extent)
            || r.base () != std::floor (r.base ()))
          return false;
        x = sg_index_range (static_cast<octave_idx_type> (r.base ()) - 1, 1, n);
      }
    else
      return false;
    return true;
  }

  // x(i,:), x(:,j), x(i:j), x(i:j,k:l) of a matrix, likewise without Octave's subscripts.
  static bool
  quick_block (const octave_symarray& a, const octave_value_list& idx, octave_value& result)
  {
    const int n = idx.length ();
    sg_node *in = n == 1 || n == 2 ? a.node () : nullptr, *out;
    sg_index x[2];
    if (! in || in->nd != 2 || ! get_span (idx(0), n == 1 ? in->numel : in->dim[0], x[0])
        || (n == 2 && ! get_span (idx(1), in->dim[1], x[1])))
      return false;
    // What has one element, and the whole, take other ways.
    bool whole = x[0].kind == SG_IDX_COLON && (n == 1 || x[1].kind == SG_IDX_COLON);
    int64_t dim[2] = { x[0].n, n == 2 ? x[1].n : 1 };
    if (whole || dim[0] * dim[1] <= 1)
      return false;
    if (n == 1 && (in->dim[1] != 1 || in->dim[0] == 1))
      std::swap (dim[0], dim[1]);
    set_origin ();
    sg_status s = sg_index_new (in, n, x, 2, dim, &out);
    if (s == SG_OK)
      result = wrap (out);
    else if (s != SG_DELEGATE)
      check (s);
    return s == SG_OK;
  }

  // On lines of loops Octave's own way is the quickest for small arrays, whatever the subscripts; nobody
  // looks at the expressions of all turns.
  static bool
  goes_octaves_way (const octave_symarray& a, const octave_value_list& idx)
  {
    if (current_backend != SG_CPU || ! a.is_computed () || a.numel () > sg_cfg.small)
      return false;
    for (octave_idx_type k = 0; k < idx.length (); k++)
      {
        const octave_symarray *s = as_symarray (idx(k));
        if (s && ! s->is_computed ())
          return false;
      }
    set_origin ();
    return sg_line_again (SG_INDEX, 0);
  }

  // A(I, ...) as a node.  Undefined: Octave does it, or must say what is wrong.
  static octave_value
  index_lazily (const octave_symarray& a, const octave_value_list& idx)
  {
    int n = idx.length ();
    octave_value result;
    if (n == 0 || numbered_element (a, idx, result))
      return result;
    Array<octave::idx_vector> ia (dim_vector (n, 1));
    for (int k = 0; k < n; k++)
      ia(k) = idx(k).index_vector ();

    const dim_vector dims = a.dims ();
    const dim_vector dv = n == 1 ? dim_vector (dims.numel (), 1) : dims.redim (n);
    for (int k = 0; k < n; k++)
      if (ia(k).extent (dv(k)) != dv(k))
        return result;
    if (element (a, ia, dv, result))
      return result;

    dim_vector rdv;
    if (n == 1)
      rdv = linear_result (dims, dv(0), ia(0));
    else
      {
        rdv = dim_vector::alloc (n);
        for (int k = 0; k < n; k++)
          rdv(k) = ia(k).length (dv(k));
        rdv.chop_trailing_singletons ();
      }
    set_origin ();
    dim_list rdim (rdv);
    sg_node *node;
    bool all_colons = true;
    for (int k = 0; k < n; k++)
      all_colons = all_colons && ia(k).is_colon ();
    if (all_colons)
      {
        // No element moves.
        if (sg_reshape_new (a.node (), rdim.length (), rdim.data (), &node) != SG_OK)
          return result;
        return wrap (node);
      }
    subscript_list list (n);
    for (int k = 0; k < n; k++)
      list.add (ia(k), dv(k));
    sg_status s = sg_index_new (a.node (), n, list.data (), rdim.length (), rdim.data (), &node);
    if (s == SG_DELEGATE)
      return result;
    check (s);
    list.release ();
    return wrap (node);
  }
}

octave_value
octave_symarray::do_index_op (const octave_value_list& idx, bool resize_ok)
{
  octave_value v;
  if (! resize_ok && ! symgpu::quick_element (*this, idx, v)
      && ! symgpu::quick_block (*this, idx, v) && ! symgpu::goes_octaves_way (*this, idx))
    try
      {
        v = symgpu::index_lazily (*this, idx);
      }
    catch (const octave::index_exception&)
      {
        // Octave says it again with all that belongs to the message.
      }
  if (v.is_undefined ())
    v = symgpu::wrap (plain ().do_index_op (idx, resize_ok));
  if (symgpu::audit_on && v.numel () == 1)
    symgpu::audit_element ();
  return v;
}

// The positions that sort gives are of a type of Octave's own, which its messages name.
static octave_value
with_octave_type (const octave_symarray& a)
{
  const sg_node *n = a.node_get ();
  octave_value v = a.val ();
  return n && n->op == SG_ISORT ? octave_value (v.index_vector ()) : v;
}

octave_value
octave_symarray::subsref (const std::string& type, const std::list<octave_value_list>& idx)
{
  if (type[0] != '(')
    return with_octave_type (*this).subsref (type, idx);
  octave_value v = do_index_op (idx.front ());
  return type.length () == 1 ? v : v.next_subsref (type, idx);
}

octave_value_list
octave_symarray::subsref (const std::string& type, const std::list<octave_value_list>& idx, int)
{
  return ovl (subsref (type, idx));
}

octave_value
octave_symarray::subsref (const std::string& type, const std::list<octave_value_list>& idx, bool)
{
  return subsref (type, idx);
}

// ---- assigning ----------------------------------------------------------------------------

// Octave takes a value of a foreign type to its number, and a string as well if it cannot take
// that number: a logical one.  So a string that is assigned to is itself made one of us, for as
// long as that takes.
static octave_base_value *
widen (const octave_base_value& v)
{
  return new octave_symarray (octave_value (const_cast<octave_base_value *> (&v), true));
}

void
symgpu::install_assign_ops (octave::type_info& ti)
{
  int us = octave_symarray::s_type_id;
  for (int t : { octave_char_matrix_str::static_type_id (),
                 octave_char_matrix_sq_str::static_type_id () })
    {
      ti.install_pref_assign_conv (t, us, us);
      ti.install_widening_op (t, us, widen);
    }
}

// Octave does it, on the plain value, in place if nobody else has it.
namespace symgpu
{
  // The class of what X(...) = Y makes of an X of class A, of one element or more, and one number
  // Y of class B, as Octave has it; -1: it says no, or not always the same.
  static int
  class_of_assignment (sg_class a, bool one, sg_class b)
  {
    const int unknown = -2;
    static std::vector<int> known (2 * SG_NCLASS * SG_NCLASS, unknown);
    int& cls = known[(a * SG_NCLASS + b) * 2 + one];
    if (cls != unknown)
      return cls;
    cls = -1;
    try
      {
        int found[2];
        for (int k = 0; k < 2; k++)
          {
            octave_value x = stand_in (a, dim_vector (one ? 1 : 2, 1));
            octave_value mask = boolNDArray (x.dims (), k == 1);
            x.assign (octave_value::op_asn_eq, "(", std::list<octave_value_list> { ovl (mask) },
                      stand_in (b, dim_vector (1, 1)));
            found[k] = plain_type_of (x.type_id ()).cls;
          }
        // A NaN that becomes logical is an error.
        bool fails = found[0] == SG_BOOL && sg_class_kind (b) == SG_KIND_FLOAT;
        if (found[0] == found[1] && ! fails)
          cls = found[0];
      }
    catch (const octave::execution_exception&)
      {
        interpreter ().recover_from_exception ();
      }
    return cls;
  }

  // Where all is there Octave does it in place.
  static bool
  is_there (const octave_value& v)
  {
    const octave_symarray *s = as_symarray (v);
    return ! s || s->is_computed ();
  }

  // What X(MASK) = Y makes of X if MASK is logical and as large as X, and Y one number.
  // Undefined: Octave does it.
  static octave_value
  assign_lazily (const octave_symarray& x, const octave_value& mask, const octave_value& y)
  {
    if (! mask.islogical () || y.numel () != 1 || mask.numel () != x.numel () || x.numel () == 0
        || (x.is_computed () && is_there (mask) && is_there (y)))
      return octave_value ();
    operand m (mask), yes (y);
    sg_node *no = x.node (), *n;
    // A string that is assigned to has no node.
    if (! m.node () || ! yes.node () || ! no || y.is_string ())
      return octave_value ();
    int cls = class_of_assignment (x.value_class (), x.numel () == 1,
                                   static_cast<sg_class> (yes.node ()->cls));
    bool real = ! no->cplx && ! no->spec && ! yes.node ()->cplx && ! yes.node ()->spec;
    if (cls < 0 || (! real && yes.node ()->cls != no->cls))
      return octave_value ();
    set_origin ();
    term shaped (sg_node_ref (m.node ()));
    if (mask.dims () != x.dims ())
      shaped = reshape (shaped, std::vector<int64_t> (no->dim, no->dim + no->nd));
    if (! shaped)
      return octave_value ();
    sg_status s = sg_select_new (shaped.get (), yes.node (), no, static_cast<sg_class> (cls), true,
                                 &n);
    if (s != SG_OK && s != SG_DELEGATE)
      check (s);
    return s == SG_OK ? wrap (n) : octave_value ();
  }
}

// What is on the right of an assignment and belongs to nobody: one reference is the
// interpreter's, one that of the assignment.  Its expression would keep an array that it is made
// of, most often the one that is assigned to, from being changed in place.
static void
forget_expression (const octave_value& right)
{
  const octave_symarray *s = symgpu::as_symarray (right);
  sg_node *n = s ? s->node_get () : nullptr;
  if (n && n->val && n->refs == 1 && right.get_count () <= 2)
    sg_node_cut (n);
}

// Expressions of values that have been computed would have the memory copied before a part of it is
// changed, in each turn of a loop: to see them later is not worth that.
void
octave_symarray::release_history ()
{
  const std::size_t few = 2048, bytes_per_node = 32, most = 4096;
  sg_node *n = node_get ();
  if (n && n->refs > 1 && n->val && n->val->bytes >= few)
    sg_node_release (n, std::min<std::size_t> (n->val->bytes / bytes_per_node, most));
}

octave_value
octave_symarray::subsasgn (const std::string& type, const std::list<octave_value_list>& idx,
                           const octave_value& rhs)
{
  if (type == "(" && idx.front ().length () == 1)
    {
      octave_value made = symgpu::assign_lazily (*this, idx.front ()(0), rhs);
      if (made.is_defined ())
        {
          replace (made);
          return octave_value (this, true);
        }
    }
  octave_value right = symgpu::unwrap (rhs);
  forget_expression (rhs);
  octave_value v = type == "(" ? val () : with_octave_type (*this);
  bool widened = symgpu::plain_type_of (v.type_id ()).cls < 0;
  release_history ();
  drop_node ();
  m_val = octave_value ();
  m_is_number = false;
  try
    {
      v.assign (octave_value::op_asn_eq, type, idx, right);
    }
  catch (...)
    {
      m_val = v;
      throw;
    }
  if (widened)
    return v;
  if (symgpu::plain_type_of (v.type_id ()).cls < 0)
    {
      // x = []; x(1).f = 2 makes a struct.
      m_val = Matrix ();
      return symgpu::wrap (v);
    }
  m_val = v;
  return octave_value (this, true);
}
