/* Scans, products and moves of the CPU backend against plain loops.  */

#include <sys/wait.h>
#include <unistd.h>

#include "map_prog.h"

/* A step with inputs IN and output OUT: slots 0 ... NIN - 1 and NIN.  */
typedef struct frame
{
  sg_plan plan;
  sg_slot slot[8];
  void *ptr[8];
  sg_run r;
} frame;

static void
frame_init (frame *f, int threads, int n, void *const *ptr)
{
  memset (f, 0, sizeof *f);
  memcpy (f->ptr, ptr, n * sizeof *ptr);
  f->plan.slot = f->slot;
  f->r = (sg_run) { &f->plan, NULL, f->ptr, threads, -1 };
}

/* ---- scans -------------------------------------------------------------------------------- */

static void
test_scan (sg_op op, sg_class c, int64_t pre, int64_t len, int64_t post, bool nans, int threads)
{
  int64_t n = pre * len * post, bad = 0;
  void *x = data (c, n, nans), *o = alloc (n * 8);
  sg_scan s = { op, c, 0, 1, pre, len, post, false, false };
  frame f;

  frame_init (&f, threads, 2, (void *[]) { x, o });
  check (sg_cpu_scan (&s, &f.r) == SG_OK, "scan");
  for (int64_t i = 0; i < n; i++)
    {
      double v = get (c, x, i), t = v;
      if (i / pre % len > 0)
        {
          t = get (c, o, i - pre);
          if (op == SG_CUMSUM)
            t = c == SG_F32 ? (float) t + (float) v : t + v;
          else if (op == SG_CUMPROD)
            t = c == SG_F32 ? (float) t * (float) v : t * v;
          else if (v == v && (t != t || (op == SG_CUMMAX ? v > t : v < t)))
            t = v;
        }
      bad += ! same (get (c, o, i), t);
    }
  check (bad == 0, "%s of class %s, %lldx%lldx%lld, %d threads", sg_op_info (op)->name,
         sg_class_name (c), (long long) pre, (long long) len, (long long) post, threads);
  /* In place.  */
  frame_init (&f, threads, 2, (void *[]) { x, x });
  check (sg_cpu_scan (&s, &f.r) == SG_OK && memcmp (x, o, n * sg_class_bytes (c)) == 0,
         "scan in place");
  free (x), free (o);
}

static void
test_scans (void)
{
  static const int64_t s[][3] = { { 1, 1, 1 }, { 1, 9, 1 }, { 9, 1, 1 }, { 3, 4, 1 }, { 1, 3, 4 },
                                  { 2, 3, 4 }, { 1, 1000, 7 }, { 1000, 7, 1 }, { 7, 1000, 1 },
                                  { 3000, 50, 2 }, { 1, 200000, 1 }, { 1, 3, 60000 } };
  for (size_t k = 0; k < sizeof s / sizeof *s; k++)
    for (int t = 1; t <= 3; t += 2)
      for (int c = 0; c < SG_NCLASS; c++)
        {
          bool fl = sg_class_kind (c) == SG_KIND_FLOAT;
          if (c == SG_I64 || c == SG_U64 || c == SG_BOOL)
            continue;
          for (int op = SG_CUMSUM; op <= SG_CUMMIN; op++)
            if (fl || op == SG_CUMMAX || op == SG_CUMMIN)
              test_scan (op, c, s[k][0], s[k][1], s[k][2], fl && op >= SG_CUMMAX, t);
        }
}

/* ---- products ------------------------------------------------------------------------------- */

