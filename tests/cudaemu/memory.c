/* Memory of the emulated device: one stretch of addresses that is closed to the host between
   calls.  Each allocation lies between guards, is filled with a pattern when it is made and
   when it is freed, and is kept for a while after that.  A shadow says of each 8 bytes how many
   may be used; kernels look into it before each access.  */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu.h"

#define ALIGN 256
#define GUARD 256                      /* bytes before and after, at least */
#define KEPT (64 << 20)                /* bytes of freed memory that are kept from reuse */
#define OFTEN (1 << 20)                /* bytes that are closed to the host after every call */
#define FRESH 0xf9                     /* a large negative number in every class */
#define FREED 0xfb
#define FENCE 0xa5

enum { MAY = 0, GUARDED = 0xfa, GONE = 0xfd, NOTHING = 0xff };

typedef enum state { HOLE, LIVE, DEAD } state;

/* A part of the arena; all parts in a list by address.  DEAD parts also in one by age.  */
typedef struct part
{
  struct part *prev, *next, *younger;
  state state;
  uintptr_t start;
  size_t size;                         /* with its guards */
  size_t bytes;                        /* asked for */
  int64_t number;
} part;

static part *parts, *found, *oldest, *youngest;
static part *rover;                    /* there is no hole before it */
static size_t kept;
static uintptr_t arena;
static size_t arena_bytes, total, used_to;
static unsigned char *shadow;
static bool closed;

/* ---- the arena --------------------------------------------------------------------------- */

static uintptr_t
data_of (const part *p)
{
  return p->start + GUARD;
}

static void
mark (uintptr_t at, size_t bytes, int value)
{
  memset (shadow + (at - arena) / 8, value, (bytes + 7) / 8);
  if (value == MAY && bytes % 8)
    shadow[(at - arena + bytes) / 8] = bytes % 8;
}

