// Operations done by Octave itself: what the core asks its host for.

#include "compat.h"

#include <cstring>
#include <exception>

#include <octave/interpreter.h>
#include <octave/ov-fcn.h>
#include <octave/symtab.h>

#include "convert.h"
#include "native.h"
#include "origin.h"
#include "symarray.h"
#include "trace.h"
#include "watch.h"

namespace symgpu
{
  sg_backend current_backend = SG_CPU;

  // ---- tables -------------------------------------------------------------------------------

  // Mappers.  Octave's own name of the row "sign" is "signum"; angle and arg are the same.
  struct mapper_row
  {
    octave_base_value::unary_mapper_t mapper;
    sg_op op;
  };

  static const mapper_row mapper_rows[] =
  {
#define MAPPER(name, op) { octave_base_value::umap_##name, SG_##op },
    MAPPER (abs, ABS)
    MAPPER (acos, ACOS)
    MAPPER (acosh, ACOSH)
    MAPPER (angle, ARG)
    MAPPER (arg, ARG)
    MAPPER (asin, ASIN)
    MAPPER (asinh, ASINH)
    MAPPER (atan, ATAN)
    MAPPER (atanh, ATANH)
    MAPPER (cbrt, CBRT)
    MAPPER (ceil, CEIL)
    MAPPER (conj, CONJ)
    MAPPER (cos, COS)
    MAPPER (cosh, COSH)
    MAPPER (erf, ERF)
    MAPPER (erfinv, ERFINV)
    MAPPER (erfcinv, ERFCINV)
    MAPPER (erfc, ERFC)
    MAPPER (erfcx, ERFCX)
    MAPPER (erfi, ERFI)
    MAPPER (dawson, DAWSON)
    MAPPER (exp, EXP)
    MAPPER (expm1, EXPM1)
    MAPPER (isfinite, ISFINITE)
    MAPPER (fix, FIX)
    MAPPER (floor, FLOOR)
    MAPPER (gamma, GAMMA)
    MAPPER (imag, IMAG)
    MAPPER (isinf, ISINF)
    MAPPER (isna, ISNA)
    MAPPER (isnan, ISNAN)
    MAPPER (lgamma, LGAMMA)
    MAPPER (log, LOG)
    MAPPER (log2, LOG2)
    MAPPER (log10, LOG10)
    MAPPER (log1p, LOG1P)
    MAPPER (real, REAL)
    MAPPER (round, ROUND)
    MAPPER (signum, SIGN)
    MAPPER (sin, SIN)
    MAPPER (sinh, SINH)
    MAPPER (sqrt, SQRT)
    MAPPER (tan, TAN)
    MAPPER (tanh, TANH)
#undef MAPPER
  };

  static const struct
  {
    sg_op op;
    octave_value::unary_op octave_op;
  } unary_rows[] =
  {
    { SG_NOT, octave_value::op_not },
    { SG_UPLUS, octave_value::op_uplus },
    { SG_UMINUS, octave_value::op_uminus },
    { SG_TRANSPOSE, octave_value::op_transpose },
    { SG_CTRANSPOSE, octave_value::op_hermitian },
  };

  // How Octave does the operation of a node.
  enum how { BY_FUNCTION, BY_BINARY, BY_UNARY, BY_MAPPER };

  struct native_row
  {
    how kind;
    int code;                   // of the operator or mapper
    octave_value fcn;           // BY_FUNCTION
  };

  static native_row s_native[SG_NOP];
  static int s_op_of_mapper[octave_base_value::num_unary_mappers];

  int
  op_of_mapper (octave_base_value::unary_mapper_t m)
  {
    return m < octave_base_value::num_unary_mappers ? s_op_of_mapper[m] : -1;
  }

  static void
  fill_tables (octave::interpreter& interp)
  {
    octave::symbol_table& symtab = interp.get_symbol_table ();
    for (int op = 0; op < SG_NOP; op++)
      s_native[op] = { BY_FUNCTION, 0,
                       symtab.find_built_in_function (sg_op_info (static_cast<sg_op> (op))->name) };
    for (int& op : s_op_of_mapper)
      op = -1;
    for (const mapper_row& r : mapper_rows)
      {
        s_op_of_mapper[r.mapper] = r.op;
        s_native[r.op] = { BY_MAPPER, r.mapper, octave_value () };
      }
    for (int i = 0; i < operator_count; i++)
      if (operator_rows[i].kind == ELEMENTWISE)
        s_native[operator_rows[i].op] = { BY_BINARY, operator_rows[i].octave_op, octave_value () };
    for (const auto& r : unary_rows)
      s_native[r.op] = { BY_UNARY, r.octave_op, octave_value () };
  }

