/* What the parts of the emulated driver share.  The names and numbers of CUDA are declared
   here; no header of the toolkit is needed.

   Environment:
     SYMGPU_EMU_MEMORY   bytes of the device (1 GiB)
     SYMGPU_EMU_ARCH     its compute capability, 90
     SYMGPU_EMU_DEVICES  how many devices there are (1)
     SYMGPU_EMU_SEED     blocks and threads run in an order made from this number
     SYMGPU_EMU_LATE     1: streams do nothing before the host waits for it
     SYMGPU_EMU_FAIL     calls that fail: KIND:K:CODE, ...; the K-th call of a KIND from now on
                         returns CODE.  Read before every call; counted from when it changed.
                         Kinds are those of fault.def.
     SYMGPU_EMU_COUNTS   file that always holds the counts
     SYMGPU_EMU_REPORT   file for the report at the end of the process; "%p" in it is replaced by
                         the number of the process
     SYMGPU_EMU_TRACE    file for one line per call that does something  */

#ifndef EMU_H
#define EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kernel.h"

#define EMU_API __attribute__ ((visibility ("default")))

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

typedef enum emu_error
{
#define ERROR(name, code, text) CUDA_##name = code,
#include "error.def"
} emu_error;

typedef enum emu_kind
{
#define FAULT(id, name) EMU_##id,
#include "fault.def"
  EMU_NKINDS
} emu_kind;

typedef struct emu_counts
{
#define COUNT(name, meaning) int64_t name;
#include "count.def"
} emu_counts_type;

extern EMU_API emu_counts_type emu_count;

/* ---- fault.c: every call of the driver begins with emu_enter and, if that returned
   CUDA_SUCCESS, ends with emu_leave.  In between the memory of the device can be used, and no
   other thread is inside.  ------------------------------------------------------------------ */

EMU_API CUresult emu_enter (emu_kind kind);
EMU_API CUresult emu_leave (CUresult r);
/* The device is lost: every later call returns this.  */
EMU_API void emu_break (CUresult r, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/* Something is wrong that the report should tell.  */
EMU_API void emu_complain (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
EMU_API void emu_trace (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
EMU_API CUresult emu_state (void);
void emu_mend (void);
int64_t emu_setting (const char *name, int64_t otherwise);
/* For tests: the counts as lines "NAME VALUE".  */
EMU_API const char *emu_counts (void);

/* ---- memory.c ---------------------------------------------------------------------------- */

void emu_memory_unlock (void);
void emu_memory_lock (void);
CUresult emu_alloc (size_t bytes, CUdeviceptr *out);
CUresult emu_free (CUdeviceptr p);
/* True if these bytes lie in one live allocation; else the device is lost.  */
EMU_API bool emu_range (const char *who, CUdeviceptr p, size_t bytes);
size_t emu_memory_total (void);
/* What an address is, for messages.  */
const char *emu_describe (uintptr_t p);
/* Complains of damaged guards, and of freed memory that was written to.  */
EMU_API void emu_memory_check (void);
/* A line for each live allocation.  */
void emu_memory_list (FILE *f);
void emu_memory_env (emu_env *e);
CUresult emu_host_alloc (size_t bytes, void **out);
CUresult emu_host_free (void *p);
bool emu_host_is_locked (const void *p);

/* ---- launch.c ---------------------------------------------------------------------------- */

/* The arguments of a kernel, as many bytes as CUDA allows.  */
typedef struct emu_args
{
  _Alignas (16) char data[4096];
  void *at[4096];
} emu_args;

typedef struct emu_launch
{
  emu_module_parts parts;
  emu_entry entry;
  const char *name;
  uintptr_t image, image_end;          /* where its constants may be */
  emu_dim grid, block;
  size_t shared;
  emu_args *args;
} emu_launch;

/* Does all that streams were told to do; queue.c.  */
EMU_API void emu_flush (void);

/* Runs a kernel; what it does wrong breaks the device.  */
void emu_run (const emu_launch *l);

/* ---- the form of a "cubin" --------------------------------------------------------------- */

#define EMU_MAGIC "symgpu-emulated-cubin"

typedef struct emu_image
{
  char magic[24];
  int32_t arch;
  int32_t reserved;
  uint64_t bytes, sum;                 /* of the shared library that follows */
} emu_image;

static inline uint64_t
emu_sum (const void *data, size_t n)
{
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < n; i++)
    h = (h ^ ((const unsigned char *) data)[i]) * 1099511628211u;
  return h;
}

#endif
