/* What is done in streams: at once, or, if SYMGPU_EMU_LATE is 1, as late as a device may do it,
   when the host waits for it.  */

#include <stdlib.h>
#include <string.h>

#include "driver.h"

static emu_op *first, **last = &first;

/* ---- operations -------------------------------------------------------------------------- */

static void
upload (const emu_op *o)
{
  if (! emu_range ("a copy to the device", o->to, o->n))
    return;
  memcpy ((void *) (uintptr_t) o->to, o->staged ? o->staged : o->host, o->n);
  emu_count.uploads++;
  emu_count.upload_bytes += o->n;
  emu_trace ("upload of %zu bytes to %#llx", o->n, o->to);
}

static void
download (const emu_op *o)
{
  if (! emu_range ("a copy from the device", o->from, o->n))
    return;
  memcpy (o->host, (const void *) (uintptr_t) o->from, o->n);
  emu_count.downloads++;
  emu_count.download_bytes += o->n;
  emu_trace ("download of %zu bytes from %#llx", o->n, o->from);
}

static void
copy (const emu_op *o)
{
  if (! emu_range ("a copy in the device", o->to, o->n)
      || ! emu_range ("a copy in the device", o->from, o->n))
    return;
  if (o->n && o->to < o->from + o->n && o->from < o->to + o->n)
    emu_complain ("a copy of %zu bytes in the device from %#llx to %#llx overlaps itself", o->n,
                  o->from, o->to);
  memmove ((void *) (uintptr_t) o->to, (const void *) (uintptr_t) o->from, o->n);
  emu_count.copies++;
  emu_count.copy_bytes += o->n;
  emu_trace ("copy of %zu bytes from %#llx to %#llx", o->n, o->from, o->to);
}

static void
set (const emu_op *o)
{
  if (! emu_range ("memset", o->to, o->n * o->width))
    return;
  for (size_t i = 0; i < o->n; i++)
    memcpy ((char *) (uintptr_t) o->to + i * o->width, &o->value, o->width);
  emu_count.sets++;
  emu_trace ("set of %zu times %zu bytes at %#llx", o->n, o->width, o->to);
}

/* A lost device does nothing but give back.  */
static void
run (emu_op *o)
{
  if (o->kind == EMU_OP_FREE)
    emu_free (o->to);
  else if (emu_state () == CUDA_SUCCESS)
    switch (o->kind)
      {
      case EMU_OP_UPLOAD: upload (o); break;
      case EMU_OP_DOWNLOAD: download (o); break;
      case EMU_OP_COPY: copy (o); break;
      case EMU_OP_SET: set (o); break;
      default: emu_run (&o->launch); break;
      }
}

/* ---- the queue --------------------------------------------------------------------------- */

static void
forget (emu_op *o)
{
  free (o->staged);
  free (o->launch.args);
  free (o);
}

void
emu_flush (void)
{
  while (first)
    {
      emu_op *o = first;
      first = o->next;
      if (! first)
        last = &first;
      run (o);
      forget (o);
    }
}

bool
emu_pending (void)
{
  return first != NULL;
}

/* A copy that can wait: memory of the host that is not page-locked is read now.  */
static emu_op *
keep (const emu_op *o)
{
  emu_op *c = malloc (sizeof *c);
  if (! c)
    return NULL;
  *c = *o;
  c->next = NULL;
  c->staged = NULL;
  c->launch.args = NULL;
  if (o->kind == EMU_OP_UPLOAD && ! emu_host_is_locked (o->host))
    c->staged = malloc (o->n + 1);
  if (o->kind == EMU_OP_LAUNCH)
    c->launch.args = malloc (sizeof *c->launch.args);
  if (c->staged)
    memcpy (c->staged, o->host, o->n);
  if (c->launch.args)
    {
      emu_args *a = c->launch.args;
      *a = *o->launch.args;
      for (int i = 0; i < o->launch.entry.narg; i++)
        a->at[i] = a->data + ((char *) a->at[i] - o->launch.args->data);
    }
  return c;
}

CUresult
emu_do (emu_op *o, bool wait)
{
  bool late = emu_setting ("SYMGPU_EMU_LATE", 0)
              && ! (o->kind == EMU_OP_DOWNLOAD && ! emu_host_is_locked (o->host));
  emu_op *c = late && ! wait ? keep (o) : NULL;
  if (c)
    {
      *last = c;
      last = &c->next;
      return CUDA_SUCCESS;
    }
  emu_flush ();
  run (o);
  return o->kind == EMU_OP_LAUNCH ? CUDA_SUCCESS : emu_state ();
}
