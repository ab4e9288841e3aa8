/* The device and its memory.  */

#include <pthread.h>

#include "../core/plan.h"
#include "api.h"
#include "device.h"
#include "resident.h"
#include "transfer.h"

sg_device sg_dev;
bool sg_device_forked;

/* ---- memory ------------------------------------------------------------------------------- */

/* Blocks are rounded up so that those of one size fit each other.  */
#define STEP ((size_t) 512)
#define LARGE ((size_t) 1 << 20)

static sg_block *kept;       /* newest first */
static size_t kept_bytes;

static size_t
limit (void)
{
  return sg_dev.total / 100 * (size_t) sg_cfg.memory;
}

static void
release (sg_block *b)
{
  kept_bytes -= b->bytes;
  /* At the end of the program the driver may be gone before us.  */
  if (sg_dev.context && sg_dev.pools)
    sg_cu.cuMemFreeAsync (b->address, sg_dev.stream);
  else if (sg_dev.context)
    sg_cu.cuMemFree_v2 (b->address);
  sg_free (b);
}

/* Without a pool a block is free at once: what still works with it has to end.  */
void
sg_block_trim (void)
{
  if (! kept)
    return;
  if (! sg_dev.pools && sg_dev.context)
    sg_cu.cuStreamSynchronize (sg_dev.stream);
  while (kept)
    {
      sg_block *b = kept;
      kept = b->next;
      release (b);
    }
  void *pool;
  if (sg_dev.pools && sg_dev.context
      && sg_cu.cuStreamSynchronize (sg_dev.stream) == 0
      && sg_cu.cuDeviceGetDefaultMemPool (&pool, sg_dev.id) == 0)
    sg_cu.cuMemPoolTrimTo (pool, 0);
}

/* The smallest kept block that is large enough and not more than twice too large.  */
static sg_block *
take_kept (size_t bytes)
{
  sg_block **best = NULL;
  for (sg_block **p = &kept; *p; p = &(*p)->next)
    if ((*p)->bytes >= bytes && (*p)->bytes / 2 <= bytes
        && (! best || (*p)->bytes < (*best)->bytes))
      best = p;
  if (! best)
    return NULL;
  sg_block *b = *best;
  *best = b->next;
  kept_bytes -= b->bytes;
  return b;
}

static sg_status
out_of_memory (size_t bytes)
{
  return sg_fail (SG_DEVICE_MEMORY, "the GPU has no %zu bytes left: %lld of %zu are in use, and "
                  "%lld percent of it may be used", bytes, (long long) sg_count.device_bytes,
                  sg_dev.total, (long long) sg_cfg.memory);
}

static sg_status
block_new (size_t bytes, sg_block **out)
{
  if (bytes + kept_bytes + (size_t) sg_count.device_bytes > limit ())
    sg_block_trim ();
  if (bytes + (size_t) sg_count.device_bytes > limit ())
    return out_of_memory (bytes);
  sg_block *b = sg_malloc (sizeof *b);
  if (! b)
    return sg_fail (SG_NOMEM, "out of memory for a block of the device");
  *b = (sg_block) { .bytes = bytes };
  sg_count.device_allocs++;
  int e = sg_dev.pools ? sg_cu.cuMemAllocAsync (&b->address, bytes, sg_dev.stream)
          : sg_cu.cuMemAlloc_v2 (&b->address, bytes);
  if (e != 0)
    {
      sg_free (b);
      return e == CU_OUT_OF_MEMORY ? out_of_memory (bytes)
             : sg_cu_fail (sg_dev.pools ? "cuMemAllocAsync" : "cuMemAlloc", e);
    }
  *out = b;
  return SG_OK;
}

/* What is kept goes first, then copies of values that the host has as well.  */
sg_status
sg_block_get (size_t bytes, sg_block **out)
{
  size_t step = bytes > LARGE ? LARGE : STEP;
  if (bytes > SIZE_MAX / 2)
    return out_of_memory (bytes);
  bytes = (bytes / step + (bytes % step || bytes == 0)) * step;
  sg_block *b = take_kept (bytes);
  sg_status s = b ? SG_OK : block_new (bytes, &b);
  if (s == SG_DEVICE_MEMORY)
    {
      sg_block_trim ();
      s = block_new (bytes, &b);
    }
  if (s == SG_DEVICE_MEMORY && sg_resident_evict ())
    {
      sg_block_trim ();
      s = block_new (bytes, &b);
    }
  SG_TRY (s);
  b->refs = 1;
  b->next = NULL;
  sg_count.device_bytes += b->bytes;
  *out = b;
  return SG_OK;
}

