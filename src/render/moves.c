/* Moves of data: a thread for each element of the result, but transposes, which go through shared
   memory, so that both sides are touched side by side.  */

#include <string.h>

#include "draft.h"
#include "views.h"

#define TILE 32
#define TILE_ROWS (SG_THREADS / TILE)

/* Elements are words that nobody looks into, unless their imaginary parts change their sign.  */
static const char *
word_type (const sg_move *v)
{
  if (v->conj)
    return sg_pair_ctype (v->esize == 16 ? SG_F64 : SG_F32);
  switch (v->esize)
    {
    case 1: return "unsigned char";
    case 2: return "unsigned short";
    case 4: return "unsigned";
    case 8: return "unsigned long long";
    default: return "sg_word16";
    }
}

/* The parameters of the first input and of the result.  */
typedef struct ends
{
  int in, out;
} ends;

static int
source (sg_draft *k, const sg_move *v, int slot)
{
  char type[40];
  snprintf (type, sizeof type, "const %s", word_type (v));
  return sg_draft_slot (k, slot, type);
}

static ends
make_ends (sg_draft *k, const sg_move *v)
{
  ends e = { source (k, v, v->in[0]), 0 };
  e.out = sg_draft_slot (k, v->out, word_type (v));
  return e;
}

/* The element i of N that the thread has.  */
static void
declare_element (sg_draft *k, int64_t n)
{
  sg_line (k, "const P i = (P) blockIdx.x * %d + threadIdx.x;", SG_THREADS);
  sg_line (k, "if (i >= (P) n%d)", sg_draft_int (k, n));
  sg_line (k, "  return;");
}

static sg_status
finish_elements (sg_draft *k, int64_t n)
{
  return sg_draft_finish (k, sg_draft_div (n, SG_THREADS));
}

static void
conjugate (sg_draft *k, const sg_move *v)
{
  if (v->conj)
    sg_line (k, "w.im = -w.im;");
}

/* ---- dimensions ------------------------------------------------------------------------ */

typedef struct dims
{
  int nd;
  int64_t dim[SG_MAXND], in[SG_MAXND], out[SG_MAXND];   /* distances in input and result */
} dims;

/* Coordinates c0, c1 ... of number X in dimensions FROM and up; SKIP is not among them.  */
static void
declare_coordinates (sg_draft *k, const dims *q, int from, int skip, const char *x)
{
  char rest[16];
  int last = q->nd - 1;
  snprintf (rest, sizeof rest, "%s", x);
  if (last == skip)
    last--;
  for (int d = from; d <= last; d++)
    {
      if (d == skip)
        continue;
      if (d == last)
        {
          sg_line (k, "const P c%d = %s;", d, rest);
          break;
        }
      int n = sg_draft_int (k, q->dim[d]);
      sg_line (k, "const P c%d = %s %% (P) n%d, q%d = %s / (P) n%d;", d, rest, n, d, rest, n);
      snprintf (rest, sizeof rest, "q%d", d);
    }
}

/* + c * stride for the same ones.  */
static void
add_offset (sg_draft *k, const dims *q, const int64_t *stride, int from, int skip)
{
  for (int d = from; d < q->nd; d++)
    if (d != skip && stride[d] == 1)
      sg_text_add (&k->text, " + c%d", d);
    else if (d != skip)
      {
        int n = sg_draft_int (k, stride[d]);
        sg_text_add (&k->text, " + c%d * (P) n%d", d, n);
      }
}

static void
declare_offset (sg_draft *k, const char *name, const dims *q, const int64_t *stride, int from,
                int skip)
{
  sg_text_add (&k->text, "%*sconst P %s = 0", k->indent, "", name);
  add_offset (k, q, stride, from, skip);
  sg_text_add (&k->text, ";\n");
}

/* ---- PERMUTE --------------------------------------------------------------------------- */

/* The dimensions of the result; those that stay beside each other are one.  */
static void
permute_dims (dims *q, const sg_move *v)
{
  int64_t stride[SG_MAXND], s = 1;

  for (int d = 0; d < v->nd; d++)
    {
      stride[d] = s;
      s *= v->dim[d];
    }
  q->nd = 0;
  s = 1;
  for (int d = 0; d < v->nd; d++)
    {
      int64_t n = v->dim[v->perm[d]], st = stride[v->perm[d]];
      int last = q->nd - 1;
      if (n == 1)
        continue;
      if (q->nd > 0 && st == q->in[last] * q->dim[last])
        q->dim[last] *= n;
      else
        {
          q->dim[q->nd] = n;
          q->in[q->nd] = st;
          q->out[q->nd++] = s;
        }
      s *= n;
    }
}