static void
test_gemm (sg_class c, int64_t m, int64_t k, int64_t n, int ta, int tb, bool same_data)
{
  void *a = data (c, m * k, false), *b = same_data ? a : data (c, k * n, false);
  void *o = alloc (m * n * 8);
  sg_gemm g = { c, 0, same_data ? 0 : 1, 2, ta, tb, m, k, n, false };
  frame f;
  int64_t bad = 0;

  memset (o, 0x7f, m * n * sg_class_bytes (c));
  frame_init (&f, 2, 3, (void *[]) { a, b, o });
  check (sg_cpu_gemm (&g, &f.r) == SG_OK, "product");
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        double s = 0, size = 0;
        for (int64_t l = 0; l < k; l++)
          {
            double p = get (c, a, ta ? l + i * k : i + l * m)
                       * get (c, b, tb ? j + l * n : l + j * k);
            s += p;
            size += fabs (p);
          }
        bad += ! is_near (get (c, o, i + j * m), s, size * (c == SG_F64 ? 1e-14 : 1e-5));
      }
  check (bad == 0, "product of class %s, %lldx%lldx%lld, flags %d %d, same %d", sg_class_name (c),
         (long long) m, (long long) k, (long long) n, ta, tb, same_data);
  free (a), free (o);
  if (! same_data)
    free (b);
}

/* Element I of a matrix of complex numbers, conjugated by flag 2.  */
static double _Complex
get_cplx (sg_class c, const void *p, int64_t i, int flag)
{
  double _Complex z = __builtin_complex (get (c, p, 2 * i), get (c, p, 2 * i + 1));
  return flag == 2 ? ~z : z;
}

static void
test_complex_gemm (sg_class c, int64_t m, int64_t k, int64_t n, int ta, int tb, bool same_data)
{
  void *a = data (c, 2 * m * k, false), *b = same_data ? a : data (c, 2 * k * n, false);
  void *o = alloc (m * n * 16);
  sg_gemm g = { c, 0, same_data ? 0 : 1, 2, ta, tb, m, k, n, true };
  frame f;
  int64_t bad = 0;

  memset (o, 0x7f, 2 * m * n * sg_class_bytes (c));
  frame_init (&f, 2, 3, (void *[]) { a, b, o });
  check (sg_cpu_gemm (&g, &f.r) == SG_OK, "complex product");
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        double _Complex s = 0;
        double size = 0;
        for (int64_t l = 0; l < k; l++)
          {
            double _Complex p = get_cplx (c, a, ta ? l + i * k : i + l * m, ta)
                                * get_cplx (c, b, tb ? j + l * n : l + j * k, tb);
            s += p;
            size += fabs (__real__ p) + fabs (__imag__ p);
          }
        double _Complex r = get_cplx (c, o, i + j * m, 0);
        double tol = size * (c == SG_F64 ? 1e-14 : 1e-5);
        bad += ! is_near (__real__ r, __real__ s, tol) || ! is_near (__imag__ r, __imag__ s, tol);
      }
  check (bad == 0, "complex product of class %s, %lldx%lldx%lld, flags %d %d, same %d",
         sg_class_name (c), (long long) m, (long long) k, (long long) n, ta, tb, same_data);
  free (a);
  if (! same_data)
    free (b);
  free (o);
}

