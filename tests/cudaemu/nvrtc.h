/* What the parts of the emulated NVRTC share.  */

#ifndef EMU_NVRTC_H
#define EMU_NVRTC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct emu_text
{
  char *data;
  size_t n, room;
  bool ok;
} emu_text;

void emu_add (emu_text *t, const char *s, size_t n);

/* CUDA C++ as the host's compiler takes it with the shim; entries for the kernels at its end.
   To be freed; NULL if it cannot be done.  */
char *emu_translate (const char *text, bool with_entries);

#endif
