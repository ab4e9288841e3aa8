/* Bringing values to the device and back, through pinned memory of the host: the device copies
   by itself while the next part is made ready.  */

#include <string.h>

#include "../core/plan.h"
#include "api.h"
#include "device.h"
#include "transfer.h"

/* Parts go round in a ring; each has an event that says when the device has done with it.  */
#define PARTS 4
#define PART ((size_t) 2 << 20)

static struct
{
  char *memory;
  void *event[PARTS];
  bool busy[PARTS];
  unsigned serial;           /* of the part being filled: number SERIAL % PARTS */
  size_t used;               /* bytes of it */
} ring;

sg_status
sg_transfer_open (void)
{
  memset (&ring, 0, sizeof ring);
  SG_CU (cuMemAllocHost_v2, (void **) &ring.memory, PARTS * PART);
  for (int k = 0; k < PARTS; k++)
    SG_CU (cuEventCreate, &ring.event[k], CU_EVENT_DISABLE_TIMING);
  return SG_OK;
}

void
sg_transfer_close (void)
{
  for (int k = 0; k < PARTS; k++)
    if (ring.event[k])
      sg_cu.cuEventDestroy_v2 (ring.event[k]);
  if (ring.memory)
    sg_cu.cuMemFreeHost (ring.memory);
  memset (&ring, 0, sizeof ring);
}

/* The next part, when the device has done with what it held.  */
static sg_status
next_part (void)
{
  unsigned k = ring.serial % PARTS;
  SG_CU (cuEventRecord, ring.event[k], sg_dev.stream);
  ring.busy[k] = true;
  ring.used = 0;
  k = ++ring.serial % PARTS;
  if (ring.busy[k])
    SG_CU (cuEventSynchronize, ring.event[k]);
  ring.busy[k] = false;
  return SG_OK;
}

/* Room for BYTES, at most for what a part holds: *GOT.  Small values share a part.  */
static sg_status
room (size_t bytes, char **out, size_t *got)
{
  size_t want = bytes < PART ? bytes : PART;
  if (PART - ring.used < want)
    SG_TRY (next_part ());
  *out = ring.memory + ring.serial % PARTS * PART + ring.used;
  *got = want;
  ring.used += (want + 63) / 64 * 64;
  return SG_OK;
}

sg_status
sg_upload (uint64_t to, const void *data, size_t bytes)
{
  const char *from = data;
  sg_count.uploaded += bytes;
  while (bytes > 0)
    {
      char *part;
      size_t n;
      SG_TRY (room (bytes, &part, &n));
      memcpy (part, from, n);
      SG_CU (cuMemcpyHtoDAsync_v2, to, part, n, sg_dev.stream);
      from += n;
      to += n;
      bytes -= n;
    }
  return SG_OK;
}

sg_status
sg_zero (uint64_t at, size_t bytes)
{
  SG_CU (cuMemsetD8Async, at, 0, bytes, sg_dev.stream);
  return SG_OK;
}

/* What has been asked for and is still in the ring, in order.  */
#define PENDING_MAX 64

typedef struct pending
{
  int n;
  struct { char *to, *part; size_t bytes; unsigned serial; } item[PENDING_MAX];
} pending;

/* The device is done with the first N.  */
static void
take_out (pending *p, int n)
{
  for (int i = 0; i < n; i++)
    memcpy (p->item[i].to, p->item[i].part, p->item[i].bytes);
  p->n -= n;
  memmove (p->item, p->item + n, p->n * sizeof p->item[0]);
}

static sg_status
take_out_all (pending *p)
{
  SG_TRY (sg_device_wait ());
  take_out (p, p->n);
  return SG_OK;
}

/* Those of the oldest part, while the device fills the others.  */
static sg_status
take_out_oldest (pending *p)
{
  unsigned serial = p->item[0].serial;
  int n = 0;
  if (sg_is_interrupted ())
    return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
  if (serial == ring.serial)
    return take_out_all (p);
  SG_CU (cuEventSynchronize, ring.event[serial % PARTS]);
  while (n < p->n && p->item[n].serial == serial)
    n++;
  take_out (p, n);
  return SG_OK;
}

static sg_status
ask (pending *p, char *to, uint64_t from, size_t bytes, size_t *got)
{
  char *part;
  while (p->n == PENDING_MAX || (p->n && ring.serial - p->item[0].serial >= PARTS - 1))
    SG_TRY (take_out_oldest (p));
  SG_TRY (room (bytes, &part, got));
  SG_CU (cuMemcpyDtoHAsync_v2, part, from, *got, sg_dev.stream);
  p->item[p->n].to = to;
  p->item[p->n].part = part;
  p->item[p->n].bytes = *got;
  p->item[p->n++].serial = ring.serial;
  return SG_OK;
}

sg_status
sg_download (int n, const sg_piece *piece)
{
  pending p = { .n = 0 };
  for (int i = 0; i < n; i++)
    {
      sg_count.downloaded += piece[i].bytes;
      for (size_t at = 0, got; at < piece[i].bytes; at += got)
        SG_TRY (ask (&p, (char *) piece[i].to + at, piece[i].from + at, piece[i].bytes - at,
                     &got));
    }
  return take_out_all (&p);
}
