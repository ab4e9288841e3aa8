/* Moves of data: every move is a number of lines, each the image of a run along the first
   dimension of the result.  */

#include <string.h>

#include "lines.h"
#include "threads.h"

#define UNIT_BYTES (INT64_C (1) << 18)
#define BYTE_NS 0.25         /* what moving a byte costs on one core, about */

static bool
run_unit (void *ctx, int64_t u, int t)
{
  const sg_lines *j = ctx;
  (void) t;

  if (j->piece < j->inner)
    {
      int64_t pieces = sg_ceil_div (j->inner, j->piece);
      int64_t i0 = u % pieces * j->piece;
      j->line (j, u / pieces, i0, sg_min64 (j->inner, i0 + j->piece));
    }
  else
    for (int64_t o = u * j->group; o < sg_min64 (j->outer, (u + 1) * j->group); o++)
      j->line (j, o, 0, j->inner);
  return true;
}

sg_status
sg_lines_run (sg_lines *j, const sg_run *r)
{
  if (j->outer == 0 || j->inner == 0)
    return SG_OK;

  j->piece = sg_max64 (1, UNIT_BYTES / j->weight);
  j->piece = sg_ceil_div (j->piece, j->round) * j->round;
  int64_t units;
  if (j->piece < j->inner)
    units = j->outer * sg_ceil_div (j->inner, j->piece);
  else
    {
      j->group = sg_max64 (1, UNIT_BYTES / (j->inner * j->weight));
      units = sg_ceil_div (j->outer, j->group);
    }
  double ns = (double) j->outer * j->inner * j->weight * BYTE_NS;
  return sg_units_run (sg_threads_for (r->threads, ns, units), units, run_unit, j);
}

/* ---- runs ------------------------------------------------------------------------------- */

void
sg_copy_runs (int64_t n, int64_t bytes, char *d, int64_t ds, const char *s, int64_t ss)
{
#define RUNS(k)                                 \
  case k:                                       \
    for (; n > 0; n--, d += ds, s += ss)        \
      memcpy (d, s, k);                         \
    break

  switch (bytes)
    {
      RUNS (1);
      RUNS (2);
      RUNS (4);
      RUNS (8);
      RUNS (16);
      RUNS (24);
    default:
      for (; n > 0; n--, d += ds, s += ss)
        memcpy (d, s, (size_t) bytes);
    }
#undef RUNS
}

/* ---- PERMUTE ---------------------------------------------------------------------------- */

/* The dimensions of the result in DIM, with their distances in input and result; dimensions
   that stay beside each other are one.  */
static void
permute_dims (sg_lines *j)
{
  const sg_move *v = j->v;
  int64_t stride[SG_MAXND], s = 1;

  for (int d = 0; d < v->nd; d++)
    {
      stride[d] = s;
      s *= v->dim[d];
    }
  j->nd = 0;
  s = 1;
  for (int d = 0; d < v->nd; d++)
    {
      int64_t n = v->dim[v->perm[d]], st = stride[v->perm[d]];
      int last = j->nd - 1;
      if (n == 1)
        continue;
      if (j->nd > 0 && st == j->istr[last] * j->dim[last])
        j->dim[last] *= n;
      else
        {
          j->dim[j->nd] = n;
          j->istr[j->nd] = st;
          j->ostr[j->nd++] = s;
        }
      s *= n;
    }
}

/* Take dimension D away.  */
static void
drop_dim (sg_lines *j, int d)
{
  j->nd--;
  for (; d < j->nd; d++)
    {
      j->dim[d] = j->dim[d + 1];
      j->istr[d] = j->istr[d + 1];
      j->ostr[d] = j->ostr[d + 1];
    }
}

/* Where line O starts: dimensions D and up are those of the lines.  */
static void
line_start (const sg_lines *j, int d, int64_t o, int64_t *in, int64_t *out)
{
  *in = *out = 0;
  for (; d < j->nd; d++)
    {
      int64_t rest = d + 1 < j->nd ? o / j->dim[d] : 0;
      int64_t at = o - rest * j->dim[d];
      *in += at * j->istr[d];
      *out += at * j->ostr[d];
      o = rest;
    }
}

