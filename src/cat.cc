// Concatenation.

#include "compat.h"

#include <octave/errwarn.h>
#include <octave/ov-re-mat.h>

#include "cat.h"
#include "convert.h"
#include "native.h"

namespace symgpu
{
  // ---- pieces -----------------------------------------------------------------------------

  static bool
  is_array (const octave_base_value& v)
  {
    return as_symarray (v) || plain_type_of (v.type_id ()).cls >= 0;
  }

  std::unique_ptr<cat_builder>
  cat_builder::announce (const octave_symarray& a, const dim_vector& dv)
  {
    std::unique_ptr<cat_builder> b;
    const cat_builder *begun = a.builder ();
    if (begun ? begun->m_pieces.empty () : dv.zero_by_zero ())
      b.reset (new cat_builder (begun ? begun->m_class : a.value_class (), dv));
    return b;
  }

  // The rows FROM to TO - 1 of the first COLUMNS columns.
  static octave_value
  block (octave_value whole, octave_idx_type from, octave_idx_type to, octave_idx_type columns)
  {
    if (to - from == 1 && columns == 1)
      return whole.fast_elem_extract (from);
    octave_value_list idx (2);
    idx(0) = octave_value (octave::range<double> (from + 1, 1, to));
    idx(1) = octave_value (octave::range<double> (1, 1, columns));
    return whole.index_op (idx);
  }

  std::unique_ptr<cat_builder>
  cat_builder::start_on (const octave_base_value& a, const octave_base_value& b,
                         const Array<octave_idx_type>& at)
  {
    std::unique_ptr<cat_builder> w;
    const plain_type& t = plain_type_of (a.type_id ());
    const dim_vector dv = a.dims ();
    if ((t.cls < 0 && ! t.text) || dv.ndims () != 2 || at.numel () != 2)
      return w;
    w.reset (new cat_builder (t.text ? SG_F64 : static_cast<sg_class> (t.cls), dv));
    w->m_text = t.text;
    w->m_pieces.reserve (4);
    octave_value whole = unwrap (a);
    octave_idx_type r = std::min (at(0), dv(0)), c = at(1);
    w->m_begun = r > 0;
    w->m_row = c > 0 ? at(0) : -1;
    // Octave fills row after row, each from the left.
    if (r > 0)
      w->m_pieces.push_back (piece { block (whole, 0, r, dv(1)), 0, 0 });
    if (c > 0)
      w->m_pieces.push_back (piece { block (whole, r, r + b.rows (), c), r, 0 });
    if (! w->add (b, at))
      w.reset ();
    return w;
  }

  static sg_class
  class_of (const octave_value& v)
  {
    const octave_symarray *s = as_symarray (v);
    return (s ? s->value_class ()
            : static_cast<sg_class> (plain_type_of (v.type_id ()).cls));
  }

  // Complex numbers do not become integers: let Octave say so, now and in its words.
  static void
  raise_if_complex (sg_class integer, const octave_value& v)
  {
    if (! v.iscomplex ())
      return;
    const octave_value u = unwrap (v.get_rep ());
    switch (integer)
      {
      case SG_I8: u.int8_array_value (); break;
      case SG_I16: u.int16_array_value (); break;
      case SG_I32: u.int32_array_value (); break;
      case SG_I64: u.int64_array_value (); break;
      case SG_U8: u.uint8_array_value (); break;
      case SG_U16: u.uint16_array_value (); break;
      case SG_U32: u.uint32_array_value (); break;
      default: u.uint64_array_value (); break;
      }
  }

  // V is the newest piece.
  void
  cat_builder::refuse_complex (const octave_value& v)
  {
    sg_class c = class_of (v);
    if (! sg_class_is_integer (c))
      {
        if (m_integer != SG_NCLASS)
          raise_if_complex (m_integer, v);
      }
    else if (m_integer == SG_NCLASS)
      {
        m_integer = c;
        for (const piece& p : m_pieces)
          raise_if_complex (c, p.v);
      }
  }

  bool
  cat_builder::add (const octave_base_value& v, const Array<octave_idx_type>& at)
  {
    bool text = v.is_string ();
    if ((! is_array (v) && ! text) || v.numel () == 0)
      return false;
    for (octave_idx_type k = 2; k < at.numel (); k++)
      if (at(k) != 0)
        return false;
    octave_value held (const_cast<octave_base_value *> (&v), true);
    // Octave counts the rows of empty pieces, for which the whole has no room.
    octave_idx_type r = 0;
    if (! m_pieces.empty ())
      {
        const piece& last = m_pieces.back ();
        r = last.r + (at(0) == m_row ? 0 : last.v.rows ());
      }
    m_row = at(0);
    m_pieces.push_back (piece { held, r, at(1) });
    m_text = m_text || text;
    if (! m_text)
      refuse_complex (held);
    return true;
  }