sg_block *
sg_block_ref (sg_block *b)
{
  b->refs++;
  return b;
}

void
sg_block_unref (sg_block *b)
{
  if (! b || --b->refs > 0)
    return;
  sg_count.device_bytes -= b->bytes;
  b->next = kept;
  kept = b;
  kept_bytes += b->bytes;
}

/* ---- opening and closing ------------------------------------------------------------------ */

static void
keep_pool (void)
{
  void *pool;
  uint64_t all = UINT64_MAX;
  int has = 0;
  sg_cu.cuDeviceGetAttribute (&has, CU_ATTRIBUTE_POOLS, sg_dev.id);
  sg_dev.pools = has && sg_cu.cuMemAllocAsync && sg_cu.cuMemFreeAsync
                 && sg_cu.cuDeviceGetDefaultMemPool && sg_cu.cuMemPoolSetAttribute
                 && sg_cu.cuMemPoolTrimTo
                 && sg_cu.cuDeviceGetDefaultMemPool (&pool, sg_dev.id) == 0
                 && sg_cu.cuMemPoolSetAttribute (pool, CU_POOL_RELEASE_THRESHOLD, &all) == 0;
}

static sg_status
open_context (int index)
{
  SG_CU (cuDeviceGet, &sg_dev.id, index);
  sg_dev.index = index;
  SG_CU (cuDeviceTotalMem_v2, &sg_dev.total, sg_dev.id);
  SG_CU (cuDeviceGetAttribute, &sg_dev.major, CU_ATTRIBUTE_MAJOR, sg_dev.id);
  SG_CU (cuDeviceGetAttribute, &sg_dev.minor, CU_ATTRIBUTE_MINOR, sg_dev.id);
  SG_CU (cuDeviceGetAttribute, &sg_dev.processors, CU_ATTRIBUTE_PROCESSORS, sg_dev.id);
  SG_CU (cuDevicePrimaryCtxRetain, &sg_dev.context, sg_dev.id);
  SG_CU (cuCtxSetCurrent, sg_dev.context);
  SG_CU (cuStreamCreate, &sg_dev.stream, CU_STREAM_NON_BLOCKING);
  keep_pool ();
  return sg_transfer_open ();
}

/* Nothing of the driver may be called in a forked process: there is no context any more.  */
static void
in_child (void)
{
  sg_device_forked = sg_device_forked || sg_dev.context;
  sg_dev.context = sg_dev.stream = sg_dev.cublas = NULL;
}

static void
watch_fork (void)
{
  pthread_atfork (NULL, NULL, in_child);
}

sg_status
sg_device_open (int index)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, watch_fork);
  int generation = sg_dev.generation + 1;
  sg_dev = (sg_device) { .generation = generation };
  sg_status s = open_context (index);
  if (s != SG_OK)
    sg_device_close ();
  return s;
}

void
sg_device_close (void)
{
  if (! sg_dev.context)
    return;
  sg_cu.cuCtxSetCurrent (sg_dev.context);
  if (sg_dev.stream)
    sg_cu.cuStreamSynchronize (sg_dev.stream);
  sg_block_trim ();
  sg_transfer_close ();
  if (sg_dev.cublas)
    sg_cu.cublasDestroy_v2 (sg_dev.cublas);
  if (sg_dev.stream)
    sg_cu.cuStreamDestroy_v2 (sg_dev.stream);
  sg_cu.cuDevicePrimaryCtxRelease_v2 (sg_dev.id);
  sg_dev.context = sg_dev.stream = sg_dev.cublas = NULL;
  sg_dev.generation++;
}

sg_status
sg_device_enter (void)
{
  if (! sg_dev.context)
    return sg_fail (SG_CUDA_ERROR, "the value is on a GPU that this process cannot use");
  SG_CU (cuCtxSetCurrent, sg_dev.context);
  return SG_OK;
}

sg_status
sg_device_wait (void)
{
  int e;
  while ((e = sg_cu.cuStreamQuery (sg_dev.stream)) == CU_NOT_READY)
    if (sg_is_interrupted ())
      return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
  return e == 0 ? SG_OK : sg_cu_fail ("cuStreamQuery", e);
}
