// Where in the user's program nodes were made.

#include "compat.h"

#include <map>
#include <sstream>
#include <tuple>
#include <vector>

#include <octave/ov-usr-fcn.h>
#include <octave/pt-all.h>
#include <octave/pt-eval.h>
#include <octave/pt-pr-code.h>

#include "origin.h"
#include "symarray.h"

namespace symgpu
{
  // Programs made of text, by eval and the like, have no end of statements.
  static const std::size_t max_origins = 65536;

  // Of a longer statement only the beginning is kept.
  static const std::size_t max_text = 60;

  // Functions that are held are not many.
  static const std::size_t max_places = 1024;

  // Origin K + 1 is element K.
  static std::vector<origin> s_origins;

  // ---- the statement at a place ---------------------------------------------------------------

  // Octave keeps the position of the statement that runs, not the statement.
  class statement_finder : public octave::tree_walker
  {
  public:

    statement_finder (int line, int column) : m_line (line), m_column (column) { }

    bool found () const { return m_found; }
    octave::tree_expression * expression () const { return m_expression; }

    void visit_statement (octave::tree_statement& s) override
    {
      if (is_here (s))
        take (s.expression ());
      else if (! m_found && s.is_command ())
        octave::tree_walker::visit_statement (s);
    }

    // Conditions have a position of their own.
    void visit_if_clause (octave::tree_if_clause& c) override
    {
      if (! take_condition (c.condition ()))
        octave::tree_walker::visit_if_clause (c);
    }

    void visit_while_command (octave::tree_while_command& c) override
    {
      if (! take_condition (c.condition ()))
        octave::tree_walker::visit_while_command (c);
    }

    void visit_do_until_command (octave::tree_do_until_command& c) override
    {
      if (! take_condition (c.condition ()))
        octave::tree_walker::visit_do_until_command (c);
    }

  private:

    template <typename T>
    bool is_here (const T& t) const
    {
      return ! m_found && t.line () == m_line && t.column () == m_column;
    }

    void take (octave::tree_expression *e)
    {
      m_found = true;
      m_expression = e;
    }

    bool take_condition (octave::tree_expression *e)
    {
      if (e && is_here (*e))
        take (e);
      return m_found;
    }

    int m_line, m_column;
    bool m_found = false;
    octave::tree_expression *m_expression = nullptr;
  };

  static std::string
  assigned_name (octave::tree_expression *e)
  {
    auto *one = dynamic_cast<octave::tree_simple_assignment *> (e);
    if (one && one->left_hand_side ())
      return one->left_hand_side ()->name ();
    auto *many = dynamic_cast<octave::tree_multi_assignment *> (e);
    octave::tree_argument_list *list = many ? many->left_hand_side () : nullptr;
    return list && ! list->empty () ? list->front ()->name () : "";
  }

  static std::string
  code_text (octave::tree_expression *e)
  {
    std::ostringstream os;
    octave::tree_print_code printer (os);
    e->accept (printer);
    std::string s = os.str ();
    for (char& c : s)
      if (c == '\n')
        c = ' ';
    return s.size () > max_text ? s.substr (0, max_text) + "..." : s;
  }

  static origin
  describe_place (octave_user_code *code, int line, int column)
  {
    origin o { "prompt", "", "", line, column, "", "" };
    if (! code)
      return o;
    o.function = code->name ();
    o.file = code->fcn_file_name ();
    auto *fcn = dynamic_cast<octave_user_function *> (code);
    bool anonymous = fcn && fcn->is_anonymous_function ();
    statement_finder finder (line, column);
    if (code->body ())
      code->body ()->accept (finder);
    o.kind = anonymous ? "anonymous" : fcn ? "function" : "script";
    if (finder.expression ())
      {
        o.name = assigned_name (finder.expression ());
        o.text = code_text (finder.expression ());
      }
    return o;
  }

  // The same statement of a function that was cleared and read again is the same origin.
  static uint32_t
  number_of (const origin& o)
  {
    typedef std::tuple<std::string, std::string, std::string, int, int, std::string> contents;
    static std::map<contents, uint32_t> numbers;

    contents c (o.kind, o.function, o.file, o.line, o.column, o.text);
    auto k = numbers.find (c);
    if (k != numbers.end ())
      return k->second;
    if (s_origins.size () >= max_origins)
      return 0;
    s_origins.push_back (o);
    return numbers[c] = s_origins.size ();
  }

