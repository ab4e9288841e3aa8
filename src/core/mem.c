/* Allocation: one door, which tests can shut at the k-th call, and a pool of large blocks.

   Fresh memory is expensive: the kernel clears each page at its first use, which takes longer
   than most operations on it.  So blocks that are given back are kept, up to the setting
   pool_bytes, and large ones are asked for in huge pages.  */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "symgpu.h"

static long fail_at;

void
sg_fail_allocation (long k)
{
  fail_at = k;
}

static bool
is_refused (void)
{
  if (__builtin_expect (fail_at > 0, 0))
    return --fail_at == 0;
  return false;
}

void *
sg_malloc (size_t n)
{
  return is_refused () ? NULL : malloc (n > 0 ? n : 1);
}

void *
sg_realloc (void *p, size_t n)
{
  return is_refused () ? NULL : realloc (p, n > 0 ? n : 1);
}

void
sg_free (void *p)
{
  free (p);
}

/* ---- cells ------------------------------------------------------------------------------ */

/* Nodes and small values come and go by the thousand: those that are given back are kept, linked
   by their first word, by size.  */
#define CELL 64
#define CELL_SIZES 9
#define CELLS_KEPT 1024

typedef struct cell
{
  struct cell *next;
} cell;

static struct
{
  cell *first;
  int n;
} cells[CELL_SIZES];

/* A sanitizer is to see every one of them.  */
#if defined __SANITIZE_ADDRESS__
#define KEEPS_CELLS false
#else
#define KEEPS_CELLS true
#endif

void *
sg_cell_get (size_t n)
{
  size_t k = (n + CELL - 1) / CELL;
  if (k >= CELL_SIZES)
    return sg_malloc (n);
  cell *c = cells[k].first;
  if (! c)
    return sg_malloc (k * CELL);
  if (is_refused ())
    return NULL;
  cells[k].first = c->next;
  cells[k].n--;
  return c;
}

void
sg_cell_put (void *p, size_t n)
{
  size_t k = (n + CELL - 1) / CELL;
  if (! KEEPS_CELLS || k >= CELL_SIZES || cells[k].n == CELLS_KEPT)
    {
      sg_free (p);
      return;
    }
  cell *c = p;
  c->next = cells[k].first;
  cells[k].first = c;
  cells[k].n++;
}

static void
cells_trim (void)
{
  for (int k = 0; k < CELL_SIZES; k++)
    while (cells[k].first)
      {
        cell *c = cells[k].first;
        cells[k].first = c->next;
        cells[k].n--;
        sg_free (c);
      }
}

/* ---- the pool ----------------------------------------------------------------------- */

#define ALIGN 64
#define HUGE_PAGE ((size_t) 2 << 20)

/* Stands in the ALIGN bytes before a block.  */
typedef struct block
{
  size_t bytes;              /* without this header */
  struct block *next;        /* in the list of kept blocks, newest first */
} block;

/* Smaller values are not worth a search of the pool, which would hold very many of them.  */
#define SMALL 16384

static block *kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static block *
block_of (void *p)
{
  return (block *) ((char *) p - ALIGN);
}

static void
block_free (block *b)
{
  sg_count.pool_kept -= b->bytes;
  free (b);
}

/* The smallest kept block that is large enough and not more than twice too large.  */
static block *
take_kept (size_t bytes)
{
  block **best = NULL;
  for (block **p = &kept; *p; p = &(*p)->next)
    if ((*p)->bytes >= bytes && (*p)->bytes / 2 <= bytes + 4096
        && (! best || (*p)->bytes < (*best)->bytes))
      {
        best = p;
        if ((*p)->bytes == bytes)
          break;
      }
  if (! best)
    return NULL;
  block *b = *best;
  *best = b->next;
  sg_count.pool_kept -= b->bytes;
  return b;
}

static block *
block_new (size_t bytes)
{
  size_t align = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : ALIGN;
  size_t total = (bytes + ALIGN + align - 1) / align * align;
  block *b = aligned_alloc (align, total);
  if (! b)
    return NULL;
#ifdef MADV_HUGEPAGE
  if (align == HUGE_PAGE)
    madvise (b, total, MADV_HUGEPAGE);
#endif
  b->bytes = total - ALIGN;
  return b;
}

void *
sg_pool_get (size_t bytes)
{
  if (is_refused () || bytes > (size_t) PTRDIFF_MAX / 2)
    return NULL;
  block *b = NULL;
  if (bytes > SMALL)
    {
      pthread_mutex_lock (&lock);
      b = take_kept (bytes);
      pthread_mutex_unlock (&lock);
    }
  if (! b)
    b = block_new (bytes);
  if (! b)
    {
      sg_pool_trim ();
      b = block_new (bytes);
    }
  if (! b)
    return NULL;
  __atomic_fetch_add (&sg_count.pool_bytes, (int64_t) b->bytes, __ATOMIC_RELAXED);
  return (char *) b + ALIGN;
}

