/* A loop over values that the device has no room for, slice after slice: parts of the operands are
   brought there, the same kernel runs over them, parts of the results are brought back to the
   host.  Slices are cut along the last dimension of the loop, and not within lines that are reduced,
   so that every result is computed as it would be at once.  */

#include <string.h>

#include "../render/render.h"
#include "module.h"
#include "run.h"

#define FEW_SLICES 64        /* more only if no operand is in the way */
#define MOST_SLICES 4096     /* of less the transfers are not worth it */

/* A value of which a slice has a part; others are there as a whole.  */
typedef struct share
{
  int slot;
  int64_t bytes;             /* of a unit; 0: whole */
  bool written;
  sg_block *block;           /* for its part; NULL: it is on the device */
  uint64_t base;             /* where it is there */
} share;

typedef struct slices
{
  sg_cuda_run *x;
  const sg_kernels_of *whole;
  const sg_map *m;
  int64_t row, unit;         /* elements for each position in the last dimension; that stay together */
  int64_t units, some;       /* of all, of a slice */
  int n;
  share *share;
} slices;

/* ---- what a slice has of each value ------------------------------------------------------- */

static int64_t
element_bytes (const sg_slot *s)
{
  return s->bytes / s->numel;
}

/* A slot with ELEMENTS for each unit, 0 a whole one.  False: it is wanted in two ways.  */
static bool
add_share (slices *q, int slot, int64_t elements, bool written)
{
  int64_t bytes = elements * element_bytes (&q->x->p->slot[slot]);
  for (int i = 0; i < q->n; i++)
    if (q->share[i].slot == slot)
      return q->share[i].bytes == bytes;
  q->share[q->n++] = (share) { .slot = slot, .bytes = bytes, .written = written };
  return true;
}

static bool
is_made (const sg_map *m, int reg)
{
  for (int i = 0; i < m->nins; i++)
    if (m->ins[i].o == reg || m->ins[i].oi == reg)
      return true;
  return false;
}

static bool
share_of_load (slices *q, const sg_ins *i)
{
  const sg_map *m = q->m;
  if (i->view >= 0)
    return false;
  if (! i->stride)
    return add_share (q, i->slot, q->unit, false);
  int64_t step = i->stride[m->nd - 1] / (q->x->p->slot[i->slot].cplx ? 2 : 1);
  return add_share (q, i->slot, step * (q->unit / q->row), false);
}

static bool
find_shares (slices *q)
{
  const sg_map *m = q->m;
  bool ok = true;
  for (int r = 0; r < m->nreg && ok; r++)
    if (m->reg[r].kind == SG_REG_SCALAR)
      ok = add_share (q, m->reg[r].slot, 0, false);
    else if (m->reg[r].kind == SG_REG_MEM)
      ok = add_share (q, m->reg[r].slot, q->unit, is_made (m, r));
  for (int i = 0; i < m->nins && ok; i++)
    if (m->ins[i].kind == SG_INS_LOAD)
      ok = share_of_load (q, &m->ins[i]);
    else if (m->ins[i].kind == SG_INS_STORE)
      ok = add_share (q, m->ins[i].slot, q->unit, true);
  for (int s = 0; s < m->nsink && ok; s++)
    ok = add_share (q, m->sink[s].slot, m->pre * (q->unit / (m->pre * m->len)), true);
  return ok;
}

/* False: it cannot be cut.  */
static bool
find_unit (slices *q)
{
  const sg_map *m = q->m;
  q->row = m->nd == 1 ? 1 : m->numel / m->dim[m->nd - 1];
  q->unit = q->row;
  if (m->nsink > 0)
    {
      int64_t lines = m->pre * m->len;
      if (lines % q->row != 0 && q->row % lines != 0)
        return false;
      q->unit = lines > q->row ? lines : q->row;
    }
  q->units = m->numel / q->unit;
  return q->units > 1;
}

/* ---- memory ------------------------------------------------------------------------------- */

/* What the attempt to have all there has left: results without memory.  */
static void
forget_results (slices *q)
{
  sg_cuda_run *x = q->x;
  for (int i = 0; i < q->n; i++)
    if (q->share[i].written)
      {
        int slot = q->share[i].slot;
        sg_buf_unref (x->buf[slot]);
        x->buf[slot] = NULL;
        x->where[slot] = 0;
      }
}

static sg_status
place_values (slices *q)
{
  sg_cuda_run *x = q->x;
  for (int i = 0; i < q->n; i++)
    {
      share *h = &q->share[i];
      if (h->written)
        SG_TRY (sg_place_new_on_host (x, h->slot));
      else if (h->bytes == 0)
        SG_TRY (sg_place_on_device (x, h->slot));
      else if (! x->where[h->slot])
        SG_TRY (sg_place_on_host (x, 1, &h->slot));
      h->base = x->where[h->slot] & SG_ON_DEVICE ? x->address[h->slot] : 0;
    }
  return SG_OK;
}

static void
drop_blocks (slices *q)
{
  for (int i = 0; i < q->n; i++)
    {
      sg_block_unref (q->share[i].block);
      q->share[i].block = NULL;
    }
}

static sg_status
blocks_for (slices *q, int64_t some)
{
  sg_status s = SG_OK;
  for (int i = 0; i < q->n && s == SG_OK; i++)
    if (q->share[i].bytes > 0 && ! q->share[i].base)
      s = sg_block_get (some * q->share[i].bytes, &q->share[i].block);
  if (s != SG_OK)
    drop_blocks (q);
  return s;
}

