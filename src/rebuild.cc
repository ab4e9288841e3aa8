// Expressions once more, without what has been computed of them.

#include "compat.h"

#include <algorithm>

#include "rebuild.h"
#include "symarray.h"

namespace symgpu
{
  rebuilder::~rebuilder ()
  {
    for (auto& c : m_copies)
      sg_node_unref (c.second);
  }

  // The subscripts of N for another node, which will own their vectors.
  static sg_status
  index_again (const sg_node *n, sg_node *a, sg_node **out)
  {
    std::vector<sg_index> idx (n->idx, n->idx + n->npar);
    bool complete = true;
    for (sg_index& x : idx)
      if (x.kind == SG_IDX_VECTOR)
        {
          std::size_t bytes = std::max<int64_t> (x.n, 1) * sizeof (int64_t);
          const int64_t *vec = x.vec;
          x = sg_index_vector (x.n, nullptr);
          if (complete)
            x.vec = static_cast<int64_t *> (sg_malloc (bytes));
          complete = complete && x.vec;
          if (x.vec)
            std::copy_n (vec, x.n, x.vec);
        }
    sg_status s = (complete ? sg_index_new (a, n->npar, idx.data (), n->nd, n->dim, out)
                   : sg_fail (SG_NOMEM, "out of memory for subscripts"));
    if (s != SG_OK)
      for (sg_index& x : idx)
        sg_index_free (&x);
    return s;
  }

  static sg_status
  move_again (const sg_node *n, const std::vector<sg_node *>& in, sg_node **out)
  {
    sg_op op = static_cast<sg_op> (n->op);
    switch (op)
      {
      case SG_MTIMES:
        return sg_mtimes_new (in[0], n->par[0], in[1], n->par[1], out);
      case SG_TRANSPOSE:
      case SG_CTRANSPOSE:
        return sg_transpose_new (in[0], n->op == SG_CTRANSPOSE, out);
      case SG_PERMUTE:
        return sg_permute_new (in[0], n->npar, n->par, out);
      case SG_RESHAPE:
        return sg_reshape_new (in[0], n->nd, n->dim, out);
      case SG_REPMAT:
        return sg_repmat_new (in[0], n->npar, n->par, out);
      case SG_TRIL:
      case SG_TRIU:
        return sg_trilu_new (op, in[0], n->par[0], out);
      case SG_NTH:
      case SG_LOOKUP:
        return sg_foreign_new (op, n->nin, in.data (), static_cast<sg_class> (n->cls), n->nd, n->dim,
                               n->npar, n->par, out);
      case SG_CAT:
        return sg_cat_new (n->par[0], n->nin, in.data (), out);
      default:
        return index_again (n, in[0], out);
      }
  }

  sg_node *
  node_again (const sg_node *n, const std::vector<sg_node *>& in)
  {
    sg_op op = static_cast<sg_op> (n->op);
    sg_node *out;
    sg_status s;
    sg_origin = n->origin;
    switch (sg_op_info (op)->family)
      {
      case SG_FAM_EW:
        s = (op == SG_SELECT
             ? sg_select_new (in[0], in[1], in[2], static_cast<sg_class> (n->cls), n->par[0], &out)
             : sg_ew_new (op, n->nin, in.data (), &out));
        break;
      case SG_FAM_RED:
        s = (op == SG_DOT ? sg_dot_new (in[0], in[1], n->par[0], &out)
             : n->par[0] < 0 ? sg_reduce_all_new (op, in[0], &out)
             : sg_reduce_new (op, in[0], n->par[0], &out));
        break;
      case SG_FAM_SCAN:
        s = (n->npar > 1 ? sg_sort_new (op, in[0], n->par[0], n->par[1], &out)
             : sg_scan_new (op, in[0], n->par[0], &out));
        break;
      default:
        s = move_again (n, in, &out);
        break;
      }
    // What was known of its operands when N was made may not be known of the copies.
    if (s == SG_DELEGATE)
      return sg_node_ref (const_cast<sg_node *> (n));
    check (s);
    return out;
  }

  // Graphs can be deep: the way back is a list.
  sg_node *
  rebuilder::copy (sg_node *root)
  {
    std::vector<sg_node *> todo { root };
    while (! todo.empty ())
      {
        sg_node *n = todo.back ();
        if (m_copies.find (n) != m_copies.end ())
          {
            todo.pop_back ();
            continue;
          }
        if (n->op == SG_LEAF || (m_values && n->val))
          {
            m_copies[n] = sg_node_ref (n);
            continue;
          }
        std::vector<sg_node *> in;
        for (int i = 0; i < n->nin; i++)
          {
            auto c = m_copies.find (n->in[i]);
            if (c == m_copies.end ())
              todo.push_back (n->in[i]);
            else
              in.push_back (c->second);
          }
        if (static_cast<int> (in.size ()) == n->nin)
          m_copies[n] = node_again (n, in);
      }
    return m_copies[root];
  }
}
