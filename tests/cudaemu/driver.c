/* Calls of libcuda.so.1: start, devices, contexts, streams and events.  */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver.h"

#define VERSION 13000

typedef struct event
{
  bool recorded;
  struct timespec at;
} event;

bool emu_ready;
static int contexts[16];
void *emu_context;

/* ---- start ------------------------------------------------------------------------------- */

int
emu_ndevices (void)
{
  int64_t n = emu_setting ("SYMGPU_EMU_DEVICES", 1);
  return n < 0 ? 0 : n > 16 ? 16 : n;
}

EMU_API CUresult
cuInit (unsigned int flags)
{
  CUresult r = emu_enter (EMU_INIT);
  if (r != CUDA_SUCCESS)
    return r;
  if (flags != 0)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  if (emu_ndevices () == 0)
    return emu_leave (CUDA_ERROR_NO_DEVICE);
  emu_ready = true;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDriverGetVersion (int *version)
{
  CUresult r = emu_enter (EMU_VERSION);
  if (r != CUDA_SUCCESS)
    return r;
  if (! version)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  *version = emu_setting ("SYMGPU_EMU_VERSION", VERSION);
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuGetErrorName (CUresult error, const char **text)
{
  switch (error)
    {
#define ERROR(name, code, text_) case code: *text = "CUDA_" #name; return CUDA_SUCCESS;
#include "error.def"
    }
  *text = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

EMU_API CUresult
cuGetErrorString (CUresult error, const char **text)
{
  switch (error)
    {
#define ERROR(name, code, text_) case code: *text = text_; return CUDA_SUCCESS;
#include "error.def"
    }
  *text = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

/* ---- devices ----------------------------------------------------------------------------- */

EMU_API CUresult
cuDeviceGetCount (int *count)
{
  CALL (DEVICE);
  if (! count)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  *count = emu_ndevices ();
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDeviceGet (CUdevice *device, int ordinal)
{
  CALL (DEVICE);
  if (! device)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  if (ordinal < 0 || ordinal >= emu_ndevices ())
    return emu_leave (CUDA_ERROR_INVALID_DEVICE);
  *device = ordinal;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDeviceGetName (char *name, int len, CUdevice dev)
{
  CALL (DEVICE);
  CHECK_DEVICE (dev);
  if (! name || len <= 0)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  snprintf (name, len, "emulated device %d", dev);
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDeviceGetAttribute (int *value, int attribute, CUdevice dev)
{
  CALL (DEVICE);
  CHECK_DEVICE (dev);
  if (! value)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  int arch = emu_setting ("SYMGPU_EMU_ARCH", 90);
  switch (attribute)
    {
    case 75: *value = arch / 10; break;
    case 76: *value = arch % 10; break;
#define ATTRIBUTE(number, value_, name) case number: *value = value_; break;
#include "attribute.def"
    default: return emu_leave (CUDA_ERROR_INVALID_VALUE);
    }
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDeviceTotalMem_v2 (size_t *bytes, CUdevice dev)
{
  CALL (DEVICE);
  CHECK_DEVICE (dev);
  *bytes = emu_memory_total ();
  return emu_leave (CUDA_SUCCESS);
}

static CUresult
get_uuid (unsigned char *uuid, CUdevice dev)
{
  CALL (DEVICE);
  CHECK_DEVICE (dev);
  for (int i = 0; i < 16; i++)
    uuid[i] = 16 * dev + i;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDeviceGetUuid (unsigned char *uuid, CUdevice dev)
{
  return get_uuid (uuid, dev);
}

EMU_API CUresult
cuDeviceGetUuid_v2 (unsigned char *uuid, CUdevice dev)
{
  return get_uuid (uuid, dev);
}

/* ---- contexts ---------------------------------------------------------------------------- */

EMU_API CUresult
cuDevicePrimaryCtxRetain (void **context, CUdevice dev)
{
  CALL (CONTEXT);
  CHECK_DEVICE (dev);
  contexts[dev]++;
  emu_count.contexts++;
  *context = contexts + dev;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDevicePrimaryCtxRelease_v2 (CUdevice dev)
{
  CALL (FREE);
  CHECK_DEVICE (dev);
  if (contexts[dev] == 0)
    {
      emu_complain ("a primary context is released that nobody retains");
      return emu_leave (CUDA_ERROR_INVALID_CONTEXT);
    }
  emu_flush ();
  emu_count.contexts--;
  if (--contexts[dev] == 0)
    {
      if (emu_context == contexts + dev)
        emu_context = NULL;
      emu_mend ();
    }
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuCtxSetCurrent (void *context)
{
  CALL (OTHER);
  int *c = context;
  if (c && (c < contexts || c >= contexts + 16 || *c == 0))
    return emu_leave (CUDA_ERROR_INVALID_CONTEXT);
  emu_context = context;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuCtxGetCurrent (void **context)
{
  CALL (OTHER);
  *context = emu_context;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuCtxGetDevice (CUdevice *dev)
{
  CONTEXT_CALL (OTHER);
  *dev = (int *) emu_context - contexts;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuCtxSynchronize (void)
{
  CONTEXT_CALL (SYNC);
  emu_count.syncs++;
  emu_flush ();
  return emu_leave (emu_state ());
}

/* ---- streams and events ------------------------------------------------------------------ */

EMU_API CUresult
cuStreamCreate (void **stream, unsigned int flags)
{
  CONTEXT_CALL (STREAM);
  if (! stream || flags > 1)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  int *s = malloc (sizeof *s);
  if (! s)
    return emu_leave (CUDA_ERROR_OUT_OF_MEMORY);
  *s = STREAM_MAGIC;
  *stream = s;
  emu_count.streams++;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuStreamDestroy_v2 (void *stream)
{
  CONTEXT_CALL (FREE);
  if (! stream || ! is_stream (stream))
    return emu_leave (CUDA_ERROR_INVALID_HANDLE);
  emu_flush ();
  *(int *) stream = 0;
  free (stream);
  emu_count.streams--;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuStreamSynchronize (void *stream)
{
  CONTEXT_CALL (SYNC);
  CHECK_STREAM (stream);
  emu_count.syncs++;
  emu_flush ();
  return emu_leave (emu_state ());
}

/* What waits is done after somebody has asked once.  */
static CUresult
query (void)
{
  CUresult r = emu_pending () ? CUDA_ERROR_NOT_READY : emu_state ();
  emu_flush ();
  return emu_leave (r);
}

EMU_API CUresult
cuStreamQuery (void *stream)
{
  CONTEXT_CALL (SYNC);
  CHECK_STREAM (stream);
  return query ();
}

EMU_API CUresult
cuStreamWaitEvent (void *stream, void *ev, unsigned int flags)
{
  CONTEXT_CALL (STREAM);
  CHECK_STREAM (stream);
  return emu_leave (ev && flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

EMU_API CUresult
cuEventCreate (void **out, unsigned int flags)
{
  CONTEXT_CALL (STREAM);
  if (! out || flags > 7)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  *out = calloc (1, sizeof (event));
  emu_count.events += *out != NULL;
  return emu_leave (*out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

EMU_API CUresult
cuEventDestroy_v2 (event *e)
{
  CONTEXT_CALL (FREE);
  free (e);
  emu_count.events--;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuEventRecord (event *e, void *stream)
{
  CONTEXT_CALL (STREAM);
  CHECK_STREAM (stream);
  e->recorded = true;
  clock_gettime (CLOCK_MONOTONIC, &e->at);
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuEventSynchronize (event *e)
{
  CONTEXT_CALL (SYNC);
  (void) e;
  emu_count.syncs++;
  emu_flush ();
  return emu_leave (emu_state ());
}

EMU_API CUresult
cuEventQuery (event *e)
{
  CONTEXT_CALL (SYNC);
  (void) e;
  return query ();
}

static CUresult
elapsed (float *ms, const event *a, const event *b)
{
  CONTEXT_CALL (SYNC);
  if (! a->recorded || ! b->recorded)
    return emu_leave (CUDA_ERROR_INVALID_HANDLE);
  *ms = (b->at.tv_sec - a->at.tv_sec) * 1e3 + (b->at.tv_nsec - a->at.tv_nsec) * 1e-6;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuEventElapsedTime (float *ms, event *a, event *b)
{
  return elapsed (ms, a, b);
}

EMU_API CUresult
cuEventElapsedTime_v2 (float *ms, event *a, event *b)
{
  return elapsed (ms, a, b);
}
