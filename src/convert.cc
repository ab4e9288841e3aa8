// Between Octave's values and the buffers of the core.

#include "compat.h"

#include <cstring>
#include <vector>

#include <octave/ov-bool.h>
#include <octave/ov-bool-mat.h>
#include <octave/ov-ch-mat.h>
#include <octave/ov-complex.h>
#include <octave/ov-cx-mat.h>
#include <octave/ov-float.h>
#include <octave/ov-flt-complex.h>
#include <octave/ov-flt-cx-mat.h>
#include <octave/ov-flt-re-mat.h>
#include <octave/ov-int8.h>
#include <octave/ov-int16.h>
#include <octave/ov-int32.h>
#include <octave/ov-int64.h>
#include <octave/ov-lazy-idx.h>
#include <octave/ov-range.h>
#include <octave/ov-re-mat.h>
#include <octave/ov-scalar.h>
#include <octave/ov-str-mat.h>
#include <octave/ov-uint8.h>
#include <octave/ov-uint16.h>
#include <octave/ov-uint32.h>
#include <octave/ov-uint64.h>

#include "convert.h"
#include "symarray.h"

namespace symgpu
{
  // ---- types --------------------------------------------------------------------------

  static std::vector<plain_type> s_types;

  static void
  set_type (int id, int cls, bool cplx, bool scalar, bool compact = false, bool text = false)
  {
    if (id < 0)
      return;
    if (id >= static_cast<int> (s_types.size ()))
      s_types.resize (id + 1, plain_type { -1, false, false, false, false });
    s_types[id] = plain_type { cls, cplx, scalar, compact, text };
  }

  // One row per class of the core, complex ones apart:
  // class, complex, type of scalars, type of arrays, array of liboctave.
#define FOR_EACH_PLAIN(X) \
  X (SG_F64, false, octave_scalar, octave_matrix, NDArray) \
  X (SG_F32, false, octave_float_scalar, octave_float_matrix, FloatNDArray) \
  X (SG_F64, true, octave_complex, octave_complex_matrix, ComplexNDArray) \
  X (SG_F32, true, octave_float_complex, octave_float_complex_matrix, FloatComplexNDArray) \
  X (SG_BOOL, false, octave_bool, octave_bool_matrix, boolNDArray) \
  X (SG_I8, false, octave_int8_scalar, octave_int8_matrix, int8NDArray) \
  X (SG_I16, false, octave_int16_scalar, octave_int16_matrix, int16NDArray) \
  X (SG_I32, false, octave_int32_scalar, octave_int32_matrix, int32NDArray) \
  X (SG_I64, false, octave_int64_scalar, octave_int64_matrix, int64NDArray) \
  X (SG_U8, false, octave_uint8_scalar, octave_uint8_matrix, uint8NDArray) \
  X (SG_U16, false, octave_uint16_scalar, octave_uint16_matrix, uint16NDArray) \
  X (SG_U32, false, octave_uint32_scalar, octave_uint32_matrix, uint32NDArray) \
  X (SG_U64, false, octave_uint64_scalar, octave_uint64_matrix, uint64NDArray)

  void
  init_plain_types ()
  {
#define TYPES(cls, cplx, scalar, matrix, array) \
    set_type (scalar::static_type_id (), cls, cplx, true); \
    set_type (matrix::static_type_id (), cls, cplx, false);
    FOR_EACH_PLAIN (TYPES)
#undef TYPES
    set_type (ov_range<double>::static_type_id (), SG_F64, false, false, true);
    set_type (octave_lazy_index::static_type_id (), SG_F64, false, false, true);
    set_type (octave_char_matrix::static_type_id (), -1, false, false, false, true);
    set_type (octave_char_matrix_str::static_type_id (), -1, false, false, false, true);
    set_type (octave_char_matrix_sq_str::static_type_id (), -1, false, false, false, true);
  }

  const plain_type&
  plain_type_of (int type_id)
  {
    static const plain_type other = { -1, false, false, false, false };
    return type_id < static_cast<int> (s_types.size ()) ? s_types[type_id] : other;
  }

  // ---- buffers --------------------------------------------------------------------------

  // Owner of a buffer: keeps the memory and knows the value as Octave has it.
  class value_owner
  {
  public:

    explicit value_owner (const octave_value& v) : m_value (v) { }
    value_owner (const value_owner&) = delete;
    value_owner& operator = (const value_owner&) = delete;
    virtual ~value_owner () = default;

    const octave_value& value ()
    {
      if (m_value.is_undefined ())
        m_value = make ();
      return m_value;
    }

  private:

    virtual octave_value make () { return octave_value (); }

    octave_value m_value;
  };

  // Memory for a result: a value only when it is complete, because Octave then makes a scalar of
  // one element and real numbers of complex ones where it can.
  template <typename ARRAY>
  class array_owner : public value_owner
  {
  public:

    explicit array_owner (const dim_vector& dv) : value_owner (octave_value ()),
        m_array (fresh_array<ARRAY> (dv)) { }

    void * data () { return m_array.fortran_vec (); }

  private:

    octave_value make () override { return octave_value (m_array); }

