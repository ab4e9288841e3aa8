// Nodes made of nodes, and the functions that are.

#include "compose.h"

#include <cmath>
#include <set>

#include "dialect.h"
#include "methods.h"

namespace symgpu
{
  // ---- terms --------------------------------------------------------------------------------

  static term
  made (sg_status s, sg_node *n)
  {
    if (s == SG_OK)
      return term (n);
    if (s != SG_DELEGATE && s != SG_NONCONFORMANT)
      check (s);
    return term ();
  }

  term::term (const octave_value& v)
    : m_node (nullptr)
  {
    // To operators strings are numbers; functions may refuse them.
    if (v.is_string ())
      return;
    operand a (v);
    if (a.node ())
      m_node = sg_node_ref (a.node ());
  }

  bool
  term::is_float () const
  {
    return sg_class_kind (static_cast<sg_class> (m_node->cls)) == SG_KIND_FLOAT;
  }

  term
  elementwise (sg_op op, const term& a)
  {
    if (! a)
      return term ();
    sg_node *in = a.get (), *n;
    sg_status s = sg_ew_new (op, 1, &in, &n);
    return made (s, n);
  }

  term
  elementwise (sg_op op, const term& a, const term& b)
  {
    if (! a || ! b)
      return term ();
    sg_node *in[2] = { a.get (), b.get () }, *n;
    sg_status s = sg_ew_new (op, 2, in, &n);
    return made (s, n);
  }

  term
  elementwise (sg_op op, const term& a, double b)
  {
    return elementwise (op, a, term (octave_value (b)));
  }

  typedef sg_status (*line_maker) (sg_op op, sg_node *a, int dim, sg_node **out);

  static term
  along_lines (line_maker make, sg_op op, const term& a, int dim)
  {
    if (! a || ! follows_core (op, a.get (), dim))
      return term ();
    sg_node *n;
    sg_status s = make (op, a.get (), dim, &n);
    return made (s, n);
  }

  term
  reduce (sg_op op, const term& a, int dim)
  {
    return along_lines (sg_reduce_new, op, a, dim);
  }

  term
  reduce_all (sg_op op, const term& a)
  {
    if (! a)
      return term ();
    sg_node *n;
    sg_status s = sg_reduce_all_new (op, a.get (), &n);
    return made (s, n);
  }

  term
  scan (sg_op op, const term& a, int dim)
  {
    return along_lines (sg_scan_new, op, a, dim);
  }

  term
  reshape (const term& a, const std::vector<int64_t>& dim)
  {
    if (! a)
      return term ();
    sg_node *n;
    sg_status s = sg_reshape_new (a.get (), dim.size (), dim.data (), &n);
    return made (s, n);
  }

  term
  elements (const term& a, int64_t start, int64_t step, int64_t count)
  {
    if (! a)
      return term ();
    sg_index idx = sg_index_range (start, step, count);
    int64_t dim[2] = { count, 1 };
    sg_node *n;
    sg_status s = sg_index_new (a.get (), 1, &idx, 2, dim, &n);
    return made (s, n);
  }

  term
  slice (const term& a, int dim, int64_t start, int64_t count)
  {
    if (! a)
      return term ();
    std::vector<sg_index> idx;
    std::vector<int64_t> d (a->dim, a->dim + a->nd);
    for (int k = 0; k < a->nd; k++)
      idx.push_back (sg_index_colon (d[k]));
    idx[dim] = sg_index_range (start, 1, count);
    d[dim] = count;
    sg_node *n;
    sg_status s = sg_index_new (a.get (), a->nd, idx.data (), a->nd, d.data (), &n);
    return made (s, n);
  }

  bool
  answer (const term& t, octave_value_list& result)
  {
    if (t)
      result = ovl (t.value ());
    return bool (t);
  }

  // ---- products -------------------------------------------------------------------------------

  static bool
  is_vector (const term& t)
  {
    return t->nd == 2 && (t->dim[0] == 1 || t->dim[1] == 1);
  }

  // dot (x, y), dot (x, y, dim)
  bool
  lazy_dot (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length (), dim = -1;
    if (nargout > 1 || nargin < 2 || nargin > 3 || (nargin == 3 && ! get_dim (args(2), dim)))
      return false;
    set_origin ();
    term x (args(0)), y (args(1));
    if (! x || ! y || ! x.is_float () || ! y.is_float ())
      return false;
    // Vectors of any direction go together.
    if (nargin == 2 && x->numel == y->numel && is_vector (x) && is_vector (y)
        && x->dim[0] != y->dim[0])
      {
        x = reshape (x, { x->numel, 1 });
        y = reshape (y, { y->numel, 1 });
      }
    sg_node *n;
    if (! x || ! y || dim >= x->nd || x->numel == 0)
      return false;
    sg_status s = sg_dot_new (x.get (), y.get (), dim, &n);
    return answer (made (s, n), result);
  }

  // What Octave's kron takes: integers and logicals as double.
  static term
  kron_operand (const octave_value& v)
  {
    term t (v);
    if (! t || t->nd != 2 || t->numel == 0 || t.is_complex ())
      return term ();
    return t.is_float () ? t : elementwise (SG_DOUBLE, t);
  }

