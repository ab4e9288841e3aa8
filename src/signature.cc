// What a call is made of: its arrays, and all else that a trace depends on.

#include "compat.h"

#include <cstring>

#include "signature.h"

namespace symgpu
{
  enum word_kind { WORD_ARRAY = 1, WORD_TEXT, WORD_CELL, WORD_STRUCT, WORD_HANDLE };

  static void
  add_dims (signature& s, const dim_vector& dv)
  {
    for (int k = 0; k < dv.ndims (); k++)
      s.words.push_back (dv(k));
  }

  void
  add_text (signature& s, const std::string& text)
  {
    std::size_t at = s.words.size ();
    s.words.push_back (text.size ());
    s.words.resize (at + 1 + (text.size () + 7) / 8);
    std::memcpy (&s.words[at+1], text.data (), text.size ());
  }

  static uint64_t
  array_word (int cls, bool cplx, bool wide, int nd)
  {
    return (WORD_ARRAY | static_cast<uint64_t> (cls) << 8 | static_cast<uint64_t> (cplx) << 16
            | static_cast<uint64_t> (wide) << 17 | static_cast<uint64_t> (nd) << 32);
  }

  static void
  add_node (signature& s, const octave_value& v, sg_node *n)
  {
    if (! n->val)
      evaluate (1, &n);
    s.has_symarray = true;
    s.words.push_back (array_word (n->cls, n->cplx, n->wide, n->nd));
    for (int k = 0; k < n->nd; k++)
      s.words.push_back (n->dim[k]);
    s.arrays.push_back (v);
  }

  static void
  add_plain (signature& s, const octave_value& v, const plain_type& t)
  {
    const dim_vector dv = v.dims ();
    if (t.cplx)
      {
        // Whether it has imaginary parts at all.
        octave_value x (new octave_symarray (v));
        bool any = s.has_symarray;
        add_node (s, v, as_symarray (x)->node ());
        s.has_symarray = any;
        return;
      }
    s.words.push_back (array_word (t.cls, false, false, dv.ndims ()));
    add_dims (s, dv);
    s.arrays.push_back (v);
  }

  static void
  add_cell (signature& s, const Cell& c)
  {
    s.words.push_back (WORD_CELL | static_cast<uint64_t> (c.ndims ()) << 32);
    add_dims (s, c.dims ());
    for (octave_idx_type i = 0; i < c.numel (); i++)
      add_value (s, c.xelem (i));
  }

  static void
  add_struct (signature& s, const octave_map& m)
  {
    s.words.push_back (WORD_STRUCT | static_cast<uint64_t> (m.nfields ()) << 32);
    for (auto p = m.begin (); p != m.end (); p++)
      {
        add_text (s, m.key (p));
        add_cell (s, m.contents (p));
      }
  }

  void
  add_value (signature& s, const octave_value& v)
  {
    const octave_symarray *sym = as_symarray (v);
    const plain_type& t = plain_type_of (v.type_id ());
    if (sym)
      add_node (s, v, sym->node ());
    else if (t.compact)
      add_value (s, v.full_value ());
    else if (t.cls >= 0)
      add_plain (s, v, t);
    else if (v.is_string ())
      {
        s.words.push_back (WORD_TEXT | static_cast<uint64_t> (v.is_sq_string ()) << 8
                           | static_cast<uint64_t> (v.ndims ()) << 32);
        add_dims (s, v.dims ());
        charNDArray text = v.char_array_value ();
        add_text (s, std::string (text.data (), text.numel ()));
      }
    else if (v.iscell ())
      add_cell (s, v.cell_value ());
    else if (v.isstruct ())
      add_struct (s, v.map_value ());
    else if (v.is_function_handle ())
      {
        s.words.push_back (WORD_HANDLE);
        s.words.push_back (reinterpret_cast<uintptr_t> (&v.get_rep ()));
        s.held.push_back (v);
      }
    else
      s.unsupported = v.class_name ();
  }

  void
  describe (signature& s, const octave_value_list& args, int nargout)
  {
    s.words.push_back (static_cast<uint64_t> (nargout) << 32 | args.length ());
    for (octave_idx_type i = 0; i < args.length (); i++)
      add_value (s, args(i));
  }
}
