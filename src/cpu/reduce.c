/* Reductions of what a map program computes: the space PRE x LEN x POST is cut in units so that
   no result depends on the number of threads.

     PRE == 1     a line is cut in pieces of SG_UNIT elements, whose results are joined in
                  order.  The result of a line does not depend on the lines beside it.
     PRE > 1      rows run in order along LEN, as Octave's loops do.  Only where there are too
                  few rows to share out, or to fill a vector, LEN is cut as well.

   Ordered reductions take all of a line in order: LEN is never cut.  */

#include <float.h>
#include <math.h>
#include <string.h>

#include "block.h"
#include "threads.h"

#define FEW_SLICES 16        /* fewer than this cannot be shared out well */
#define ROWS 2048            /* rows of a unit: their accumulators fit in the L1 cache */
#define FEW_ROWS 64          /* and the fewest */
#define FOLD 16              /* up to so many rows, blocks are taken as a whole */
#define SHORT 32             /* lines up to this are taken side by side, in Octave's order */

/* ---- how the space is cut --------------------------------------------------------------- */

/* Slices of at most a block: several to the block.  */
static void
cut_packed (sg_cut *c, int64_t slice)
{
  c->pack = SG_BLOCK / slice;
  c->block = c->pack * slice;
  c->slices = c->pack * (SG_UNIT / SG_BLOCK);
}

/* All reductions of a step are ordered, or none is.  */
static bool
is_ordered (const sg_map *m)
{
  return m->nsink > 0 && sg_op_is_ordered (m->sink[0].op);
}

/* Rows are independent: how many make a unit may depend on the threads.  How LEN is cut may
   not.  */
static void
cut_rows (sg_cut *c, const sg_map *m, int threads)
{
  if (m->pre > SG_BLOCK)
    {
      c->rows = ROWS;
      while (threads > 1 && c->rows > FEW_ROWS
             && sg_ceil_div (m->pre, c->rows) * m->post < 2 * threads)
        c->rows /= 2;
      c->wide = c->rows;
      return;
    }

  int64_t lines = SG_BLOCK / m->pre;
  c->block = c->wide = lines * m->pre;
  if (! is_ordered (m) && m->post < FEW_SLICES && m->pre * m->len >= 4 * SG_UNIT)
    c->lens = sg_min64 (m->len, sg_ceil_div (SG_UNIT, c->block) * lines);
}

void
sg_cut_make (sg_cut *c, const sg_map *m, int threads)
{
  int64_t slice = m->pre * m->len;

  c->pack = 0;
  c->block = SG_BLOCK;
  c->slices = sg_max64 (1, SG_UNIT / slice);
  c->rows = m->pre;
  c->lens = m->len;
  c->wide = 1;
  if (slice <= SG_BLOCK)
    {
      cut_packed (c, slice);
      c->wide = c->pack * m->pre;
    }
  else if (m->pre == 1)
    c->lens = is_ordered (m) ? m->len : sg_min64 (m->len, SG_UNIT);
  else
    cut_rows (c, m, threads);
  c->slices = sg_min64 (c->slices, m->post);
  c->ns = sg_ceil_div (m->post, c->slices);
  c->nl = sg_ceil_div (m->len, c->lens);
  c->nr = sg_ceil_div (m->pre, c->rows);
}

/* ---- accumulators ----------------------------------------------------------------------- */

typedef struct job
{
  sg_program *p;
  const sg_map *m;
  const sg_cut *c;
  sg_worker *w;
  char *part;                /* nl > 1: results of the pieces: [sink] values, then positions */
  int64_t npart;             /* of each sink */
} job;

/* What the thread does at the moment; stands before its accumulators.  */
typedef struct local
{
  const job *j;
  int64_t k;                 /* whole slices in the block */
  int64_t at;                /* position along LEN of its first element */
  int64_t row;               /* its first row, from that of the unit */
  bool fold;                 /* the accumulators are as wide as the block */
  char *acc;                 /* [sink] WIDE values of 8 bytes */
  int64_t *pos;              /* [sink] WIDE */
} local;