static void
test_gemms (void)
{
  static const int64_t s[][3] = { { 1, 1, 1 }, { 3, 4, 5 }, { 1, 7, 1 }, { 7, 1, 7 }, { 1, 7, 5 },
                                  { 5, 7, 1 }, { 64, 65, 63 }, { 1, 1, 5 }, { 5, 1, 1 },
                                  { 3, 0, 4 }, { 0, 3, 4 }, { 1, 0, 1 } };
  for (int c = SG_F64; c <= SG_F32; c++)
    for (size_t k = 0; k < sizeof s / sizeof *s; k++)
      for (int ta = 0; ta < 3; ta++)
        for (int tb = 0; tb < 3; tb++)
          {
            test_gemm (c, s[k][0], s[k][1], s[k][2], ta, tb, false);
            test_complex_gemm (c, s[k][0], s[k][1], s[k][2], ta, tb, false);
          }
  for (int c = SG_F64; c <= SG_F32; c++)
    for (int64_t k = 1; k < 100; k = 2 * k + 1)
      {
        test_gemm (c, 1, k, 1, 1, 0, true);
        test_gemm (c, 9, k, 9, 1, 0, true);
        test_complex_gemm (c, 9, k, 9, 1, 0, true);
        test_complex_gemm (c, 9, k, 9, 2, 0, true);
        test_complex_gemm (c, 9, k, 9, 0, 2, true);
        test_gemm (c, 9, k, 9, 0, 2, true);
        test_gemm (c, k, k, k, 0, 0, true);
        test_gemm (c, k, k, k, 1, 1, true);
      }

  frame f;
  double x = 0;
  sg_gemm g = { SG_F64, 0, 0, 0, 0, 0, INT64_C (3000000000), 1, 1, false };
  frame_init (&f, 1, 1, (void *[]) { &x });
  check (sg_cpu_gemm (&g, &f.r) == SG_DELEGATE && f.r.failed_node == 0, "too large for the BLAS");
}

/* ---- moves ---------------------------------------------------------------------------------- */

static uint8_t *
bytes_of (int64_t n)
{
  uint8_t *p = alloc (n);
  for (int64_t i = 0; i < n; i++)
    p[i] = rnd ();
  return p;
}

/* Run V on IN; output element I must be element FROM[I] of the input.  */
static void
check_move (sg_move *v, sg_node *const *order, uint8_t *in, int64_t nout, const int64_t *from,
            const char *what)
{
  int64_t e = v->esize;
  uint8_t *out = alloc (nout * e + 16);

  for (int t = 1; t <= 3; t++)
    {
      frame f;
      int64_t bad = 0;
      frame_init (&f, t, 2, (void *[]) { in, out });
      f.r.order = order;
      memset (out, 0xaa, nout * e + 16);
      check (sg_cpu_move (v, &f.r) == SG_OK, "%s", what);
      for (int64_t i = 0; i < nout; i++)
        bad += memcmp (out + i * e, in + from[i] * e, e) != 0;
      for (int64_t i = nout * e; i < nout * e + 16; i++)
        bad += out[i] != 0xaa;
      check (bad == 0, "%s: %lld elements of %lld bytes, %d threads: %lld wrong", what,
             (long long) nout, (long long) e, t, (long long) bad);
    }
  free (out);
}

static const int64_t esizes[] = { 1, 2, 4, 8, 16 };
static int slot_in[] = { 0 };

static void
test_permute (int nd, int64_t *dim, int64_t *perm)
{
  int64_t n = 1, stride[8], at[8] = { 0 };
  for (int d = 0; d < nd; d++)
    {
      stride[d] = n;
      n *= dim[d];
    }
  int64_t *from = alloc (n * 8);
  for (int64_t i = 0; i < n; i++)
    {
      from[i] = 0;
      for (int d = 0; d < nd; d++)
        from[i] += at[d] * stride[perm[d]];
      for (int d = 0; d < nd; d++)
        {
          if (++at[d] < dim[perm[d]])
            break;
          at[d] = 0;
        }
    }
  for (int k = 0; k < 5; k++)
    {
      uint8_t *in = bytes_of (n * esizes[k]);
      sg_move v = { .op = SG_PERMUTE, .esize = esizes[k], .out = 1, .nin = 1, .in = slot_in,
                    .nd = nd, .dim = dim, .perm = perm };
      check_move (&v, NULL, in, n, from, "permute");
      free (in);
    }
  free (from);
}

