// The type: a value of Octave that is an expression, computed when somebody looks.

#if ! defined (symgpu_symarray_h)
#define symgpu_symarray_h 1

#include <memory>
#include <string>

#include "compat.h"

#include <octave/Cell.h>
#include <octave/oct-map.h>
#include <octave/oct-stream.h>
#include <octave/pr-flt-fmt.h>

#include "symgpu.h"

namespace symgpu
{
  class cat_builder;

  // Full numeric and logical values become symarrays; all others stay what they are.
  octave_value wrap (const octave_value& v);
}

class octave_symarray : public octave_base_value
{
public:

  octave_symarray ();
  // A plain full numeric or logical value.
  explicit octave_symarray (const octave_value& v);
  // A real number of class double.
  explicit octave_symarray (double number);
  // Takes the reference to N.
  explicit octave_symarray (sg_node *n);
  // A concatenation that collects its pieces.
  explicit octave_symarray (std::unique_ptr<symgpu::cat_builder> b);
  octave_symarray (const octave_symarray& a);
  octave_symarray& operator = (const octave_symarray&) = delete;
  ~octave_symarray ();

  static int s_type_id;

  static void register_type (octave::type_info& ti);

  // Small and short-lived.
  static void * operator new (std::size_t n);
  static void operator delete (void *p, std::size_t n) { sg_cell_put (p, n); }

  // The node; a plain value becomes a leaf when it is first asked for.
  sg_node * node () const;
  // The node if there is one already.
  sg_node * node_get () const { return m_node; }
  // The plain value, computed if need be.
  const octave_value& val () const;
  bool has_val () const { return m_is_number || m_val.is_defined (); }
  // It is a real number of class double, without a node.
  bool is_number (double& x) const
  {
    x = m_number;
    return m_is_number;
  }
  // The value has been computed, elsewhere maybe.
  bool is_computed () const { return has_val () || (m_node && m_node->val); }
  // The value after an operation that changes nothing: complex numbers that have no imaginary
  // parts become real.
  octave_value narrowed () const;
  // One number, computed, which Octave's own type for such numbers holds.
  bool is_known_number () const;
  sg_class value_class () const;
  bool is_cplx () const;
  void set_name (const std::string& name);

  // Concatenation, see cat.cc.
  symgpu::cat_builder * builder () const { return m_cat.get (); }

  // Replace the value: x++.
  void replace (const octave_value& v);

  // The virtuals that are written by hand.  genforward.m takes all others to the plain value:
  // what is marked "override" below it leaves out.

  octave_base_value * clone () const override { return new octave_symarray (*this); }
  octave_base_value * empty_clone () const override;

  int type_id () const override { return s_type_id; }
  std::string type_name () const override;
  std::string class_name () const override;
  bool is_instance_of (const std::string& c) const override;
  builtin_type_t builtin_type () const override;

  type_conv_info numeric_conversion_function () const override;

  dim_vector dims () const override;
  octave_idx_type numel () const override;
  std::size_t byte_size () const override;

  bool is_defined () const override { return true; }
  bool is_true () const override;
  bool is_constant () const override { return true; }
  bool isnumeric () const override { return value_class () != SG_BOOL; }
  bool islogical () const override { return value_class () == SG_BOOL; }
  bool isinteger () const override { return sg_class_is_integer (value_class ()); }
  bool isfloat () const override { return is_double_type () || is_single_type (); }
  bool is_double_type () const override { return value_class () == SG_F64; }
  bool is_single_type () const override { return value_class () == SG_F32; }
  bool is_int8_type () const override { return value_class () == SG_I8; }
  bool is_int16_type () const override { return value_class () == SG_I16; }
  bool is_int32_type () const override { return value_class () == SG_I32; }
  bool is_int64_type () const override { return value_class () == SG_I64; }
  bool is_uint8_type () const override { return value_class () == SG_U8; }
  bool is_uint16_type () const override { return value_class () == SG_U16; }
  bool is_uint32_type () const override { return value_class () == SG_U32; }
  bool is_uint64_type () const override { return value_class () == SG_U64; }
  bool isreal () const override { return ! is_cplx (); }
  bool iscomplex () const override { return is_cplx (); }
  bool is_scalar_type () const override { return numel () == 1; }
  bool is_matrix_type () const override { return numel () != 1; }
  bool is_real_scalar () const override { return numel () == 1 && ! is_cplx (); }
  bool is_real_matrix () const override { return numel () != 1 && ! is_cplx (); }
  bool is_complex_scalar () const override { return numel () == 1 && is_cplx (); }
  bool is_complex_matrix () const override { return numel () != 1 && is_cplx (); }
  bool is_bool_scalar () const override { return numel () == 1 && islogical (); }
  bool is_bool_matrix () const override { return numel () != 1 && islogical (); }

