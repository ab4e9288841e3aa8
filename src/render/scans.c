/* Scans along one dimension, and what there is of complex numbers along lines: every element in
   order, as Octave's loops do, so that the results have the same bits.

     THREAD  a thread has a line.
     TILE    PRE is 1: a block has 32 lines, and takes them tile by tile through shared memory, so
             that memory is read and written side by side.  */

#include "body.h"

#define LINES 32             /* of a block */
#define TILE 64              /* elements of each at a time */

/* What a scan makes of element x at position l, with t the value so far; the value and the
   position of extremes change together.  */
typedef struct row
{
  sg_op op;
  const char *next;          /* the new value; NULL: an extreme */
  const char *better;
  bool place;                /* the position is the result */
} row;

static const row rows[] = {
  { SG_CUMSUM, "t + x", NULL, false },     { SG_CUMPROD, "t * x", NULL, false },
  { SG_CUMMAX, NULL, "x > t", false },     { SG_CUMMIN, NULL, "x < t", false },
  { SG_ICUMMAX, NULL, "x > t", true },     { SG_ICUMMIN, NULL, "x < t", true }
};

static const row *
find_row (sg_op op)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].op == op)
      return &rows[i];
  return NULL;
}

static const char *
result_type (const sg_scan *s, const row *r)
{
  return r->place ? "double" : sg_class_ctype (s->cls);
}

/* Take x.  A NaN stays only where there is nothing else before it.  */
static void
take (sg_draft *k, const row *r)
{
  if (r->next)
    {
      sg_line (k, "t = %s;", r->next);
      return;
    }
  sg_line (k, "if ((%s) | ((t != t) & (x == x)))", r->better);
  sg_line (k, r->place ? "  t = x, at = l;" : "  t = x;");
}

static const char *
value_of (const row *r)
{
  return r->place ? "(double) (at + 1)" : "t";
}

/* ---- a thread for each line ------------------------------------------------------------ */

static void
declare_line (sg_draft *k, const sg_scan *s)
{
  int n = sg_draft_int (k, s->pre * s->post), len = sg_draft_int (k, s->len);

  sg_line (k, "const P q = (P) blockIdx.x * %d + threadIdx.x;", SG_THREADS);
  sg_line (k, "if (q >= (P) n%d)", n);
  sg_line (k, "  return;");
  sg_line (k, "const P len = (P) n%d;", len);
  if (s->pre == 1)
    sg_line (k, "const P pre = 1, start = q * len;");
  else
    {
      sg_line (k, "const P pre = (P) n%d;", sg_draft_int (k, s->pre));
      sg_line (k, "const P start = q / pre * len * pre + q %% pre;");
    }
}

static sg_status
finish_lines (sg_draft *k, const sg_scan *s)
{
  return sg_draft_finish (k, sg_draft_div (s->pre * s->post, SG_THREADS));
}

static sg_status
write_threads (sg_draft *k, const sg_scan *s, const row *r, int in, int out)
{
  declare_line (k, s);
  sg_line (k, "%s t = p%d[start];", sg_class_ctype (s->cls), in);
  if (r->place)
    sg_line (k, "P at = 0;");
  sg_line (k, "p%d[start] = %s;", out, value_of (r));
  sg_line (k, "for (P l = 1; l < len; l++)");
  sg_open (k);
  sg_line (k, "const P i = start + l * pre;");
  sg_line (k, "const %s x = p%d[i];", sg_class_ctype (s->cls), in);
  take (k, r);
  sg_line (k, "p%d[i] = %s;", out, value_of (r));
  sg_close (k);
  return finish_lines (k, s);
}

/* ---- tiles ----------------------------------------------------------------------------- */