  // ---- the place of now -------------------------------------------------------------------------

  static void
  current_place (octave_user_code *& code, int& line, int& column)
  {
    octave::tree_evaluator& tw = interpreter ().get_evaluator ();
    code = tw.current_user_code ();
    line = tw.current_line ();
    column = tw.current_column ();
    if (line <= 0)
      {
        // A function of Octave's own calls us.
        std::shared_ptr<octave::stack_frame> frame = tw.current_user_frame ();
        line = frame ? frame->line () : -1;
        column = frame ? frame->column () : -1;
      }
  }

  // A function that is known is held: no other can have its address.
  struct known_place
  {
    octave_value held;
    uint32_t id;
  };

  uint32_t
  origin_here ()
  {
    typedef std::tuple<const octave_user_code *, int, int> place;
    // Never destroyed: Octave is gone by then.
    static auto& known = *new std::map<place, known_place> ();

    octave_user_code *code;
    int line, column;
    current_place (code, line, column);
    place here (code, line, column);
    auto k = known.find (here);
    if (k != known.end ())
      return k->second.id;
    if (known.size () >= max_places)
      known.clear ();
    uint32_t id = number_of (describe_place (code, line, column));
    known[here] = { code ? octave_value (code, true) : octave_value (), id };
    return id;
  }

  // A place where nodes were made lately.  Its function is held, so that no other has its address.
  struct recent_place
  {
    octave_value held;
    octave_function *fcn;
    int line, column;
    uint32_t id;
  };

  static recent_place&
  recent_place_of (octave_function *fcn, int line, int column)
  {
    const unsigned size = 64;
    // Never destroyed: Octave is gone by then.
    static recent_place *places = new recent_place [size] ();
    std::size_t h = reinterpret_cast<uintptr_t> (fcn) / 64 + line * 31 + column * 7;
    return places[h % size];
  }

  void
  set_origin ()
  {
    octave::tree_evaluator& tw = interpreter ().get_evaluator ();
    std::shared_ptr<octave::stack_frame> frame = tw.get_current_stack_frame ();
    octave_function *fcn = frame->function ();
    if (! fcn)
      fcn = tw.current_function ();
    int line = frame->line (), column = frame->column ();
    recent_place& recent = recent_place_of (fcn, line, column);
    if (line > 0 && line == recent.line && column == recent.column && fcn == recent.fcn)
      sg_origin = recent.id;
    else
      {
        sg_origin = origin_here ();
        recent = recent_place { fcn ? octave_value (fcn, true) : octave_value (), fcn, line,
                                column, sg_origin };
      }
  }

  // ---- as text ------------------------------------------------------------------------------------

  const origin *
  origin_of (uint32_t id)
  {
    return id > 0 && id <= s_origins.size () ? &s_origins[id-1] : nullptr;
  }

  static std::string
  place_text (const origin& o)
  {
    if (o.kind == "prompt")
      return "the prompt";
    std::size_t slash = o.file.find_last_of ("/\\");
    std::string where = (o.file.empty () ? o.function
                         : slash == std::string::npos ? o.file : o.file.substr (slash + 1));
    return o.line > 0 ? where + ":" + std::to_string (o.line) : where;
  }

  std::string
  origin_text (uint32_t id)
  {
    const origin *o = origin_of (id);
    return ! o || o->line <= 0 || o->kind == "prompt" ? "" : place_text (*o);
  }

  std::string
  origin_phrase (uint32_t id)
  {
    const origin *o = origin_of (id);
    if (! o)
      return "";
    return ("in the expression made at " + place_text (*o)
            + (o->text.empty () ? "" : " (" + o->text + ")"));
  }

  void
  add_origin_frame (octave::execution_exception& e, uint32_t id)
  {
    const origin *o = origin_of (id);
    octave_user_code *code;
    int line, column;
    current_place (code, line, column);
    bool same = o && (code ? o->function == code->name () : o->function.empty ());
    if (! o || (same && o->line == line && o->column == column))
      return;
    auto frames = e.stack_info ();
    // The error has not been raised by Octave's own means yet.
    if (frames.empty ())
      frames = interpreter ().get_evaluator ().backtrace_info ();
    frames.emplace_front (o->file, origin_phrase (id), o->line, o->column);
    e.set_stack_info (frames);
  }
}
