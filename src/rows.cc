// The rows of the tables, for tests that cover every operation.

#include "compat.h"

#include <octave/defun-dld.h>
#include <octave/oct-map.h>

#include "symgpu.h"

namespace symgpu
{
  // What F says: cpu and cuda in the rows, double and single in the columns.
  template <typename F>
  static Matrix
  by_backend (F f)
  {
    Matrix m (2, 2);
    for (int single = 0; single < 2; single++)
      {
        m(0,single) = f (SG_CPU, single);
        m(1,single) = f (SG_CUDA, single);
      }
    return m;
  }
}

// PKG_ADD: autoload ("__symgpu_rows__", "symgpu.oct");
// PKG_DEL: autoload ("__symgpu_rows__", which ("__symgpu_rows__"), "remove");

DEFUN_DLD (__symgpu_rows__, args, ,
           R"texi(-*- texinfo -*-
@deftypefn {} {@var{s} =} __symgpu_rows__ ()
The rows of the tables of operations, as a struct array with the fields id, name, family
("elementwise", "reduction", "scan" or "move"), n (operands), ulp (at most, from Octave's result: on
the backends cpu and cuda, by row, of doubles and singles, by column), exact (likewise, from the exact
value; 0: nothing is promised), lo and hi (range of arguments for tests) and native (true if Octave's
own function is always called).

@example
numel (__symgpu_rows__ ())
@end example
@end deftypefn)texi")
{
  static const char *const family[] = { "leaf", "elementwise", "reduction", "scan", "move" };

  if (args.length () != 0)
    print_usage ();

  const octave_idx_type n = SG_NOP - 1;
  Cell id (n, 1), name (n, 1), fam (n, 1), operands (n, 1), ulp (n, 1), exact (n, 1), lo (n, 1),
    hi (n, 1), native (n, 1);
  for (octave_idx_type i = 0; i < n; i++)
    {
      const sg_op op = static_cast<sg_op> (i + 1);
      const sg_opinfo *r = sg_op_info (op);
      id(i) = r->id;
      name(i) = r->name;
      fam(i) = family[r->family];
      operands(i) = r->n;
      ulp(i) = symgpu::by_backend ([=] (sg_backend b, bool single)
                                   { return sg_op_ulp (op, b, single); });
      exact(i) = symgpu::by_backend ([=] (sg_backend b, bool single)
                                     { return sg_op_exact (op, b, single); });
      lo(i) = r->lo;
      hi(i) = r->hi;
      native(i) = r->native;
    }
  octave_map m (dim_vector (n, 1));
  m.assign ("id", id);
  m.assign ("name", name);
  m.assign ("family", fam);
  m.assign ("n", operands);
  m.assign ("ulp", ulp);
  m.assign ("exact", exact);
  m.assign ("lo", lo);
  m.assign ("hi", hi);
  m.assign ("native", native);
  return ovl (m);
}

/*
%!test
%! rows = __symgpu_rows__ ();
%! assert (any (strcmp ({rows.id}, "PLUS")));
%! r = rows(strcmp ({rows.id}, "SIN"));
%! assert (r.ulp(1,:), [2 2]);
%! assert (all (r.exact(2,:) > r.exact(1,:)) && all (r.ulp(2,:) >= r.exact(2,:)));
%!error <Invalid call> __symgpu_rows__ (1)
*/