static void
line_copy (const sg_lines *j, int64_t o, int64_t i0, int64_t i1)
{
  (void) o;
  memcpy (j->out + i0 * j->esize, j->in + i0 * j->esize, (size_t) ((i1 - i0) * j->esize));
}

/* Runs of dimension 0, along dimension 1.  */
static void
line_runs (const sg_lines *j, int64_t o, int64_t i0, int64_t i1)
{
  int64_t in, out, e = j->esize;
  line_start (j, 2, o, &in, &out);
  sg_copy_runs (i1 - i0, j->dim[0] * e, j->out + (out + i0 * j->ostr[1]) * e, j->ostr[1] * e,
                j->in + (in + i0 * j->istr[1]) * e, j->istr[1] * e);
}

/* OUT[i * os + k] = IN[i + k * is], with few I or few K.  */
#define THIN(name, T)                                                                   \
  static void                                                                           \
  thin_##name (int64_t ni, int64_t nk, void *vout, int64_t os, const void *vin,         \
               int64_t is)                                                              \
  {                                                                                     \
    const T *in = vin;                                                                  \
    T *out = vout;                                                                      \
                                                                                        \
    if (ni < 8)                                                                         \
      for (int64_t k0 = 0; k0 < nk; k0 += 256)                                          \
        for (int64_t i = 0; i < ni; i++)                                                \
          for (int64_t k = k0; k < sg_min64 (nk, k0 + 256); k++)                        \
            out[i * os + k] = in[i + k * is];                                           \
    else                                                                                \
      for (int64_t i0 = 0; i0 < ni; i0 += 256)                                          \
        for (int64_t k = 0; k < nk; k++)                                                \
          for (int64_t i = i0; i < sg_min64 (ni, i0 + 256); i++)                        \
            out[i * os + k] = in[i + k * is];                                           \
  }

THIN (1, uint8_t)
THIN (2, uint16_t)
THIN (4, uint32_t)
THIN (8, uint64_t)
THIN (16, sg_uint128)

/* The same for all others.  The tile goes through a buffer, so that both sides are
   touched in whole cache lines even where the distances are powers of two.  */
#define TRANSPOSE(name, T, TILE)                                                        \
  static void                                                                           \
  transpose_##name (int64_t ni, int64_t nk, void *vout, int64_t os, const void *vin,    \
                    int64_t is)                                                         \
  {                                                                                     \
    T buf[TILE * (TILE + 1)];                                                           \
                                                                                        \
    if (ni < 8 || nk < 8)                                                               \
      {                                                                                 \
        thin_##name (ni, nk, vout, os, vin, is);                                        \
        return;                                                                         \
      }                                                                                 \
    for (int64_t k0 = 0; k0 < nk; k0 += TILE)                                           \
      for (int64_t i0 = 0; i0 < ni; i0 += TILE)                                         \
        {                                                                               \
          int64_t mi = sg_min64 (TILE, ni - i0), mk = sg_min64 (TILE, nk - k0);         \
          const T *in = (const T *) vin + i0 + k0 * is;                                 \
          T *out = (T *) vout + i0 * os + k0;                                           \
          for (int64_t k = 0; k < mk; k++)                                              \
            memcpy (buf + k * (TILE + 1), in + k * is, (size_t) mi * sizeof (T));       \
          for (int64_t i = 0; i < mi; i++)                                              \
            for (int64_t k = 0; k < mk; k++)                                            \
              out[i * os + k] = buf[k * (TILE + 1) + i];                                \
        }                                                                               \
  }

TRANSPOSE (1, uint8_t, 64)
TRANSPOSE (2, uint16_t, 64)
TRANSPOSE (4, uint32_t, 64)
TRANSPOSE (8, uint64_t, 32)
TRANSPOSE (16, sg_uint128, 32)