  static term
  kron (const term& a, const term& b)
  {
    if (! a || ! b)
      return term ();
    int64_t m = a->dim[0], n = a->dim[1], p = b->dim[0], q = b->dim[1];
    return reshape (elementwise (SG_TIMES, reshape (a, { 1, m, 1, n }),
                                 reshape (b, { p, 1, q, 1 })),
                    { p * m, q * n });
  }

  // kron (x, y, ...)
  bool
  lazy_kron (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    if (nargout > 1 || args.length () < 2)
      return false;
    set_origin ();
    term t = kron_operand (args(0));
    for (octave_idx_type k = 1; k < args.length () && t; k++)
      t = kron (t, kron_operand (args(k)));
    return answer (t, result);
  }

  // ---- parts ----------------------------------------------------------------------------------

  bool
  get_integer (const octave_value& v, int64_t& k)
  {
    if (v.is_string () || v.numel () != 1 || ! v.isnumeric () || ! v.isreal ())
      return false;
    double d = v.double_value ();
    if (d != std::floor (d) || std::fabs (d) > 1e15)
      return false;
    k = static_cast<int64_t> (d);
    return true;
  }

  // diag (x), diag (x, k) of a matrix
  bool
  lazy_diag (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int64_t k = 0;
    if (nargout > 1 || args.length () < 1 || args.length () > 2
        || (args.length () == 2 && ! get_integer (args(1), k)))
      return false;
    set_origin ();
    term x (args(0));
    if (! x || x->nd != 2 || x->dim[0] <= 1 || x->dim[1] <= 1)
      return false;
    int64_t m = x->dim[0], rows = m + std::min<int64_t> (k, 0);
    int64_t cols = x->dim[1] - std::max<int64_t> (k, 0);
    int64_t n = std::min (rows, cols);
    if (n <= 0)
      return false;
    return answer (elements (x, k > 0 ? k * m : -k, m + 1, n), result);
  }

  // tril (x), tril (x, k)
  bool
  lazy_trilu (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int64_t k = 0;
    if (nargout > 1 || args.length () < 1 || args.length () > 2
        || (args.length () == 2 && ! get_integer (args(1), k)))
      return false;
    set_origin ();
    term x (args(0));
    if (! x || x->nd != 2)
      return false;
    k = std::max (-x->dim[0], std::min (k, x->dim[1]));
    sg_node *n;
    sg_status s = sg_trilu_new (op, x.get (), k, &n);
    return answer (made (s, n), result);
  }

  // [y, i] = sort (x), sort (x, mode), sort (x, dim), sort (x, dim, mode)
  bool
  lazy_sort (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length (), dim = -1;
    bool worded = nargin > 1 && args(nargin-1).is_string ();
    int plain = nargin - worded;
    std::string mode = worded ? args(nargin-1).string_value () : "ascend";
    if (nargout > 2 || plain < 1 || plain > 2 || (plain == 2 && ! get_dim (args(1), dim))
        || (mode != "ascend" && mode != "descend"))
      return false;
    set_origin ();
    term x (args(0));
    if (! x || dim >= x->nd)
      return false;
    sg_op ops[2] = { SG_SORT, SG_ISORT };
    octave_value_list r;
    for (int k = 0; k < std::max (nargout, 1); k++)
      {
        sg_node *n;
        sg_status s = sg_sort_new (ops[k], x.get (), dim, mode == "descend", &n);
        term t = made (s, n);
        if (! t)
          return false;
        r(k) = t.value ();
      }
    result = r;
    return true;
  }

  // nth_element (x, n), nth_element (x, n, dim): n a position or a range that goes up
  bool
  lazy_nth_element (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length (), dim = -1;
    if (nargout > 1 || nargin < 2 || nargin > 3 || (nargin == 3 && ! get_dim (args(2), dim))
        || args(1).is_string () || ! args(1).isnumeric () || ! args(1).isreal ()
        || args(1).isempty ())
      return false;
    set_origin ();
    term x (args(0));
    if (! x || x->numel == 0)
      return false;
    for (dim = std::max (dim, 0); nargin == 2 && dim + 1 < x->nd && x->dim[dim] == 1; )
      dim++;
    NDArray at = args(1).array_value ();
    for (octave_idx_type i = 0; i < at.numel (); i++)
      if (at(i) != at(0) + i || at(i) != std::floor (at(i)) || at(i) < 1 || at(i) > x.extent (dim))
        return false;
    if (dim >= x->nd)
      return false;
    std::vector<int64_t> d (x->dim, x->dim + x->nd);
    d[dim] = at.numel ();
    int64_t par[3] = { static_cast<int64_t> (at(0)), d[dim], dim };
    sg_node *in = x.get (), *n;
    sg_status s = sg_foreign_new (SG_NTH, 1, &in, static_cast<sg_class> (x->cls), x->nd, d.data (), 3,
                                  par, &n);
    return answer (made (s, n), result);
  }

