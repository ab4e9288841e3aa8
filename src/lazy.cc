// Lazy forms of functions, see methods.def.

#include "compat.h"

#include <cmath>
#include <set>

#include <octave/ov-re-mat.h>

#include "cat.h"
#include "compose.h"
#include "convert.h"
#include "dialect.h"
#include "methods.h"
#include "symarray.h"

namespace symgpu
{
  // False: the core has no such node.
  static bool
  take (sg_status s, sg_node *n, octave_value& v)
  {
    if (s == SG_OK)
      {
        v = wrap (n);
        return true;
      }
    if (s != SG_DELEGATE)
      check (s);
    return false;
  }

  bool
  get_dim (const octave_value& v, int& dim)
  {
    if (v.is_string () || v.numel () != 1 || ! v.isnumeric () || ! v.isreal ())
      return false;
    double d = v.double_value ();
    if (d != std::floor (d) || d < 1 || d > 1e6)
      return false;
    dim = static_cast<int> (d) - 1;
    return true;
  }

  static sg_class
  class_of (const octave_value& v)
  {
    const octave_symarray *s = as_symarray (v);
    if (s)
      return s->value_class ();
    int c = plain_type_of (v.type_id ()).cls;
    return c < 0 ? SG_NCLASS : static_cast<sg_class> (c);
  }

  // The last argument is a word, which goes.
  static bool
  take_word (octave_value_list& args, std::string& word)
  {
    int n = args.length ();
    if (n < 2 || ! args(n-1).is_string ())
      return false;
    word = args(n-1).string_value ();
    args.resize (n - 1);
    return true;
  }

  // What the words mean for the class of X.  False: Octave knows.
  static bool
  obey_word (const std::string& word, sg_op& op, term& x)
  {
    bool extra = word == "extra" && op == SG_SUM;
    // Octave's prod of singles in double is 0 along rows.
    if (word == "double" && op == SG_PROD && x->cls == SG_F32)
      return false;
    if (word == "native")
      {
        if (x->cls == SG_BOOL)
          op = op == SG_SUM ? SG_ANY : op == SG_PROD ? SG_ALL : op;
        return ! sg_class_is_integer (static_cast<sg_class> (x->cls));
      }
    if ((word != "double" && ! extra) || (extra && x->cls == SG_F64))
      return false;
    if (x->cls == SG_F32)
      x = elementwise (SG_DOUBLE, x);
    return true;
  }

  // f (x), f (x, dim), f (..., "double")
  static bool
  line_arguments (sg_op& op, octave_value_list args, term& x, int& dim, std::string& word)
  {
    bool worded = (op == SG_SUM || op == SG_PROD || op == SG_CUMSUM) && widens_integers (op)
                  && take_word (args, word);
    int nargin = args.length ();
    dim = -1;
    if (nargin < 1 || nargin > 2 || ! as_symarray (args(0))
        || (nargin == 2 && ! get_dim (args(1), dim)))
      return false;
    set_origin ();
    x = term (args(0));
    return ! worded || obey_word (word, op, x);
  }

  bool
  lazy_reduce (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    term x;
    int dim;
    std::string word;
    if (nargout > 1 || ! line_arguments (op, args, x, dim, word))
      return false;
    x = reduce (op, x, dim);
    if (x)
      result = ovl (x.value ());
    return bool (x);
  }

  // [m, i] = cummax (x, dim) and the scans that have one result
  bool
  lazy_scan (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    term x, i;
    int dim;
    std::string word;
    bool extreme = op == SG_CUMMAX || op == SG_CUMMIN;
    if (nargout > (extreme ? 2 : 1) || ! line_arguments (op, args, x, dim, word))
      return false;
    bool logical = x->cls == SG_BOOL && word == "native";
    if (nargout > 1)
      {
        i = scan (op == SG_CUMMAX ? SG_ICUMMAX : SG_ICUMMIN, x, dim);
        if (! i)
          return false;
      }
    x = scan (op, x, dim);
    if (logical)
      x = elementwise (SG_NE, x, 0);
    if (! x)
      return false;
    result = nargout > 1 ? ovl (x.value (), i.value ()) : ovl (x.value ());
    return true;
  }

