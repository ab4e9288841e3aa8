/* Map steps with reductions: PRE x LEN x POST elements to PRE x POST results.  What order a result
   is computed in depends on these numbers alone.

     THREAD  a thread takes a line, in Octave's order: short lines, and rows where there are
             many, whose threads read side by side; ordered reductions of rows, which are left to
             the CPU where they are few and long.
     WARP    a warp takes a line, PRE is 1.
     BLOCK   a block takes a piece of a line, or of up to 32 rows; where lines have several
             pieces a second kernel joins their results, from the scratch memory of the step.
     ORDERED a block takes a line, PRE is 1: the threads make the elements, one takes them, in
             Octave's order.  */

#include "body.h"

#define SHORT 16             /* lines up to this are taken by threads */
#define MANY 32768           /* threads that are enough */
#define ORDERED_LINE 4096    /* longer ones in order only where there are ... */
#define ORDERED_LINES 256    /* as many as this */
#define ROWS 32              /* rows that a block has side by side */
#define WARP 32
#define WARP_LINE 1024       /* lines up to this are taken by warps */
#define BLOCKS 1024          /* that are enough */
#define DEEP 16              /* elements of a piece for each thread, at least */

#define FEW 4096             /* lines that are too few for threads */
#define TILES 16             /* reductions that have a tile each in shared memory */

typedef enum strategy { THREAD, WARP_EACH, BLOCK, ORDERED } strategy;

/* How the space is cut.  */
typedef struct cut
{
  strategy how;
  int rows, lanes;           /* BLOCK: threads along PRE and along LEN */
  int64_t piece, pieces;     /* of LEN */
  int64_t groups;            /* of rows */
} cut;

static void
cut_blocks (cut *c, const sg_map *m)
{
  c->how = BLOCK;
  c->rows = m->pre < ROWS ? (int) m->pre : ROWS;
  c->lanes = SG_THREADS / c->rows;
  c->groups = sg_draft_div (m->pre, c->rows);
  int64_t blocks = c->groups * m->post;
  int64_t want = sg_draft_div (BLOCKS, blocks);
  int64_t most = sg_draft_div (m->len, (int64_t) c->lanes * DEEP);
  c->pieces = want < most ? want : most;
  c->piece = sg_draft_div (m->len, c->pieces);
  c->pieces = sg_draft_div (m->len, c->piece);
}

static bool
is_ordered (const sg_map *m)
{
  return sg_op_is_ordered (m->sink[0].op);
}

static void
make_cut (cut *c, const sg_map *m)
{
  *c = (cut) { .how = THREAD, .rows = 1, .lanes = 1, .piece = m->len, .pieces = 1, .groups = 1 };
  bool many = m->pre > 1 && m->pre * m->post >= MANY;
  if (m->len <= SHORT || (many && (m->pre >= ROWS || m->len <= 4 * SHORT)))
    return;
  if (is_ordered (m))
    {
      if (m->pre == 1 && m->post < FEW && m->nsink <= TILES)
        c->how = ORDERED;
    }
  else if (m->pre == 1 && m->len <= WARP_LINE && m->post >= 2 * SG_THREADS / WARP)
    {
      c->how = WARP_EACH;
      c->lanes = WARP;
    }
  else
    cut_blocks (c, m);
}

/* ---- what reductions do ---------------------------------------------------------------- */

/* The start, what accumulator a becomes when it takes an element b, or another accumulator.  To
   ANY a NaN is not true, to ALL it is not false.  Of extremes the first of equal elements counts,
   and a NaN only where there is nothing else: they go with their positions.  */
static const struct
{
  const char *init, *take, *join, *better;
} red_text[SG_NOP] = {
  [SG_SUM] = { "0", "a + b", "a + b", NULL },
  [SG_PROD] = { "1", "a * b", "a * b", NULL },
  [SG_SUMSQ] = { "0", "a + b * b", "a + b", NULL },
  [SG_ANY] = { "0", "(b < 0) | (b > 0) ? 1 : a", "b != 0 ? 1 : a", NULL },
  [SG_ALL] = { "1", "b != 0 ? a : 0", "b != 0 ? a : 0", NULL },
  [SG_MAX] = { "SG_NAN", NULL, NULL, "sg_above" },
  [SG_MIN] = { "SG_NAN", NULL, NULL, "sg_below" },
  [SG_IMAX] = { "SG_NAN", NULL, NULL, "sg_above" },
  [SG_IMIN] = { "SG_NAN", NULL, NULL, "sg_below" }
};

static const char *
rtype_of (const sg_map *m, int s)
{
  return sg_rtype_ctype (m->sink[s].rt);
}