static void
test_repmat (int nd, int64_t *dim, int64_t *reps)
{
  int64_t n = 1, m = 1;
  for (int d = 0; d < nd; d++)
    {
      n *= dim[d] * reps[d];
      m *= dim[d];
    }
  int64_t *from = alloc (n * 8);
  for (int64_t i = 0; i < n; i++)
    {
      int64_t k = i, s = 1;
      from[i] = 0;
      for (int d = 0; d < nd; d++)
        {
          from[i] += k % (dim[d] * reps[d]) % dim[d] * s;
          k /= dim[d] * reps[d];
          s *= dim[d];
        }
    }
  for (int k = 0; k < 5; k++)
    {
      uint8_t *in = bytes_of (m * esizes[k]);
      sg_move v = { .op = SG_REPMAT, .esize = esizes[k], .out = 1, .nin = 1, .in = slot_in,
                    .nd = nd, .dim = dim, .reps = reps };
      check_move (&v, NULL, in, n, from, "repmat");
      free (in);
    }
  free (from);
}

/* A loop reads the N elements FROM of IN that the subscripts of node 0 name.  */
static void
check_view (sg_class c, sg_node **order, void *in, int64_t n, const int64_t *from)
{
  void *out = alloc (n * (int64_t) sg_class_bytes (c));
  prog p;

  prog_init (&p, n);
  int r = load (&p, SG_R64, slot (&p, c, in), NULL);
  p.ins[0].view = 0;
  p.m.nview = 1;
  p.m.nviewdim = order[0]->npar;
  store (&p, r, slot (&p, c, out));
  for (int threads = 1; threads <= 2; threads++)
    {
      sg_run run = make_run (&p, threads);
      run.order = order;
      check (sg_cpu_map (&p.m, &run) == SG_OK, "view");
      int64_t bad = 0;
      for (int64_t i = 0; i < n; i++)
        bad += ! same (get (c, out, i), get (c, in, from[i]));
      check (bad == 0, "view of %lld elements, class %d, %d threads", (long long) n, c, threads);
    }
  free (out);
}

/* Subscripts X of an input of dimensions DIM.  */
static void
test_index (int nd, int64_t *dim, sg_index *x)
{
  int64_t n = 1, m = 1;
  for (int d = 0; d < nd; d++)
    {
      n *= x[d].n;
      m *= dim[d];
    }
  int64_t *from = alloc (n * 8);
  for (int64_t i = 0; i < n; i++)
    {
      int64_t k = i, s = 1;
      from[i] = 0;
      for (int d = 0; d < nd; d++)
        {
          int64_t j = k % x[d].n;
          from[i] += s * (x[d].kind == SG_IDX_VECTOR ? x[d].vec[j]
                          : x[d].kind == SG_IDX_RANGE ? x[d].start + j * x[d].step : j);
          k /= x[d].n;
          s *= dim[d];
        }
    }
  for (int k = 0; k < 5; k++)
    {
      uint8_t *in = bytes_of (m * esizes[k]);
      sg_node a = { .nd = nd, .dim = dim }, *operand = &a;
      sg_node node = { .idx = x, .npar = nd, .in = &operand };
      sg_node *order[] = { &node };
      sg_move v = { .op = SG_INDEX, .esize = esizes[k], .out = 1, .nin = 1, .in = slot_in,
                    .nd = nd, .dim = dim, .inode = 0 };
      check_move (&v, order, in, n, from, "index");
      if (n > 0 && (esizes[k] == 1 || esizes[k] == 8))
        check_view (esizes[k] == 1 ? SG_U8 : SG_F64, order, in, n, from);
      free (in);
    }
  free (from);
}

#define KINDS 6

