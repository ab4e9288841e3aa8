/* How the calls of libcuda.so.1 begin.  */

#ifndef EMU_DRIVER_H
#define EMU_DRIVER_H

#include "emu.h"

extern bool emu_ready;                 /* cuInit was called */
extern void *emu_context;              /* the current one */
int emu_ndevices (void);

/* What a stream can be told to do.  */
typedef enum emu_opkind
{
  EMU_OP_UPLOAD, EMU_OP_DOWNLOAD, EMU_OP_COPY, EMU_OP_SET, EMU_OP_FREE, EMU_OP_LAUNCH
} emu_opkind;

typedef struct emu_op
{
  emu_opkind kind;
  CUdeviceptr to, from;
  void *host;
  unsigned int value;                  /* SET */
  size_t width, n;
  emu_launch launch;
  struct emu_op *next;
  void *staged;
} emu_op;

/* Does it now, after all that waits, or leaves it for emu_flush.  */
CUresult emu_do (emu_op *o, bool wait);
bool emu_pending (void);

#define CALL(kind)                                      \
  do                                                    \
    {                                                   \
      CUresult enter_ = emu_enter (EMU_##kind);         \
      if (enter_ != CUDA_SUCCESS)                       \
        return enter_;                                  \
      if (! emu_ready)                                  \
        return emu_leave (CUDA_ERROR_NOT_INITIALIZED);  \
    }                                                   \
  while (0)

/* As well with a context that is current.  */
#define CONTEXT_CALL(kind)                              \
  do                                                    \
    {                                                   \
      CALL (kind);                                      \
      if (! emu_context)                                \
        return emu_leave (CUDA_ERROR_INVALID_CONTEXT);  \
    }                                                   \
  while (0)

#define CHECK_DEVICE(d)                                 \
  if ((d) < 0 || (d) >= emu_ndevices ())                \
    return emu_leave (CUDA_ERROR_INVALID_DEVICE)

#define STREAM_MAGIC 0x5354524d

static inline bool
is_stream (const int *s)
{
  return ! s || s == (void *) 1 || s == (void *) 2 || *s == STREAM_MAGIC;
}

#define CHECK_STREAM(s)                                 \
  if (! is_stream (s))                                  \
    return emu_leave (CUDA_ERROR_INVALID_HANDLE)

#endif
