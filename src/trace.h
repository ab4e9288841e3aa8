// Functions that are run once on symarrays without values, and then replayed from what they made.

#if ! defined (symgpu_trace_h)
#define symgpu_trace_h 1

#include <memory>
#include <string>
#include <vector>

#include "compat.h"
#include "function.h"
#include "signature.h"

namespace symgpu
{
  class trace;

  class traced_function
  {
  public:

    explicit traced_function (const octave_value& fcn);
    traced_function (const traced_function&) = delete;
    traced_function& operator = (const traced_function&) = delete;
    ~traced_function ();

    octave_value_list call (const octave_value_list& args, int nargout);

    const octave_value& fcn () const { return m_fcn; }
    // Why calls are not replayed; empty if they are.
    const std::string& reason () const { return m_reason; }
    // A line for each trace.
    std::vector<std::string> lines () const;

  private:

    octave_value_list call_as_it_is (const octave_value_list& args, int nargout);
    octave_value_list record (const signature& s, const octave_value_list& args, int nargout);
    std::unique_ptr<trace> * find (const signature& s);
    void keep (std::unique_ptr<trace> t);
    void give_up (const std::string& reason);

    octave_value m_fcn;
    std::string m_reason;
    bool m_told = false;
    signature m_signature;              // of the call under way
    // The latest used first.
    std::vector<std::unique_ptr<trace>> m_traces;
  };

  // ---- hooks for what happens while a function is traced ------------------------------------

  // These nodes will be computed: if one depends on an argument, the trace ends here and the
  // arguments get their values.
  void looking_at (int n, sg_node *const *nodes);
  // The value of N depends on arguments of a function that is being traced.
  bool is_traced (sg_node *n);
}

#endif
