/* Sorting, scans for positions, and triangular parts, against their definitions.  */

#include "cpu_data.h"

typedef struct frame
{
  sg_plan plan;
  sg_slot slot[2];
  void *ptr[2];
  sg_run r;
} frame;

static void
frame_init (frame *f, int threads, void *in, void *out)
{
  memset (f, 0, sizeof *f);
  f->ptr[0] = in;
  f->ptr[1] = out;
  f->plan.slot = f->slot;
  f->r = (sg_run) { &f->plan, NULL, f->ptr, threads, -1 };
}

/* ---- sort ------------------------------------------------------------------------------- */

/* Floats: KIND 0 numbers, some NaN and zeros of both signs; 1 sorted; 2 the other way round;
   3 few values; 4 extremes.  */
static void *
line_data (sg_class c, int64_t n, int kind)
{
  void *p = data (c, n, kind == 0);
  for (int64_t i = 0; i < n; i++)
    {
      if (kind == 0 && sg_class_kind (c) == SG_KIND_FLOAT && rnd () % 4 == 0)
        set (c, p, i, rnd () % 2 ? 0.0 : -0.0);
      if (kind == 1 || kind == 2)
        set (c, p, i, (double) ((kind == 1 ? i : n - i) * 100 / n));
      if (kind == 3)
        set (c, p, i, rnd () % 2);
      if (kind == 4 && c == SG_F64)
        set (c, p, i, ldexp (rnd () % 2 ? -1 : 1, (int) (rnd () % 2200) - 1100));
      if (kind == 4 && c == SG_I32)
        set (c, p, i, (double) (int32_t) (rnd () * 2u));
    }
  return p;
}

/* True if B must not stand before A.  */
static bool
in_order (double a, double b, bool descend)
{
  if (a != a || b != b)
    return descend ? a != a : b != b;
  return descend ? a >= b : a <= b;
}

static void
test_sort (sg_class c, int64_t pre, int64_t len, int64_t post, int kind, bool descend, int threads)
{
  int64_t n = pre * len * post, bad = 0;
  size_t e = sg_class_bytes (c);
  void *x = line_data (c, n, kind), *y = alloc (n * (int64_t) e), *y1 = alloc (n * (int64_t) e);
  double *place = alloc (n * 8);
  char *seen = alloc (n);
  sg_scan s = { .op = SG_SORT, .cls = c, .in = 0, .out = 1, .pre = pre, .len = len, .post = post,
                .descend = descend };
  frame f;

  frame_init (&f, threads, x, y);
  check (sg_cpu_sort (&s, &f.r) == SG_OK, "sort");
  frame_init (&f, 1, x, y1);
  check (sg_cpu_sort (&s, &f.r) == SG_OK, "sort");
  s.op = SG_ISORT;
  frame_init (&f, threads, x, place);
  check (sg_cpu_sort (&s, &f.r) == SG_OK, "sort");
  memset (seen, 0, n);
  for (int64_t i = 0; i < n; i++)
    {
      int64_t first = i - i / pre % len * pre, k = (int64_t) place[i] - 1;
      if (k < 0 || k >= len || seen[first + k * pre])
        {
          bad++;
          continue;
        }
      seen[first + k * pre] = 1;
      /* the element itself, with its sign */
      bad += memcmp ((char *) x + (size_t) (first + k * pre) * e, (char *) y + (size_t) i * e, e) != 0;
      if (i == first)
        continue;
      double a = get (c, y, i - pre), b = get (c, y, i);
      bad += ! in_order (a, b, descend);
      bad += same (a, b) && place[i] <= place[i - pre];
    }
  check (bad == 0 && memcmp (y, y1, n * e) == 0,
         "sort of class %s, %lldx%lldx%lld, kind %d, descend %d, %d threads", sg_class_name (c),
         (long long) pre, (long long) len, (long long) post, kind, descend, threads);
  free (x), free (y), free (y1), free (place), free (seen);
}

