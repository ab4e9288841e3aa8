// Operators.

#include "compat.h"

#include <cstring>
#include <optional>
#include <type_traits>

#include <octave/ov-lazy-idx.h>
#include <octave/ov-re-mat.h>
#include <octave/ov-scalar.h>

#include "convert.h"
#include "native.h"
#include "symarray.h"

namespace symgpu
{
  // ---- tables -------------------------------------------------------------------------------

  const operator_row operator_rows[] =
  {
    { octave_value::op_add,    ELEMENTWISE,    SG_PLUS },
    { octave_value::op_sub,    ELEMENTWISE,    SG_MINUS },
    { octave_value::op_mul,    PRODUCT,        SG_TIMES },
    { octave_value::op_div,    RIGHT_DIVISION, SG_RDIVIDE },
    { octave_value::op_pow,    POWER,          SG_POWER },
    { octave_value::op_ldiv,   LEFT_DIVISION,  SG_LDIVIDE },
    { octave_value::op_lt,     ELEMENTWISE,    SG_LT },
    { octave_value::op_le,     ELEMENTWISE,    SG_LE },
    { octave_value::op_eq,     ELEMENTWISE,    SG_EQ },
    { octave_value::op_ge,     ELEMENTWISE,    SG_GE },
    { octave_value::op_gt,     ELEMENTWISE,    SG_GT },
    { octave_value::op_ne,     ELEMENTWISE,    SG_NE },
    { octave_value::op_el_mul, ELEMENTWISE,    SG_TIMES },
    { octave_value::op_el_div, ELEMENTWISE,    SG_RDIVIDE },
    { octave_value::op_el_pow, ELEMENTWISE,    SG_POWER },
    { octave_value::op_el_ldiv, ELEMENTWISE,   SG_LDIVIDE },
    { octave_value::op_el_and, ELEMENTWISE,    SG_AND },
    { octave_value::op_el_or,  ELEMENTWISE,    SG_OR },
  };

  const int operator_count = sizeof operator_rows / sizeof operator_rows[0];

  // Pairs of operators that Octave evaluates as one.  For products: how the operands are
  // transposed (see sg_mtimes_new).  For logic: which operand is negated.
  struct compound_row
  {
    octave_value::compound_binary_op octave_op;
    sg_op op;
    int a, b;
  };

  static const compound_row compound_rows[] =
  {
    { octave_value::op_trans_mul,  SG_MTIMES, 1, 0 },
    { octave_value::op_mul_trans,  SG_MTIMES, 0, 1 },
    { octave_value::op_herm_mul,   SG_MTIMES, 2, 0 },
    { octave_value::op_mul_herm,   SG_MTIMES, 0, 2 },
    { octave_value::op_trans_ldiv, SG_NOP,    0, 0 },
    { octave_value::op_herm_ldiv,  SG_NOP,    0, 0 },
    { octave_value::op_el_not_and, SG_AND,    1, 0 },
    { octave_value::op_el_not_or,  SG_OR,     1, 0 },
    { octave_value::op_el_and_not, SG_AND,    0, 1 },
    { octave_value::op_el_or_not,  SG_OR,     0, 1 },
  };

  static const int compound_count = sizeof compound_rows / sizeof compound_rows[0];

  struct unary_row
  {
    octave_value::unary_op octave_op;
    sg_op op;
  };

  static const unary_row unary_rows[] =
  {
    { octave_value::op_not,       SG_NOT },
    { octave_value::op_uplus,     SG_UPLUS },
    { octave_value::op_uminus,    SG_UMINUS },
    { octave_value::op_transpose, SG_TRANSPOSE },
    { octave_value::op_hermitian, SG_CTRANSPOSE },
  };

  static const int unary_count = sizeof unary_rows / sizeof unary_rows[0];

  // ---- binary -------------------------------------------------------------------------------

  static sg_status
  make_elementwise (sg_op op, sg_node *a, sg_node *b, sg_node **out)
  {
    sg_node *in[2] = { a, b };
    return sg_ew_new (op, 2, in, out);
  }

  static sg_status
  make_binary (const operator_row& row, sg_node *a, sg_node *b, sg_node **out)
  {
    bool sa = a->numel == 1, sb = b->numel == 1;
    switch (row.kind)
      {
      case ELEMENTWISE:
        break;
      case PRODUCT:
        if (! sa && ! sb)
          return sg_mtimes_new (a, 0, b, 0, out);
        break;
      case RIGHT_DIVISION:
        if (! sb)
          return SG_DELEGATE;
        break;
      case LEFT_DIVISION:
        if (! sa)
          return SG_DELEGATE;
        break;
      case POWER:
        if (! sa || ! sb)
          return SG_DELEGATE;
        break;
      }
    return make_elementwise (row.op, a, b, out);
  }

