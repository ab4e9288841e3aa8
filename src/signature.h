// What a call is made of: its arrays, and all else that a trace depends on.

#if ! defined (symgpu_signature_h)
#define symgpu_signature_h 1

#include <string>
#include <vector>

#include <octave/Cell.h>
#include <octave/oct-map.h>

#include "compat.h"
#include "convert.h"
#include "symarray.h"

namespace symgpu
{
  // The arguments of a call: their arrays, and all else as words.
  struct signature
  {
    std::vector<uint64_t> words;
    std::vector<octave_value> arrays;
    std::vector<octave_value> held;     // whose addresses are among the words
    bool has_symarray = false;
    std::string unsupported;            // the class of an argument that no trace can have

    // The memory stays for the next call.
    void clear ()
    {
      words.clear ();
      arrays.clear ();
      held.clear ();
      unsupported.clear ();
      has_symarray = false;
    }
  };

  void describe (signature& s, const octave_value_list& args, int nargout);
  // One more value, one more text.
  void add_value (signature& s, const octave_value& v);
  void add_text (signature& s, const std::string& text);

  // V with F (symarray or plain array) in place of each of its arrays, in the order of describe.
  template <typename F>
  octave_value
  map_arrays (const octave_value& v, F& f)
  {
    if (as_symarray (v) || plain_type_of (v.type_id ()).cls >= 0)
      return f (v);
    if (v.iscell ())
      {
        Cell c = v.cell_value ();
        for (octave_idx_type i = 0; i < c.numel (); i++)
          c(i) = map_arrays (octave_value (c.xelem (i)), f);
        return octave_value (c);
      }
    if (v.isstruct ())
      {
        octave_map m = v.map_value ();
        for (auto p = m.begin (); p != m.end (); p++)
          {
            Cell& c = m.contents (p);
            for (octave_idx_type i = 0; i < c.numel (); i++)
              c(i) = map_arrays (octave_value (c.xelem (i)), f);
          }
        if (m.numel () == 1 && v.get_rep ().type_name () == "scalar struct")
          return octave_value (octave_scalar_map (m.checkelem (0)));
        return octave_value (m);
      }
    return v;
  }

  template <typename F>
  octave_value_list
  map_arrays (const octave_value_list& list, F& f)
  {
    octave_value_list r (list);
    for (octave_idx_type i = 0; i < r.length (); i++)
      if (r(i).is_defined ())
        r(i) = map_arrays (octave_value (r(i)), f);
    return r;
  }
}

#endif
