/* Values that are on the device.  */

#include <stdio.h>
#include <string.h>

#include "../core/plan.h"
#include "resident.h"

static sg_resident *newest, *oldest;

static sg_status
read_back (sg_remote *x, void *to)
{
  sg_resident *r = (sg_resident *) x;
  if (! r->block)
    return sg_fail (SG_CUDA_ERROR, "a value of %zu bytes%s%s was on the GPU only, and was lost when"
                    " that failed", r->bytes, *sg_host_place (r->origin) ? " made at " : "",
                    sg_host_place (r->origin));
  SG_TRY (sg_device_enter ());
  return sg_download (1, &(sg_piece) { to, sg_resident_address (r), r->bytes });
}

static void
drop (sg_remote *x)
{
  sg_resident *r = (sg_resident *) x;
  *(r->newer ? &r->newer->older : &newest) = r->older;
  *(r->older ? &r->older->newer : &oldest) = r->newer;
  sg_block_unref (r->block);
  sg_free (r);
}

sg_status
sg_resident_new (sg_block *block, size_t offset, size_t bytes, uint32_t origin, sg_resident **out)
{
  sg_resident *r = sg_malloc (sizeof *r);
  if (! r)
    {
      sg_block_unref (block);
      return sg_fail (SG_NOMEM, "out of memory for a value of the device");
    }
  *r = (sg_resident) { .base = { read_back, drop }, .block = block, .offset = offset,
                       .bytes = bytes, .origin = origin, .older = newest };
  *(newest ? &newest->newer : &oldest) = r;
  newest = r;
  *out = r;
  return SG_OK;
}

sg_resident *
sg_resident_of (const sg_buf *b)
{
  sg_resident *r = b->remote && b->remote->drop == drop ? (sg_resident *) b->remote : NULL;
  return r && r->block ? r : NULL;
}

void
sg_resident_give (sg_resident *r, sg_buf *b)
{
  r->buf = b;
  b->remote = &r->base;
}

static void
forget (sg_resident *r)
{
  r->buf->remote = NULL;
  drop (&r->base);
}

bool
sg_resident_evict (void)
{
  bool any = false;
  for (sg_resident *r = oldest, *next; r; r = next)
    {
      next = r->newer;
      if (r->buf && r->buf->data && ! r->in_use)
        {
          forget (r);
          any = true;
        }
    }
  return any;
}

bool
sg_resident_release (sg_buf *b)
{
  sg_resident *r = sg_resident_of (b);
  if (! r || ! b->data)
    return false;
  forget (r);
  return true;
}

sg_status
sg_resident_leave (void)
{
  for (sg_resident *r = oldest, *next; r; r = next)
    {
      next = r->newer;
      if (! r->block)
        continue;
      SG_TRY (sg_buf_host (r->buf));
      forget (r);
    }
  return SG_OK;
}

void
sg_resident_lose (void)
{
  for (sg_resident *r = oldest, *next; r; r = next)
    {
      next = r->newer;
      if (r->buf && r->buf->data)
        forget (r);
      else
        {
          sg_block_unref (r->block);
          r->block = NULL;
        }
    }
}

#define NAMED 3

void
sg_resident_largest (char *text, size_t size)
{
  const sg_resident *top[NAMED] = { NULL };
  for (const sg_resident *r = oldest; r; r = r->newer)
    for (int k = 0; k < NAMED; k++)
      if (! top[k] || r->bytes > top[k]->bytes)
        {
          memmove (top + k + 1, top + k, (NAMED - 1 - k) * sizeof top[0]);
          top[k] = r;
          break;
        }
  size_t at = 0;
  text[0] = '\0';
  for (int k = 0; k < NAMED && top[k] && at < size; k++)
    {
      const char *place = sg_host_place (top[k]->origin);
      at += snprintf (text + at, size - at, "%s%.3g MB%s%s", k ? ", " : "",
                      (double) top[k]->bytes / 1e6, *place ? " made at " : "", place);
    }
}