size_t
sg_reduce_bytes (const sg_cut *c, const sg_map *m)
{
  return sizeof (local) + (size_t) m->nsink * (size_t) c->wide * (8 + sizeof (int64_t));
}

static bool
is_index (sg_op op)
{
  return op == SG_IMAX || op == SG_IMIN;
}

/* Where the result depends neither on which of several equal elements is taken nor on Octave's
   order.  */
static bool
is_foldable (sg_op op)
{
  return ! is_index (op) && op != SG_MAX && op != SG_MIN && ! sg_op_is_ordered (op);
}

static char *
acc_of (const local *l, int sink)
{
  return l->acc + sink * l->j->c->wide * 8;
}

static int64_t *
pos_of (const local *l, int sink)
{
  return l->pos + sink * l->j->c->wide;
}

static size_t
rtype_bytes (sg_rtype rt)
{
  return rt == SG_R64 ? 8 : 4;
}

static void
acc_init (const local *l, int64_t n)
{
  const sg_map *m = l->j->m;

  for (int s = 0; s < m->nsink; s++)
    {
      double v = sg_red_init (m->sink[s].op);
      void *acc = acc_of (l, s);
      if (m->sink[s].rt == SG_R64)
        *(double *) acc = v;
      else
        *(float *) acc = (float) v;
      sg_splat (m->sink[s].rt, n, acc);
      memset (pos_of (l, s), 0, (size_t) n * sizeof (int64_t));
    }
}

/* ---- a block ---------------------------------------------------------------------------- */

#define SIDE_BY_SIDE(bits)                                                              \
  static void                                                                           \
  side_by_side_##bits (int64_t k, int64_t len, void *vy, const void *vx)                \
  {                                                                                     \
    const uint##bits##_t *x = vx;                                                       \
    uint##bits##_t *y = vy;                                                             \
    for (int64_t q = 0; q < len; q++)                                                   \
      for (int64_t i = 0; i < k; i++)                                                   \
        *y++ = x[i * len + q];                                                          \
  }

SIDE_BY_SIDE (32)
SIDE_BY_SIDE (64)

/* The block is K short lines.  The kernels for lines cost too much for these.  */
static void
take_short (const local *l, int sink, int64_t len, const char *x)
{
  const sg_sink *s = &l->j->m->sink[sink];
  const sg_kernels *k = l->j->p->k;
  size_t e = rtype_bytes (s->rt);
  char *acc = acc_of (l, sink), y[SG_BLOCK * 8];

  if (l->k > 1)
    {
      if (e == 8)
        side_by_side_64 (l->k, len, y, x);
      else
        side_by_side_32 (l->k, len, y, x);
      x = y;
    }
  for (int64_t q = 0; q < len; q++, x += (size_t) l->k * e)
    if (is_index (s->op))
      k->ielem[s->op][s->rt] (l->k, x, q, acc, pos_of (l, sink));
    else
      k->elem[s->op][s->rt] (l->k, x, acc);
}

/* The block is K lines or pieces of one line.  */
static void
take_lines (const local *l, int sink, int64_t n, const char *x)
{
  const sg_sink *s = &l->j->m->sink[sink];
  const sg_kernels *k = l->j->p->k;
  size_t e = rtype_bytes (s->rt);
  char *acc = acc_of (l, sink);
  int64_t *pos = pos_of (l, sink);
  int64_t len = n / l->k;

  for (int64_t i = 0; i < l->k; i++, x += (size_t) len * e, acc += e, pos++)
    if (is_index (s->op))
      k->iline[s->op][s->rt] (len, x, l->at, acc, pos);
    else
      k->line[s->op][s->rt] (len, x, acc);
}