  // Let Octave raise its error about sizes, without computing anything.
  template <typename OP>
  static void
  raise_nonconformant (OP op, const sg_node *a, const sg_node *b)
  {
    octave::type_info& ti = interpreter ().get_type_info ();
    octave::binary_op (ti, op, stand_in (static_cast<sg_class> (a->cls), dims_of_node (a)),
                       stand_in (static_cast<sg_class> (b->cls), dims_of_node (b)));
  }

  // By Octave itself, now.
  template <typename OP>
  static octave_value
  eager (OP op, const octave_base_value& a, const octave_base_value& b)
  {
    octave::type_info& ti = interpreter ().get_type_info ();
    return wrap (octave::binary_op (ti, op, unwrap (a), unwrap (b)));
  }

  // Octave's operator on two known numbers takes less time than a node does.  Only where its
  // result has the same bits as that of the node.
  static bool
  is_known_number (const octave_base_value& v)
  {
    const octave_symarray *s = as_symarray (v);
    return s ? s->is_known_number () : plain_type_of (v.type_id ()).scalar;
  }

  static bool
  are_numbers (sg_op op, const octave_base_value& a, const octave_base_value& b)
  {
    return (op != SG_NOP && sg_op_info (op)->ulp == 0
            && is_known_number (a) && is_known_number (b));
  }

  // V is one real number of class double, known.
  static bool
  get_number (const octave_base_value& v, double& d)
  {
    const octave_symarray *s = as_symarray (v);
    // One with an expression keeps it.
    if (s && s->node_get () && s->node_get ()->op != SG_LEAF)
      return false;
    if (s && s->is_number (d))
      return true;
    const octave_base_value& plain = s && s->has_val () ? s->val ().get_rep () : v;
    if (plain.type_id () != octave_scalar::static_type_id ())
      return false;
    d = static_cast<const octave_scalar&> (plain).scalar_ref ();
    return true;
  }

  // Of two such numbers the kernel takes them as they are.
  static bool
  operate_on_numbers (sg_op op, const octave_base_value& a, const octave_base_value& b,
                      octave_value& result)
  {
    double x, y, z;
    if (! is_own_number_op (op) || ! get_number (a, x) || ! get_number (b, y) || ! sg_number_op (op, x, y, &z))
      return false;
    result = octave_value (sg_op_info (op)->out == SG_BOOL
                           ? new octave_symarray (octave_value (z != 0)) : new octave_symarray (z));
    return true;
  }

  // A constant that small arrays are combined with, again and again in a loop, has a node that
  // waits for it.  (Large arrays have plans, which tell one node from two.)  A new reference, or
  // none.
  static sg_node *
  constant_node (const octave_base_value& v, const octave_base_value& other)
  {
    const octave_symarray *s = as_symarray (other);
    if (! s || v.type_id () != octave_scalar::static_type_id () || ! s->node_get ()
        || ! s->node_get ()->val || s->node_get ()->numel > sg_cfg.small)
      return nullptr;
    struct constant { double number; sg_node *node; };
    static constant known[8];
    static unsigned next;
    double d = static_cast<const octave_scalar&> (v).scalar_ref ();
    for (const constant& k : known)
      if (k.node && std::memcmp (&k.number, &d, sizeof d) == 0)
        return sg_node_ref (k.node);
    constant& k = known[next++ % 8];
    sg_node *n;
    if (sg_number_new (d, &n) != SG_OK)
      return nullptr;
    // Not among the nodes that the user's values hold.
    sg_count.nodes -= ! k.node;
    sg_node_unref (k.node);
    k = { d, n };
    return sg_node_ref (n);
  }

  // One side of an operation.
  class side
  {
  public:

    side (const octave_base_value& v, const octave_base_value& other)
      : m_constant (constant_node (v, other))
    {
      if (! m_constant)
        m_operand.emplace (v);
    }
    side (const side&) = delete;
    side& operator = (const side&) = delete;
    ~side () { sg_node_unref (m_constant); }

    sg_node * node () const { return m_constant ? m_constant : m_operand->node (); }

  private:

