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

  // Owner of a buffer: Octave's value whose memory the buffer is.
  struct value_owner
  {
    octave_value memory;        // keeps the data of the buffer where it is
    octave_value value;         // what Octave would have returned
    bool raw;                   // VALUE has not been narrowed yet
  };

  static void
  release_value (sg_buf *b)
  {
    delete static_cast<value_owner *> (b->owner);
  }

  static sg_buf *
  buf_on_value (const octave_value& v, sg_class cls, bool cplx, void *data,
                std::size_t bytes, bool raw)
  {
    std::unique_ptr<value_owner> owner (new value_owner { v, v, raw });
    sg_buf *b;
    check (sg_buf_new (cls, cplx, data, bytes, release_value, owner.get (), &b));
    owner.release ();
    return b;
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
    const void *data = rep.mex_get_data ();
    sg_buf *b;
    // A complex scalar may be one that Octave would not narrow again.
    if (t.scalar && ! t.cplx)
      {
        check (sg_buf_scalar (cls, t.cplx, data, &b));
        return b;
      }
    std::size_t bytes = (sg_class_bytes (cls) << t.cplx) * rep.numel ();
    return buf_on_value (v, cls, t.cplx, const_cast<void *> (data), bytes, false);
  }

  // A value that has not been narrowed, whatever its size.
  template <typename OV, typename ARRAY>
  static octave_value
  make_array (const dim_vector& dv, void **data)
  {
    ARRAY a (fresh_array<ARRAY> (dv));
    *data = a.fortran_vec ();
    return octave_value (new OV (a));
  }

  typedef octave_value (*array_maker) (const dim_vector& dv, void **data);

  static array_maker s_maker[SG_NCLASS][2];

  static octave_value
  new_array (sg_class cls, bool cplx, const dim_vector& dv, void **data)
  {
    if (! s_maker[SG_F64][0])
      {
#define MAKER(cls, cplx, scalar, matrix, array) \
        s_maker[cls][cplx] = make_array<matrix, array>;
        FOR_EACH_PLAIN (MAKER)
#undef MAKER
      }
    return s_maker[cls][cplx] (dv, data);
  }

  sg_buf *
  fresh_buf (sg_class cls, bool cplx, const dim_vector& dv)
  {
    void *data;
    octave_value v = new_array (cls, cplx, dv, &data);
    return buf_on_value (v, cls, cplx, data, (sg_class_bytes (cls) << cplx) * dv.numel (), true);
  }

  octave_value
  stand_in (sg_class cls, const dim_vector& dv)
  {
    void *data;
    octave_value v = new_array (cls, false, dv, &data);
    if (dv.numel () == 1)
      {
        std::memset (data, 0, sg_class_bytes (cls));
        v.maybe_mutate ();
      }
    return v;
  }

  octave_value
  value_of_buf (sg_buf *b, const dim_vector& dv)
  {
    octave_value v;
    if (b->free_fn == release_value)
      {
        value_owner *o = static_cast<value_owner *> (b->owner);
        if (o->raw)
          {
            // MEMORY stays what it is: it holds the data of the buffer.
            o->value.maybe_mutate ();
            o->raw = false;
          }
        v = o->value;
        if (v.dims () != dv)
          v = v.reshape (dv);
      }
    else
      {
        void *data;
        v = new_array (b->cls, b->cplx, dv, &data);
        if (b->bytes > 0)
          std::memcpy (data, b->data, b->bytes);
        v.maybe_mutate ();
      }
    return v;
  }
}