  // ---- the whole ----------------------------------------------------------------------------

  // Where the rows begin in the list of pieces; false unless they tile the whole.
  bool
  cat_builder::find_rows (std::vector<int>& first) const
  {
    octave_idx_type r = 0, c = 0, height = 0;
    int n = m_pieces.size ();
    for (int i = 0; i < n; i++)
      {
        const piece& p = m_pieces[i];
        const dim_vector dv = p.v.dims ();
        if (c == m_dims(1) || i == 0)
          {
            first.push_back (i);
            r += height;
            c = 0;
            height = dv(0);
          }
        if (p.r != r || p.c != c || dv(0) != height)
          return false;
        c += dv(1);
      }
    return n > 0 && c == m_dims(1) && r + height == m_dims(0);
  }

  // There are such rows at the beginning, too, among those that others had filled: zeros.
  void
  cat_builder::drop_unfilled_rows ()
  {
    if (! m_begun)
      return;
    const piece& last = m_pieces.back ();
    octave_idx_type excess = last.r + last.v.rows () - m_dims(0);
    if (excess <= 0)
      return;
    octave_value begun = m_pieces[0].v;
    boolNDArray filled = begun.any (1).bool_array_value ();
    octave_idx_type n = filled.numel ();
    ColumnVector kept (n);
    octave_idx_type to = n;
    for (octave_idx_type i = n - 1; i >= 0; i--)
      if (filled(i) || excess == 0)
        kept(--to) = i + 1;
      else
        excess--;
    for (std::size_t k = 1; k < m_pieces.size (); k++)
      m_pieces[k].r -= to;
    m_begun = false;
    if (to == n)
      {
        m_pieces.erase (m_pieces.begin ());
        return;
      }
    octave_value_list idx (2);
    idx(0) = octave_value (ColumnVector (kept.extract (to, n - 1)));
    idx(1) = octave_value (octave_value::magic_colon_t);
    m_pieces[0].v = begun.index_op (idx);
  }

  // The first integer class wins, then single, double, logical.
  static int
  rank (sg_class c)
  {
    return (sg_class_is_integer (c) ? 3 : c == SG_F32 ? 2 : c == SG_F64 ? 1 : 0);
  }

  sg_class
  cat_builder::result_class () const
  {
    sg_class c = m_class;
    bool first = true;
    for (const piece& p : m_pieces)
      {
        sg_class d = class_of (p.v);
        // M_CLASS is that of the first piece, or of an empty array before it.
        if (rank (d) > rank (c) || (first && rank (d) == rank (c)))
          c = d;
        first = false;
      }
    return c;
  }

  static sg_node *
  made (sg_status s, sg_node *n)
  {
    if (s != SG_OK && s != SG_DELEGATE)
      check (s);
    return s == SG_OK ? n : nullptr;
  }

  // Owners of the nodes of a concatenation while it is put together.
  class node_list
  {
  public:

    node_list () = default;
    node_list (const node_list&) = delete;
    node_list& operator = (const node_list&) = delete;
    ~node_list () { for (sg_node *n : m_nodes) sg_node_unref (n); }

    // Takes the reference.
    void add (sg_node *n) { m_nodes.push_back (n); }

    // The node of these values side by side along DIM, null if there is none.
    sg_node * cat (int dim) const
    {
      int n = m_nodes.size ();
      if (n == 1)
        return sg_node_ref (m_nodes[0]);
      sg_node *out;
      sg_status s = sg_cat_new (dim, n, m_nodes.data (), &out);
      return made (s, out);
    }

  private:

    std::vector<sg_node *> m_nodes;
  };

  // A new reference to the node of V in class C, null if there is none.
  static sg_node *
  node_in_class (const octave_value& v, sg_class c)
  {
    operand a (v);
    sg_node *n = a.node ();
    if (! n || n->cls == c)
      return n ? sg_node_ref (n) : nullptr;
    int op = sg_op_find (SG_FAM_EW, sg_class_name (c), 1);
    sg_node *out;
    sg_status s = sg_ew_new (static_cast<sg_op> (op), 1, &n, &out);
    return made (s, out);
  }