/* The block is K slices, or part of one, of rows side by side.  */
static void
take_rows (const local *l, int sink, int64_t n, const char *x)
{
  const sg_sink *s = &l->j->m->sink[sink];
  const sg_kernels *k = l->j->p->k;
  size_t e = rtype_bytes (s->rt);
  char *acc = acc_of (l, sink) + (size_t) l->row * e;
  int64_t *pos = pos_of (l, sink) + l->row;
  int64_t rows = sg_min64 (l->j->m->pre, n);
  if (l->fold && is_foldable (s->op))
    rows = n;
  int64_t lines = n / l->k / rows;

  for (int64_t i = 0; i < l->k; i++, acc += (size_t) rows * e, pos += rows)
    for (int64_t q = 0; q < lines; q++, x += (size_t) rows * e)
      if (is_index (s->op))
        k->ielem[s->op][s->rt] (rows, x, l->at + q, acc, pos);
      else
        k->elem[s->op][s->rt] (rows, x, acc);
}

static void
take (void *ctx, int sink, int64_t n, const void *x)
{
  const local *l = ctx;
  if (l->j->m->pre == 1 && l->j->m->len <= SHORT)
    take_short (l, sink, n / l->k, x);
  else if (l->j->m->pre == 1)
    take_lines (l, sink, n, x);
  else
    take_rows (l, sink, n, x);
}

/* ---- results ---------------------------------------------------------------------------- */

/* Join the values of the lines of a folded block, N of them in all, by halves.  */
static void
unfold (const local *l)
{
  const sg_map *m = l->j->m;

  for (int s = 0; s < m->nsink; s++)
    {
      sg_op op = m->sink[s].op;
      sg_rtype rt = m->sink[s].rt;
      char *acc = acc_of (l, s);
      int64_t lines = l->j->c->block / m->pre;
      while (is_foldable (op) && lines > 1)
        {
          int64_t half = lines / 2;
          lines -= half;
          l->j->p->k->join[op][rt] (half * m->pre,
                                    acc + (size_t) (lines * m->pre) * rtype_bytes (rt), acc);
        }
    }
}

/* The roots of N sums of squares.  False: a sum may have lost squares that are too small or
   hold one that is too large; Octave scales.  */
static bool
take_roots (sg_rtype rt, int64_t n, char *acc)
{
  static const double least[] = { [SG_R64] = 0x1p-900, [SG_R32] = 0x1p-80 };
  bool safe = true;

  for (int64_t i = 0; i < n; i++)
    if (rt == SG_R64)
      {
        double *x = (double *) acc + i;
        safe &= ! (*x < least[rt] || *x > DBL_MAX);
        *x = sqrt (*x);
      }
    else
      {
        float *x = (float *) acc + i;
        safe &= ! (*x < least[rt] || *x > FLT_MAX);
        *x = sqrtf (*x);
      }
  return safe;
}

/* N results of sink S are ACC and POS; the first is element AT of the output.  */
static void
store (const job *j, int sink, int64_t at, int64_t n, char *acc, const int64_t *pos)
{
  const sg_sink *s = &j->m->sink[sink];
  size_t e = rtype_bytes (s->rt);
  size_t bytes = sg_class_bytes (s->cls);
  char *out = (char *) j->p->r->ptr[s->slot] + (size_t) at * bytes;

  /* After all guards of the program.  */
  if (s->root && ! take_roots (s->rt, n, acc))
    sg_program_hit (j->p, INT64_MAX - 1, s->node);
  /* Sums of the parts of complex numbers.  */
  if (s->part >= 0 && s->rt == SG_R64)
    for (int64_t i = 0; i < n; i++)
      ((double *) j->p->r->ptr[s->slot])[2 * (at + i) + s->part] = ((const double *) acc)[i];
  else if (s->part >= 0)
    for (int64_t i = 0; i < n; i++)
      ((float *) j->p->r->ptr[s->slot])[2 * (at + i) + s->part] = ((const float *) acc)[i];
  else if (is_index (s->op))
    for (int64_t i = 0; i < n; i++)
      ((double *) out)[i] = (double) (pos[i] + 1);
  else
    for (int64_t i = 0; i < n; i += SG_BLOCK)
      j->p->k->store[s->rt][s->cls] (sg_min64 (n - i, SG_BLOCK), out + (size_t) i * bytes,
                                     acc + (size_t) i * e);
}

