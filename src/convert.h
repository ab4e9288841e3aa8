// Between Octave's values and the buffers of the core.

#if ! defined (symgpu_convert_h)
#define symgpu_convert_h 1

#include <vector>

#include "compat.h"
#include "symgpu.h"

namespace symgpu
{
  // What the type of a plain value of Octave means to us.
  struct plain_type
  {
    int cls;                    // sg_class; -1: cannot be a node
    bool cplx;
    bool scalar;
    bool compact;               // a range and the like: an array once made full
    bool text;                  // operators take it as double
  };

  // Reads the type ids of this Octave.
  void init_plain_types ();

  const plain_type& plain_type_of (int type_id);

  // A buffer on the memory of V, which has type T; no copy.
  sg_buf * buf_of_value (const octave_value& v, const plain_type& t);

  // The value in B with these dimensions, as Octave itself would return it: a scalar if it has
  // one element, real if no imaginary part differs from zero.
  octave_value value_of_buf (sg_buf *b, const dim_vector& dv);

  // A buffer with memory of Octave for a result, see sg_host.
  sg_buf * fresh_buf (sg_class cls, bool cplx, const dim_vector& dv);

  // An uninitialized real array: stands in for a value where only class and size count.
  octave_value stand_in (sg_class cls, const dim_vector& dv);

  // The numbers of a matrix of class double, plain or ours, if it is there, with its dimensions; a single
  // number may be put in ROOM.  NULL: V is something else.
  const double * numbers_of (const octave_base_value& v, double& room, octave_idx_type& rows,
                             octave_idx_type& columns);

  // Dimensions as the core takes them.
  class dim_list
  {
  public:

    explicit dim_list (const dim_vector& dv)
      : m_n (dv.ndims ()), m_many (m_n > few ? m_n : 0)
    {
      for (int i = 0; i < m_n; i++)
        data ()[i] = dv(i);
    }

    int length () const { return m_n; }
    int64_t * data () { return m_n > few ? m_many.data () : m_few; }

  private:

    static const int few = 8;

    int m_n;
    int64_t m_few[few];
    std::vector<int64_t> m_many;
  };

  inline dim_vector
  dims_of_node (const sg_node *n)
  {
    dim_vector dv = dim_vector::alloc (n->nd);
    for (int i = 0; i < n->nd; i++)
      dv(i) = n->dim[i];
    return dv;
  }
}

#endif
