/* Where the values of a run are.  */

#include <string.h>

#include "run.h"

#define SMALL 256            /* bytes: inputs up to this size travel together */
#define APART 64             /* bytes between their beginnings */

void
sg_place_bind (sg_cuda_run *x)
{
  for (int i = 0; i < x->p->nslots; i++)
    {
      x->buf[i] = NULL;
      x->r.ptr[i] = NULL;
      x->address[i] = 0;
      x->where[i] = 0;
      if (x->p->slot[i].kind != SG_SLOT_LEAF)
        continue;
      sg_buf *b = x->buf[i] = x->g->order[x->p->slot[i].node]->val;
      sg_resident *r = sg_resident_of (b);
      x->r.ptr[i] = b->data;
      x->where[i] = b->data ? SG_ON_HOST : 0;
      if (r)
        {
          r->in_use = true;
          x->address[i] = sg_resident_address (r);
          x->where[i] |= SG_ON_DEVICE;
        }
    }
}

void
sg_place_clear (sg_cuda_run *x)
{
  for (int i = 0; i < x->p->nslots; i++)
    if (x->buf[i] && sg_resident_of (x->buf[i]))
      sg_resident_of (x->buf[i])->in_use = false;
  for (int i = 0; i < x->npositions; i++)
    sg_block_unref (x->positions[i].block);
  sg_free (x->positions);
  sg_block_unref (x->arena);
  sg_block_unref (x->flags);
  sg_pool_put (x->host_arena);
}

static uint32_t
origin_of (const sg_cuda_run *x, int slot)
{
  int node = x->p->slot[slot].node;
  return node >= 0 ? x->g->order[node]->origin : 0;
}

/* ---- on the device ------------------------------------------------------------------------ */

/* Memory for a value of the host; an error belongs to the line that made the expression.  */
static sg_status
value_of_host (sg_cuda_run *x, int slot)
{
  sg_failed_origin = origin_of (x, slot);
  SG_TRY (sg_host_value_new (&x->p->slot[slot], &x->buf[slot]));
  sg_failed_origin = 0;
  return SG_OK;
}

static void
attach (sg_cuda_run *x, int slot, sg_resident *r)
{
  r->in_use = true;
  sg_resident_give (r, x->buf[slot]);
  x->address[slot] = sg_resident_address (r);
}

/* Memory for the value of a slot that has a buffer, with the buffer.  */
static sg_status
memory_of_buf (sg_cuda_run *x, int slot)
{
  sg_block *b;
  sg_resident *r;
  size_t bytes = x->buf[slot]->bytes;
  SG_TRY (sg_block_get (bytes, &b));
  SG_TRY (sg_resident_new (b, 0, bytes, origin_of (x, slot), &r));
  attach (x, slot, r);
  return SG_OK;
}

static sg_status
memory_of_arena (sg_cuda_run *x, int slot)
{
  if (! x->arena)
    SG_TRY (sg_block_get (x->p->arena_bytes, &x->arena));
  x->address[slot] = x->arena->address + x->p->slot[slot].offset;
  return SG_OK;
}

static bool
is_small_input (const sg_cuda_run *x, int slot)
{
  return x->p->slot[slot].kind == SG_SLOT_LEAF && ! (x->where[slot] & SG_ON_DEVICE)
         && x->buf[slot]->bytes <= SMALL && ! sg_resident_of (x->buf[slot]);
}

/* All small inputs that are not there yet, in one go.  */
static sg_status
upload_small (sg_cuda_run *x)
{
  size_t total = 0, at = 0;
  for (int i = 0; i < x->p->nslots; i++)
    if (is_small_input (x, i))
      total += SMALL / APART * APART;
  char *staged = sg_malloc (total);
  sg_block *block;
  if (! staged)
    return sg_fail (SG_NOMEM, "out of memory for the inputs of an evaluation");
  sg_status s = sg_block_get (total, &block);
  if (s != SG_OK)
    {
      sg_free (staged);
      return s;
    }
  for (int i = 0; i < x->p->nslots && s == SG_OK; i++)
    if (is_small_input (x, i))
      {
        sg_buf *b = x->buf[i];
        sg_resident *r;
        memcpy (staged + at, b->data, b->bytes);
        s = sg_resident_new (sg_block_ref (block), at, b->bytes, origin_of (x, i), &r);
        if (s == SG_OK)
          attach (x, i, r);
        at += (b->bytes + APART - 1) / APART * APART;
      }
  if (s == SG_OK)
    s = sg_upload (block->address, staged, at);
  sg_block_unref (block);
  sg_free (staged);
  return s;
}

sg_status
sg_place_on_device (sg_cuda_run *x, int slot)
{
  if (x->where[slot] & SG_ON_DEVICE)
    return SG_OK;
  sg_buf *b = x->buf[slot];
  if (is_small_input (x, slot))
    SG_TRY (upload_small (x));
  else if (! b)
    {
      SG_TRY (memory_of_arena (x, slot));
      SG_TRY (sg_upload (x->address[slot], x->r.ptr[slot], x->p->slot[slot].bytes));
    }
  else if (! sg_resident_of (b))
    {
      SG_TRY (sg_buf_host (b));
      SG_TRY (memory_of_buf (x, slot));
      SG_TRY (sg_upload (x->address[slot], b->data, b->bytes));
    }
  if (b)
    {
      /* Another slot of the same buffer may have brought it.  */
      sg_resident_of (b)->in_use = true;
      x->address[slot] = sg_resident_address (sg_resident_of (b));
    }
  x->where[slot] |= SG_ON_DEVICE;
  return SG_OK;
}