static char *
part_of (const job *j, int sink)
{
  return j->part + sink * j->npart * 16;
}

/* The accumulators have N results, from row ROW of slice P and its piece IL on.  */
static void
finish (const local *l, int64_t p, int64_t il, int64_t row, int64_t n)
{
  const job *j = l->j;
  const sg_map *m = j->m;

  for (int s = 0; s < m->nsink; s++)
    if (j->c->nl == 1)
      store (j, s, p * m->pre + row, n, acc_of (l, s), pos_of (l, s));
    else
      {
        int64_t at = (p * j->c->nl + il) * m->pre + row;
        size_t e = rtype_bytes (m->sink[s].rt);
        char *v = part_of (j, s);
        memcpy (v + (size_t) at * e, acc_of (l, s), (size_t) n * e);
        memcpy (v + j->npart * 8 + at * 8, pos_of (l, s), (size_t) n * 8);
      }
}

/* N partial results A, with positions, into the accumulators.  */
static void
join (const job *j, int sink, int64_t n, const char *a, const int64_t *apos, char *acc,
      int64_t *pos)
{
  const sg_sink *s = &j->m->sink[sink];
  size_t e = rtype_bytes (s->rt);

  if (is_index (s->op))
    for (int64_t i = 0; i < n; i++)
      j->p->k->ielem[s->op][s->rt] (1, a + (size_t) i * e, apos[i], acc + (size_t) i * e,
                                    pos + i);
  else
    for (int64_t i = 0; i < n; i += SG_BLOCK)
      j->p->k->join[s->op][s->rt] (sg_min64 (n - i, SG_BLOCK), a + (size_t) i * e,
                                   acc + (size_t) i * e);
}

/* Join the pieces of all lines, in order, into the first.  */
static void
join_parts (const job *j)
{
  const sg_map *m = j->m;

  for (int s = 0; s < m->nsink; s++)
    for (int64_t p = 0; p < m->post; p++)
      {
        size_t e = rtype_bytes (m->sink[s].rt);
        char *v = part_of (j, s) + (size_t) (p * j->c->nl * m->pre) * e;
        int64_t *pos = (int64_t *) (part_of (j, s) + j->npart * 8) + p * j->c->nl * m->pre;
        for (int64_t i = 1; i < j->c->nl; i++)
          join (j, s, m->pre, v + (size_t) (i * m->pre) * e, pos + i * m->pre, v, pos);
        store (j, s, p * m->pre, m->pre, v, pos);
      }
}

/* ---- a unit ----------------------------------------------------------------------------- */

/* The functions below return the node whose guard was hit, or -1.  */

static int
run_packed (const job *j, const sg_worker *w, int64_t p0, int64_t p1)
{
  local *l = w->ctx;
  int64_t slice = j->m->pre * j->m->len;

  l->at = l->row = 0;
  l->fold = false;
  for (int64_t p = p0; p < p1; p += j->c->pack)
    {
      l->k = sg_min64 (p1 - p, j->c->pack);
      acc_init (l, l->k * j->m->pre);
      int node = sg_block_run (j->p, w, p * slice, l->k * slice);
      if (node >= 0)
        return node;
      finish (l, p, 0, 0, l->k * j->m->pre);
    }
  return -1;
}

/* Piece IL of slice P: all rows, contiguous in memory.  */
static int
run_piece (const job *j, const sg_worker *w, int64_t p, int64_t il)
{
  const sg_map *m = j->m;
  local *l = w->ctx;
  int64_t l0 = il * j->c->lens, l1 = sg_min64 (m->len, l0 + j->c->lens);
  int64_t end = (l1 - l0) * m->pre, start = (p * m->len + l0) * m->pre;

  l->k = 1;
  l->row = 0;
  /* The lines of a block in parallel, where there are enough of them to be worth it.  */
  l->fold = m->pre > 1 && m->pre <= FOLD && m->pre * m->len >= 8 * SG_BLOCK;
  acc_init (l, l->fold ? j->c->block : m->pre);
  for (int64_t i = 0; i < end; i += j->c->block)
    {
      l->at = l0 + i / m->pre;
      int node = sg_block_run (j->p, w, start + i, sg_min64 (end - i, j->c->block));
      if (node >= 0)
        return node;
    }
  if (l->fold)
    unfold (l);
  finish (l, p, il, 0, m->pre);
  return -1;
}