static void
test_sorts (void)
{
  static const int64_t s[][3] = { { 1, 1, 1 }, { 1, 2, 1 }, { 1, 12, 2 }, { 1, 13, 2 }, { 3, 40, 2 },
                                  { 1, 1023, 1 }, { 1, 1024, 1 }, { 2, 3000, 1 }, { 50, 7, 9 },
                                  { 9, 1, 1 }, { 1, 200000, 1 }, { 2, 150000, 1 } };
  for (int c = 0; c < SG_NCLASS; c++)
    for (size_t k = 0; k < sizeof s / sizeof *s && c != SG_I64 && c != SG_U64; k++)
      for (int kind = 0; kind < 5; kind++)
        for (int d = 0; d < 2; d++)
          if (kind == 0 || s[k][1] < 4000 || c == SG_F64)
            test_sort (c, s[k][0], s[k][1], s[k][2], kind, d, 1 + 2 * (k % 2));
  test_sort (SG_F64, 1, 2500000, 1, 0, true, 1);
  test_sort (SG_F32, 1, 700001, 1, 0, false, 4);
}

static void
test_stop (void)
{
  int64_t n = 3000000;
  void *x = data (SG_F64, n, false), *y = alloc (n * 8);
  sg_scan s = { .op = SG_SORT, .cls = SG_F64, .in = 0, .out = 1, .pre = 1, .len = n, .post = 1 };
  frame f;
  frame_init (&f, 1, x, y);
  looks = 0;
  stop_at = 1;
  check (sg_cpu_sort (&s, &f.r) == SG_INTERRUPTED, "sort is not interrupted");
  stop_at = -1;
  free (x), free (y);
}

/* ---- positions of cumulative extremes ----------------------------------------------------- */

static void
test_places (sg_op op, sg_class c, int64_t pre, int64_t len, int64_t post, int threads)
{
  int64_t n = pre * len * post, bad = 0;
  void *x = data (c, n, true);
  double *o = alloc (n * 8);
  sg_scan s = { .op = op, .cls = c, .in = 0, .out = 1, .pre = pre, .len = len, .post = post };
  frame f;

  frame_init (&f, threads, x, o);
  check (sg_cpu_scan (&s, &f.r) == SG_OK, "positions");
  for (int64_t i = 0; i < n; i++)
    {
      int64_t k = i / pre % len, best = k > 0 ? (int64_t) o[i - pre] - 1 : 0;
      double t = get (c, x, i + (best - k) * pre), v = get (c, x, i);
      if (v == v && (t != t || (op == SG_ICUMMAX ? v > t : v < t)))
        best = k;
      bad += o[i] != (double) (best + 1);
    }
  check (bad == 0, "positions of class %s, %lldx%lldx%lld", sg_class_name (c), (long long) pre,
         (long long) len, (long long) post);
  free (x), free (o);
}

/* ---- triangular parts --------------------------------------------------------------------- */

static void
test_trilu (sg_op op, sg_class c, int64_t m, int64_t n, int64_t k)
{
  int64_t bad = 0;
  void *x = data (c, m * n, false), *o = alloc (m * n * 8);
  sg_move v = { .op = op, .esize = (int64_t) sg_class_bytes (c), .out = 1, .nin = 1,
                .in = (int[]) { 0 }, .dim = (int64_t[]) { m, n }, .k = k };
  frame f;

  frame_init (&f, 2, x, o);
  check (sg_cpu_move (&v, &f.r) == SG_OK, "part");
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        bool in = op == SG_TRIL ? j - i <= k : j - i >= k;
        bad += get (c, o, i + j * m) != (in ? get (c, x, i + j * m) : 0);
      }
  check (bad == 0, "%s of class %s, %lldx%lld, %lld", sg_op_info (op)->name, sg_class_name (c),
         (long long) m, (long long) n, (long long) k);
  free (x), free (o);
}

int
main (void)
{
  sg_set_host (&host);
  test_sorts ();
  test_stop ();
  static const int64_t s[][3] = { { 1, 1, 1 }, { 1, 9, 3 }, { 3, 40, 2 }, { 3000, 5, 2 },
                                  { 1, 200000, 1 } };
  for (size_t k = 0; k < sizeof s / sizeof *s; k++)
    for (int c = 0; c < SG_NCLASS; c++)
      for (int op = SG_ICUMMAX; op <= SG_ICUMMIN && c != SG_I64 && c != SG_U64; op++)
        test_places (op, c, s[k][0], s[k][1], s[k][2], 1 + (int) (k % 2));
  for (int c = 0; c < SG_NCLASS; c++)
    for (int op = SG_TRIL; op <= SG_TRIU; op++)
      for (int64_t k = -9; k <= 9; k += 3)
        {
          test_trilu (op, c, 1, 1, k);
          test_trilu (op, c, 7, 4, k);
          test_trilu (op, c, 3, 8, k);
          test_trilu (op, c, 600, 500, k * 50);
        }
  return finish ();
}