  // ---- one operation ------------------------------------------------------------------------

  static octave_value
  call (const sg_node *n, const octave_value_list& args, int nargout = 1)
  {
    const octave_value& f = s_native[n->op].fcn;
    octave_value_list r
      = (f.is_defined () ? interpreter ().feval (f, args, nargout)
         : interpreter ().feval (sg_op_info (static_cast<sg_op> (n->op))->name, args, nargout));
    return r(nargout - 1);
  }

  static octave_value
  do_select (const sg_node *n, const octave_value_list& in)
  {
    if (! n->par[0])
      return call (n, in);
    octave_value x = in(2);
    x.assign (octave_value::op_asn_eq, "(", std::list<octave_value_list> { ovl (in(0)) }, in(1));
    return x;
  }

  static octave_value
  do_elementwise (const sg_node *n, const octave_value_list& in)
  {
    if (n->op == SG_SELECT)
      return do_select (n, in);
    const native_row& r = s_native[n->op];
    octave::type_info& ti = interpreter ().get_type_info ();
    switch (r.kind)
      {
      case BY_BINARY:
        return octave::binary_op (ti, static_cast<octave_value::binary_op> (r.code), in(0), in(1));
      case BY_UNARY:
        return octave::unary_op (ti, static_cast<octave_value::unary_op> (r.code), in(0));
      case BY_MAPPER:
        return in(0).get_rep ().map (static_cast<octave_base_value::unary_mapper_t> (r.code));
      default:
        return call (n, in);
      }
  }

  static octave_value
  do_reduction (const sg_node *n, const octave_value_list& in)
  {
    if (n->op == SG_NORM)
      return call (n, ovl (in(0), "fro"));
    octave_value dim (static_cast<double> (n->par[0] + 1));
    if (n->op == SG_DOT)
      return call (n, ovl (in(0), in(1), dim));
    if (n->par[0] < 0)          // all elements
      return call (n, ovl (in(0).reshape (dim_vector (in(0).numel (), 1))));
    // Since Octave 11 sum (zeros (0, 0)) is sum along no dimension.
    if (in(0).rows () == 0 && in(0).numel () == 0 && n->par[0] == 0 && n->numel == 1)
      return call (n, ovl (in(0)));
    bool minmax = n->op == SG_MAX || n->op == SG_MIN;
    if (n->op == SG_IMAX || n->op == SG_IMIN)
      return call (n, ovl (in(0), Matrix (), dim), 2);
    return minmax ? call (n, ovl (in(0), Matrix (), dim)) : call (n, ovl (in(0), dim));
  }

  static octave_value
  do_scan (const sg_node *n, const octave_value_list& in)
  {
    octave_value dim (static_cast<double> (n->par[0] + 1));
    int nargout = sg_op_info (static_cast<sg_op> (n->op))->out == SG_OUT_IDX ? 2 : 1;
    if (n->op == SG_SORT || n->op == SG_ISORT)
      return call (n, ovl (in(0), dim, n->par[1] ? "descend" : "ascend"), nargout);
    return call (n, ovl (in(0), dim), nargout);
  }

  // Products with the operators that Octave would use for A' * B and the like: those give
  // other bits than transposing first.
  static octave_value
  do_product (const sg_node *n, const octave_value_list& in)
  {
    static const octave_value::compound_binary_op left[3]
      = { octave_value::unknown_compound_binary_op, octave_value::op_trans_mul,
          octave_value::op_herm_mul };
    static const octave_value::compound_binary_op right[3]
      = { octave_value::unknown_compound_binary_op, octave_value::op_mul_trans,
          octave_value::op_mul_herm };
    octave::type_info& ti = interpreter ().get_type_info ();
    int ta = n->par[0], tb = n->par[1];
    octave_value b = in(1);
    if (ta && tb)
      b = octave::unary_op (ti, tb == 1 ? octave_value::op_transpose : octave_value::op_hermitian,
                            b);
    if (ta)
      return octave::binary_op (ti, left[ta], in(0), b);
    if (tb)
      return octave::binary_op (ti, right[tb], in(0), b);
    return octave::binary_op (ti, octave_value::op_mul, in(0), b);
  }