/* Piece IL of rows R0 to R1 - 1 of slice P.  */
static int
run_rows (const job *j, const sg_worker *w, int64_t p, int64_t il, int64_t r0, int64_t r1)
{
  const sg_map *m = j->m;
  local *l = w->ctx;
  int64_t l0 = il * j->c->lens, l1 = sg_min64 (m->len, l0 + j->c->lens);

  l->k = 1;
  l->fold = false;
  acc_init (l, r1 - r0);
  for (l->at = l0; l->at < l1; l->at++)
    for (int64_t q = r0; q < r1; q += SG_BLOCK)
      {
        l->row = q - r0;
        int node = sg_block_run (j->p, w, (p * m->len + l->at) * m->pre + q,
                                 sg_min64 (r1 - q, SG_BLOCK));
        if (node >= 0)
          return node;
      }
  finish (l, p, il, r0, r1 - r0);
  return -1;
}

static bool
run_unit (void *ctx, int64_t u, int t)
{
  const job *j = ctx;
  const sg_cut *c = j->c;
  int64_t ir = u % c->nr, il = u / c->nr % c->nl, is = u / c->nr / c->nl;
  int64_t p0 = is * c->slices, p1 = sg_min64 (j->m->post, p0 + c->slices);
  int64_t r0 = ir * c->rows, r1 = sg_min64 (j->m->pre, r0 + c->rows);
  int node = -1;

  if (c->pack > 0)
    node = run_packed (j, &j->w[t], p0, p1);
  else
    for (int64_t p = p0; p < p1 && node < 0; p++)
      node = j->m->pre <= SG_BLOCK ? run_piece (j, &j->w[t], p, il)
                                   : run_rows (j, &j->w[t], p, il, r0, r1);
  if (node >= 0)
    sg_program_hit (j->p, u, node);
  return node < 0;
}

/* ---- the whole -------------------------------------------------------------------------- */

static sg_status
check_kernels (const sg_program *p)
{
  for (int i = 0; i < p->m->nsink; i++)
    {
      const sg_sink *s = &p->m->sink[i];
      const sg_kernels *k = p->k;
      bool is = is_index (s->op)
                ? k->iline[s->op][s->rt] && k->ielem[s->op][s->rt]
                : k->line[s->op][s->rt] && k->elem[s->op][s->rt] && k->join[s->op][s->rt];
      if (! is)
        return sg_fail (SG_INTERNAL, "no kernel for reduction %s", sg_op_info (s->op)->id);
    }
  return SG_OK;
}

sg_status
sg_reduce_run (sg_program *p, const sg_cut *c, sg_worker *w, int threads)
{
  const sg_map *m = p->m;
  job j = { p, m, c, w, NULL, m->post * c->nl * m->pre };

  SG_TRY (check_kernels (p));
  if (c->nl > 1)
    {
      size_t bytes = (size_t) j.npart * 16 * (size_t) m->nsink;
      j.part = sg_pool_get (bytes);
      if (! j.part)
        return sg_fail (SG_NOMEM, "out of memory: %zu bytes for partial results", bytes);
    }
  p->take = take;
  for (int t = 0; t < threads; t++)
    {
      local *l = w[t].ctx;
      l->j = &j;
      l->acc = (char *) (l + 1);
      l->pos = (int64_t *) (l->acc + m->nsink * c->wide * 8);
    }
  sg_status st = sg_units_run (threads, c->ns * c->nl * c->nr, run_unit, &j);
  if (st == SG_OK && p->hit_node < 0 && c->nl > 1)
    join_parts (&j);
  sg_pool_put (j.part);
  return st;
}
