/* Calls of libcuda.so.1: memory and copies.  */

#include "driver.h"

#define POOL ((void *) 0x706f6f6c)

static uint64_t release_threshold;

/* ---- memory ------------------------------------------------------------------------------ */

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
  CUresult r = emu_alloc (bytes, out);
  if (r == CUDA_ERROR_OUT_OF_MEMORY && emu_pending ())
    {
      /* What will have been freed by then can be had.  */
      emu_flush ();
      r = emu_alloc (bytes, out);
    }
  return emu_leave (r);
}

EMU_API CUresult
cuMemFree_v2 (CUdeviceptr p)
{
  CONTEXT_CALL (FREE);
  emu_flush ();
  CUresult r = p ? emu_free (p) : CUDA_SUCCESS;
  return emu_leave (r == CUDA_SUCCESS ? emu_state () : r);
}

EMU_API CUresult
cuMemFreeAsync (CUdeviceptr p, void *stream)
{
  CONTEXT_CALL (FREE);
  CHECK_STREAM (stream);
  emu_op o = { EMU_OP_FREE, .to = p };
  return emu_leave (p ? emu_do (&o, false) : CUDA_ERROR_INVALID_VALUE);
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
  emu_flush ();
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

/* ---- copies ------------------------------------------------------------------------------ */

static CUresult
upload (CUdeviceptr to, const void *from, size_t n, void *stream, bool wait)
{
  CONTEXT_CALL (UPLOAD);
  CHECK_STREAM (stream);
  emu_op o = { EMU_OP_UPLOAD, .to = to, .host = (void *) from, .n = n };
  return emu_leave (emu_do (&o, wait));
}

static CUresult
download (void *to, CUdeviceptr from, size_t n, void *stream, bool wait)
{
  CONTEXT_CALL (DOWNLOAD);
  CHECK_STREAM (stream);
  emu_op o = { EMU_OP_DOWNLOAD, .from = from, .host = to, .n = n };
  return emu_leave (emu_do (&o, wait));
}

static CUresult
copy (CUdeviceptr to, CUdeviceptr from, size_t n, void *stream)
{
  CONTEXT_CALL (COPY);
  CHECK_STREAM (stream);
  emu_op o = { EMU_OP_COPY, .to = to, .from = from, .n = n };
  return emu_leave (emu_do (&o, false));
}

static CUresult
set (CUdeviceptr to, unsigned int value, size_t width, size_t n, void *stream)
{
  CONTEXT_CALL (SET);
  CHECK_STREAM (stream);
  if (to % width)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  emu_op o = { EMU_OP_SET, .to = to, .value = value, .width = width, .n = n };
  return emu_leave (emu_do (&o, false));
}

EMU_API CUresult
cuMemcpyHtoD_v2 (CUdeviceptr to, const void *from, size_t n)
{
  return upload (to, from, n, NULL, true);
}

EMU_API CUresult
cuMemcpyHtoDAsync_v2 (CUdeviceptr to, const void *from, size_t n, void *stream)
{
  return upload (to, from, n, stream, false);
}

EMU_API CUresult
cuMemcpyDtoH_v2 (void *to, CUdeviceptr from, size_t n)
{
  return download (to, from, n, NULL, true);
}

EMU_API CUresult
cuMemcpyDtoHAsync_v2 (void *to, CUdeviceptr from, size_t n, void *stream)
{
  return download (to, from, n, stream, false);
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