  static bool
  make_pair (sg_op op, const octave_value_list& args, octave_value_list& result)
  {
    operand a (args(0)), b (args(1));
    if (! a.node () || ! b.node ())
      return false;
    sg_node *in[2] = { a.node (), b.node () }, *n;
    octave_value v;
    set_origin ();
    sg_status s = sg_ew_new (op, 2, in, &n);
    // Octave's own message about sizes names the function.
    if (s == SG_NONCONFORMANT || ! take (s, n, v))
      return false;
    result = ovl (v);
    return true;
  }

  // [m, i] = max (x, [], dim), max (x, y)
  bool
  lazy_extremum (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length ();
    if (nargin == 2)
      {
        if (nargout > 1 || class_of (args(0)) == SG_NCLASS || class_of (args(1)) == SG_NCLASS
            || (! orders_complex_as_core ()
                && (term (args(0)).is_complex () || term (args(1)).is_complex ()))
            || (class_of (args(0)) == SG_BOOL && class_of (args(1)) == SG_BOOL))
          return false;
        return make_pair (op == SG_MAX ? SG_MAX2 : SG_MIN2, args, result);
      }
    int dim = -1;
    if (nargout > 2 || nargin < 1 || nargin > 3 || ! as_symarray (args(0))
        || (nargin == 3 && (! args(1).isempty () || ! get_dim (args(2), dim))))
      return false;
    if (class_of (args(0)) == SG_BOOL)
      {
        // Octave does it with any and all, and its result is logical; but an extent of 0 stays.
        if (nargout > 1 || args(0).isempty ())
          return false;
        op = op == SG_MAX ? SG_ANY : SG_ALL;
      }
    sg_node *in = as_symarray (args(0))->node (), *n;
    octave_value v, i;
    set_origin ();
    sg_status s = sg_reduce_new (op, in, dim, &n);
    if (! take (s, n, v))
      return false;
    result = ovl (v);
    if (nargout > 1)
      {
        s = sg_reduce_new (op == SG_MAX ? SG_IMAX : SG_IMIN, in, dim, &n);
        if (! take (s, n, i))
          return false;
        result = ovl (v, i);
      }
    return true;
  }

  // atan2 (y, x) and the like refuse logical and complex arguments.
  bool
  lazy_pair (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    if (args.length () != 2 || nargout > 1)
      return false;
    for (int k = 0; k < 2; k++)
      {
        sg_class c = class_of (args(k));
        if (c == SG_NCLASS || c == SG_BOOL || args(k).iscomplex ())
          return false;
      }
    return make_pair (op, args, result);
  }

  static bool
  cat_along (int dim, const octave_value_list& values, int nargout, octave_value_list& result)
  {
    if (nargout > 1 || values.length () == 0)
      return false;
    octave_value v = cat_values (dim, values);
    result = ovl (v);
    return v.is_defined ();
  }

  // [x, y] and [x; y] by name
  bool
  lazy_hcat (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    return cat_along (1, args, nargout, result);
  }

  bool
  lazy_vcat (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    return cat_along (0, args, nargout, result);
  }

  bool
  lazy_cat_dim (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int dim;
    if (args.length () < 2 || ! get_dim (args(0), dim))
      return false;
    return cat_along (dim, args.slice (1, args.length () - 1), nargout, result);
  }