/* An extreme of integers of 64 bits begins with what all others are better than, or as good.  */
static const char *
first_value (const sg_sink *s)
{
  static const char *const least[] = { [SG_RI64] = "-0x7fffffffffffffffll - 1", [SG_RU64] = "0" };
  static const char *const most[] = { [SG_RI64] = "0x7fffffffffffffffll", [SG_RU64] = "~0ull" };
  if (s->rt == SG_R64 || s->rt == SG_R32)
    return red_text[s->op].init;
  return s->op == SG_MAX || s->op == SG_IMAX ? least[s->rt] : most[s->rt];
}

/* Accumulators a0, a1 ... and positions k0, k1 ...; no position is ~0.  */
static void
declare_accumulators (sg_draft *k, const sg_map *m)
{
  for (int s = 0; s < m->nsink; s++)
    {
      sg_line (k, "%s a%d = %s;", rtype_of (m, s), s, first_value (&m->sink[s]));
      if (red_text[m->sink[s].op].better)
        sg_line (k, "P k%d = ~(P) 0;", s);
    }
}

/* Accumulator S takes X, the accumulator or element at position AT.  */
static void
combine (sg_draft *k, const sg_map *m, int s, const char *expr, const char *x, const char *at)
{
  const char *better = red_text[m->sink[s].op].better;
  sg_word w[2] = { { "a", "" }, { "b", "" } };

  if (better)
    {
      sg_line (k, "if (%s (a%d, k%d, %s, %s))", better, s, s, x, at);
      sg_line (k, "  a%d = %s, k%d = %s;", s, x, s, at);
      return;
    }
  snprintf (w[0].with, sizeof w[0].with, "a%d", s);
  snprintf (w[1].with, sizeof w[1].with, "%s", x);
  sg_text_add (&k->text, "%*sa%d = ", k->indent, "", s);
  sg_text_expr (&k->text, expr, 2, w);
  sg_text_add (&k->text, ";\n");
}

static void
take (sg_body *b, int sink, int reg)
{
  char x[16];
  snprintf (x, sizeof x, "r%d", reg);
  combine (b->k, b->m, sink, red_text[b->m->sink[sink].op].take, x, "l");
}

static void
join (sg_draft *k, const sg_map *m, int s)
{
  combine (k, m, s, red_text[m->sink[s].op].join, "b", "c");
}

/* ---- joining threads ------------------------------------------------------------------- */

/* The lanes of a warp, by halves.  */
static void
join_warp (sg_draft *k, const sg_map *m)
{
  sg_line (k, "for (int h = 16; h > 0; h /= 2)");
  sg_open (k);
  for (int s = 0; s < m->nsink; s++)
    {
      sg_open (k);
      sg_line (k, "const %s b = __shfl_down_sync (0xffffffffu, a%d, h);", rtype_of (m, s), s);
      if (red_text[m->sink[s].op].better)
        sg_line (k, "const P c = __shfl_down_sync (0xffffffffu, k%d, h);", s);
      join (k, m, s);
      sg_close (k);
    }
  sg_close (k);
}

/* The lanes of a block, by halves, through memory that the reductions use in turn.  One of
   integers of 64 bits is alone.  */
static void
join_block (sg_draft *k, const sg_map *m)
{
  bool places = false;
  for (int s = 0; s < m->nsink; s++)
    places |= red_text[m->sink[s].op].better != NULL;
  bool wide = m->sink[0].rt == SG_RI64 || m->sink[0].rt == SG_RU64;
  sg_line (k, "__shared__ %s value[%d];", wide ? rtype_of (m, 0) : "double", SG_THREADS);
  if (places)
    sg_line (k, "__shared__ P place[%d];", SG_THREADS);
  for (int s = 0; s < m->nsink; s++)
    {
      bool with = red_text[m->sink[s].op].better != NULL;
      sg_line (k, "value[threadIdx.x] = a%d;", s);
      if (with)
        sg_line (k, "place[threadIdx.x] = k%d;", s);
      sg_line (k, "for (P m = lanes, h; m > 1; m = h)");
      sg_open (k);
      sg_line (k, "h = (m + 1) / 2;");
      sg_line (k, "__syncthreads ();");
      sg_line (k, "if (lane + h < m)");
      sg_open (k);
      sg_line (k, "const %s b = (%s) value[threadIdx.x + h * rows];", rtype_of (m, s),
               rtype_of (m, s));
      if (with)
        sg_line (k, "const P c = place[threadIdx.x + h * rows];");
      join (k, m, s);
      sg_line (k, "value[threadIdx.x] = a%d;", s);
      if (with)
        sg_line (k, "place[threadIdx.x] = k%d;", s);
      sg_close (k);
      sg_close (k);
      if (s + 1 < m->nsink)
        sg_line (k, "__syncthreads ();");
    }
}

