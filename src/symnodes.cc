// Expressions node by node, for functions that are written in Octave.

#include "compat.h"

#include <unordered_map>

#include <octave/Cell.h>
#include <octave/defun-dld.h>
#include <octave/oct-map.h>

#include "config.h"
#include "convert.h"
#include "main.h"
#include "origin.h"
#include "rebuild.h"
#include "show.h"
#include "symarray.h"

// PKG_ADD: autoload ("__symgpu_nodes__", "symgpu.oct");
// PKG_DEL: autoload ("__symgpu_nodes__", which ("__symgpu_nodes__"), "remove");
// PKG_ADD: autoload ("__symgpu_apply__", "symgpu.oct");
// PKG_DEL: autoload ("__symgpu_apply__", which ("__symgpu_apply__"), "remove");

namespace symgpu
{
  static octave_value
  positions (const sg_index& x)
  {
    if (x.kind == SG_IDX_COLON)
      return ":";
    RowVector v (x.n);
    for (int64_t i = 0; i < x.n; i++)
      v(i) = 1 + (x.kind == SG_IDX_RANGE ? x.start + i * x.step : x.vec[i]);
    return v;
  }

  static octave_value
  parameters (const sg_node *n)
  {
    RowVector v (n->npar);
    for (int i = 0; i < n->npar; i++)
      v(i) = n->par ? n->par[i] : 0;
    return v;
  }

  static octave_value
  subscripts (const sg_node *n)
  {
    Cell c (1, n->idx ? n->npar : 0);
    for (octave_idx_type i = 0; i < c.numel (); i++)
      c(i) = positions (n->idx[i]);
    return c;
  }

  static octave_value
  operands (const sg_node *n, const std::unordered_map<const sg_node *, int>& number)
  {
    RowVector v (n->nin);
    for (int i = 0; i < n->nin; i++)
      v(i) = number.at (n->in[i]);
    return v;
  }

  static octave_value
  leaf_value (const sg_node *n)
  {
    return n->op == SG_LEAF ? value_of_buf (n->val, dims_of_node (n)) : octave_value (Matrix ());
  }

  static octave_value
  promises (const sg_node *n)
  {
    octave_scalar_map m;
    for (int b = 0; b < SG_NBACKEND; b++)
      m.assign (sg_backend_name (static_cast<sg_backend> (b)),
                sg_op_ulp (static_cast<sg_op> (n->op), static_cast<sg_backend> (b),
                           n->cls == SG_F32));
    return m;
  }

  static const char *const node_fields[] = { "id", "op", "family", "in", "par", "subs", "class",
                                             "size", "ulp", "name", "place", "origin", "value",
                                             "node" };
  static const int nfields = sizeof node_fields / sizeof node_fields[0];

  static octave_map
  nodes_below (const sg_node *root)
  {
    static const char *const family[] = { "leaf", "elementwise", "reduction", "scan", "move" };
    std::vector<const sg_node *> order = order_of (root);
    std::unordered_map<const sg_node *, int> number;
    octave_idx_type count = order.size ();
    std::vector<Cell> c (nfields, Cell (1, count));
    for (octave_idx_type k = 0; k < count; k++)
      {
        const sg_node *n = order[k];
        const sg_opinfo *row = sg_op_info (static_cast<sg_op> (n->op));
        number[n] = k + 1;
        const octave_value v[nfields] =
        {
          row->id, row->name, family[row->family], operands (n, number), parameters (n),
          subscripts (n), sg_class_name (static_cast<sg_class> (n->cls)), size_of_node (n),
          promises (n), n->name ? n->name : "", origin_text (n->origin), origin_value (n),
          leaf_value (n), hold (n)
        };
        for (int f = 0; f < nfields; f++)
          c[f](k) = v[f];
      }
    octave_map m (dim_vector (1, count));
    for (int f = 0; f < nfields; f++)
      m.assign (node_fields[f], c[f]);
    return m;
  }
}