void
sg_pool_put (void *p)
{
  if (! p)
    return;
  block *b = block_of (p);
  __atomic_fetch_sub (&sg_count.pool_bytes, (int64_t) b->bytes, __ATOMIC_RELAXED);
  if (b->bytes <= SMALL)
    {
      free (b);
      return;
    }
  pthread_mutex_lock (&lock);
  b->next = kept;
  kept = b;
  sg_count.pool_kept += b->bytes;
  /* The oldest go first.  */
  int64_t sum = 0;
  for (block **q = &kept; *q; )
    {
      sum += (*q)->bytes;
      if (sum > sg_cfg.pool_bytes)
        {
          block *old = *q;
          *q = old->next;
          sum -= old->bytes;
          block_free (old);
        }
      else
        q = &(*q)->next;
    }
  pthread_mutex_unlock (&lock);
}

void
sg_pool_trim (void)
{
  cells_trim ();
  pthread_mutex_lock (&lock);
  while (kept)
    {
      block *b = kept;
      kept = b->next;
      block_free (b);
    }
  pthread_mutex_unlock (&lock);
}

/* ---- buffers -------------------------------------------------------------------------- */

static sg_status
buf_new (size_t extra, sg_class cls, bool cplx, size_t bytes, sg_buf **out)
{
  sg_buf *b = sg_cell_get (sizeof *b + extra);
  if (! b)
    return sg_fail (SG_NOMEM, "out of memory for a value of %zu bytes", bytes);
  *b = (sg_buf) { .refs = 1, .cls = cls, .cplx = cplx, .bytes = bytes };
  sg_count.buffers++;
  sg_count.buffer_bytes += bytes;
  *out = b;
  return SG_OK;
}

sg_status
sg_buf_new (sg_class cls, bool cplx, void *data, size_t bytes,
            void (*free_fn) (sg_buf *), void *owner, sg_buf **out)
{
  SG_TRY (buf_new (0, cls, cplx, bytes, out));
  (*out)->data = data;
  (*out)->free_fn = free_fn;
  (*out)->owner = owner;
  return SG_OK;
}

sg_status
sg_buf_scalar (sg_class cls, bool cplx, const void *value, sg_buf **out)
{
  size_t bytes = sg_class_bytes (cls) << cplx;
  SG_TRY (buf_new (bytes, cls, cplx, bytes, out));
  (*out)->data = *out + 1;
  memcpy ((*out)->data, value, bytes);
  return SG_OK;
}

static void
free_pooled (sg_buf *b)
{
  sg_pool_put (b->data);
}

sg_status
sg_buf_pool (sg_class cls, bool cplx, size_t bytes, sg_buf **out)
{
  if (bytes <= SMALL)
    {
      SG_TRY (buf_new (bytes, cls, cplx, bytes, out));
      (*out)->data = *out + 1;
      return SG_OK;
    }
  void *p = sg_pool_get (bytes);
  if (! p)
    return sg_fail (SG_NOMEM, "out of memory for a value of %zu bytes", bytes);
  sg_status s = sg_buf_new (cls, cplx, p, bytes, free_pooled, NULL, out);
  if (s != SG_OK)
    sg_pool_put (p);
  return s;
}

sg_status
sg_buf_remote (sg_class cls, bool cplx, size_t bytes, sg_remote *r, sg_buf **out)
{
  SG_TRY (buf_new (0, cls, cplx, bytes, out));
  (*out)->remote = r;
  return SG_OK;
}

sg_status
sg_buf_host (sg_buf *b)
{
  if (b->data || b->bytes == 0)
    return SG_OK;
  void *p = sg_pool_get (b->bytes);
  if (! p)
    return sg_fail (SG_NOMEM, "out of memory for a value of %zu bytes", b->bytes);
  sg_status s = b->remote->read (b->remote, p);
  if (s != SG_OK)
    {
      sg_pool_put (p);
      return s;
    }
  b->data = p;
  b->free_fn = free_pooled;
  return SG_OK;
}

sg_status
sg_buf_read (sg_buf *b, void *to)
{
  if (! b->data && b->bytes > 0)
    return b->remote->read (b->remote, to);
  memcpy (to, b->data, b->bytes);
  return SG_OK;
}

sg_buf *
sg_buf_ref (sg_buf *b)
{
  b->refs++;
  return b;
}

void
sg_buf_unref (sg_buf *b)
{
  if (! b || --b->refs > 0)
    return;
  sg_count.buffers--;
  sg_count.buffer_bytes -= b->bytes;
  if (b->remote)
    b->remote->drop (b->remote);
  if (b->free_fn)
    b->free_fn (b);
  sg_cell_put (b, sizeof *b + (b->data == b + 1 ? b->bytes : 0));
}
