// Functions that are run once on symarrays without values, and then replayed from what they made.

#if ! defined (symgpu_trace_h)
#define symgpu_trace_h 1

#include <memory>
#include <string>
#include <vector>

#include "compat.h"
#include "function.h"

namespace symgpu
{
  // The arguments of a call: their arrays, and all else that a trace depends on as words.
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
