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
#if defined (__GLIBC__)
#  include <sys/mman.h>
#endif
#include <cstdlib>
#include <memory>
#include <new>

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

  // mean (x) is no more than sum (x) over the number of elements.
  constexpr bool mean_is_sum_over_number = OCTAVE_MAJOR_VERSION == 7;

  // What an array of Octave takes its memory from, and gives it back to.
#if defined (OCTAVE_HAVE_STD_PMR_POLYMORPHIC_ALLOCATOR)
  template <typename T> using array_allocator = std::pmr::polymorphic_allocator<T>;
#else
  template <typename T> using array_allocator = std::allocator<T>;
#endif

  // Fresh pages cost more than most operations on them; huge ones cost a tenth.
  inline void
  ask_for_huge_pages (void *p, std::size_t bytes)
  {
#if defined (MADV_HUGEPAGE)
    const std::size_t huge_page = std::size_t (2) << 20;
    std::uintptr_t begin = (reinterpret_cast<std::uintptr_t> (p) + huge_page - 1) & ~(huge_page - 1);
    std::uintptr_t end = (reinterpret_cast<std::uintptr_t> (p) + bytes) & ~(huge_page - 1);
    if (bytes >= 2 * huge_page && end > begin)
      madvise (reinterpret_cast<void *> (begin), end - begin, MADV_HUGEPAGE);
#else
    static_cast<void> (p);
    static_cast<void> (bytes);
#endif
  }

  // An array whose elements have no value yet.  Octave's own constructor writes zeros, one
  // thread and one page after the other, to memory that is then written again.  The one that is
  // given memory gives it back to the allocator of any array: the package may be gone by then.
  template <typename ARRAY>
  ARRAY
  fresh_array (const dim_vector& dv)
  {
    typedef typename ARRAY::element_type T;
    const std::size_t little = 2048;
    std::size_t n = dv.safe_numel ();
    if (n <= little / sizeof (T) || n >= SIZE_MAX / 2 / sizeof (T))
      return ARRAY (dv);
    T *p = array_allocator<T> ().allocate (n);
    ask_for_huge_pages (p, n * sizeof (T));
    return ARRAY (Array<T> (p, dv));
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