/* Dimension 0 is the first of the input, dimension 1 the first of the result.  */
static void
line_transpose (const sg_lines *j, int64_t o, int64_t i0, int64_t i1)
{
  int64_t in, out, e = j->esize;
  line_start (j, 2, o, &in, &out);
  char *to = j->out + (out + i0 * j->ostr[0]) * e;
  const char *from = j->in + (in + i0) * e;
  int64_t n = i1 - i0, nk = j->dim[1], os = j->ostr[0], is = j->istr[1];

  switch (e)
    {
    case 1: transpose_1 (n, nk, to, os, from, is); break;
    case 2: transpose_2 (n, nk, to, os, from, is); break;
    case 4: transpose_4 (n, nk, to, os, from, is); break;
    case 8: transpose_8 (n, nk, to, os, from, is); break;
    default: transpose_16 (n, nk, to, os, from, is); break;
    }
}

/* Lines are all dimensions from the second on.  */
static int64_t
count_lines (const sg_lines *j, int from)
{
  int64_t n = 1;
  for (int d = from; d < j->nd; d++)
    n *= j->dim[d];
  return n;
}

static sg_status
permute (sg_lines *j, const sg_run *r)
{
  for (int d = 0; d < j->v->nd; d++)
    if (j->v->dim[d] == 0)
      return SG_OK;
  permute_dims (j);
  j->round = 1;
  if (j->nd <= 1)
    {
      j->line = line_copy;
      j->outer = 1;
      j->inner = j->nd == 1 ? j->dim[0] : 1;
      j->weight = j->esize;
      return sg_lines_run (j, r);
    }

  j->outer = count_lines (j, 2);
  if (j->istr[0] == 1)
    {
      j->line = line_runs;
      j->inner = j->dim[1];
      j->weight = j->dim[0] * j->esize;
      return sg_lines_run (j, r);
    }

  /* The first dimension of the input to the front.  */
  int q = 1;
  while (j->istr[q] != 1)
    q++;
  int64_t n = j->dim[q], os = j->ostr[q];
  drop_dim (j, q);
  for (int d = j->nd++; d > 0; d--)
    {
      j->dim[d] = j->dim[d - 1];
      j->istr[d] = j->istr[d - 1];
      j->ostr[d] = j->ostr[d - 1];
    }
  j->dim[0] = n;
  j->istr[0] = 1;
  j->ostr[0] = os;
  j->outer = count_lines (j, 2);
  j->line = line_transpose;
  j->inner = n;
  j->weight = j->dim[1] * j->esize;
  /* Wide pieces are read in longer runs, but there must be some for each thread.  */
  j->round = n >= 1024 * (int64_t) r->threads ? 256 : 64;
  return sg_lines_run (j, r);
}

/* ---- REPMAT ----------------------------------------------------------------------------- */

/* Dimension D is not repeated, or the next has one element: they are one dimension.  */
static void
repmat_dims (sg_lines *j)
{
  const sg_move *v = j->v;

  j->nd = 0;
  for (int d = 0; d < v->nd; d++)
    {
      int last = j->nd - 1;
      if (j->nd > 0 && j->reps[last] == 1)
        {
          j->dim[last] *= v->dim[d];
          j->reps[last] = v->reps[d];
        }
      else if (j->nd > 0 && v->dim[d] == 1)
        j->reps[last] *= v->reps[d];
      else
        {
          j->dim[j->nd] = v->dim[d];
          j->reps[j->nd++] = v->reps[d];
        }
    }
}