    sg_node *m_constant;
    std::optional<operand> m_operand;
  };

  // A node for the operation of ROW, which MAKE makes; Octave's own value or error where there
  // is no lazy form.
  template <typename ROW>
  static octave_value
  operate (const ROW& row, sg_status (*make) (const ROW&, sg_node *, sg_node *, sg_node **),
           const octave_base_value& a, const octave_base_value& b)
  {
    octave_value v;
    if (std::is_same<ROW, operator_row>::value && operate_on_numbers (row.op, a, b, v))
      return v;
    if (are_numbers (row.op, a, b))
      return eager (row.octave_op, a, b);
    side na (a, b), nb (b, a);
    if (na.node () && nb.node ())
      {
        sg_node *n;
        set_origin ();
        sg_status s = make (row, na.node (), nb.node (), &n);
        if (s == SG_OK)
          return wrap (n);
        if (s == SG_NONCONFORMANT)
          raise_nonconformant (row.octave_op, na.node (), nb.node ());
        else if (s != SG_DELEGATE)
          check (s);
      }
    return eager (row.octave_op, a, b);
  }

  template <int K>
  static octave_value
  binary (const octave_base_value& a, const octave_base_value& b)
  {
    return operate (operator_rows[K], make_binary, a, b);
  }

  // ---- compound -----------------------------------------------------------------------------

  // A node or its transpose; a new reference.
  static sg_status
  transposed (sg_node *a, int flag, sg_node **out)
  {
    if (flag)
      return sg_transpose_new (a, flag == 2, out);
    *out = sg_node_ref (a);
    return SG_OK;
  }

  static sg_status
  negated (sg_node *a, int flag, sg_node **out)
  {
    if (flag)
      return sg_ew_new (SG_NOT, 1, &a, out);
    *out = sg_node_ref (a);
    return SG_OK;
  }

  static sg_status
  make_compound (const compound_row& row, sg_node *a, sg_node *b, sg_node **out)
  {
    if (row.op == SG_NOP)
      return SG_DELEGATE;
    bool product = row.op == SG_MTIMES;
    if (product && a->numel != 1 && b->numel != 1)
      return sg_mtimes_new (a, row.a, b, row.b, out);
    sg_node *x = nullptr, *y = nullptr;
    sg_status s = (product ? transposed : negated) (a, row.a, &x);
    if (s == SG_OK)
      s = (product ? transposed : negated) (b, row.b, &y);
    if (s == SG_OK)
      s = make_elementwise (product ? SG_TIMES : row.op, x, y, out);
    sg_node_unref (x);
    sg_node_unref (y);
    return s;
  }

  // V is what find gives, positions that have a type of their own.
  static bool
  is_lazy_index (const octave_base_value& v)
  {
    const octave_symarray *s = as_symarray (v);
    const int t = octave_lazy_index::static_type_id ();
    return s ? s->has_val () && s->val ().type_id () == t : v.type_id () == t;
  }

  static octave_value
  transposed_value (const octave_base_value& v, int flag)
  {
    octave_value x (const_cast<octave_base_value *> (&v), true);
    octave::type_info& ti = interpreter ().get_type_info ();
    return flag ? octave::unary_op (ti, flag == 2 ? octave_value::op_hermitian
                                    : octave_value::op_transpose, x) : x;
  }

  template <int K>
  static octave_value
  compound (const octave_base_value& a, const octave_base_value& b)
  {
    const compound_row& row = compound_rows[K];
    // Octave has no product of a transpose with such positions: it transposes first, and another
    // function of the BLAS may then round otherwise.
    if (row.op == SG_MTIMES && (is_lazy_index (a) || is_lazy_index (b)))
      return octave::binary_op (interpreter ().get_type_info (), octave_value::op_mul,
                                transposed_value (a, row.a), transposed_value (b, row.b));
    return operate (row, make_compound, a, b);
  }

  // ---- unary --------------------------------------------------------------------------------

  template <int K>
  static octave_value
  unary (const octave_base_value& a)
  {
    const unary_row& row = unary_rows[K];
    if (! is_known_number (a))
      {
        sg_node *in = static_cast<const octave_symarray&> (a).node (), *n;
        set_origin ();
        sg_status s = (row.op == SG_TRANSPOSE || row.op == SG_CTRANSPOSE
                       ? sg_transpose_new (in, row.op == SG_CTRANSPOSE, &n)
                       : sg_ew_new (row.op, 1, &in, &n));
        if (s == SG_OK)
          return wrap (n);
        if (s != SG_DELEGATE)
          check (s);
      }
    octave::type_info& ti = interpreter ().get_type_info ();
    return wrap (octave::unary_op (ti, row.octave_op, unwrap (a)));
  }