/* Between memory and the tile, all threads: element (line, l) at the memory's i.  */
static void
move_tile (sg_draft *k, const char *what, int param)
{
  sg_line (k, "for (int e = threadIdx.x; e < %d; e += %d)", LINES * TILE, SG_THREADS);
  sg_open (k);
  sg_line (k, "const P y = e / %d, x = e %% %d, l = l0 + x, line = line0 + y;", TILE, TILE);
  sg_line (k, "if (l < len && line < lines)");
  sg_line (k, what, param);
  sg_close (k);
  sg_line (k, "__syncthreads ();");
}

static sg_status
write_tiles (sg_draft *k, const sg_scan *s, const row *r, int in, int out)
{
  const char *type = sg_class_ctype (s->cls);
  int n = sg_draft_int (k, s->post), len = sg_draft_int (k, s->len);

  sg_line (k, "__shared__ %s tile[%d][%d];", type, LINES, TILE + 1);
  if (r->place)
    sg_line (k, "__shared__ double places[%d][%d];", LINES, TILE + 1);
  sg_line (k, "const P lines = (P) n%d, len = (P) n%d;", n, len);
  sg_line (k, "const P line0 = (P) blockIdx.x * %d;", LINES);
  sg_line (k, "%s t = 0;", type);
  if (r->place)
    sg_line (k, "P at = 0;");
  sg_line (k, "for (P l0 = 0; l0 < len; l0 += %d)", TILE);
  sg_open (k);
  move_tile (k, "  tile[y][x] = p%d[line * len + l];", in);
  sg_line (k, "if (threadIdx.x < %d && line0 + threadIdx.x < lines)", LINES);
  sg_line (k, "  for (P j = 0; j < %d && l0 + j < len; j++)", TILE);
  sg_open (k);
  sg_line (k, "const P l = l0 + j;");
  sg_line (k, "const %s x = tile[threadIdx.x][j];", type);
  sg_line (k, "if (l == 0)");
  sg_line (k, "  t = x;");
  sg_line (k, "else");
  sg_open (k);
  take (k, r);
  sg_close (k);
  sg_line (k, "%s[threadIdx.x][j] = %s;", r->place ? "places" : "tile", value_of (r));
  sg_close (k);
  sg_line (k, "__syncthreads ();");
  move_tile (k, r->place ? "  p%d[line * len + l] = places[y][x];"
             : "  p%d[line * len + l] = tile[y][x];", out);
  sg_close (k);
  return sg_draft_finish (k, sg_draft_div (s->post, LINES));
}

/* ---- complex numbers ------------------------------------------------------------------- */

/* What is done with a line, from its beginning to its end.  */
typedef enum action { PRODUCT, EXTREME, PLACE, PRODUCTS, EXTREMES } action;

static const struct
{
  sg_op op;
  action what;
  const char *side;          /* extremes: where a better number stands */
} cplx_rows[] = {
  { SG_PROD, PRODUCT, NULL },             { SG_CUMPROD, PRODUCTS, NULL },
  { SG_MAX, EXTREME, "SG_AFTER" },        { SG_MIN, EXTREME, "SG_BEFORE" },
  { SG_IMAX, PLACE, "SG_AFTER" },         { SG_IMIN, PLACE, "SG_BEFORE" },
  { SG_CUMMAX, EXTREMES, "SG_AFTER" },    { SG_CUMMIN, EXTREMES, "SG_BEFORE" }
};

static void
write_products (sg_draft *k, const char *type, int in, int out, bool each)
{
  const char *put = each ? "p%d[start + l * pre] = SG_PAIR (%s, sg_creal (t), sg_cimag (t));"
                         : "p%d[q] = SG_PAIR (%s, sg_creal (t), sg_cimag (t));";

  sg_line (k, "sg_cplx_%s t = SG_CPLX (%s, 1, 0);", type, type);
  sg_line (k, "for (P l = 0; l < len; l++)");
  sg_open (k);
  sg_line (k, "const sg_pair<%s> y = p%d[start + l * pre];", type, in);
  sg_line (k, "const sg_cplx_%s x = SG_CPLX (%s, y.re, y.im);", type, type);
  sg_line (k, each ? "t = l == 0 ? x : t * x;" : "t = t * x;");
  if (each)
    sg_line (k, put, out, type);
  sg_close (k);
  if (! each)
    sg_line (k, put, out, type);
}

