/* Sorting along one dimension, by merging: a kernel makes runs of RUN elements, others merge pairs
   of runs until each line is one, the last one puts the elements where they belong.  What moves
   are keys and positions, in the scratch memory of the step, line after line; the elements are
   taken from the operand, with the signs of zeros and the kinds of NaN that keys do not hold.  */

#include "body.h"

#define RUN 8                /* elements that a thread takes */

/* Where keys and positions are: two rooms, which merges use in turn.  */
typedef struct rooms
{
  int64_t keys[2], places[2], end;
} rooms;

static const char *
key_type (sg_class c)
{
  return sg_class_bytes (c) == 8 ? "unsigned long long" : "unsigned";
}

static void
make_rooms (rooms *r, const sg_draft *k, const sg_scan *s)
{
  int64_t n = s->pre * s->len * s->post;
  int64_t keys = sg_draft_div (n * (sg_class_bytes (s->cls) == 8 ? 8 : 4), 16) * 16;
  int64_t places = sg_draft_div (n * (k->wide ? 8 : 4), 16) * 16;
  *r = (rooms) { .keys = { 0, keys }, .places = { 2 * keys, 2 * keys + places },
                 .end = 2 * keys + 2 * places };
}

static int
scratch (sg_draft *k, int64_t at, const char *type)
{
  return sg_draft_pointer (k, (sg_arg) { SG_ARG_SCRATCH, -1, at }, type);
}

static int
operand (sg_draft *k, const sg_scan *s)
{
  char type[40];
  snprintf (type, sizeof type, "const %s", sg_class_ctype (s->cls));
  return sg_draft_slot (k, s->in, type);
}

/* One thread for each RUN elements of each line: those of line q from l on.  Threads side by side
   have lines that stand side by side.  */
static void
declare_place (sg_draft *k, const sg_scan *s)
{
  int64_t lines = s->pre * s->post, runs = sg_draft_div (s->len, RUN);
  int all = sg_draft_int (k, lines * runs), len = sg_draft_int (k, s->len);

  sg_line (k, "const P t = (P) blockIdx.x * %d + threadIdx.x, len = (P) n%d;", SG_THREADS, len);
  sg_line (k, "if (t >= (P) n%d)", all);
  sg_line (k, "  return;");
  if (s->pre == 1)
    {
      int n = sg_draft_int (k, runs);
      sg_line (k, "const P q = t / (P) n%d, l = t %% (P) n%d * %d;", n, n, RUN);
      sg_line (k, "const P pre = 1, start = q * len;");
      return;
    }
  int n = sg_draft_int (k, lines), pre = sg_draft_int (k, s->pre);
  sg_line (k, "const P q = t %% (P) n%d, l = t / (P) n%d * %d;", n, n, RUN);
  sg_line (k, "const P pre = (P) n%d, start = q / pre * len * pre + q %% pre;", pre);
}

/* The element or position of place L, which was at AT, to the result.  */
static void
put (sg_draft *k, const sg_scan *s, const char *l, const char *at)
{
  if (sg_op_is_place (s->op))
    sg_line (k, "p%d[start + (%s) * pre] = (double) (%s + 1);", sg_draft_slot (k, s->out, "double"),
             l, at);
  else
    sg_line (k, "p%d[start + (%s) * pre] = p%d[start + %s * pre];",
             sg_draft_slot (k, s->out, sg_class_ctype (s->cls)), l, operand (k, s), at);
}

static sg_status
finish (sg_draft *k, const sg_scan *s)
{
  int64_t threads = s->pre * s->post * sg_draft_div (s->len, RUN);
  k->needs |= SG_NEEDS_SORT;
  return sg_draft_finish (k, sg_draft_div (threads, SG_THREADS));
}