/* ---- results --------------------------------------------------------------------------- */

static int
output (sg_draft *k, const sg_sink *s)
{
  return sg_draft_slot (k, s->slot, sg_class_ctype (s->cls));
}

/* The root of a sum of squares, unless that has lost squares that are too small or holds one
   that is too large.  */
static void
take_root (sg_draft *k, const sg_sink *s, int number, int flags)
{
  int f = sg_draft_flag (k, SG_FLAG_GUARD, s->node);
  sg_line (k, "if (a%d < %s || a%d > %s)", number, s->rt == SG_R64 ? "0x1p-900" : "0x1p-80f",
           number, s->rt == SG_R64 ? "0x1.fffffffffffffp1023" : "0x1.fffffep127f");
  sg_line (k, "  fl%d[%d] = 1;", flags, f);
  sg_line (k, "a%d = sqrt (a%d);", number, number);
}

/* Results to element o of the outputs.  */
static void
store_results (sg_draft *k, const sg_map *m, int flags)
{
  for (int i = 0; i < m->nsink; i++)
    {
      const sg_sink *s = &m->sink[i];
      char x[16];
      snprintf (x, sizeof x, "a%d", i);
      if (s->root)
        take_root (k, s, i, flags);
      if (s->part >= 0)
        sg_line (k, "p%d[2 * o + %d] = a%d;", output (k, s), s->part, i);
      else if (sg_op_is_place (s->op))
        sg_line (k, "p%d[o] = (double) (k%d + 1);", output (k, s), i);
      else
        sg_body_store (k, output (k, s), "o", s->cls, s->rt, x);
    }
}

/* Partial results have 16 bytes: values of all sinks, each PIECES x PRE x POST, then places.  */
static void
partial_results (sg_draft *k, const sg_map *m, const cut *c, bool load)
{
  int64_t n = m->pre * m->post * c->pieces * 8;
  for (int s = 0; s < m->nsink; s++)
    {
      const char *type = rtype_of (m, s);
      int v = sg_draft_pointer (k, (sg_arg) { SG_ARG_SCRATCH, -1, 2 * s * n }, type), q = -1;
      if (red_text[m->sink[s].op].better)
        q = sg_draft_pointer (k, (sg_arg) { SG_ARG_SCRATCH, -1, (2 * s + 1) * n }, "P");
      if (load)
        {
          sg_open (k);
          sg_line (k, "const %s b = p%d[at];", type, v);
          if (q >= 0)
            sg_line (k, "const P c = p%d[at];", q);
          join (k, m, s);
          sg_close (k);
          continue;
        }
      sg_line (k, "p%d[at] = a%d;", v, s);
      if (q >= 0)
        sg_line (k, "p%d[at] = k%d;", q, s);
    }
}

/* ---- kernels --------------------------------------------------------------------------- */

static int64_t
results_of (const sg_map *m)
{
  return m->pre * m->post;
}

static void
loop (sg_body *b, const char *first, const char *end, const char *step)
{
  sg_draft *k = b->k;

  sg_line (k, "#pragma unroll 4");
  sg_line (k, "for (P l = %s; l < %s; l += %s)", first, end, step);
  sg_open (k);
  sg_line (k, b->m->pre == 1 ? "const P i = p * len + l;" : "const P i = (p * len + l) * pre + r;");
  sg_body_load (b, "");
  sg_body_run (b, "");
  sg_close (k);
}

static void
declare_sizes (sg_body *b)
{
  sg_draft *k = b->k;

  sg_line (k, "const P len = (P) n%d;", sg_draft_int (k, b->m->len));
  if (b->m->pre > 1)
    sg_line (k, "const P pre = (P) n%d;", sg_draft_int (k, b->m->pre));
}

static sg_status
write_threads (sg_body *b)
{
  sg_draft *k = b->k;
  int n = sg_draft_int (k, results_of (b->m));

  declare_sizes (b);
  sg_body_begin (b);
  declare_accumulators (k, b->m);
  sg_line (k, "const P o = (P) blockIdx.x * %d + threadIdx.x;", SG_THREADS);
  sg_line (k, "if (o < (P) n%d)", n);
  sg_open (k);
  if (b->m->pre > 1)
    sg_line (k, "const P r = o %% pre, p = o / pre;");
  else
    sg_line (k, "const P p = o;");
  loop (b, "0", "len", "1");
  store_results (k, b->m, b->flags);
  sg_close (k);
  sg_body_end (b);
  return sg_draft_finish (k, sg_draft_div (results_of (b->m), SG_THREADS));
}