DEFMETHOD_DLD (__symgpu_nodes__, interp, args, ,
               R"texi(-*- texinfo -*-
@deftypefn {} {@var{s} =} __symgpu_nodes__ (@var{x})
The nodes of the expression @var{x}, operands before results, as a struct array: @code{id} and
@code{op} of the operation (@qcode{"LEAF"} for an input), @code{family}, @code{in} (positions of
the operands), @code{par} (parameters, see move.def), @code{subs} (subscripts), @code{class},
@code{size}, @code{ulp} (a struct: what the tables promise by backend), @code{name}, @code{place} and
@code{origin}, @code{value} (of inputs), @code{node} (a symarray).  Nothing is computed.

@example
numel (__symgpu_nodes__ (symarray ([1 2]) + 1))
  @result{} 3
@end example
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () != 1)
    print_usage ();
  octave_value x = args(0);
  return ovl (symgpu::nodes_below (symgpu::node_of (x, "__symgpu_nodes__")));
}

DEFMETHOD_DLD (__symgpu_apply__, interp, args, ,
               R"texi(-*- texinfo -*-
@deftypefn {} {@var{v} =} __symgpu_apply__ (@var{x}, @var{in}, @var{backend})
The value of the topmost operation of the symarray @var{x} with the plain values in the cell
array @var{in} for its operands, computed by @var{backend}.

@example
__symgpu_apply__ (symarray ([1 2]) + 1, @{[3 4], 5@}, "cpu")
  @result{} 8   9
@end example
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () != 3)
    print_usage ();
  octave_value x = args(0);
  const sg_node *n = symgpu::node_of (x, "__symgpu_apply__");
  Cell in = args(1).xcell_value ("__symgpu_apply__: IN must be a cell array");
  std::string name = args(2).xstring_value ("__symgpu_apply__: BACKEND must be a string");
  if (n->op == SG_LEAF || in.numel () != n->nin)
    symgpu::raise ("symgpu:bad-argument", "__symgpu_apply__: IN must have an element for each operand of X");
  sg_backend backend = symgpu::find_backend (name);
  std::vector<std::unique_ptr<symgpu::operand>> held;
  std::vector<sg_node *> nodes;
  for (int i = 0; i < n->nin; i++)
    {
      held.emplace_back (new symgpu::operand (in(i)));
      if (! held.back ()->node ())
        symgpu::raise ("symgpu:bad-class", "__symgpu_apply__: IN must hold numeric or logical arrays");
      nodes.push_back (held.back ()->node ());
    }
  // The symarray owns the node from here.
  octave_value v (new octave_symarray (symgpu::node_again (n, nodes)));
  sg_node *again = symgpu::as_symarray (v)->node ();
  symgpu::check (sg_eval (backend, 1, &again));
  return ovl (symgpu::value_of_buf (again->val, symgpu::dims_of_node (again)));
}

/*
%!test
%! x = symarray ([3 1; 2 4], "x");
%! s = __symgpu_nodes__ (sort (x' * x, 2)(1,:) + 1);
%! assert ({s.id}, {"LEAF", "MTIMES", "SORT", "INDEX", "LEAF", "PLUS"});
%! assert (s(2).in, [1 1]);
%! assert (s(2).par, [2 0]);
%! assert (s(4).subs, {1, ":"});
%! assert (s(1).value, [3 1; 2 4]);
%! assert (s(6).size, [1 2]);
%! for k = [2 3 4 6]
%!   in = {};
%!   for j = s(k).in
%!     in{end+1} = gather (s(j).node);
%!   endfor
%!   for b = {"native", "cpu"}
%!     assert (__symgpu_apply__ (s(k).node, in, b{1}), gather (s(k).node));
%!   endfor
%! endfor
%!error <Invalid call> __symgpu_nodes__ ()
%!error <Invalid call> __symgpu_apply__ (1)
%!error id=symgpu:bad-argument __symgpu_apply__ (symarray ([1 2]) + 1, {1}, "cpu")
%!error id=symgpu:bad-class __symgpu_apply__ (symarray ([1 2]) + 1, {1, "a", {}}(2:3), "cpu")
*/