  static octave_value
  do_permute (const sg_node *n, const octave_value_list& in)
  {
    Array<int> perm (dim_vector (n->npar, 1));
    for (int i = 0; i < n->npar; i++)
      perm(i) = n->par[i];
    return in(0).permute (perm);
  }

  static octave_value
  do_repmat (const sg_node *n, const octave_value_list& in)
  {
    NDArray reps (dim_vector (1, n->npar));
    for (int i = 0; i < n->npar; i++)
      reps(i) = n->par[i];
    return call (n, ovl (in(0), reps));
  }

  static octave_value
  do_cat (const sg_node *n, const octave_value_list& in)
  {
    octave_value_list args (in);
    args.prepend (octave_value (static_cast<double> (n->par[0] + 1)));
    return call (n, args);
  }

  static octave_value
  subscript (const sg_index& x)
  {
    if (x.kind == SG_IDX_COLON)
      return octave_value (octave_value::magic_colon_t);
    if (x.kind == SG_IDX_RANGE && x.n == 1)
      return octave_value (static_cast<double> (x.start + 1));
    Array<octave_idx_type> a (dim_vector (x.n, 1));
    for (int64_t i = 0; i < x.n; i++)
      a.xelem (i) = x.kind == SG_IDX_RANGE ? x.start + i * x.step : x.vec[i];
    return octave_value (octave::idx_vector (a));
  }

  static octave_value
  do_index (const sg_node *n, const octave_value_list& in)
  {
    octave_value_list idx (n->npar);
    for (int i = 0; i < n->npar; i++)
      idx(i) = subscript (n->idx[i]);
    octave_value a = in(0);
    return a.index_op (idx);
  }

  static octave_value
  do_move (const sg_node *n, const octave_value_list& in)
  {
    switch (n->op)
      {
      case SG_MTIMES:
        return do_product (n, in);
      case SG_PERMUTE:
        return do_permute (n, in);
      case SG_REPMAT:
        return do_repmat (n, in);
      case SG_CAT:
        return do_cat (n, in);
      case SG_INDEX:
        return do_index (n, in);
      case SG_TRIL:
      case SG_TRIU:
        return call (n, ovl (in(0), octave_value (static_cast<double> (n->par[0]))));
      case SG_NTH:
        {
          NDArray at (dim_vector (1, n->par[1]));
          for (int64_t i = 0; i < n->par[1]; i++)
            at(i) = n->par[0] + i;
          return call (n, ovl (in(0), at, octave_value (static_cast<double> (n->par[2] + 1))));
        }
      case SG_LOOKUP:
        return (n->npar == 0 ? call (n, in)
                : call (n, ovl (in(0), in(1), std::string (n->par, n->par + n->npar))));
      case SG_RESHAPE:
        return in(0).reshape (dims_of_node (n));
      default:
        return do_elementwise (n, in);  // transposes
      }
  }

  static octave_value
  do_node (const sg_node *n, const octave_value_list& in)
  {
    switch (sg_op_info (static_cast<sg_op> (n->op))->family)
      {
      case SG_FAM_RED:
        return do_reduction (n, in);
      case SG_FAM_SCAN:
        return do_scan (n, in);
      case SG_FAM_MOVE:
        return do_move (n, in);
      default:
        return do_elementwise (n, in);
      }
  }

  // ---- callbacks ------------------------------------------------------------------------------

  // No exception crosses the core: it waits here.
  static std::exception_ptr s_exception;

  static sg_status
  keep_exception (sg_status s)
  {
    s_exception = std::current_exception ();
    return sg_fail (s, "a call to Octave failed");
  }