  // repmat (x, m), (x, m, n, ...), (x, [m, n, ...])
  bool
  lazy_repmat (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length ();
    if (nargout > 1 || nargin < 2 || ! as_symarray (args(0)))
      return false;
    std::vector<int64_t> reps;
    bool some = false;          // not negative
    for (int k = 1; k < nargin; k++)
      {
        const octave_value& a = args(k);
        bool vector = nargin == 2 && a.ndims () == 2 && a.rows () == 1 && a.numel () > 1;
        if (a.is_string () || ! a.isnumeric () || ! a.isreal () || (! vector && a.numel () != 1))
          return false;
        NDArray m = a.array_value ();
        for (octave_idx_type i = 0; i < m.numel (); i++)
          {
            if (m(i) != std::floor (m(i)) || std::fabs (m(i)) > 1e15)
              return false;
            some = some || m(i) >= 0;
            reps.push_back (m(i) < 0 ? 0 : static_cast<int64_t> (m(i)));
          }
      }
    if (reps.size () == 1)
      reps.push_back (reps[0]);
    sg_node *in = as_symarray (args(0))->node (), *n;
    octave_value v;
    if (in->numel == 0 || ! some)
      return false;
    set_origin ();
    sg_status s = sg_repmat_new (in, reps.size (), reps.data (), &n);
    if (! take (s, n, v))
      return false;
    result = ovl (v);
    return true;
  }

  // Elementwise, of one argument.
  bool
  lazy_one (sg_op op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    if (args.length () != 1 || nargout > 1)
      return false;
    sg_node *in = as_symarray (args(0))->node (), *n;
    octave_value v;
    set_origin ();
    sg_status s = sg_ew_new (op, 1, &in, &n);
    if (! take (s, n, v))
      return false;
    result = ovl (v);
    return true;
  }

  // merge (mask, x, y) of a logical array and numbers of one class
  bool
  lazy_merge (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    if (args.length () != 3 || nargout > 1)
      return false;
    set_origin ();
    term mask (args(0)), yes (args(1)), no (args(2));
    if (! mask || ! yes || ! no || mask->numel <= 1 || mask->cls != SG_BOOL
        || yes->cls != no->cls || yes->cls == SG_BOOL)
      return false;
    sg_node *n;
    octave_value v;
    sg_status s = sg_select_new (mask.get (), yes.get (), no.get (),
                                 static_cast<sg_class> (yes->cls), false, &n);
    if (! take (s, n, v))
      return false;
    result = ovl (v);
    return true;
  }

  // A function that repeats its operands itself needs no bsxfun.  Not power: bsxfun and the
  // operator have different algorithms.
  bool
  lazy_bsxfun (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    static const std::set<std::string> known { "plus", "minus", "times", "rdivide", "max",
                                               "min", "eq", "ne", "lt", "le", "gt", "ge", "and",
                                               "or" };
    if (args.length () != 3 || nargout > 1)
      return false;
    octave_value f = args(0);
    if (f.is_string ())
      f = interpreter ().get_symbol_table ().find_function (f.string_value ());
    else if (f.is_function_handle ())
      // The caller's handle would keep the function that is found for no arguments.
      f = octave_value (f.get_rep ().clone ());
    octave_function *fcn
      = f.is_function_handle () || f.is_function () ? f.function_value (true) : nullptr;
    if (! fcn || ! fcn->is_builtin_function () || known.find (fcn->name ()) == known.end ())
      return false;
    sg_class a = class_of (args(1)), b = class_of (args(2));
    if (a == SG_NCLASS || b == SG_NCLASS
        || (a != b && (sg_class_is_integer (a) || sg_class_is_integer (b))))
      return false;
    // What does not fit is an error of bsxfun, which does not look at operands of empty results.
    dim_vector da = args(1).dims (), db = args(2).dims ();
    int nd = std::max (da.ndims (), db.ndims ());
    da.resize (nd, 1);
    db.resize (nd, 1);
    for (int i = 0; i < nd; i++)
      if (da(i) == 0 || db(i) == 0 || (da(i) != db(i) && da(i) != 1 && db(i) != 1))
        return false;
    result = interpreter ().feval (fcn->name (), args.slice (1, 2), 1);
    return true;
  }

  // Scripts ask for the class of the value.
  bool
  lazy_class_of (sg_op, const octave_value_list& args, int, octave_value_list& result)
  {
    if (args.length () != 1)
      return false;
    result = ovl (sg_class_name (as_symarray (args(0))->value_class ()));
    return true;
  }
}