static sg_status
write_warps (sg_body *b)
{
  sg_draft *k = b->k;
  int n = sg_draft_int (k, b->m->post);

  declare_sizes (b);
  sg_body_begin (b);
  declare_accumulators (k, b->m);
  sg_line (k, "const P lane = threadIdx.x %% %d;", WARP);
  sg_line (k, "const P p = (P) blockIdx.x * %d + threadIdx.x / %d;", SG_THREADS / WARP, WARP);
  sg_line (k, "if (p < (P) n%d)", n);
  sg_open (k);
  loop (b, "lane", "len", "32");
  sg_close (k);
  join_warp (k, b->m);
  sg_line (k, "if (lane == 0 && p < (P) n%d)", n);
  sg_open (k);
  sg_line (k, "const P o = p;");
  store_results (k, b->m, b->flags);
  sg_close (k);
  sg_body_end (b);
  return sg_draft_finish (k, sg_draft_div (b->m->post, SG_THREADS / WARP));
}

static void
keep_element (sg_body *b, int sink, int reg)
{
  sg_line (b->k, "tile%d[threadIdx.x] = r%d;", sink, reg);
}

static void
take_tile (sg_draft *k, const sg_map *m)
{
  sg_line (k, "if (threadIdx.x == 0)");
  sg_line (k, "  for (P j = 0; j < %d && l0 + j < len; j++)", SG_THREADS);
  sg_open (k);
  for (int s = 0; s < m->nsink; s++)
    {
      char x[24];
      snprintf (x, sizeof x, "tile%d[j]", s);
      combine (k, m, s, red_text[m->sink[s].op].take, x, "");
    }
  sg_close (k);
}

static sg_status
write_ordered (sg_body *b)
{
  sg_draft *k = b->k;

  b->take = keep_element;
  declare_sizes (b);
  sg_body_begin (b);
  declare_accumulators (k, b->m);
  for (int s = 0; s < b->m->nsink; s++)
    sg_line (k, "__shared__ %s tile%d[%d];", rtype_of (b->m, s), s, SG_THREADS);
  sg_line (k, "const P p = blockIdx.x;");
  sg_line (k, "for (P l0 = 0; l0 < len; l0 += %d)", SG_THREADS);
  sg_open (k);
  sg_line (k, "const P l = l0 + threadIdx.x;");
  sg_line (k, "if (l < len)");
  sg_open (k);
  sg_line (k, "const P i = p * len + l;");
  sg_body_load (b, "");
  sg_body_run (b, "");
  sg_close (k);
  sg_line (k, "__syncthreads ();");
  take_tile (k, b->m);
  sg_line (k, "__syncthreads ();");
  sg_close (k);
  sg_line (k, "if (threadIdx.x == 0)");
  sg_open (k);
  sg_line (k, "const P o = p;");
  store_results (k, b->m, b->flags);
  sg_close (k);
  sg_body_end (b);
  return sg_draft_finish (k, b->m->post);
}

/* Which piece of which slice, and which rows of it, the block has.  */
static void
declare_place (sg_body *b, const cut *c)
{
  sg_draft *k = b->k;
  const char *p = "blockIdx.x";

  if (b->m->pre == 1)
    sg_line (k, "const P rows = 1, lanes = %d, lane = threadIdx.x;", SG_THREADS);
  else
    {
      if (c->rows == ROWS)
        sg_line (k, "const P rows = %d, lanes = %d;", ROWS, SG_THREADS / ROWS);
      else
        sg_line (k, "const P rows = pre, lanes = (P) %d / pre;", SG_THREADS);
      sg_line (k, "const P lane = threadIdx.x / rows;");
    }
  if (c->rows == ROWS)
    {
      sg_line (k, "const P groups = (pre + %d) / %d;", ROWS - 1, ROWS);
      sg_line (k, "const P r = blockIdx.x %% groups * %d + threadIdx.x %% %d;", ROWS, ROWS);
      sg_line (k, "const P g = blockIdx.x / groups;");
      p = "g";
    }
  else if (b->m->pre > 1)
    sg_line (k, "const P r = threadIdx.x %% pre;");
  if (c->pieces > 1)
    {
      int n = sg_draft_int (k, c->pieces), piece = sg_draft_int (k, c->piece);
      sg_line (k, "const P j = %s %% (P) n%d, p = %s / (P) n%d;", p, n, p, n);
      sg_line (k, "const P first = j * (P) n%d + lane, last = (j + 1) * (P) n%d;", piece, piece);
      sg_line (k, "const P end = last < len ? last : len;");
    }
  else
    sg_line (k, "const P p = %s, first = lane, end = len;", p);
}

