/* The calls of libcuda.so.1.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "emu.h"

#define VERSION 13000
#define DEFAULT_SHARED 49152
#define POOL ((void *) 0x706f6f6c)

typedef struct module
{
  void *lib;
  emu_module_parts parts;
  uintptr_t image, image_end;
  struct function *functions;
} module;

typedef struct function
{
  struct function *next;
  module *in;
  emu_entry entry;
  int shared_max;
  char name[];
} function;

typedef struct event
{
  bool recorded;
  struct timespec at;
} event;

static bool ready;
static int contexts[16];
static void *current_context;
static uint64_t release_threshold;

#define CALL(kind)                                      \
  do                                                    \
    {                                                   \
      CUresult enter_ = emu_enter (EMU_##kind);         \
      if (enter_ != CUDA_SUCCESS)                       \
        return enter_;                                  \
      if (! ready)                                      \
        return emu_leave (CUDA_ERROR_NOT_INITIALIZED);  \
    }                                                   \
  while (0)

/* As well with a context that is current.  */
#define CONTEXT_CALL(kind)                              \
  do                                                    \
    {                                                   \
      CALL (kind);                                      \
      if (! current_context)                            \
        return emu_leave (CUDA_ERROR_INVALID_CONTEXT);  \
    }                                                   \
  while (0)

/* ---- start ------------------------------------------------------------------------------------ */

static int
ndevices (void)
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
  if (ndevices () == 0)
    return emu_leave (CUDA_ERROR_NO_DEVICE);
  ready = true;
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

/* ---- devices ------------------------------------------------------------------------------------ */

