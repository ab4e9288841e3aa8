// Whether a function is a function of its arguments, as far as its text tells.

#include "compat.h"

#include <map>
#include <set>
#include <vector>

#include <octave/ov-fcn-handle.h>
#include <octave/ov-usr-fcn.h>
#include <octave/pt-all.h>
#include <octave/symtab.h>

#include "purity.h"

namespace symgpu
{
  static const std::map<std::string, std::string>&
  impure_functions ()
  {
    static const std::map<std::string, std::string> table
    {
#define IMPURE(name, why) { #name, why },
#include "impure.def"
    };
    return table;
  }

  // The names in the text of a function that are not those of its variables.
  class name_finder : public octave::tree_walker
  {
  public:

    void visit_identifier (octave::tree_identifier& id) override { m_names.insert (id.name ()); }

    void visit_fcn_handle (octave::tree_fcn_handle& h) override { m_names.insert (h.name ()); }

    void visit_decl_command (octave::tree_decl_command& c) override
    {
      m_declared = c.name ();
      octave::tree_walker::visit_decl_command (c);
    }

    void visit_simple_assignment (octave::tree_simple_assignment& e) override
    {
      take_variable (e.left_hand_side ());
      octave::tree_walker::visit_simple_assignment (e);
    }

    void visit_multi_assignment (octave::tree_multi_assignment& e) override
    {
      for (octave::tree_expression *v : *e.left_hand_side ())
        take_variable (v);
      octave::tree_walker::visit_multi_assignment (e);
    }

    void visit_simple_for_command (octave::tree_simple_for_command& c) override
    {
      take_variable (c.left_hand_side ());
      octave::tree_walker::visit_simple_for_command (c);
    }

    void visit_decl_elt (octave::tree_decl_elt& e) override
    {
      m_variables.insert (e.name ());
      octave::tree_walker::visit_decl_elt (e);
    }

    std::vector<std::string> names () const
    {
      std::vector<std::string> list;
      for (const std::string& n : m_names)
        if (m_variables.find (n) == m_variables.end ())
          list.push_back (n);
      return list;
    }

    // "global" or "persistent" if there is such a variable.
    const std::string& declared () const { return m_declared; }

  private:

    void take_variable (octave::tree_expression *e)
    {
      if (e)
        m_variables.insert (e->name ());
    }

    std::set<std::string> m_names, m_variables;
    std::string m_declared;
  };

  // Functions that are still to be looked at, and those that have been.
  class search
  {
  public:

    void add (octave_function *f)
    {
      octave_user_function *u = f ? f->user_function_value (true) : nullptr;
      // Octave's own are functions of their arguments, but for those of the table.
      if (u && ! u->is_system_fcn_file () && m_seen.insert (u).second)
        m_todo.push_back (u);
    }

    void add_handle (const octave_value& v)
    {
      octave_fcn_handle *h = v.fcn_handle_value (true);
      if (! h)
        return;
      if (h->is_nested ())
        m_why = "it is a nested function, which shares variables with another";
      add (h->function_value (true));
      if (! h->is_anonymous ())
        {
          take_name (h->fcn_name (), "it");
          return;
        }
      octave_value w = h->workspace ();
      if (w.isstruct ())
        {
          octave_scalar_map m = w.scalar_map_value ();
          for (auto p = m.begin (); p != m.end (); p++)
            add_handle (m.contents (p));
        }
    }

    std::string run ()
    {
      while (m_why.empty () && ! m_todo.empty ())
        {
          octave_user_function *u = m_todo.back ();
          m_todo.pop_back ();
          look_at (u);
        }
      return m_why;
    }

  private:

    void take_name (const std::string& name, const std::string& who)
    {
      auto k = impure_functions ().find (name);
      if (k != impure_functions ().end ())
        m_why = who + (who == "it" ? " is " : " calls ") + name + ", which " + k->second;
    }

    void look_at (octave_user_function *u)
    {
      name_finder finder;
      if (u->parameter_list ())
        u->parameter_list ()->accept (finder);
      u->accept (finder);
      std::string who = u->is_anonymous_function () ? "its text" : u->name ();
      if (! finder.declared ().empty ())
        m_why = who + " has a " + finder.declared () + " variable";
      octave::symbol_table& symtab = interpreter ().get_symbol_table ();
      for (const std::string& name : finder.names ())
        {
          take_name (name, who);
          if (! m_why.empty ())
            return;
          octave_value f = symtab.find_function (name, u->scope ());
          if (f.is_defined ())
            add (f.function_value (true));
        }
    }

    std::set<octave_user_function *> m_seen;
    std::vector<octave_user_function *> m_todo;
    std::string m_why;
  };

  std::string
  find_impurity (const octave_value& fcn)
  {
    search s;
    s.add_handle (fcn);
    return s.run ();
  }
}
