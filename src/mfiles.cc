// Functions that are m-files of Octave, made of nodes without the price of the interpreter.  What
// is declined here the m-file does.

#include "compat.h"

#include <cmath>

#include "compose.h"
#include "methods.h"

namespace symgpu
{
  static int
  first_dim (const dim_vector& dv)
  {
    for (int k = 0; k < dv.ndims (); k++)
      if (dv(k) > 1)
        return k;
    return 0;
  }

  static octave_value_list
  all_colons (int n)
  {
    return octave_value_list (std::vector<octave_value> (n, octave_value::magic_colon_t));
  }

  // ---- moves ----------------------------------------------------------------------------------

  // N, N + 1 ... M - 1, 0, 1 ... N - 1
  static octave_value
  rotation (octave_idx_type m, double by)
  {
    octave_idx_type first = static_cast<octave_idx_type> (std::fmod (by, m));
    first = first > 0 ? m - first : -first;
    Array<octave_idx_type> at (dim_vector (1, m));
    octave_idx_type *p = at.fortran_vec ();
    for (octave_idx_type i = 0; i < m; i++)
      p[i] = i < m - first ? first + i : i - (m - first);
    return octave_value (octave::idx_vector (at));
  }

  // circshift (x, n), circshift (x, n, dim)
  bool
  lazy_circshift (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length (), dim;
    if (nargout > 1 || nargin < 2 || nargin > 3 || ! as_symarray (args(0)) || args(0).isempty ()
        || ! args(1).isnumeric () || ! args(1).isreal ())
      return false;
    const dim_vector dv = args(0).dims ();
    NDArray n = args(1).array_value ();
    if (n.ndims () != 2 || (n.rows () != 1 && n.columns () != 1) || n.isempty ())
      return false;
    if (nargin == 3 && (n.numel () != 1 || ! get_dim (args(2), dim)))
      return false;
    if (nargin == 2)
      dim = n.numel () == 1 ? first_dim (dv) : 0;
    if (dim + n.numel () > dv.ndims ())
      return false;
    octave_value_list idx = all_colons (dv.ndims ());
    for (octave_idx_type i = 0; i < n.numel (); i++)
      {
        if (n(i) != std::floor (n(i)) || std::fabs (n(i)) > 1e15)
          return false;
        if (n(i) != 0)
          idx(dim + i) = rotation (dv(dim + i), n(i));
      }
    octave_value x = args(0);
    result = ovl (x.index_op (idx));
    return true;
  }

  static bool
  flip (octave_value x, int dim, octave_value_list& result)
  {
    const dim_vector dv = x.dims ();
    if (! as_symarray (x) || x.isempty () || dim >= dv.ndims ())
      return false;
    octave_value_list idx = all_colons (dv.ndims ());
    idx(dim) = octave_value (octave::idx_vector (dv(dim) - 1, -1, -1));
    result = ovl (x.index_op (idx));
    return true;
  }

  // flip (x), flip (x, dim)
  bool
  lazy_flip (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length (), dim;
    if (nargout > 1 || nargin < 1 || nargin > 2 || (nargin == 2 && ! get_dim (args(1), dim)))
      return false;
    if (nargin == 1)
      dim = first_dim (args(0).dims ());
    return flip (args(0), dim, result);
  }

  bool
  lazy_fliplr (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    return nargout <= 1 && args.length () == 1 && flip (args(0), 1, result);
  }

  bool
  lazy_flipud (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    return nargout <= 1 && args.length () == 1 && flip (args(0), 0, result);
  }

  // ---- statistics -----------------------------------------------------------------------------

  // mean (x), mean (x, dim), as Octave 7 has it: the sum over the number
  bool
  lazy_mean (sg_op, const octave_value_list& args, int nargout, octave_value_list& result)
  {
    int nargin = args.length ();
    int64_t number = 1;
    if (! mean_is_sum_over_number || nargout > 1 || nargin < 1 || nargin > 2
        || ! as_symarray (args(0)) || args(0).isempty ()
        || ! (args(0).isnumeric () || args(0).islogical ())
        || (nargin == 2 && ! get_integer (args(1), number)))
      return false;
    const dim_vector dv = args(0).dims ();
    int dim = first_dim (dv);
    if (nargin == 2)
      {
        if (number < 1 || number > dv.ndims ())
          return false;
        dim = static_cast<int> (number) - 1;
      }
    set_origin ();
    term x (args(0));
    if (! x)
      return false;
    return answer (elementwise (SG_RDIVIDE, reduce (SG_SUM, x, dim), static_cast<double> (dv(dim))),
                   result);
  }
}