EMU_API CUresult
cuDeviceGetCount (int *count)
{
  CALL (DEVICE);
  if (! count)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  *count = ndevices ();
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDeviceGet (CUdevice *device, int ordinal)
{
  CALL (DEVICE);
  if (! device)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  if (ordinal < 0 || ordinal >= ndevices ())
    return emu_leave (CUDA_ERROR_INVALID_DEVICE);
  *device = ordinal;
  return emu_leave (CUDA_SUCCESS);
}

#define CHECK_DEVICE(d) \
  if ((d) < 0 || (d) >= ndevices ()) return emu_leave (CUDA_ERROR_INVALID_DEVICE)

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

/* ---- contexts ------------------------------------------------------------------------------------- */

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
  emu_count.contexts--;
  if (--contexts[dev] == 0)
    {
      if (current_context == contexts + dev)
        current_context = NULL;
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
  current_context = context;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuCtxGetCurrent (void **context)
{
  CALL (OTHER);
  *context = current_context;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuCtxGetDevice (CUdevice *dev)
{
  CONTEXT_CALL (OTHER);
  *dev = (int *) current_context - contexts;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuCtxSynchronize (void)
{
  CONTEXT_CALL (SYNC);
  emu_count.syncs++;
  return emu_leave (CUDA_SUCCESS);
}

/* ---- streams and events ------------------------------------------------------------------------------ */

#define STREAM_MAGIC 0x5354524d

static bool
is_stream (const int *s)
{
  return ! s || s == (void *) 1 || s == (void *) 2 || *s == STREAM_MAGIC;
}

#define CHECK_STREAM(s) if (! is_stream (s)) return emu_leave (CUDA_ERROR_INVALID_HANDLE)

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
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuStreamQuery (void *stream)
{
  CONTEXT_CALL (SYNC);
  CHECK_STREAM (stream);
  return emu_leave (CUDA_SUCCESS);
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
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuEventQuery (event *e)
{
  CONTEXT_CALL (SYNC);
  (void) e;
  return emu_leave (CUDA_SUCCESS);
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

/* ---- memory -------------------------------------------------------------------------------------------- */

EMU_API CUresult
cuMemAlloc_v2 (CUdeviceptr *out, size_t bytes)
{
  CONTEXT_CALL (ALLOC);
  return emu_leave (emu_alloc (bytes, out));
}

EMU_API CUresult
cuMemAllocAsync (CUdeviceptr *out, size_t bytes, void *stream)
{
  CONTEXT_CALL (ALLOC);
  CHECK_STREAM (stream);
  return emu_leave (emu_alloc (bytes, out));
}

static CUresult
give_back (CUdeviceptr p)
{
  CONTEXT_CALL (FREE);
  CUresult r = p ? emu_free (p) : CUDA_SUCCESS;
  return emu_leave (r == CUDA_SUCCESS ? emu_state () : r);
}

EMU_API CUresult
cuMemFree_v2 (CUdeviceptr p)
{
  return give_back (p);
}

EMU_API CUresult
cuMemFreeAsync (CUdeviceptr p, void *stream)
{
  (void) stream;
  return give_back (p);
}

EMU_API CUresult
cuMemHostAlloc (void **out, size_t bytes, unsigned int flags)
{
  CONTEXT_CALL (HOST);
  return emu_leave (flags > 7 ? CUDA_ERROR_INVALID_VALUE : emu_host_alloc (bytes, out));
}

EMU_API CUresult
cuMemAllocHost_v2 (void **out, size_t bytes)
{
  CONTEXT_CALL (HOST);
  return emu_leave (emu_host_alloc (bytes, out));
}

EMU_API CUresult
cuMemFreeHost (void *p)
{
  CONTEXT_CALL (FREE);
  CUresult r = emu_host_free (p);
  return emu_leave (r == CUDA_SUCCESS ? emu_state () : r);
}

EMU_API CUresult
cuMemGetInfo_v2 (size_t *unused, size_t *total)
{
  CONTEXT_CALL (DEVICE);
  *total = emu_memory_total ();
  *unused = *total - emu_count.live_bytes;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDeviceGetDefaultMemPool (void **pool, CUdevice dev)
{
  CALL (DEVICE);
  CHECK_DEVICE (dev);
  *pool = POOL;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuDeviceGetMemPool (void **pool, CUdevice dev)
{
  return cuDeviceGetDefaultMemPool (pool, dev);
}

enum { POOL_THRESHOLD = 4, POOL_RESERVED, POOL_RESERVED_HIGH, POOL_USED, POOL_USED_HIGH };

EMU_API CUresult
cuMemPoolSetAttribute (void *pool, int attribute, void *value)
{
  CALL (DEVICE);
  if (pool != POOL || attribute < 1 || attribute > POOL_USED_HIGH || ! value)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  if (attribute == POOL_THRESHOLD)
    release_threshold = *(uint64_t *) value;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuMemPoolGetAttribute (void *pool, int attribute, void *value)
{
  CALL (DEVICE);
  if (pool != POOL || attribute < 1 || attribute > POOL_USED_HIGH || ! value)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  if (attribute < POOL_THRESHOLD)
    *(int *) value = 1;
  else
    *(uint64_t *) value = attribute == POOL_THRESHOLD ? release_threshold
                          : attribute == POOL_RESERVED || attribute == POOL_USED
                              ? (uint64_t) emu_count.live_bytes : (uint64_t) emu_count.peak_bytes;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuMemPoolTrimTo (void *pool, size_t keep)
{
  CALL (OTHER);
  (void) keep;
  return emu_leave (pool == POOL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* ---- copies ---------------------------------------------------------------------------------------------- */

static CUresult
upload (CUdeviceptr to, const void *from, size_t n, void *stream)
{
  CONTEXT_CALL (UPLOAD);
  CHECK_STREAM (stream);
  if (! emu_range ("a copy to the device", to, n))
    return emu_leave (emu_state ());
  memcpy ((void *) (uintptr_t) to, from, n);
  emu_count.uploads++;
  emu_count.upload_bytes += n;
  emu_trace ("upload of %zu bytes to %#llx", n, to);
  return emu_leave (CUDA_SUCCESS);
}

static CUresult
download (void *to, CUdeviceptr from, size_t n, void *stream)
{
  CONTEXT_CALL (DOWNLOAD);
  CHECK_STREAM (stream);
  if (! emu_range ("a copy from the device", from, n))
    return emu_leave (emu_state ());
  memcpy (to, (const void *) (uintptr_t) from, n);
  emu_count.downloads++;
  emu_count.download_bytes += n;
  emu_trace ("download of %zu bytes from %#llx", n, from);
  return emu_leave (CUDA_SUCCESS);
}

static CUresult
copy (CUdeviceptr to, CUdeviceptr from, size_t n, void *stream)
{
  CONTEXT_CALL (COPY);
  CHECK_STREAM (stream);
  if (! emu_range ("a copy in the device", to, n) || ! emu_range ("a copy in the device", from, n))
    return emu_leave (emu_state ());
  if (n && to < from + n && from < to + n)
    {
      emu_complain ("a copy of %zu bytes in the device from %#llx to %#llx overlaps itself", n, from,
                    to);
      return emu_leave (CUDA_ERROR_INVALID_VALUE);
    }
  memcpy ((void *) (uintptr_t) to, (const void *) (uintptr_t) from, n);
  emu_count.copies++;
  emu_count.copy_bytes += n;
  emu_trace ("copy of %zu bytes from %#llx to %#llx", n, from, to);
  return emu_leave (CUDA_SUCCESS);
}

static CUresult
set (CUdeviceptr to, unsigned int value, size_t width, size_t n, void *stream)
{
  CONTEXT_CALL (SET);
  CHECK_STREAM (stream);
  if (to % width)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  if (! emu_range ("memset", to, n * width))
    return emu_leave (emu_state ());
  for (size_t i = 0; i < n; i++)
    memcpy ((char *) (uintptr_t) to + i * width, &value, width);
  emu_count.sets++;
  emu_trace ("set of %zu times %zu bytes at %#llx", n, width, to);
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuMemcpyHtoD_v2 (CUdeviceptr to, const void *from, size_t n)
{
  return upload (to, from, n, NULL);
}

EMU_API CUresult
cuMemcpyHtoDAsync_v2 (CUdeviceptr to, const void *from, size_t n, void *stream)
{
  return upload (to, from, n, stream);
}

EMU_API CUresult
cuMemcpyDtoH_v2 (void *to, CUdeviceptr from, size_t n)
{
  return download (to, from, n, NULL);
}

EMU_API CUresult
cuMemcpyDtoHAsync_v2 (void *to, CUdeviceptr from, size_t n, void *stream)
{
  return download (to, from, n, stream);
}

EMU_API CUresult
cuMemcpyDtoD_v2 (CUdeviceptr to, CUdeviceptr from, size_t n)
{
  return copy (to, from, n, NULL);
}

EMU_API CUresult
cuMemcpyDtoDAsync_v2 (CUdeviceptr to, CUdeviceptr from, size_t n, void *stream)
{
  return copy (to, from, n, stream);
}

EMU_API CUresult
cuMemsetD8_v2 (CUdeviceptr to, unsigned char value, size_t n)
{
  return set (to, value, 1, n, NULL);
}

EMU_API CUresult
cuMemsetD8Async (CUdeviceptr to, unsigned char value, size_t n, void *stream)
{
  return set (to, value, 1, n, stream);
}

EMU_API CUresult
cuMemsetD32_v2 (CUdeviceptr to, unsigned int value, size_t n)
{
  return set (to, value, 4, n, NULL);
}

EMU_API CUresult
cuMemsetD32Async (CUdeviceptr to, unsigned int value, size_t n, void *stream)
{
  return set (to, value, 4, n, stream);
}

/* ---- modules ------------------------------------------------------------------------------------------------ */

static int
find_image (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  module *m = data;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      {
        uintptr_t a = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uintptr_t e = a + info->dlpi_phdr[i].p_memsz;
        start = a < start ? a : start;
        end = e > end ? e : end;
      }
  if ((uintptr_t) m->parts.env - start >= end - start)
    return 0;
  m->image = start;
  m->image_end = end;
  return 1;
}

/* The library of an image, by way of a file whose name is never used twice.  */
static void *
open_image (const emu_image *image)
{
  static int number;
  const char *dir = getenv ("TMPDIR");
  char name[4096];
  snprintf (name, sizeof name, "%s/cudaemu-%ld-%d.so", dir && *dir ? dir : "/tmp", (long) getpid (),
            ++number);
  FILE *f = fopen (name, "wbx");
  if (! f)
    return NULL;
  bool ok = fwrite (image + 1, 1, image->bytes, f) == image->bytes;
  ok = fclose (f) == 0 && ok;
  void *lib = ok ? dlopen (name, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (! lib)
    emu_complain ("a module cannot be loaded: %s", ok ? dlerror () : "its file cannot be written");
  unlink (name);
  return lib;
}

static CUresult
load (module **out, const emu_image *image)
{
  CONTEXT_CALL (LOAD);
  if (! image || ! out)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  if (strncmp (image->magic, EMU_MAGIC, sizeof image->magic) != 0
      || image->sum != emu_sum (image + 1, image->bytes))
    return emu_leave (CUDA_ERROR_INVALID_IMAGE);
  if (image->arch != emu_setting ("SYMGPU_EMU_ARCH", 90))
    return emu_leave (CUDA_ERROR_NO_BINARY_FOR_GPU);
  module *m = calloc (1, sizeof *m);
  if (! m)
    return emu_leave (CUDA_ERROR_OUT_OF_MEMORY);
  m->lib = open_image (image);
  void (*bind) (emu_module_parts *) = NULL;
  if (m->lib)
    bind = (void (*) (emu_module_parts *)) dlsym (m->lib, "emu_bind");
  if (! bind)
    {
      free (m);
      return emu_leave (CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    }
  bind (&m->parts);
  dl_iterate_phdr (find_image, m);
  emu_count.loads++;
  emu_count.modules++;
  emu_trace ("load of a module of %zu bytes", (size_t) image->bytes);
  *out = m;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuModuleLoadData (module **out, const void *image)
{
  return load (out, image);
}

EMU_API CUresult
cuModuleLoadDataEx (module **out, const void *image, unsigned int noptions, int *options,
                    void **values)
{
  (void) noptions;
  (void) options;
  (void) values;
  return load (out, image);
}

EMU_API CUresult
cuModuleUnload (module *m)
{
  CONTEXT_CALL (FREE);
  if (! m)
    return emu_leave (CUDA_ERROR_INVALID_HANDLE);
  for (function *f = m->functions, *next; f; f = next)
    {
      next = f->next;
      free (f);
    }
  dlclose (m->lib);
  free (m);
  emu_count.modules--;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuModuleGetFunction (function **out, module *m, const char *name)
{
  CONTEXT_CALL (FIND);
  if (! out || ! m || ! name)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  for (function *f = m->functions; f; f = f->next)
    if (strcmp (f->name, name) == 0)
      {
        *out = f;
        return emu_leave (CUDA_SUCCESS);
      }
  char symbol[512];
  snprintf (symbol, sizeof symbol, "emu_entry_%s", name);
  const emu_entry *e = dlsym (m->lib, symbol);
  if (! e)
    return emu_leave (CUDA_ERROR_NOT_FOUND);
  function *f = malloc (sizeof *f + strlen (name) + 1);
  if (! f)
    return emu_leave (CUDA_ERROR_OUT_OF_MEMORY);
  f->next = m->functions;
  m->functions = f;
  f->in = m;
  f->entry = *e;
  f->shared_max = DEFAULT_SHARED;
  strcpy (f->name, name);
  *out = f;
  return emu_leave (CUDA_SUCCESS);
}

enum { FUNC_MAX_THREADS, FUNC_SHARED, FUNC_NUM_REGS = 4, FUNC_SHARED_MAX = 8, FUNC_CARVEOUT };

EMU_API CUresult
cuFuncSetAttribute (function *f, int attribute, int value)
{
  CONTEXT_CALL (OTHER);
  if (attribute == FUNC_CARVEOUT)
    return emu_leave (CUDA_SUCCESS);
  if (! f || attribute != FUNC_SHARED_MAX || value < 0 || value > EMU_SHARED_MAX)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  f->shared_max = value;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuFuncGetAttribute (int *value, int attribute, function *f)
{
  CONTEXT_CALL (OTHER);
  if (! f || ! value)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  *value = attribute == FUNC_MAX_THREADS ? 1024
           : attribute == FUNC_SHARED ? (int) (f->in->parts.fixed_end - f->in->parts.fixed)
           : attribute == FUNC_SHARED_MAX ? f->shared_max
           : attribute == FUNC_NUM_REGS ? 32 : 0;
  return emu_leave (CUDA_SUCCESS);
}

/* ---- launches ------------------------------------------------------------------------------------------------- */

/* A copy of the arguments, from the array of their addresses or from the buffer in EXTRA.  */
static bool
arguments (const function *f, void **params, void **extra, emu_args *args)
{
  char *buffer = NULL;
  size_t bytes = 0, at = 0;
  for (int i = 0; extra && extra[i]; i += 2)
    if (extra[i] == (void *) 1)
      buffer = extra[i+1];
    else if (extra[i] == (void *) 2)
      bytes = *(size_t *) extra[i+1];
  if (f->entry.narg && ! params && ! buffer)
    return false;
  for (int i = 0; i < f->entry.narg; i++)
    {
      size_t align = f->entry.align[i];
      at = (at + align - 1) / align * align;
      const void *from = params ? params[i] : buffer + at;
      if (! from || at + f->entry.size[i] > sizeof args->data)
        return false;
      args->at[i] = memcpy (args->data + at, from, f->entry.size[i]);
      at += f->entry.size[i];
    }
  return params || at == bytes;
}

EMU_API CUresult
cuLaunchKernel (function *f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                unsigned int by, unsigned int bz, unsigned int shared, void *stream, void **params,
                void **extra)
{
  static emu_args args;
  CONTEXT_CALL (LAUNCH);
  CHECK_STREAM (stream);
  if (! f)
    return emu_leave (CUDA_ERROR_INVALID_HANDLE);
  bool ok = gx - 1 < 2147483647 && gy - 1 < 65535 && gz - 1 < 65535 && bx - 1 < 1024 && by - 1 < 1024
            && bz - 1 < 64 && (uint64_t) bx * by * bz <= 1024 && shared <= (unsigned) f->shared_max;
  emu_trace ("launch of %s, grid (%u,%u,%u), block (%u,%u,%u), %u bytes shared", f->name, gx, gy, gz,
             bx, by, bz, shared);
  if (! ok || ! arguments (f, params, extra, &args))
    {
      emu_complain ("launch of %s with grid (%u,%u,%u), block (%u,%u,%u), %u bytes shared: %s",
                    f->name, gx, gy, gz, bx, by, bz, shared,
                    ok ? "not the arguments that it has" : "not possible");
      return emu_leave (CUDA_ERROR_INVALID_VALUE);
    }
  emu_count.launches++;
  emu_launch l = { f->in->parts, f->entry, f->name, f->in->image, f->in->image_end, { gx, gy, gz },
                   { bx, by, bz }, shared, &args };
  emu_run (&l);
  return emu_leave (CUDA_SUCCESS);
}
