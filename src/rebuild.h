// Expressions once more, without what has been computed of them.

#if ! defined (symgpu_rebuild_h)
#define symgpu_rebuild_h 1

#include <unordered_map>
#include <vector>

#include "compat.h"
#include "symgpu.h"

namespace symgpu
{
  // The operation of N with other operands, a new reference.  N itself where the core has no such
  // operation.
  sg_node * node_again (const sg_node *n, const std::vector<sg_node *>& in);

  // Copies of graphs that have no values but those of the leaves, so that another backend can
  // compute them from the beginning.
  class rebuilder
  {
  public:

    // With VALUES nodes that have been computed are leaves of the copies.
    explicit rebuilder (bool values = false) : m_values (values) { }
    rebuilder (const rebuilder&) = delete;
    rebuilder& operator = (const rebuilder&) = delete;
    ~rebuilder ();

    // The copy of N, borrowed.  What several roots have in common is copied once.
    sg_node * copy (sg_node *n);

  private:

    bool m_values;
    std::unordered_map<const sg_node *, sg_node *> m_copies;
  };
}

#endif
