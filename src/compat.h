// What differs between the versions of Octave, 7.1 to 11.  Every condition on a version is
// in this file.

#if ! defined (symgpu_compat_h)
#define symgpu_compat_h 1

#include <octave/oct.h>
#include <octave/version.h>

#include <octave/interpreter.h>
#include <octave/ov-base.h>
#include <octave/ov-typeinfo.h>

#if defined (__unix__) || defined (__APPLE__)
#  include <dlfcn.h>
#endif

#if ! defined (OCTAVE_MAJOR_VERSION) || OCTAVE_MAJOR_VERSION < 7
#  error "symgpu needs Octave 7.1 or newer"
#endif

namespace symgpu
{
  // The text of a message must not be taken for a format.
  [[noreturn]] inline void
  raise (const char *id, const std::string& text)
  {
    error_with_id (id, "%s", text.c_str ());
    throw 0;                    // not reached: error_with_id does not return
  }

  inline octave::interpreter&
  interpreter ()
  {
    return *octave::interpreter::the_interpreter ();
  }

  // Pending signals are looked at here; throws if the user has asked to stop.
  inline bool
  is_signal_pending ()
  {
    return octave_signal_caught || octave_interrupt_state > 0;
  }

  // Values of the type may live longer than Octave's interest in the functions of this file:
  // when it lets go of them, their code must stay.
  inline void
  stay_loaded (const void *anything_here)
  {
#if defined (RTLD_NODELETE)
    Dl_info info;
    if (dladdr (anything_here, &info) && info.dli_fname)
      dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
#else
    static_cast<void> (anything_here);
#endif
  }
}

#endif