/* Behind the end of a line stand keys that nothing comes after.  A line of one run is done.  */
static sg_status
write_runs (sg_draft *k, const sg_scan *s, const rooms *r)
{
  const char *type = key_type (s->cls);

  declare_place (k, s);
  sg_line (k, "%s key[%d];", type, RUN);
  sg_line (k, "P at[%d];", RUN);
  sg_line (k, "#pragma unroll");
  sg_line (k, "for (int j = 0; j < %d; j++)", RUN);
  sg_open (k);
  sg_line (k, "at[j] = l + j;");
  sg_line (k, "key[j] = at[j] < len ? %ssg_key (p%d[start + at[j] * pre]) : ~(%s) 0;",
           s->descend ? "~" : "", operand (k, s), type);
  sg_close (k);
  sg_line (k, "sg_sort_run (key, at);");
  sg_line (k, "#pragma unroll");
  sg_line (k, "for (int j = 0; j < %d; j++)", RUN);
  sg_line (k, "  if (l + j < len)");
  sg_open (k);
  if (s->len <= RUN)
    put (k, s, "l + j", "at[j]");
  else
    {
      sg_line (k, "p%d[q * len + l + j] = key[j];", scratch (k, r->keys[0], type));
      sg_line (k, "p%d[q * len + l + j] = at[j];", scratch (k, r->places[0], "P"));
    }
  sg_close (k);
  return finish (k, s);
}

/* Runs of LENGTH in room FROM become runs of twice that in the other.  */
static sg_status
write_merge (sg_draft *k, const sg_scan *s, const rooms *r, int64_t length, int from)
{
  const char *type = key_type (s->cls);
  char source[40];

  declare_place (k, s);
  snprintf (source, sizeof source, "const %s", type);
  int keys = scratch (k, r->keys[from], source), places = scratch (k, r->places[from], "const P");
  int to_keys = scratch (k, r->keys[1 - from], type);
  int to_places = scratch (k, r->places[1 - from], "P");
  sg_line (k, "const P run = (P) n%d, a0 = l / (2 * run) * (2 * run);", sg_draft_int (k, length));
  sg_line (k, "const P na = len - a0 < run ? len - a0 : run;");
  sg_line (k, "const P nb = len - a0 - na < run ? len - a0 - na : run;");
  sg_line (k, "const %s *a = p%d + q * len + a0, *b = a + na;", type, keys);
  sg_line (k, "const P *c = p%d + q * len + a0, *d = c + na;", places);
  sg_line (k, "P i = sg_merged_of_first (a, na, b, nb, l - a0), j = l - a0 - i;");
  sg_line (k, "for (P o = l; o < l + %d && o < len; o++)", RUN);
  sg_open (k);
  sg_line (k, "const bool first = j >= nb || (i < na && a[i] <= b[j]);");
  sg_line (k, "p%d[q * len + o] = first ? a[i] : b[j];", to_keys);
  sg_line (k, "p%d[q * len + o] = first ? c[i] : d[j];", to_places);
  sg_line (k, "i += first, j += ! first;");
  sg_close (k);
  return finish (k, s);
}

static sg_status
write_results (sg_draft *k, const sg_scan *s, const rooms *r, int from)
{
  declare_place (k, s);
  int places = scratch (k, r->places[from], "const P");
  sg_line (k, "for (P o = l; o < l + %d && o < len; o++)", RUN);
  sg_open (k);
  sg_line (k, "const P at = p%d[q * len + o];", places);
  put (k, s, "o", "at");
  sg_close (k);
  return finish (k, s);
}

/* Kernels of a sort: runs, merges from LENGTH on, results.  */
typedef enum part { RUNS, MERGE, RESULTS } part;

static sg_status
add_kernel (const sg_plan *p, const sg_scan *s, sg_rendered *out, part what, int64_t length,
            int from)
{
  sg_draft k;
  rooms r;

  sg_draft_init (&k, p, NULL, out, s->pre * s->len * s->post);
  make_rooms (&r, &k, s);
  out->scratch = s->len > RUN ? r.end : 0;
  sg_status st = what == RUNS ? write_runs (&k, s, &r)
                 : what == MERGE ? write_merge (&k, s, &r, length, from)
                 : write_results (&k, s, &r, from);
  sg_draft_clear (&k);
  return st;
}

sg_status
sg_render_sort (const sg_plan *p, const sg_scan *s, sg_rendered *out)
{
  int room = 0;

  SG_TRY (add_kernel (p, s, out, RUNS, 0, 0));
  for (int64_t run = RUN; run < s->len; run *= 2, room = 1 - room)
    SG_TRY (add_kernel (p, s, out, MERGE, run, room));
  return s->len > RUN ? add_kernel (p, s, out, RESULTS, 0, room) : SG_OK;
}