static sg_status
permute_elements (sg_draft *k, const sg_move *v, const dims *q, int64_t n)
{
  ends e = make_ends (k, v);

  declare_element (k, n);
  declare_coordinates (k, q, 0, -1, "i");
  declare_offset (k, "from", q, q->in, 0, -1);
  sg_line (k, "%s w = p%d[from];", word_type (v), e.in);
  conjugate (k, v);
  sg_line (k, "p%d[i] = w;", e.out);
  return finish_elements (k, n);
}

/* Dimension 0 of the result and dimension D, which is the first of the input, change places in
   tiles.  */
static sg_status
permute_tiles (sg_draft *k, const sg_move *v, const dims *q, int d, int64_t n)
{
  ends e = make_ends (k, v);
  int64_t across = sg_draft_div (q->dim[0], TILE), down = sg_draft_div (q->dim[d], TILE);
  int x = sg_draft_int (k, q->dim[0]), y = sg_draft_int (k, q->dim[d]);
  int is = sg_draft_int (k, q->in[0]), os = sg_draft_int (k, q->out[d]);

  sg_line (k, "__shared__ %s tile[%d][%d];", word_type (v), TILE, TILE + 1);
  sg_line (k, "const P nx = (P) n%d, ny = (P) n%d;", x, y);
  sg_line (k, "const P tx = (nx + %d) / %d, ty = (ny + %d) / %d;", TILE - 1, TILE, TILE - 1, TILE);
  sg_line (k, "const P x0 = blockIdx.x %% tx * %d, y0 = blockIdx.x / tx %% ty * %d;", TILE, TILE);
  sg_line (k, "const P z = blockIdx.x / tx / ty;");
  sg_line (k, "const P a = threadIdx.x %% %d, b = threadIdx.x / %d;", TILE, TILE);
  declare_coordinates (k, q, 1, d, "z");
  declare_offset (k, "from", q, q->in, 1, d);
  declare_offset (k, "to", q, q->out, 1, d);
  sg_line (k, "for (P j = b; j < %d; j += %d)", TILE, TILE_ROWS);
  sg_line (k, "  if (y0 + a < ny && x0 + j < nx)");
  sg_line (k, "    tile[j][a] = p%d[from + y0 + a + (x0 + j) * (P) n%d];", e.in, is);
  sg_line (k, "__syncthreads ();");
  sg_line (k, "for (P j = b; j < %d; j += %d)", TILE, TILE_ROWS);
  sg_line (k, "  if (x0 + a < nx && y0 + j < ny)");
  sg_open (k);
  sg_line (k, "%s w = tile[a][j];", word_type (v));
  conjugate (k, v);
  sg_line (k, "p%d[to + x0 + a + (y0 + j) * (P) n%d] = w;", e.out, os);
  sg_close (k);
  return sg_draft_finish (k, across * down * (n / q->dim[0] / q->dim[d]));
}

static sg_status
permute (sg_draft *k, const sg_move *v, int64_t n)
{
  dims q;
  permute_dims (&q, v);
  if (q.nd <= 1)
    {
      q = (dims) { 1, { n }, { 1 }, { 1 } };
      return permute_elements (k, v, &q, n);
    }
  int d = 0;
  while (q.in[d] != 1)
    d++;
  bool thin = q.dim[0] < TILE / 4 || q.dim[d] < TILE / 4;
  return d == 0 || thin ? permute_elements (k, v, &q, n) : permute_tiles (k, v, &q, d, n);
}

/* ---- REPMAT ---------------------------------------------------------------------------- */

/* Dimension D is not repeated, or the next has one element: they are one dimension.  Extents of
   the result, its repetitions to REPS.  */
static void
repmat_dims (dims *q, int64_t *reps, const sg_move *v)
{
  int64_t s = 1;

  q->nd = 0;
  for (int d = 0; d < v->nd; d++)
    {
      int last = q->nd - 1;
      if (q->nd > 0 && reps[last] == 1)
        {
          q->dim[last] *= v->dim[d];
          reps[last] = v->reps[d];
        }
      else if (q->nd > 0 && v->dim[d] == 1)
        reps[last] *= v->reps[d];
      else
        {
          q->dim[q->nd] = v->dim[d];
          reps[q->nd++] = v->reps[d];
        }
    }
  for (int d = 0; d < q->nd; d++)
    {
      q->in[d] = s;
      s *= q->dim[d];
    }
}

