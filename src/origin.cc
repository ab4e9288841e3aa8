// Where in the user's program nodes were made.

#include "compat.h"

#include <map>
#include <tuple>
#include <vector>

#include <octave/ov-usr-fcn.h>
#include <octave/pt-eval.h>

#include "origin.h"
#include "symarray.h"

namespace symgpu
{
  // Programs made of text, by eval and the like, have no end of statements.
  static const std::size_t max_origins = 65536;

  // Origin K + 1 is element K.
  static std::vector<origin> s_origins;

  typedef std::tuple<const octave_user_code *, int, int> place;

  static uint32_t
  add_origin (const octave_user_code *code, int line, int column)
  {
    if (s_origins.size () >= max_origins)
      return 0;
    origin o { "", "", line, column };
    if (code)
      {
        o.function = code->name ();
        o.file = code->fcn_file_name ();
      }
    s_origins.push_back (o);
    return s_origins.size ();
  }

  // A function that was cleared may have left its address to another.
  static bool
  is_of (const origin& o, const octave_user_code *code)
  {
    return code ? o.function == code->name () : o.function.empty ();
  }

  void
  set_origin ()
  {
    static std::map<place, uint32_t> known;
    static place last { nullptr, -1, -1 };
    static uint32_t last_id = 0;

    octave::tree_evaluator& tw = interpreter ().get_evaluator ();
    const octave_user_code *code = tw.current_user_code ();
    int line = tw.current_line (), column = tw.current_column ();
    if (line <= 0)
      {
        // A function of Octave's own calls us.
        octave::call_stack& stack = tw.get_call_stack ();
        line = stack.current_user_code_line ();
        column = stack.current_user_code_column ();
      }
    place here (code, line, column);
    if (here != last || (last_id > 0 && ! is_of (s_origins[last_id-1], code)))
      {
        auto k = known.find (here);
        if (k == known.end () || (k->second > 0 && ! is_of (s_origins[k->second-1], code)))
          known[here] = last_id = add_origin (code, line, column);
        else
          last_id = k->second;
        last = here;
      }
    sg_origin = last_id;
  }

  const origin *
  origin_of (uint32_t id)
  {
    return id > 0 && id <= s_origins.size () ? &s_origins[id-1] : nullptr;
  }

  std::string
  origin_text (uint32_t id)
  {
    const origin *o = origin_of (id);
    if (! o || o->line <= 0 || (o->function.empty () && o->file.empty ()))
      return "";
    std::size_t slash = o->file.find_last_of ("/\\");
    std::string where = (o->file.empty () ? o->function
                         : slash == std::string::npos ? o->file : o->file.substr (slash + 1));
    return where + ":" + std::to_string (o->line);
  }
}
