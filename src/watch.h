// What happens beside evaluations: verification, audits, progress, a word about loops.

#if ! defined (symgpu_watch_h)
#define symgpu_watch_h 1

#include <string>

#include "compat.h"
#include "symgpu.h"

namespace symgpu
{
  // Lives as long as an evaluation; done () if it came to its end.
  class evaluation_watch
  {
  public:

    evaluation_watch (int n, sg_node *const *nodes);
    evaluation_watch (const evaluation_watch&) = delete;
    evaluation_watch& operator = (const evaluation_watch&) = delete;
    ~evaluation_watch ();

    void done ();

  private:

    sg_counters m_before;      // of an audit
    double m_start;            // 0: there was none
    int m_nodes;
  };

  // Says once of a loop that it makes the same small values again and again.
  void warn_of_loop ();

  // True while an audit runs: then it is told of what follows.
  extern bool audit_on;
  // Octave's own function NAME is called with gathered values.
  void audit_delegation (const std::string& name);
  // An element has been taken by its position.
  void audit_element ();

  // The function of the language that works on symarrays now.
  class forcing_function
  {
  public:

    explicit forcing_function (const std::string& name)
      : m_name (name), m_before (s_name)
    {
      s_name = &m_name;
    }
    forcing_function (const forcing_function&) = delete;
    forcing_function& operator = (const forcing_function&) = delete;
    ~forcing_function () { s_name = m_before; }

    // NULL: none.
    static const std::string * name () { return s_name; }

  private:

    static const std::string *s_name;
    std::string m_name;
    const std::string *m_before;
  };
}

#endif