static bool
set_up (void)
{
  if (arena)
    return true;
  total = emu_setting ("SYMGPU_EMU_MEMORY", 1 << 30);
  arena_bytes = (total + total / 2 + (256 << 20)) & ~(size_t) 4095;
  void *a = mmap (NULL, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void *s = mmap (NULL, arena_bytes / 8, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  part *p = calloc (1, sizeof *p);
  if (a == MAP_FAILED || s == MAP_FAILED || ! p)
    return false;
  arena = (uintptr_t) a;
  shadow = s;
  p->start = arena;
  p->size = arena_bytes;
  parts = found = rover = p;
  return true;
}

/* Between calls nothing of it can be read or written.  */
static void
protect (int prot)
{
  if (used_to)
    mprotect ((void *) arena, used_to, prot);
}

void
emu_memory_unlock (void)
{
  if (closed)
    protect (PROT_READ | PROT_WRITE);
  closed = false;
}

/* That takes time for each page: with many pages it is done less often.  */
void
emu_memory_lock (void)
{
  static size_t calls;
  if (++calls * OFTEN < used_to)
    return;
  calls = 0;
  closed = true;
  protect (PROT_NONE);
}

size_t
emu_memory_total (void)
{
  return set_up () ? total : 0;
}

void
emu_memory_env (emu_env *e)
{
  set_up ();
  e->arena = arena;
  e->arena_bytes = arena_bytes;
  e->shadow = shadow;
}

/* ---- allocations ------------------------------------------------------------------------- */

/* Sought from where the last one was found: one that is wanted is often near.  */
static part *
find (uintptr_t at)
{
  if (at - arena >= arena_bytes)
    return NULL;
  while (found->start > at)
    found = found->prev;
  while (found->next && found->next->start <= at)
    found = found->next;
  return found;
}

/* Holes side by side become one.  */
static void
join (part *p)
{
  part *n = p->next;
  if (! n || p->state != HOLE || n->state != HOLE)
    return;
  if (found == n)
    found = p;
  if (rover == n)
    rover = p;
  p->size += n->size;
  p->next = n->next;
  if (n->next)
    n->next->prev = p;
  free (n);
}

static bool
unchanged (uintptr_t from, uintptr_t to, unsigned char pattern)
{
  const unsigned char *a = (const unsigned char *) from;
  size_t n = to - from;
  return n == 0 || (a[0] == pattern && memcmp (a, a + 1, n - 1) == 0);
}

static void
check_part (const part *p)
{
  uintptr_t data = data_of (p);
  if (! unchanged (p->start, data, FENCE))
    emu_complain ("memory before allocation %lld of %zu bytes was written to",
                  (long long) p->number, p->bytes);
  if (! unchanged (data + p->bytes, p->start + p->size, FENCE))
    emu_complain ("memory after allocation %lld of %zu bytes was written to",
                  (long long) p->number, p->bytes);
  if (p->state == DEAD && ! unchanged (data, data + p->bytes, FREED))
    emu_complain ("allocation %lld of %zu bytes was written to after it was freed",
                  (long long) p->number, p->bytes);
}

static void
retire_oldest (void)
{
  part *p = oldest;
  check_part (p);
  oldest = p->younger;
  if (! oldest)
    youngest = NULL;
  kept -= p->size;
  mark (p->start, p->size, NOTHING);
  uintptr_t first = (p->start + 4095) & ~(uintptr_t) 4095;
  uintptr_t last = (p->start + p->size) & ~(uintptr_t) 4095;
  if (first < last)
    madvise ((void *) first, last - first, MADV_DONTNEED);
  p->state = HOLE;
  if (p->start < rover->start)
    rover = p;
  join (p);
  if (p->prev)
    join (p->prev);
}

static part *
hole_of (size_t size)
{
  while (rover->next && rover->state != HOLE)
    rover = rover->next;
  for (part *p = rover; p; p = p->next)
    if (p->state == HOLE && p->size >= size)
      return p;
  return NULL;
}

/* The first SIZE bytes of a hole as a part of their own.  */
static bool
cut (part *p, size_t size)
{
  if (p->size > size)
    {
      part *rest = calloc (1, sizeof *rest);
      if (! rest)
        return false;
      rest->start = p->start + size;
      rest->size = p->size - size;
      rest->prev = p;
      rest->next = p->next;
      if (rest->next)
        rest->next->prev = rest;
      p->next = rest;
      p->size = size;
    }
  size_t end = (p->start + size - arena + 4095) & ~(size_t) 4095;
  if (end > used_to)
    {
      used_to = end;
      protect (PROT_READ | PROT_WRITE);
    }
  return true;
}

CUresult
emu_alloc (size_t bytes, CUdeviceptr *out)
{
  if (bytes == 0 || ! out)
    return CUDA_ERROR_INVALID_VALUE;
  if (! set_up () || bytes > total || (size_t) emu_count.live_bytes + bytes > total)
    return CUDA_ERROR_OUT_OF_MEMORY;
  size_t size = ((bytes + ALIGN - 1) & ~(size_t) (ALIGN - 1)) + 2 * GUARD;
  part *p;
  while (! (p = hole_of (size)) && oldest)
    retire_oldest ();
  if (! p || ! cut (p, size))
    return CUDA_ERROR_OUT_OF_MEMORY;
  p->state = LIVE;
  p->bytes = bytes;
  p->number = ++emu_count.allocs;
  uintptr_t data = data_of (p);
  memset ((void *) p->start, FENCE, GUARD);
  memset ((void *) data, FRESH, bytes);
  memset ((void *) (data + bytes), FENCE, p->start + p->size - data - bytes);
  mark (p->start, p->size, GUARDED);
  mark (data, bytes, MAY);
  emu_count.live++;
  emu_count.live_bytes += bytes;
  if (emu_count.live_bytes > emu_count.peak_bytes)
    emu_count.peak_bytes = emu_count.live_bytes;
  emu_trace ("allocation %lld of %zu bytes at %#zx", (long long) p->number, bytes, (size_t) data);
  *out = data;
  return CUDA_SUCCESS;
}

CUresult
emu_free (CUdeviceptr at)
{
  part *p = find (at);
  if (! p || p->state != LIVE || data_of (p) != at)
    {
      emu_complain ("%#llx is freed, which is %s", at, emu_describe (at));
      return CUDA_ERROR_INVALID_VALUE;
    }
  check_part (p);
  memset ((void *) data_of (p), FREED, p->bytes);
  mark (data_of (p), p->bytes, GONE);
  p->state = DEAD;
  p->younger = NULL;
  if (youngest)
    youngest->younger = p;
  else
    oldest = p;
  youngest = p;
  kept += p->size;
  emu_count.frees++;
  emu_count.live--;
  emu_count.live_bytes -= p->bytes;
  emu_trace ("allocation %lld is freed", (long long) p->number);
  while (kept > KEPT)
    retire_oldest ();
  return CUDA_SUCCESS;
}

/* ---- questions --------------------------------------------------------------------------- */

const char *
emu_describe (uintptr_t at)
{
  static char text[200];
  const part *p = find (at);
  if (! p)
    snprintf (text, sizeof text, "no memory of the device");
  else if (p->state == HOLE)
    snprintf (text, sizeof text, "memory of the device that was never allocated");
  else
    snprintf (text, sizeof text, "byte %lld of allocation %lld of %zu bytes%s",
              (long long) (at - data_of (p)), (long long) p->number, p->bytes,
              p->state == DEAD ? ", which was freed" : "");
  return text;
}

bool
emu_range (const char *who, CUdeviceptr at, size_t bytes)
{
  const part *p = find (at);
  if (bytes == 0)
    return true;
  if (p && p->state == LIVE && at >= data_of (p) && at - data_of (p) <= p->bytes
      && bytes <= p->bytes - (at - data_of (p)))
    return true;
  emu_break (CUDA_ERROR_ILLEGAL_ADDRESS, "%s uses %zu bytes at %#llx, which is %s", who, bytes, at,
             emu_describe (at));
  return false;
}

void
emu_memory_check (void)
{
  for (const part *p = parts; p; p = p->next)
    if (p->state != HOLE)
      check_part (p);
}

void
emu_memory_list (FILE *f)
{
  for (const part *p = parts; p; p = p->next)
    if (p->state == LIVE)
      fprintf (f, "allocation %lld of %zu bytes is live\n", (long long) p->number, p->bytes);
}

/* ---- page-locked memory of the host ------------------------------------------------------ */

typedef struct pinned
{
  struct pinned *next;
  size_t bytes;
  unsigned char *data;
} pinned;

static pinned *all_pinned;

CUresult
emu_host_alloc (size_t bytes, void **out)
{
  if (bytes == 0 || ! out)
    return CUDA_ERROR_INVALID_VALUE;
  pinned *p = calloc (1, sizeof *p);
  if (p && posix_memalign ((void **) &p->data, 4096, bytes + GUARD) != 0)
    p->data = NULL;
  if (! p || ! p->data)
    {
      free (p);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  p->bytes = bytes;
  memset (p->data, FRESH, bytes);
  memset (p->data + bytes, FENCE, GUARD);
  p->next = all_pinned;
  all_pinned = p;
  emu_count.host_live++;
  *out = p->data;
  return CUDA_SUCCESS;
}

bool
emu_host_is_locked (const void *data)
{
  for (const pinned *p = all_pinned; p; p = p->next)
    if ((uintptr_t) data - (uintptr_t) p->data < p->bytes)
      return true;
  return false;
}

CUresult
emu_host_free (void *data)
{
  pinned **at = &all_pinned;
  while (*at && (*at)->data != data)
    at = &(*at)->next;
  pinned *p = *at;
  if (! p)
    {
      emu_complain ("%p is freed, which is no page-locked memory", data);
      return CUDA_ERROR_INVALID_VALUE;
    }
  if (! unchanged ((uintptr_t) data + p->bytes, (uintptr_t) data + p->bytes + GUARD, FENCE))
    emu_complain ("memory after %zu page-locked bytes was written to", p->bytes);
  *at = p->next;
  free (p->data);
  free (p);
  emu_count.host_live--;
  return CUDA_SUCCESS;
}
