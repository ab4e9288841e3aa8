// Nodes made of nodes: how a function that the core has no row for is put together.

#if ! defined (symgpu_compose_h)
#define symgpu_compose_h 1

#include "compat.h"
#include "symarray.h"

namespace symgpu
{
  // A node that is being built on, or none: the core has no such node for these operands.
  // What is made of none is none.
  class term
  {
  public:

    term () : m_node (nullptr) { }
    // Takes the reference to N.
    explicit term (sg_node *n) : m_node (n) { }
    term (const term& t) : m_node (t.m_node ? sg_node_ref (t.m_node) : nullptr) { }
    term (term&& t) : m_node (t.m_node) { t.m_node = nullptr; }
    term& operator = (term t) { std::swap (m_node, t.m_node); return *this; }
    ~term () { sg_node_unref (m_node); }

    // A value of the user's; none if it cannot be a node.
    explicit term (const octave_value& v);

    explicit operator bool () const { return m_node; }
    sg_node * get () const { return m_node; }
    sg_node * operator -> () const { return m_node; }
    int64_t extent (int d) const { return d < m_node->nd ? m_node->dim[d] : 1; }
    bool is_float () const;
    // Or may prove to be.
    bool is_complex () const
    { return m_node->cplx || (m_node->spec && ! m_node->val); }

    octave_value value () const { return wrap (sg_node_ref (m_node)); }

  private:

    sg_node *m_node;
  };

  term elementwise (sg_op op, const term& a);
  term elementwise (sg_op op, const term& a, const term& b);
  term elementwise (sg_op op, const term& a, double b);
  // DIM as for sg_reduce_new and sg_scan_new.
  term reduce (sg_op op, const term& a, int dim);
  term reduce_all (sg_op op, const term& a);
  term scan (sg_op op, const term& a, int dim);
  term reshape (const term& a, const std::vector<int64_t>& dim);
  // Elements START, START + STEP ... of A(:), N of them, as a column.
  term elements (const term& a, int64_t start, int64_t step, int64_t n);
  // A (:, ..., START : START + N - 1, ..., :)
  term slice (const term& a, int dim, int64_t start, int64_t n);

  // A real number that is whole.
  bool get_integer (const octave_value& v, int64_t& k);
  // RESULT is the value of T, if there is one.
  bool answer (const term& t, octave_value_list& result);
  // A dimension that Octave accepts, from 0.
  bool get_dim (const octave_value& v, int& dim);
}

#endif