  // x++ and x--
  template <int K>
  static void
  step (octave_base_value& a)
  {
    octave_value one (1.0);
    octave_symarray& x = static_cast<octave_symarray&> (a);
    if (x.is_computed () && x.node ()->wide)
      {
        // Octave's own step may leave complex numbers without imaginary parts as they are.
        octave_value v = x.val ();
        v.non_const_unary_op (K == 0 ? octave_value::op_incr : octave_value::op_decr);
        x.replace (v);
        return;
      }
    // K is the row of + or -.
    x.replace (binary<K> (a, one.get_rep ()));
  }

  // x += y and its like, which Octave does in place if it can: then what does not fit is an error
  // in other words than those of x + y.  (An x that y would broadcast is an error as well, but only
  // if no other variable or constant shares its memory; here it never is.)
  struct update_row
  {
    octave_value::binary_op octave_op;
    octave_value::assign_op update;
  };

  static constexpr update_row update_rows[] =
  {
    { octave_value::op_add,    octave_value::op_add_eq },
    { octave_value::op_sub,    octave_value::op_sub_eq },
    { octave_value::op_el_mul, octave_value::op_el_mul_eq },
    { octave_value::op_el_div, octave_value::op_el_div_eq },
    { octave_value::op_el_and, octave_value::op_el_and_eq },
    { octave_value::op_el_or,  octave_value::op_el_or_eq },
  };

  static const update_row *
  update_of (octave_value::binary_op op)
  {
    for (const update_row& r : update_rows)
      if (r.octave_op == op)
        return &r;
    return nullptr;
  }

  template <int K>
  static octave_value
  update (octave_base_value& a, const octave_value_list&, const octave_base_value& b)
  {
    octave_symarray& x = static_cast<octave_symarray&> (a);
    try
      {
        x.replace (binary<K> (a, b));
      }
    catch (const octave::execution_exception&)
      {
        // An array of A's kind that nobody else has.
        octave_value whole = stand_in (x.value_class (), x.dims ());
        if (x.is_cplx ())
          whole = octave::binary_op (interpreter ().get_type_info (), octave_value::op_add, whole,
                                     octave_value (Complex (0, 1)));
        whole.assign (update_of (operator_rows[K].octave_op)->update, unwrap (b));
        throw;
      }
    return octave_value ();
  }

  // ---- installation ---------------------------------------------------------------------------

  template <int K = 0>
  static void
  install_binary (octave::type_info& ti, int us)
  {
    const update_row *row = update_of (operator_rows[K].octave_op);
    for (int t = 0; t <= us; t++)
      {
        ti.install_binary_op (operator_rows[K].octave_op, us, t, binary<K>);
        if (t != us)
          ti.install_binary_op (operator_rows[K].octave_op, t, us, binary<K>);
        if (row && (t == us || plain_type_of (t).cls >= 0))
          ti.install_assign_op (row->update, us, t, update<K>);
      }
    if constexpr (K + 1 < sizeof operator_rows / sizeof operator_rows[0])
      install_binary<K+1> (ti, us);
  }

  template <int K = 0>
  static void
  install_compound (octave::type_info& ti, int us)
  {
    for (int t = 0; t <= us; t++)
      {
        ti.install_binary_op (compound_rows[K].octave_op, us, t, compound<K>);
        if (t != us)
          ti.install_binary_op (compound_rows[K].octave_op, t, us, compound<K>);
      }
    if constexpr (K + 1 < compound_count)
      install_compound<K+1> (ti, us);
  }

  template <int K = 0>
  static void
  install_unary (octave::type_info& ti, int us)
  {
    ti.install_unary_op (unary_rows[K].octave_op, us, unary<K>);
    if constexpr (K + 1 < unary_count)
      install_unary<K+1> (ti, us);
  }

  void
  install_operators (octave::type_info& ti)
  {
    int us = octave_symarray::s_type_id;
    install_binary (ti, us);
    install_compound (ti, us);
    install_unary (ti, us);
    ti.install_non_const_unary_op (octave_value::op_incr, us, step<0>);
    ti.install_non_const_unary_op (octave_value::op_decr, us, step<1>);
  }
}