  octave_value convert_to_str (bool pad, bool force, char type) const override;
  octave_value full_value () const override;
  octave_value as_double () const override;
  octave_value as_single () const override;
  octave_value as_int8 () const override;
  octave_value as_int16 () const override;
  octave_value as_int32 () const override;
  octave_value as_int64 () const override;
  octave_value as_uint8 () const override;
  octave_value as_uint16 () const override;
  octave_value as_uint32 () const override;
  octave_value as_uint64 () const override;
  octave_value map (unary_mapper_t m) const override;
  octave_value squeeze () const override;
  octave_value reshape (const dim_vector& dv) const override;
  octave_value permute (const Array<int>& perm, bool inv = false) const override;
  octave_value resize (const dim_vector& dv, bool fill = false) const override;
  octave_value all (int dim = 0) const override;
  octave_value any (int dim = 0) const override;

  octave_value subsref (const std::string& type,
                        const std::list<octave_value_list>& idx) override;
  octave_value_list subsref (const std::string& type,
                             const std::list<octave_value_list>& idx,
                             int nargout) override;
  octave_value subsref (const std::string& type,
                        const std::list<octave_value_list>& idx,
                        bool auto_add) override;
  octave_value do_index_op (const octave_value_list& idx,
                            bool resize_ok = false) override;
  octave_value subsasgn (const std::string& type,
                         const std::list<octave_value_list>& idx,
                         const octave_value& rhs) override;
  // An element may sit in memory that a node shares: never written here.
  bool fast_elem_insert (octave_idx_type, const octave_value&) override
  { return false; }

#include "fwd.inc"

private:

  void set_node (sg_node *n) const;
  void make_leaf (const char *name) const;
  void drop_node () const;
  void release_history ();
  octave_value cast (sg_op op, octave_value (octave_base_value::*plain_cast) () const) const;
  octave_base_value& plain () const;

  const octave_value& plain_val () const;

  // One of these at least: the expression, its value, a concatenation under way, a number, of
  // which the other two are made when they are asked for.
  mutable sg_node *m_node;
  mutable octave_value m_val;
  bool m_is_number = false;
  double m_number = 0;
  mutable std::unique_ptr<symgpu::cat_builder> m_cat;
};

namespace symgpu
{
  inline const octave_symarray *
  as_symarray (const octave_base_value& v)
  {
    return (v.type_id () == octave_symarray::s_type_id
            ? static_cast<const octave_symarray *> (&v) : nullptr);
  }

  inline const octave_symarray *
  as_symarray (const octave_value& v)
  {
    return as_symarray (v.get_rep ());
  }

  // The plain value behind V, V itself if it is plain.
  inline octave_value
  unwrap (const octave_value& v)
  {
    const octave_symarray *s = as_symarray (v);
    return s ? s->val () : v;
  }

  octave_value unwrap (const octave_base_value& v);
  // All arguments plain.
  octave_value_list unwrap (const octave_value_list& args);
  bool has_symarray (const octave_value_list& args);

  octave_value_list wrap (octave_value_list list);
  // Takes the reference to N.
  octave_value wrap (sg_node *n);

  // A node for the time of an operation: borrowed from a symarray or a new leaf.
  class operand
  {
  public:

    // Octave's value is not copied: a leaf owns a reference to it.
    explicit operand (const octave_base_value& v);
    explicit operand (const octave_value& v) : operand (v.get_rep ()) { }
    operand (const operand&) = delete;
    operand& operator = (const operand&) = delete;
    ~operand () { if (m_owned) sg_node_unref (m_node); }

    // NULL: this value cannot be a node.
    sg_node * node () const { return m_node; }

  private:

    sg_node *m_node;
    bool m_owned;
  };

  // New nodes remember where the user's program is now; see origin.h.
  void set_origin ();

  void install_assign_ops (octave::type_info& ti);

  // Compute these nodes with the backend that the user has chosen; throws.
  void evaluate (int n, sg_node *const *nodes);
  // The same where nobody looks at the value yet.
  void compute (sg_node *node);
  // Throw what the status says.
  void check (sg_status s);

  extern sg_backend current_backend;
}

#endif