  // lookup (table, y), lookup (table, y, opt)
  bool
  lazy_lookup (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length ();
    if (nargout > 1 || nargin < 2 || nargin > 3 || (nargin == 3 && ! args(2).is_string ()))
      return false;
    std::string opt = nargin == 3 ? args(2).string_value () : "";
    static const std::set<std::string> known { "", "l", "r", "lr", "rl", "m", "b" };
    if (known.find (opt) == known.end ())
      return false;
    set_origin ();
    term table (args(0)), y (args(1));
    if (! table || ! y || ! is_vector (table) || table->numel == 0 || y->numel == 0
        || table->cls == SG_BOOL || y->cls == SG_BOOL)
      return false;
    std::vector<int64_t> par (opt.begin (), opt.end ());
    sg_node *in[2] = { table.get (), y.get () }, *n;
    sg_status s = sg_foreign_new (SG_LOOKUP, 2, in, opt == "b" ? SG_BOOL : SG_F64, y->nd, y->dim,
                                  par.size (), par.data (), &n);
    return answer (made (s, n), result);
  }

  // diff (x), diff (x, k), diff (x, k, dim): as long as the dimension has enough elements
  bool
  lazy_diff (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length (), dim = -1;
    int64_t order = 1;
    if (nargout > 1 || nargin < 1 || nargin > 3
        || (nargin > 1 && ! args(1).isempty () && ! get_integer (args(1), order))
        || (nargin > 1 && args(1).isempty () && ! args(1).is_zero_by_zero ())
        || (nargin > 2 && ! get_dim (args(2), dim)))
      return false;
    set_origin ();
    term x (args(0));
    if (! x || x->numel == 0)
      return false;
    if (dim < 0)
      for (dim = 0; dim + 1 < x->nd && x->dim[dim] == 1; dim++)
        ;
    if (dim >= x->nd || order < 1 || order > 16 || x->dim[dim] <= order)
      return false;
    if (x->cls == SG_BOOL)
      x = elementwise (SG_DOUBLE, x);
    for (; order > 0 && x; order--)
      {
        int64_t n = x->dim[dim] - 1;
        x = elementwise (SG_MINUS, slice (x, dim, 1, n), slice (x, dim, 0, n));
      }
    return answer (x, result);
  }

  // ---- counts and norms -----------------------------------------------------------------------

  bool
  lazy_nnz (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    if (nargout > 1 || args.length () != 1)
      return false;
    set_origin ();
    term x (args(0));
    if (! x)
      return false;
    if (x->cls != SG_BOOL)
      x = elementwise (SG_NE, x, 0);
    return answer (reduce_all (SG_SUM, x), result);
  }

  // X, or NaN if P, a truth value, is false.
  static term
  nan_unless (const term& p, const term& x)
  {
    return elementwise (SG_PLUS, x, elementwise (SG_RDIVIDE, term (octave_value (0.0)), p));
  }

  // The largest or smallest magnitude.  Other than max and min, the norm lets a NaN win.
  static term
  extreme_norm (sg_op op, const term& x)
  {
    term nan = reduce_all (SG_ANY, elementwise (SG_ISNAN, x));
    return nan_unless (elementwise (SG_EQ, nan, 0), reduce_all (op, elementwise (SG_ABS, x)));
  }

  // The largest sum of magnitudes along a dimension.  Octave compares with the first, so that
  // only a NaN there wins.
  static term
  sum_norm (const term& x, int dim)
  {
    term sums = reduce (SG_SUM, elementwise (SG_ABS, x), dim);
    term first = elements (sums, 0, 1, 1);
    return nan_unless (elementwise (SG_EQ, first, first), reduce_all (SG_MAX, sums));
  }

  static term
  norm (const term& x, double p, bool frobenius)
  {
    bool vector = x->dim[0] == 1 || x->dim[1] == 1;
    if (frobenius || (vector && p == 2))
      return reduce_all (SG_NORM, x);
    if (vector && p == 1)
      return reduce_all (SG_SUM, elementwise (SG_ABS, x));
    if (vector && std::isinf (p))
      return extreme_norm (p > 0 ? SG_MAX : SG_MIN, x);
    if (p == 1 || (std::isinf (p) && p > 0))
      return sum_norm (x, p == 1 ? 0 : 1);
    return term ();
  }

  // norm (x), norm (x, p): what needs no singular values
  bool
  lazy_norm (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    if (nargout > 1 || args.length () < 1 || args.length () > 2)
      return false;
    double p = 2;
    bool frobenius = false;
    if (args.length () == 2 && args(1).is_string ())
      {
        std::string s = args(1).string_value ();
        std::transform (s.begin (), s.end (), s.begin (), tolower);
        frobenius = s == "fro";
        if (! frobenius && s != "inf" && s != "-inf")
          return false;
        p = s == "inf" ? INFINITY : -INFINITY;
      }
    else if (args.length () == 2)
      {
        if (args(1).numel () != 1 || ! args(1).isnumeric () || ! args(1).isreal ())
          return false;
        p = args(1).double_value ();
      }
    set_origin ();
    term x (args(0));
    if (! x || x->nd != 2 || x->numel == 0 || ! x.is_float ())
      return false;
    return answer (norm (x, p, frobenius), result);
  }
}