static sg_status
repmat (sg_draft *k, const sg_move *v, int64_t n)
{
  dims q, full;
  int64_t reps[SG_MAXND];
  ends e = make_ends (k, v);

  repmat_dims (&q, reps, v);
  full = q;
  for (int d = 0; d < q.nd; d++)
    full.dim[d] *= reps[d];
  declare_element (k, n);
  declare_coordinates (k, &full, 0, -1, "i");
  sg_text_add (&k->text, "%*sconst P from = 0", k->indent, "");
  for (int d = 0; d < q.nd; d++)
    if (q.dim[d] > 1)
      {
        sg_text_add (&k->text, " + c%d", d);
        if (reps[d] > 1)
          sg_text_add (&k->text, " %% (P) n%d", sg_draft_int (k, q.dim[d]));
        sg_text_add (&k->text, " * (P) n%d", sg_draft_int (k, q.in[d]));
      }
  sg_text_add (&k->text, ";\n");
  sg_line (k, "p%d[i] = p%d[from];", e.out, e.in);
  return finish_elements (k, n);
}

/* ---- CAT ------------------------------------------------------------------------------- */

/* One kernel for each input that is not empty.  SHIFT: where its part of a slice begins.  */
static sg_status
cat_one (const sg_plan *p, const sg_move *v, int which, int64_t shift, int64_t all,
         sg_rendered *out)
{
  sg_draft k;
  int64_t part = v->pre * v->len[which], n = part * v->post;

  sg_draft_init (&k, p, NULL, out, all * v->post);
  int to = sg_draft_slot (&k, v->out, word_type (v)), from = source (&k, v, v->in[which]);
  declare_element (&k, n);
  if (v->post == 1)
    sg_line (&k, "p%d[i + (P) n%d] = p%d[i];", to, sg_draft_int (&k, shift), from);
  else
    {
      int one = sg_draft_int (&k, part), whole = sg_draft_int (&k, all);
      sg_line (&k, "const P o = i / (P) n%d * (P) n%d + i %% (P) n%d;", one, whole, one);
      sg_line (&k, "p%d[o + (P) n%d] = p%d[i];", to, sg_draft_int (&k, shift), from);
    }
  sg_status s = finish_elements (&k, n);
  sg_draft_clear (&k);
  return s;
}

static sg_status
cat (const sg_plan *p, const sg_move *v, sg_rendered *out)
{
  int64_t all = 0, shift = 0;

  for (int i = 0; i < v->nin; i++)
    all += v->pre * v->len[i];
  for (int i = 0; i < v->nin; i++)
    {
      int64_t part = v->pre * v->len[i];
      if (part * v->post > 0)
        SG_TRY (cat_one (p, v, i, shift, all, out));
      shift += part;
    }
  return SG_OK;
}

/* ---- TRIL, TRIU ------------------------------------------------------------------------ */

static sg_status
trilu (sg_draft *k, const sg_move *v, int64_t n)
{
  ends e = make_ends (k, v);
  int rows = sg_draft_int (k, v->dim[0]), diagonal = sg_draft_int (k, v->k);

  declare_element (k, n);
  sg_line (k, "const long long at = (long long) (i / (P) n%d) - (long long) (i %% (P) n%d);", rows,
           rows);
  sg_line (k, "const %s zero = {};", word_type (v));
  sg_line (k, "p%d[i] = at %s n%d ? p%d[i] : zero;", e.out, v->op == SG_TRIL ? "<=" : ">=",
           diagonal, e.in);
  return finish_elements (k, n);
}

/* ---- INDEX ----------------------------------------------------------------------------- */

static sg_status
index_move (sg_draft *k, const sg_move *v, int64_t n)
{
  ends e = make_ends (k, v);

  declare_element (k, n);
  sg_view_declare (k, v->inode, 0);
  sg_line (k, "p%d[i] = p%d[v0];", e.out, e.in);
  return finish_elements (k, n);
}

/* ---------------------------------------------------------------------------------------- */

static sg_status
write (sg_draft *k, const sg_move *v, int64_t n)
{
  switch (v->op)
    {
    case SG_PERMUTE:
      return permute (k, v, n);
    case SG_REPMAT:
      return repmat (k, v, n);
    case SG_TRIL:
    case SG_TRIU:
      return trilu (k, v, n);
    case SG_INDEX:
      return index_move (k, v, n);
    default:
      return SG_DELEGATE;
    }
}

sg_status
sg_render_move (const sg_plan *p, const sg_move *v, sg_node *const *order, sg_rendered *out)
{
  sg_draft k;
  int64_t n = p->slot[v->out].numel;

  if (n == 0)
    return SG_OK;
  if (v->nd > SG_MAXND)
    return SG_DELEGATE;
  if (v->op == SG_CAT)
    return cat (p, v, out);
  sg_draft_init (&k, p, order, out, n);
  sg_status s = write (&k, v, n);
  sg_draft_clear (&k);
  return s;
}