/* Every kind of subscript in every place.  */
static void
test_indexes (int nd, int64_t *dim)
{
  int kinds = 1;
  for (int d = 0; d < nd; d++)
    kinds *= KINDS;
  for (int k = 0; k < kinds; k++)
    {
      sg_index x[4];
      int q = k;
      for (int d = 0; d < nd; d++, q /= KINDS)
        {
          int64_t n = dim[d], half = (n + 1) / 2;
          int64_t *vec = alloc ((n + 2) * 8);
          for (int64_t i = 0; i < n + 2; i++)
            vec[i] = rnd () % n;
          switch (q % KINDS)
            {
            case 0: x[d] = sg_index_colon (n); break;
            case 1: x[d] = sg_index_range (n - half, 1, half); break;
            case 2: x[d] = sg_index_range (n - 1, -2, half); break;
            case 4:
              for (int64_t i = 0; i < n; i++)
                vec[i] = (i + n / 3) % n;
              x[d] = sg_index_vector (n, vec);
              break;
            case 3: x[d] = sg_index_range (0, 1, 0); break;
            default: x[d] = sg_index_vector (n + 2, vec); break;
            }
          if (x[d].kind != SG_IDX_VECTOR)
            free (vec);
        }
      test_index (nd, dim, x);
      for (int d = 0; d < nd; d++)
        if (x[d].kind == SG_IDX_VECTOR)
          free (x[d].vec);
    }
}

/* Three inputs beside each other; the one in the middle may be empty.  */
static void
test_cat (int64_t pre, const int64_t *len, int64_t post, int64_t e)
{
  int64_t all = len[0] + len[1] + len[2], bad = 0;
  int64_t lens[3] = { len[0], len[1], len[2] };
  int in[3] = { 0, 1, 2 };
  uint8_t *p[3], *out = alloc (pre * all * post * e);

  for (int k = 0; k < 3; k++)
    p[k] = bytes_of (pre * len[k] * post * e);
  for (int t = 1; t <= 3; t += 2)
    {
      frame f;
      sg_move v = { .op = SG_CAT, .esize = e, .out = 3, .nin = 3, .in = in, .pre = pre,
                    .len = lens, .post = post };
      frame_init (&f, t, 4, (void *[]) { p[0], p[1], p[2], out });
      memset (out, 0xaa, pre * all * post * e);
      check (sg_cpu_move (&v, &f.r) == SG_OK, "cat");
      for (int64_t s = 0; s < post; s++)
        for (int64_t at = 0, k = 0; k < 3; at += len[k++])
          bad += memcmp (out + (s * all + at) * pre * e, p[k] + s * len[k] * pre * e,
                         len[k] * pre * e) != 0;
      check (bad == 0, "cat: %lldx%lldx%lld of %lld bytes, %d threads", (long long) pre,
             (long long) all, (long long) post, (long long) e, t);
    }
  free (p[0]), free (p[1]), free (p[2]), free (out);
}

#define D(...) ((int64_t []) { __VA_ARGS__ })

static void
test_moves (void)
{
  static int64_t perm4[24][4];
  int np = 0;
  for (int a = 0; a < 256; a++)
    {
      int64_t p[4] = { a & 3, a >> 2 & 3, a >> 4 & 3, a >> 6 };
      if ((1 << p[0] | 1 << p[1] | 1 << p[2] | 1 << p[3]) == 15)
        memcpy (perm4[np++], p, sizeof p);
    }
  for (int k = 0; k < 24; k++)
    {
      test_permute (4, D (3, 4, 2, 5), perm4[k]);
      test_permute (4, D (1, 70, 1, 33), perm4[k]);
      test_permute (4, D (130, 3, 40, 1), perm4[k]);
      test_permute (4, D (2, 0, 3, 1), perm4[k]);
    }
  test_permute (2, D (1, 1), D (1, 0));
  test_permute (2, D (700, 900), D (1, 0));
  test_permute (2, D (3, 100000), D (1, 0));
  test_permute (2, D (100000, 2), D (1, 0));
  test_permute (3, D (2, 300, 400), D (0, 2, 1));
  test_permute (3, D (3, 4, 20000), D (1, 0, 2));
  test_permute (2, D (500, 300), D (0, 1));

  test_repmat (2, D (1, 1), D (7, 5));
  test_repmat (2, D (1, 1), D (700, 500));
  test_repmat (2, D (1, 9), D (7, 1));
  test_repmat (2, D (9, 1), D (1, 7));
  test_repmat (2, D (3, 4), D (2, 3));
  test_repmat (2, D (3, 4), D (0, 3));
  test_repmat (2, D (0, 4), D (2, 3));
  test_repmat (4, D (2, 3, 1, 4), D (2, 1, 3, 2));
  test_repmat (2, D (1000, 70), D (3, 5));
  test_repmat (2, D (3, 1), D (100000, 1));

  for (int k = 0; k < 5; k++)
    {
      test_cat (1, D (2, 3, 4), 1, esizes[k]);
      test_cat (1, D (1, 1, 1), 1000, esizes[k]);
      test_cat (3, D (2, 0, 4), 5, esizes[k]);
      test_cat (1, D (2, 3, 4), 90000, esizes[k]);
      test_cat (1000, D (200, 300, 40), 1, esizes[k]);
      test_cat (1000, D (2, 3, 4), 100, esizes[k]);
    }

  test_indexes (1, D (1));
  test_indexes (1, D (9));
  test_indexes (1, D (300000));
  test_indexes (2, D (3, 4));
  test_indexes (2, D (700, 300));
  test_indexes (3, D (2, 3, 4));
  test_indexes (4, D (3, 2, 1, 4));
}

