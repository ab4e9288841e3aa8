// Concatenation.

#if ! defined (symgpu_cat_h)
#define symgpu_cat_h 1

#include <memory>
#include <vector>

#include "compat.h"
#include "symarray.h"

namespace symgpu
{
  // Octave concatenates values of a type that it does not know by resizing the first of them
  // to the whole result and putting the pieces into it, one call each.  Such a "whole" only
  // collects its pieces; whoever looks at it gets one node for all of them.
  //
  // Pieces without elements are not among them: tm_const::generic_concat passes over them, and of
  // those that are plain it asks nothing that would reach us.  It has no virtual function, our
  // class_name () is of no use (get_concat_class makes "unknown" of any two types of which it does
  // not know one), and which brackets the interpreter is in cannot be asked.  So their class is
  // lost, unless they are the first piece and are not 0x0.  Their rows count for the place of what
  // follows, though the whole has no room for them; that is put right, see drop_unfilled_rows, if
  // any piece with elements is a symarray.
  class cat_builder
  {
  public:

    // What A resized to DV starts, if it starts a concatenation; else null.
    static std::unique_ptr<cat_builder>
    announce (const octave_symarray& a, const dim_vector& dv);

    // The same for a plain whole A, parts of which are filled already, into which B is put at
    // R, C.  Null if that cannot be told apart.
    static std::unique_ptr<cat_builder>
    start_on (const octave_base_value& a, const octave_base_value& b,
              const Array<octave_idx_type>& at);

    // False if this piece cannot wait.
    bool add (const octave_base_value& v, const Array<octave_idx_type>& at);

    const dim_vector& dims () const { return m_dims; }

    // All of it as one value: a symarray or plain.
    octave_value finish ();

    // The same as a string, which Octave asks for if there are strings among the pieces.
    octave_value finish_text ();

  private:

    struct piece
    {
      octave_value v;
      octave_idx_type r, c;
    };

    cat_builder (sg_class cls, const dim_vector& dv)
      : m_class (cls), m_text (false), m_begun (false), m_row (-1),
        m_integer (sg_class_is_integer (cls) ? cls : SG_NCLASS), m_dims (dv)
    { }

    void refuse_complex (const octave_value& v);
    void drop_unfilled_rows ();

    bool find_rows (std::vector<int>& first) const;
    sg_class result_class () const;
    octave_value finish_quickly () const;
    octave_value finish_lazy () const;
    octave_value finish_plain () const;

    sg_class m_class;           // of the value that Octave began with
    bool m_text;                // there are strings among the pieces
    bool m_begun;               // the first piece is what was filled before we came
    octave_idx_type m_row;      // of the last piece, as Octave counts
    sg_class m_integer;         // the integer class among the pieces, if there is one
    dim_vector m_dims;
    std::vector<piece> m_pieces;
  };

  // A concatenation along DIM (from 0) as one node; undefined if there is no such node.
  octave_value cat_values (int dim, const octave_value_list& values);

  void install_cat_ops (octave::type_info& ti);
}

#endif