  static sg_status
  host_value_new (sg_class cls, bool cplx, int nd, const int64_t *dim, sg_buf **out)
  {
    try
      {
        dim_vector dv = dim_vector::alloc (nd);
        for (int i = 0; i < nd; i++)
          dv(i) = dim[i];
        *out = fresh_buf (cls, cplx, dv);
        return SG_OK;
      }
    catch (const std::bad_alloc&)
      {
        return sg_fail (SG_NOMEM, "out of memory for a result");
      }
    catch (...)
      {
        return keep_exception (SG_FOREIGN);
      }
  }

  // The value of operand I.  Those in the same memory share it in Octave, too, which takes them for
  // the same: x'*x has a function of its own.
  static octave_value
  operand_value (const octave_value_list& args, int i, sg_buf *const *in, const sg_node *n)
  {
    dim_vector dv = dims_of_node (n->in[i]);
    for (int j = 0; j < i && j < 2; j++)
      if (in[j] == in[i])
        return args(j).dims () == dv ? args(j) : args(j).reshape (dv);
    return value_of_buf (in[i], dv);
  }

  static sg_status
  host_foreign (sg_node *n, sg_buf *const *in, sg_buf **out)
  {
    try
      {
        octave_value_list args (n->nin);
        for (int i = 0; i < n->nin; i++)
          args(i) = operand_value (args, i, in, n);
        octave_value v = do_node (n, args);
        plain_type t = plain_type_of (v.type_id ());
        if (t.cls < 0)
          {
            // A diagonal matrix.
            v = v.full_value ();
            t = plain_type_of (v.type_id ());
          }
        if (t.cls < 0)
          return sg_fail (SG_INTERNAL, "%s: Octave gave a value of class %s",
                          sg_op_info (static_cast<sg_op> (n->op))->name, v.class_name ().c_str ());
        *out = buf_of_value (v, t);
        return SG_OK;
      }
    catch (const std::bad_alloc&)
      {
        return sg_fail (SG_NOMEM, "out of memory in %s",
                        sg_op_info (static_cast<sg_op> (n->op))->name);
      }
    catch (...)
      {
        return keep_exception (SG_FOREIGN);
      }
  }

  static bool
  host_interrupted ()
  {
    if (! is_signal_pending ())
      return false;
    try
      {
        // Other signals are dealt with here and the evaluation goes on.
        octave_quit ();
        return false;
      }
    catch (...)
      {
        s_exception = std::current_exception ();
        return true;
      }
  }

  static void
  host_warn (const char *id, const char *text)
  {
    try
      {
        warning_with_id (id, "%s", text);
      }
    catch (...)
      {
        // The user has made an error of it: the value is more than the warning.
        interpreter ().recover_from_exception ();
      }
  }

  static const char *
  host_place (uint32_t origin)
  {
    static std::string text;
    text = origin_text (origin);
    return text.c_str ();
  }

  static const sg_host our_host = { host_value_new, host_foreign, host_interrupted, host_warn,
                                    host_place };

  void
  init_native (octave::interpreter& interp)
  {
    fill_tables (interp);
    sg_set_host (&our_host);
  }

  // ---- evaluation -----------------------------------------------------------------------------

  void
  check (sg_status s)
  {
    if (s == SG_OK)
      return;
    std::exception_ptr e;
    std::swap (e, s_exception);
    if (e && (s == SG_FOREIGN || s == SG_INTERRUPTED))
      std::rethrow_exception (e);
    // As Octave itself.
    if (s == SG_NOMEM)
      raise ("Octave:bad-alloc", "out of memory or dimension too large for Octave's index type");
    raise (sg_status_identifier (s), sg_message ());
  }

  // An error that is found now belongs to the line that made the expression.
  static void
  check_evaluation (sg_status s)
  {
    try
      {
        check (s);
      }
    catch (octave::execution_exception& e)
      {
        add_origin_frame (e, sg_failed_origin);
        throw;
      }
  }

  void
  evaluate (int n, sg_node *const *nodes)
  {
    looking_at (n, nodes);
    evaluation_watch watch (n, nodes);
    check_evaluation (sg_eval (current_backend, n, nodes));
    watch.done ();
  }

  void
  compute (sg_node *node)
  {
    looking_at (1, &node);
    evaluation_watch watch (1, &node);
    check_evaluation (sg_compute (current_backend, 1, &node));
    watch.done ();
  }
}