    ARRAY m_array;
  };

  // A plain array and its elements.  Octave may give the elements of a value other memory while
  // the value stays the same (octave_value::maybe_economize), but not while they are shared.
  template <typename MATRIX, typename ARRAY>
  class shared_owner : public value_owner
  {
  public:

    explicit shared_owner (const octave_value& v)
      : value_owner (v), m_array (static_cast<const MATRIX&> (v.get_rep ()).matrix_ref ())
    { }

    const void * data () const { return m_array.data (); }

  private:

    ARRAY m_array;
  };

  static void
  release_value (sg_buf *b)
  {
    delete static_cast<value_owner *> (b->owner);
  }

  static sg_buf *
  buf_of_owner (std::unique_ptr<value_owner> owner, sg_class cls, bool cplx, void *data,
                std::size_t bytes)
  {
    sg_buf *b;
    check (sg_buf_new (cls, cplx, data, bytes, release_value, owner.get (), &b));
    owner.release ();
    return b;
  }

  template <typename MATRIX, typename ARRAY>
  static value_owner *
  share (const octave_value& v, const void **data)
  {
    auto owner = new shared_owner<MATRIX, ARRAY> (v);
    *data = owner->data ();
    return owner;
  }

  // The owner of a plain array.
  static value_owner *
  share_array (const octave_value& v, const plain_type& t, const void **data)
  {
    typedef value_owner * (*sharer) (const octave_value& v, const void **data);
    static sharer fn[SG_NCLASS][2];
    if (! fn[SG_F64][0])
      {
#define SHARER(cls, cplx, scalar, matrix, array) fn[cls][cplx] = share<matrix, array>;
        FOR_EACH_PLAIN (SHARER)
#undef SHARER
      }
    return fn[t.cls][t.cplx] (v, data);
  }

  sg_buf *
  buf_of_value (const octave_value& v, const plain_type& t)
  {
    if (t.compact)
      {
        octave_value full = v.full_value ();
        return buf_of_value (full, plain_type_of (full.type_id ()));
      }
    const octave_base_value& rep = v.get_rep ();
    sg_class cls = static_cast<sg_class> (t.cls);
    // A complex scalar may be one that Octave would not narrow again.
    if (t.scalar && ! t.cplx)
      {
        sg_buf *b;
        check (sg_buf_scalar (cls, t.cplx, rep.mex_get_data (), &b));
        return b;
      }
    const void *data;
    std::unique_ptr<value_owner> owner;
    if (t.scalar)
      {
        data = rep.mex_get_data ();
        owner.reset (new value_owner (v));
      }
    else
      owner.reset (share_array (v, t, &data));
    std::size_t bytes = (sg_class_bytes (cls) << t.cplx) * rep.numel ();
    return buf_of_owner (std::move (owner), cls, t.cplx, const_cast<void *> (data), bytes);
  }

  template <typename ARRAY>
  static value_owner *
  make_owner (const dim_vector& dv, void **data)
  {
    std::unique_ptr<array_owner<ARRAY>> owner (new array_owner<ARRAY> (dv));
    *data = owner->data ();
    return owner.release ();
  }

  typedef value_owner * (*owner_maker) (const dim_vector& dv, void **data);

  static std::unique_ptr<value_owner>
  new_array (sg_class cls, bool cplx, const dim_vector& dv, void **data)
  {
    static owner_maker maker[SG_NCLASS][2];
    if (! maker[SG_F64][0])
      {
#define MAKER(cls, cplx, scalar, matrix, array) maker[cls][cplx] = make_owner<array>;
        FOR_EACH_PLAIN (MAKER)
#undef MAKER
      }
    return std::unique_ptr<value_owner> (maker[cls][cplx] (dv, data));
  }

  sg_buf *
  fresh_buf (sg_class cls, bool cplx, const dim_vector& dv)
  {
    void *data;
    std::unique_ptr<value_owner> owner = new_array (cls, cplx, dv, &data);
    std::size_t bytes = (sg_class_bytes (cls) << cplx) * dv.numel ();
    return buf_of_owner (std::move (owner), cls, cplx, data, bytes);
  }

  octave_value
  stand_in (sg_class cls, const dim_vector& dv)
  {
    void *data;
    std::unique_ptr<value_owner> owner = new_array (cls, false, dv, &data);
    if (dv.numel () == 1)
      std::memset (data, 0, sg_class_bytes (cls));
    return owner->value ();
  }

  octave_value
  value_of_buf (sg_buf *b, const dim_vector& dv)
  {
    if (b->free_fn == release_value)
      {
        octave_value v = static_cast<value_owner *> (b->owner)->value ();
        return v.dims () == dv ? v : v.reshape (dv);
      }
    void *data;
    std::unique_ptr<value_owner> owner = new_array (b->cls, b->cplx, dv, &data);
    if (b->bytes > 0)
      check (sg_buf_read (b, data));
    if (! b->data)
      {
        // Brought from a device: once will do.
        b->data = data;
        b->owner = owner.release ();
        b->free_fn = release_value;
        return value_of_buf (b, dv);
      }
    return owner->value ();
  }
}
