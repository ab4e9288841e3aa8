/* The part that is linked into every compiled kernel: its environment, its shared memory, and
   the checks of addresses that the compiler calls before each access to memory.  */

#include "kernel.h"

#define HIDDEN __attribute__ ((visibility ("hidden")))

HIDDEN emu_env emu_now;
HIDDEN _Alignas (1024) char emu_dynamic[EMU_SHARED_MAX];

extern char __start_emu_shared[] __attribute__ ((weak)) HIDDEN;
extern char __stop_emu_shared[] __attribute__ ((weak)) HIDDEN;

__attribute__ ((visibility ("default"))) void
emu_bind (emu_module_parts *parts)
{
  parts->env = &emu_now;
  parts->fixed = __start_emu_shared;
  parts->fixed_end = __stop_emu_shared;
  parts->dynamic = emu_dynamic;
}

static inline void
check (uintptr_t at, size_t bytes, int write)
{
  uintptr_t off = at - emu_now.arena;
  if (off < emu_now.arena_bytes && at % 8 + bytes <= 8 && emu_now.shadow[off / 8] == 0)
    return;
  emu_now.access (at, bytes, write);
}

#define ACCESS(n)                                                             \
  HIDDEN void __asan_load##n##_noabort (uintptr_t at);                        \
  HIDDEN void __asan_store##n##_noabort (uintptr_t at);                       \
  HIDDEN void __asan_load##n##_noabort (uintptr_t at) { check (at, n, 0); }   \
  HIDDEN void __asan_store##n##_noabort (uintptr_t at) { check (at, n, 1); }

ACCESS (1)
ACCESS (2)
ACCESS (4)
ACCESS (8)
ACCESS (16)

HIDDEN void __asan_loadN_noabort (uintptr_t at, size_t n);
HIDDEN void __asan_storeN_noabort (uintptr_t at, size_t n);
HIDDEN void __asan_handle_no_return (void);

HIDDEN void
__asan_loadN_noabort (uintptr_t at, size_t n)
{
  check (at, n, 0);
}

HIDDEN void
__asan_storeN_noabort (uintptr_t at, size_t n)
{
  check (at, n, 1);
}

HIDDEN void
__asan_handle_no_return (void)
{
}