/* ---- interrupts, forks ---------------------------------------------------------------------- */

static void
test_stop (void)
{
  int64_t n = 1000, all = n * n;
  double *x = data (SG_F64, all, false), *o = alloc (all * 8);
  frame f;
  sg_scan line = { SG_CUMSUM, SG_F64, 0, 1, 1, all, 1, false, false };
  sg_scan rows = { SG_CUMSUM, SG_F64, 0, 1, 1, n, n, false, false };
  sg_move v = { .op = SG_PERMUTE, .esize = 8, .out = 1, .nin = 1, .in = slot_in,
                .nd = 2, .dim = D (n, n), .perm = D (1, 0) };

  for (int t = 1; t <= 2; t++)
    {
      frame_init (&f, t, 2, (void *[]) { x, o });
      stop_at = 0, looks = 0;
      check (sg_cpu_scan (&line, &f.r) == SG_INTERRUPTED, "scan of a line: no interrupt");
      looks = 0;
      check (sg_cpu_scan (&rows, &f.r) == SG_INTERRUPTED, "scan of lines: no interrupt");
      looks = 0;
      check (sg_cpu_move (&v, &f.r) == SG_INTERRUPTED, "move: no interrupt");
      stop_at = -1;
      check (sg_cpu_move (&v, &f.r) == SG_OK, "move after an interrupt");
    }
  free (x), free (o);
}

/* A forked child has no team of threads and must not wait for it.  */
static void
test_fork (void)
{
  int64_t n = 1000;
  double *x = data (SG_F64, n * n, false), *o = alloc (n * n * 8);
  sg_scan s = { SG_CUMSUM, SG_F64, 0, 1, 1, n, n, false, false };
  frame f;
  int status = -1;

  frame_init (&f, 2, 2, (void *[]) { x, o });
  check (sg_cpu_scan (&s, &f.r) == SG_OK, "scan before a fork");
  pid_t child = fork ();
  if (child == 0)
    {
      alarm (20);
      _exit (sg_cpu_scan (&s, &f.r) == SG_OK ? 0 : 1);
    }
  waitpid (child, &status, 0);
  check (status == 0, "work in a forked child");
  check (sg_cpu_scan (&s, &f.r) == SG_OK, "scan after a fork");
  free (x), free (o);
}

int
main (void)
{
  sg_set_host (&host);
  check (sg_cpu_threads () >= 1, "number of threads");
  sg_cfg.threads = 3;
  check (sg_cpu_threads () == 3, "number of threads is set");
  sg_cfg.threads = 0;

  test_scans ();
  test_gemms ();
  test_moves ();
  test_stop ();
  test_fork ();
  return finish ();
}