static sg_status
write_blocks (sg_body *b, const cut *c)
{
  sg_draft *k = b->k;
  const char *rows = b->m->pre == 1 ? "" : c->rows == ROWS ? " && r < pre" : "";

  declare_sizes (b);
  sg_body_begin (b);
  declare_accumulators (k, b->m);
  declare_place (b, c);
  if (b->m->pre > 1)
    {
      sg_line (k, "if (lane < lanes%s)", rows);
      sg_open (k);
    }
  loop (b, "first", "end", "lanes");
  if (b->m->pre > 1)
    sg_close (k);
  join_block (k, b->m);
  sg_line (k, "if (lane == 0%s)", rows);
  sg_open (k);
  sg_line (k, b->m->pre == 1 ? "const P o = p;" : "const P o = p * pre + r;");
  if (c->pieces > 1)
    {
      int n = sg_draft_int (k, results_of (b->m));
      sg_line (k, "const P at = j * (P) n%d + o;", n);
      partial_results (k, b->m, c, false);
    }
  else
    store_results (k, b->m, b->flags);
  sg_close (k);
  sg_body_end (b);
  return sg_draft_finish (k, c->groups * c->pieces * b->m->post);
}

/* The second kernel: a warp for each result.  */
static sg_status
write_join (sg_draft *k, const sg_map *m, const cut *c)
{
  int n = sg_draft_int (k, results_of (m)), pieces = sg_draft_int (k, c->pieces), flags = -1;

  for (int s = 0; s < m->nsink; s++)
    if (m->sink[s].root)
      flags = sg_draft_pointer (k, (sg_arg) { SG_ARG_FLAGS, -1, 0 }, "int");
  declare_accumulators (k, m);
  sg_line (k, "const P lane = threadIdx.x %% %d;", WARP);
  sg_line (k, "const P o = (P) blockIdx.x * %d + threadIdx.x / %d;", SG_THREADS / WARP, WARP);
  sg_line (k, "if (o < (P) n%d)", n);
  sg_line (k, "  for (P j = lane; j < (P) n%d; j += %d)", pieces, WARP);
  sg_open (k);
  sg_line (k, "const P at = j * (P) n%d + o;", n);
  partial_results (k, m, c, true);
  sg_close (k);
  join_warp (k, m);
  sg_line (k, "if (lane == 0 && o < (P) n%d)", n);
  sg_open (k);
  store_results (k, m, flags);
  sg_close (k);
  return sg_draft_finish (k, sg_draft_div (results_of (m), SG_THREADS / WARP));
}

static bool
needs_math (const sg_map *m)
{
  for (int s = 0; s < m->nsink; s++)
    if (red_text[m->sink[s].op].better)
      return true;
  return false;
}

static sg_status
first_kernel (const sg_plan *p, const sg_map *m, sg_node *const *order, const cut *c,
              sg_rendered *out)
{
  sg_draft k;
  sg_body b;

  sg_draft_init (&k, p, order, out, m->numel);
  sg_status s = sg_body_init (&b, &k, m);
  b.take = take;
  if (needs_math (m))
    k.needs |= SG_NEEDS_MATH;
  if (s == SG_OK)
    s = c->how == THREAD ? write_threads (&b) : c->how == WARP_EACH ? write_warps (&b)
        : c->how == ORDERED ? write_ordered (&b) : write_blocks (&b, c);
  sg_body_clear (&b);
  sg_draft_clear (&k);
  return s;
}

static sg_status
second_kernel (const sg_plan *p, const sg_map *m, const cut *c, sg_rendered *out)
{
  sg_draft k;

  out->scratch = results_of (m) * c->pieces * 16 * m->nsink;
  sg_draft_init (&k, p, NULL, out, m->numel);
  if (needs_math (m))
    k.needs |= SG_NEEDS_MATH;
  sg_status s = write_join (&k, m, c);
  sg_draft_clear (&k);
  return s;
}

sg_status
sg_render_reduction (const sg_plan *p, const sg_map *m, sg_node *const *order,
                     sg_rendered *out)
{
  cut c;

  for (int s = 0; s < m->nsink; s++)
    if (! red_text[m->sink[s].op].init)
      return SG_DELEGATE;
  if (is_ordered (m) && m->pre > 1 && m->len > ORDERED_LINE && results_of (m) < ORDERED_LINES)
    return SG_DELEGATE;
  make_cut (&c, m);
  SG_TRY (first_kernel (p, m, order, &c, out));
  return c.pieces > 1 ? second_kernel (p, m, &c, out) : SG_OK;
}