/* The best is that of the numbers before; as long as these are NaN, the first.  */
static void
write_extremes (sg_draft *k, const char *type, int in, int out, action what, const char *side)
{
  sg_line (k, "sg_pair<%s> t = p%d[start];", type, in);
  sg_line (k, "bool some = false;");
  sg_line (k, "P at = 0;");
  sg_line (k, "for (P l = 0; l < len; l++)");
  sg_open (k);
  sg_line (k, "const sg_pair<%s> y = p%d[start + l * pre];", type, in);
  sg_line (k, "const sg_cplx_%s x = SG_CPLX (%s, y.re, y.im), b = SG_CPLX (%s, t.re, t.im);", type,
           type, type);
  sg_line (k, "if (! sg_cisnan (x))");
  sg_open (k);
  sg_line (k, "if (! some || sg_corder (x, sg_cangle (x), b, sg_cangle (b)) == %s)", side);
  sg_line (k, "  t = y, at = l;");
  sg_line (k, "some = true;");
  sg_close (k);
  if (what == EXTREMES)
    sg_line (k, "p%d[start + l * pre] = t;", out);
  sg_close (k);
  if (what == EXTREME)
    sg_line (k, "p%d[q] = t;", out);
  else if (what == PLACE)
    sg_line (k, "p%d[q] = (double) (at + 1);", out);
}

static sg_status
write_complex (sg_draft *k, const sg_scan *s)
{
  const char *type = sg_class_ctype (s->cls), *pair = sg_pair_ctype (s->cls);
  char source[40];
  size_t i = 0, n = sizeof cplx_rows / sizeof cplx_rows[0];

  while (i < n && cplx_rows[i].op != s->op)
    i++;
  if (i == n)
    return SG_DELEGATE;
  action what = cplx_rows[i].what;
  snprintf (source, sizeof source, "const %s", pair);
  int in = sg_draft_slot (k, s->in, source);
  int out = sg_draft_slot (k, s->out, what == PLACE ? "double" : pair);
  k->needs |= SG_NEEDS_MATH | SG_NEEDS_CMATH;
  declare_line (k, s);
  if (what == PRODUCT || what == PRODUCTS)
    write_products (k, type, in, out, what == PRODUCTS);
  else
    write_extremes (k, type, in, out, what, cplx_rows[i].side);
  return finish_lines (k, s);
}

/* ---------------------------------------------------------------------------------------- */

static sg_status
write (sg_draft *k, const sg_scan *s)
{
  if (s->cplx)
    return write_complex (k, s);
  const row *r = find_row (s->op);
  if (! r)
    return SG_DELEGATE;
  /* Integers of 64 bits become doubles where they are read.  */
  char type[40];
  snprintf (type, sizeof type, "const %s", sg_class_ctype (k->p->slot[s->in].cls));
  int in = sg_draft_slot (k, s->in, type), out = sg_draft_slot (k, s->out, result_type (s, r));
  return (s->pre == 1 && s->len > 8 ? write_tiles : write_threads) (k, s, r, in, out);
}

sg_status
sg_render_scan (const sg_plan *p, const sg_scan *s, sg_rendered *out)
{
  sg_draft k;
  int64_t numel = s->pre * s->len * s->post;

  if (numel == 0)
    return SG_OK;
  if (s->op == SG_SORT || s->op == SG_ISORT)
    return s->cplx ? SG_DELEGATE : sg_render_sort (p, s, out);
  sg_draft_init (&k, p, NULL, out, numel);
  sg_status st = write (&k, s);
  sg_draft_clear (&k);
  return st;
}