/* The largest slices that there is room for, of halves of halves, at most MOST of them.  */
static sg_status
largest_blocks (slices *q, int64_t most)
{
  sg_status s = SG_DEVICE_MEMORY;
  for (int64_t n = 2; s == SG_DEVICE_MEMORY && n <= most && n < 2 * q->units; n *= 2)
    {
      q->some = (q->units + n - 1) / n;
      s = blocks_for (q, q->some);
    }
  return s;
}

static bool
is_wanted_whole (const slices *q, const sg_buf *b)
{
  for (int i = 0; i < q->n; i++)
    if (q->share[i].bytes == 0 && q->x->buf[q->share[i].slot] == b)
      return true;
  return false;
}

/* Inputs that the host has as well need not be on the device as a whole.  */
static void
release_inputs (slices *q)
{
  sg_cuda_run *x = q->x;
  for (int i = 0; i < q->n; i++)
    {
      const share *h = &q->share[i];
      sg_buf *b = x->buf[h->slot];
      if (x->p->slot[h->slot].kind != SG_SLOT_LEAF || ! h->base || is_wanted_whole (q, b)
          || ! sg_resident_release (b))
        continue;
      for (int k = 0; k < x->p->nslots; k++)
        if (x->buf[k] == b)
          {
            x->where[k] = SG_ON_HOST;
            x->r.ptr[k] = b->data;
          }
      for (int k = 0; k < q->n; k++)
        if (x->buf[q->share[k].slot] == b)
          q->share[k].base = 0;
    }
}

static sg_status
get_blocks (slices *q)
{
  sg_status s = largest_blocks (q, FEW_SLICES);
  if (s != SG_DEVICE_MEMORY)
    return s;
  release_inputs (q);
  return largest_blocks (q, MOST_SLICES);
}

/* ---- slices ------------------------------------------------------------------------------- */

/* The kernel for a slice of COUNT units.  SG_DEVICE_MEMORY: it would reduce lines in another order
   than that for all of them.  */
static sg_status
kernel_for (slices *q, int64_t count, sg_kernels_of *k, void **function)
{
  int64_t dim[SG_MAXND];
  sg_step s = { .kind = SG_STEP_MAP, .u.map = *q->m };
  sg_map *m = &s.u.map;
  memcpy (dim, m->dim, m->nd * sizeof *dim);
  m->dim = dim;
  m->numel = count * q->unit;
  dim[m->nd - 1] = m->numel / q->row;
  if (m->nsink > 0)
    m->post = m->numel / (m->pre * m->len);
  *k = (sg_kernels_of) { .function = function, .flag = q->whole->flag };
  SG_TRY (sg_render_cuda (q->x->p, &s, q->x->g->order, &k->r));
  if (k->r.nlaunch != 1)
    return SG_DEVICE_MEMORY;
  SG_TRY (sg_module_get (k->r.launch[0].name, k->r.launch[0].text, function));
  return m->nsink > 0 && (q->whole->r.nlaunch != 1 || *function != q->whole->function[0])
         ? SG_DEVICE_MEMORY : SG_OK;
}

/* COUNT units from FIRST on.  */
static sg_status
run_slice (slices *q, const sg_kernels_of *k, int64_t first, int64_t count)
{
  sg_cuda_run *x = q->x;
  for (int i = 0; i < q->n; i++)
    {
      const share *h = &q->share[i];
      x->address[h->slot] = h->block ? h->block->address : h->base + first * h->bytes;
      if (h->block && ! h->written)
        SG_TRY (sg_upload (h->block->address, (char *) x->r.ptr[h->slot] + first * h->bytes,
                           count * h->bytes));
    }
  SG_TRY (sg_cuda_launch (x, k, 0, NULL));
  sg_count.slices++;
  for (int i = 0; i < q->n; i++)
    {
      const share *h = &q->share[i];
      if (h->written)
        SG_TRY (sg_download (1, &(sg_piece) { (char *) x->r.ptr[h->slot] + first * h->bytes,
                                              h->block->address, count * h->bytes }));
    }
  return sg_is_interrupted () ? sg_fail (SG_INTERRUPTED, "the evaluation was interrupted") : SG_OK;
}

/* Two kernels at most: the last slice may be shorter.  */
static sg_status
run_slices (slices *q)
{
  sg_kernels_of k = { 0 };
  void *function;
  int64_t of = 0;
  sg_status s = SG_OK;
  for (int64_t at = 0; at < q->units && s == SG_OK; at += q->some)
    {
      int64_t count = q->units - at < q->some ? q->units - at : q->some;
      if (count != of)
        {
          sg_rendered_clear (&k.r);
          s = kernel_for (q, count, &k, &function);
          of = count;
        }
      if (s == SG_OK)
        s = run_slice (q, &k, at, count);
    }
  sg_rendered_clear (&k.r);
  return s;
}

static sg_status
run (slices *q)
{
  if (! find_unit (q) || ! find_shares (q))
    return SG_DEVICE_MEMORY;
  forget_results (q);
  SG_TRY (place_values (q));
  SG_TRY (get_blocks (q));
  sg_status s = run_slices (q);
  for (int i = 0; i < q->n; i++)
    q->x->address[q->share[i].slot] = q->share[i].base;
  drop_blocks (q);
  return s;
}

sg_status
sg_cuda_run_slices (sg_cuda_run *x, int step)
{
  const sg_map *m = &x->p->step[step].u.map;
  slices q = { .x = x, .whole = &x->c->step[step], .m = m };
  q.share = sg_malloc ((m->nreg + m->nins + m->nsink + 1) * sizeof *q.share);
  if (! q.share)
    return sg_fail (SG_NOMEM, "out of memory for the slices of a loop");
  sg_status s = run (&q);
  sg_free (q.share);
  return s;
}