/* Elements I0 to I1 - 1 of a line that repeats dimension 0.  */
static void
line_repmat (const sg_lines *j, int64_t o, int64_t i0, int64_t i1)
{
  int64_t e = j->esize, n = j->dim[0], s = n, in = 0;
  char *to = j->out + (o * j->inner + i0) * e;

  for (int d = 1; d < j->nd; d++)
    {
      int64_t full = j->dim[d] * j->reps[d];
      in += o % full % j->dim[d] * s;
      s *= j->dim[d];
      o /= full;
    }
  const char *from = j->in + in * e;

  int64_t at = i0 % n;
  if (at > 0 || i1 - i0 < n)
    {
      int64_t head = sg_min64 (n - at, i1 - i0);
      memcpy (to, from + at * e, (size_t) (head * e));
      to += head * e;
      i0 += head;
    }
  int64_t whole = (i1 - i0) / n;
  sg_copy_runs (whole, n * e, to, n * e, from, 0);
  memcpy (to + whole * n * e, from, (size_t) ((i1 - i0 - whole * n) * e));
}

static sg_status
repmat (sg_lines *j, const sg_run *r)
{
  repmat_dims (j);
  j->line = line_repmat;
  j->outer = 1;
  for (int d = 1; d < j->nd; d++)
    j->outer *= j->dim[d] * j->reps[d];
  j->inner = j->dim[0] * j->reps[0];
  j->weight = j->esize;
  j->round = 1;
  return sg_lines_run (j, r);
}

/* ---- CAT -------------------------------------------------------------------------------- */

/* Line O is the run of this input in slice O; ISTR and OSTR are bytes between slices.  */
static void
line_slices (const sg_lines *j, int64_t o, int64_t i0, int64_t i1)
{
  (void) o;
  sg_copy_runs (i1 - i0, j->weight, j->out + i0 * j->ostr[0], j->ostr[0], j->in + i0 * j->istr[0],
                j->istr[0]);
}

static sg_status
cat (sg_lines *j, const sg_run *r)
{
  const sg_move *v = j->v;
  char *out = j->out;
  int64_t all = 0;

  for (int k = 0; k < v->nin; k++)
    all += v->len[k];
  for (int k = 0; k < v->nin; k++)
    {
      int64_t bytes = v->pre * v->len[k] * v->esize;
      if (bytes == 0)
        continue;
      j->in = r->ptr[v->in[k]];
      j->out = out;
      j->outer = 1;
      j->round = 1;
      if (v->post == 1)
        {
          j->line = line_copy;
          j->esize = 1;
          j->inner = bytes;
          j->weight = 1;
        }
      else
        {
          j->line = line_slices;
          j->inner = v->post;
          j->weight = bytes;
          j->istr[0] = bytes;
          j->ostr[0] = v->pre * all * v->esize;
        }
      SG_TRY (sg_lines_run (j, r));
      out += bytes;
    }
  return SG_OK;
}

/* ----------------------------------------------------------------------------------------- */

static void
conjugate (const sg_move *v, void *out)
{
  int64_t n = 1;
  for (int d = 0; d < v->nd; d++)
    n *= v->dim[d];
  double *x = out;
  float *y = out;
  if (v->esize == 16)
    for (int64_t i = 0; i < n; i++)
      x[2 * i + 1] = -x[2 * i + 1];
  else
    for (int64_t i = 0; i < n; i++)
      y[2 * i + 1] = -y[2 * i + 1];
}

static sg_status
run_move (const sg_move *v, sg_run *r)
{
  sg_lines j;
  j.v = v;
  j.esize = v->esize;
  j.out = r->ptr[v->out];
  j.in = v->nin > 0 ? r->ptr[v->in[0]] : NULL;

  switch (v->op)
    {
    case SG_PERMUTE:
      return permute (&j, r);
    case SG_REPMAT:
      return repmat (&j, r);
    case SG_CAT:
      return cat (&j, r);
    case SG_INDEX:
      return sg_lines_index (&j, r);
    case SG_TRIL:
    case SG_TRIU:
      return sg_cpu_trilu (v, r);
    default:
      return sg_fail (SG_INTERNAL, "%s is not a move", sg_op_info (v->op)->name);
    }
}

sg_status
sg_cpu_move (const sg_move *v, sg_run *r)
{
  SG_TRY (run_move (v, r));
  if (v->conj)
    conjugate (v, r->ptr[v->out]);
  return SG_OK;
}