bool
sg_place_is_for_host (const sg_slot *s)
{
  return s->kind == SG_SLOT_HOST || (s->kind == SG_SLOT_FOREIGN && s->to_host);
}

sg_status
sg_place_new_on_device (sg_cuda_run *x, int slot)
{
  const sg_slot *s = &x->p->slot[slot];
  x->where[slot] = SG_ON_DEVICE;
  if (s->kind == SG_SLOT_ARENA)
    return memory_of_arena (x, slot);
  if (sg_place_is_for_host (s))
    SG_TRY (value_of_host (x, slot));
  else
    SG_TRY (sg_buf_remote (s->cls, s->cplx, s->bytes, NULL, &x->buf[slot]));
  return memory_of_buf (x, slot);
}

sg_status
sg_place_positions (sg_cuda_run *x, const sg_index *idx, uint64_t *address)
{
  for (int i = 0; i < x->npositions; i++)
    if (x->positions[i].vec == idx->vec)
      {
        *address = x->positions[i].block->address;
        return SG_OK;
      }
  if (x->npositions == x->positions_room)
    {
      int room = 2 * x->positions_room + 4;
      sg_positions *p = sg_realloc (x->positions, room * sizeof *p);
      if (! p)
        return sg_fail (SG_NOMEM, "out of memory for subscripts");
      x->positions = p;
      x->positions_room = room;
    }
  sg_positions *p = &x->positions[x->npositions];
  p->vec = idx->vec;
  SG_TRY (sg_block_get (idx->n * sizeof *idx->vec, &p->block));
  x->npositions++;
  *address = p->block->address;
  return sg_upload (*address, idx->vec, idx->n * sizeof *idx->vec);
}

/* ---- on the host -------------------------------------------------------------------------- */

static sg_status
room_on_host (sg_cuda_run *x, int slot)
{
  const sg_slot *s = &x->p->slot[slot];
  if (s->kind == SG_SLOT_ARENA)
    {
      if (! x->host_arena)
        x->host_arena = sg_pool_get (x->p->arena_bytes);
      if (! x->host_arena)
        return sg_fail (SG_NOMEM, "out of memory: the evaluation needs %lld bytes for"
                        " intermediate values", (long long) x->p->arena_bytes);
      x->r.ptr[slot] = (char *) x->host_arena + s->offset;
    }
  return SG_OK;
}

/* Values with a buffer that has no memory of the host get that from it.  */
sg_status
sg_place_on_host (sg_cuda_run *x, int n, const int *slot)
{
  sg_piece few[8];
  sg_piece *piece = n < 8 ? few : sg_malloc ((n + 1) * sizeof *piece);
  if (! piece)
    return sg_fail (SG_NOMEM, "out of memory for %d values", n);
  int count = 0;
  sg_status s = SG_OK;
  for (int i = 0; i < n && s == SG_OK; i++)
    {
      sg_buf *b = x->buf[slot[i]];
      if (x->where[slot[i]] & SG_ON_HOST)
        continue;
      s = b && ! b->data ? sg_buf_host (b) : room_on_host (x, slot[i]);
      if (s == SG_OK && b && b->data && ! sg_place_is_for_host (&x->p->slot[slot[i]]))
        x->r.ptr[slot[i]] = b->data;
      else if (s == SG_OK)
        {
          if (b)
            x->r.ptr[slot[i]] = b->data;
          piece[count++] = (sg_piece) { x->r.ptr[slot[i]], x->address[slot[i]],
                                        x->p->slot[slot[i]].bytes };
        }
      x->where[slot[i]] |= SG_ON_HOST;
    }
  if (s == SG_OK && x->flags)
    piece[count++] = (sg_piece) { x->flag, x->flags->address, x->c->nflag * sizeof *x->flag };
  if (s == SG_OK && count > 0)
    s = sg_download (count, piece);
  if (piece != few)
    sg_free (piece);
  return s;
}

sg_status
sg_place_new_on_host (sg_cuda_run *x, int slot)
{
  const sg_slot *s = &x->p->slot[slot];
  x->where[slot] = SG_ON_HOST;
  if (s->kind == SG_SLOT_ARENA)
    return room_on_host (x, slot);
  if (s->kind == SG_SLOT_FOREIGN)
    return SG_OK;
  if (s->kind == SG_SLOT_HOST)
    SG_TRY (value_of_host (x, slot));
  else
    SG_TRY (sg_buf_pool (s->cls, s->cplx, s->bytes, &x->buf[slot]));
  x->r.ptr[slot] = x->buf[slot]->data;
  return SG_OK;
}

void
sg_place_foreign (sg_cuda_run *x, int slot, sg_buf *b)
{
  x->buf[slot] = b;
  x->r.ptr[slot] = b->data;
  x->where[slot] = SG_ON_HOST;
}