  octave_value
  cat_builder::finish_lazy () const
  {
    std::vector<int> first;
    if (! find_rows (first))
      return octave_value ();
    sg_class c = result_class ();
    first.push_back (m_pieces.size ());
    node_list rows;
    for (std::size_t k = 0; k + 1 < first.size (); k++)
      {
        node_list row;
        for (int i = first[k]; i < first[k+1]; i++)
          {
            // Octave converts every element to the class of the result, not of its row.
            sg_node *n = node_in_class (m_pieces[i].v, c);
            if (! n)
              return octave_value ();
            row.add (n);
          }
        sg_node *n = row.cat (1);
        if (! n)
          return octave_value ();
        rows.add (n);
      }
    sg_node *n = rows.cat (0);
    // A single piece, complex without imaginary parts, comes out real.
    if (n && n->wide)
      return as_symarray (wrap (n))->narrowed ();
    return n ? wrap (n) : octave_value ();
  }

  // On lines of loops: real numbers without an expression of their own.
  octave_value
  cat_builder::finish_quickly () const
  {
    if (current_backend != SG_CPU || m_dims.ndims () != 2 || m_dims.numel () > sg_cfg.small)
      return octave_value ();
    set_origin ();
    if (! sg_line_again (SG_CAT, m_dims.numel ()))
      return octave_value ();
    std::vector<int> first;
    if (! find_rows (first))
      return octave_value ();
    Matrix whole (m_dims);
    double *to = whole.fortran_vec ();
    for (const piece& p : m_pieces)
      {
        octave_idx_type rows, columns;
        double room;
        const double *from = numbers_of (p.v.get_rep (), room, rows, columns);
        if (! from)
          return octave_value ();
        for (octave_idx_type j = 0; j < columns; j++)
          std::copy_n (from + j * rows, rows, to + p.r + (p.c + j) * m_dims(0));
      }
    return wrap (octave_value (whole));
  }

  // By Octave itself, piece by piece.
  octave_value
  cat_builder::finish_plain () const
  {
    octave_value whole = stand_in (m_class, dim_vector (0, 0)).resize (m_dims);
    octave::type_info& ti = interpreter ().get_type_info ();
    int nd = std::max (m_dims.ndims (), static_cast<octave_idx_type> (2));
    Array<octave_idx_type> at (dim_vector (nd, 1), 0);
    for (const piece& p : m_pieces)
      {
        at(0) = p.r;
        at(1) = p.c;
        whole = octave::cat_op (ti, whole, unwrap (p.v), at);
      }
    return whole;
  }

  // As tm_const::char_array_concat, where complex arrays are passed over, too.
  octave_value
  cat_builder::finish_text ()
  {
    drop_unfilled_rows ();
    warn_implicit_conversion ("Octave:num-to-str", "numeric", "char");
    charNDArray whole (m_dims, ' ');
    octave_idx_type r = -1, missing = 0;
    for (const piece& p : m_pieces)
      {
        if (p.r != r)
          missing = 0;
        r = p.r;
        charNDArray part = unwrap (p.v).char_array_value ();
        if (part.isempty ())
          missing += p.v.columns ();
        else
          whole.insert (part, r, p.c - missing);
      }
    return octave_value (whole, '\'');
  }

  octave_value
  cat_builder::finish ()
  {
    if (m_text)
      return finish_text ();
    drop_unfilled_rows ();
    octave_value v = finish_quickly ();
    if (v.is_undefined ())
      v = finish_lazy ();
    return v.is_defined () ? v : finish_plain ();
  }

  octave_value
  cat_values (int dim, const octave_value_list& values)
  {
    node_list all;
    for (octave_idx_type i = 0; i < values.length (); i++)
      {
        if (! is_array (values(i).get_rep ()))
          return octave_value ();
        operand a (values(i));
        all.add (sg_node_ref (a.node ()));
      }
    set_origin ();
    sg_node *n = all.cat (dim);
    return n ? wrap (n) : octave_value ();
  }

  // ---- operators ----------------------------------------------------------------------------

  static octave_value
  cat (const octave_base_value& a, const octave_base_value& b, const Array<octave_idx_type>& at)
  {
    const octave_symarray *s = as_symarray (a);
    if (s && s->builder () && s->builder ()->add (b, at))
      return octave_value (const_cast<octave_base_value *> (&a), true);
    if (! s)
      {
        std::unique_ptr<cat_builder> w = cat_builder::start_on (a, b, at);
        if (w)
          return octave_value (new octave_symarray (std::move (w)));
      }
    octave::type_info& ti = interpreter ().get_type_info ();
    return wrap (octave::cat_op (ti, unwrap (a), unwrap (b), at));
  }

  void
  install_cat_ops (octave::type_info& ti)
  {
    int us = octave_symarray::s_type_id;
    for (int t = 0; t <= us; t++)
      {
        ti.install_cat_op (us, t, cat);
        if (t != us)
          ti.install_cat_op (t, us, cat);
      }
  }
}
