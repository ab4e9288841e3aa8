/* Reductions in map steps of the CPU backend against plain loops.  */

#include "map_prog.h"

/* What the sinks give for the line of elements X[0], X[STEP], ... of class C.  */
static double
reduce (sg_op f, sg_class c, const void *x, int64_t at, int64_t step, int64_t n, double *size)
{
  bool one = f == SG_PROD || f == SG_ALL, zero = f == SG_SUM || f == SG_SUMSQ || f == SG_ANY;
  double v = one ? 1 : zero ? 0 : NAN;
  int64_t pos = 0;

  *size = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double e = get (c, x, at + i * step);
      bool up = f == SG_MAX || f == SG_IMAX;
      *size += f == SG_SUMSQ ? e * e : fabs (e);
      if (f == SG_SUM)
        v += e;
      else if (f == SG_PROD)
        v *= e;
      else if (f == SG_SUMSQ)
        v += e * e;
      else if (f == SG_ANY)
        v = v != 0 || (e != 0 && e == e);
      else if (f == SG_ALL)
        v = v != 0 && e != 0;
      else if (e == e && (v != v || (up ? e > v : e < v)))
        {
          v = e;
          pos = i;
        }
    }
  return f == SG_IMAX || f == SG_IMIN ? (double) (pos + 1) : v;
}

#define NFREE 8              /* reductions that take elements in any order */
typedef struct space
{
  int64_t pre, len, post;
  sg_class c;
  sg_rtype rt;
  const void *x;
} space;

/* What reduction OP gives, OUT, against the definition.  */
static void
check_reduction (const space *s, sg_op op, sg_class cls, void *const *out)
{
  int64_t bad = 0, m = s->pre * s->post, bytes = m * (int64_t) sg_class_bytes (cls);
  double eps = s->rt == SG_R64 ? 4e-16 : 3e-7;

  for (int64_t i = 0; i < m; i++)
    {
      double size, got = get (cls, out[0], i);
      double want = reduce (op, s->c, s->x, i / s->pre * s->pre * s->len + i % s->pre, s->pre,
                            s->len, &size);
      /* The definition takes products in order, too, but of doubles.  */
      double tol = op == SG_PROD ? (s->rt == SG_R64 ? 0 : fabs (want) * eps * (double) s->len)
                   : op == SG_SUM || op == SG_SUMSQ ? size * eps * sqrt ((double) s->len) : 0;
      if (op == SG_PROD && s->rt == SG_R32 && ! (fabs (want) < 1e37 && fabs (want) > 1e-30))
        continue;
      bad += ! is_near (got, want, tol);
    }
  check (bad == 0, "%s of class %s, %lldx%lldx%lld: %lld wrong", sg_op_info (op)->id,
         sg_class_name (s->c), (long long) s->pre, (long long) s->len, (long long) s->post,
         (long long) bad);
  check (! memcmp (out[0], out[1], bytes) && ! memcmp (out[0], out[2], bytes),
         "%s of class %s, %lldx%lldx%lld: threads differ", sg_op_info (op)->id,
         sg_class_name (s->c), (long long) s->pre, (long long) s->len, (long long) s->post);
}

/* A program that reads X; its register.  */
static int
program_of (prog *p, const space *s)
{
  prog_init (p, s->pre * s->len * s->post);
  p->m.pre = s->pre, p->m.len = s->len, p->m.post = s->post;
  int sx = slot (p, s->c, (void *) s->x);
  return s->c == rclass[s->rt] ? reg (p, SG_REG_MEM, s->rt, sx) : load (p, s->rt, sx, NULL);
}

/* All reductions that share a loop, beside a plain result; the product.  */
static void
test_reduce (int64_t pre, int64_t len, int64_t post, sg_class c, sg_rtype rt, bool nans)
{
  static const sg_op ops[NFREE + 1] = { SG_SUM, SG_SUMSQ, SG_MAX, SG_MIN, SG_ANY, SG_ALL, SG_IMAX,
                                        SG_IMIN, SG_PROD };
  const sg_class cls[NFREE + 1] = { rclass[rt], rclass[rt], c, c, SG_BOOL, SG_BOOL, SG_F64, SG_F64,
                                    rclass[rt] };
  int64_t n = pre * len * post, m = pre * post;
  space s = { pre, len, post, c, rt, data (c, n, nans) };
  void *out[NFREE + 1][3], *plain[3];

  for (int t = 0; t < 3; t++)
    {
      prog p;
      int rx = program_of (&p, &s);
      for (int k = 0; k < NFREE; k++)
        {
          out[k][t] = alloc (m * 8);
          sink (&p, ops[k], rx, slot (&p, cls[k], out[k][t]));
        }
      plain[t] = alloc (n * 8);
      store (&p, rx, slot (&p, c, plain[t]));
      check (run_map (&p, t + 1) == SG_OK, "reduce");
      rx = program_of (&p, &s);
      out[NFREE][t] = alloc (m * 8);
      sink (&p, SG_PROD, rx, slot (&p, cls[NFREE], out[NFREE][t]));
      check (run_map (&p, t + 1) == SG_OK, "product");
    }
  for (int k = 0; k <= NFREE; k++)
    {
      check_reduction (&s, ops[k], cls[k], out[k]);
      for (int t = 0; t < 3; t++)
        free (out[k][t]);
    }
  check (memcmp (s.x, plain[2], n * sg_class_bytes (c)) == 0, "store beside reductions");
  for (int t = 0; t < 3; t++)
    free (plain[t]);
  free ((void *) s.x);
}

static void
sums (int64_t pre, int64_t len, int64_t post, double *x, double *out)
{
  prog p;
  prog_init (&p, pre * len * post);
  p.m.pre = pre, p.m.len = len, p.m.post = post;
  sink (&p, SG_SUM, reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, x)), slot (&p, SG_F64, out));
  check (run_map (&p, 2) == SG_OK, "sum");
}

/* A column has the sum that it has alone; rows are summed in Octave's order.  */
static void
test_sum_order (int64_t len)
{
  int64_t cols = 5;
  double *x = data (SG_F64, len * cols, false), all[5], one;

  for (int64_t i = 0; i < len * cols; i++)
    x[i] *= 1.1;
  sums (1, len, cols, x, all);
  for (int64_t k = 0; k < cols; k++)
    {
      sums (1, len, 1, x + k * len, &one);
      check (one == all[k], "column of %lld: the sum depends on its neighbours", (long long) len);
    }
  free (x);
}

static void
test_row_order (int64_t pre, int64_t len, int64_t post)
{
  double *x = data (SG_F64, pre * len * post, false), *o = alloc (pre * post * 8);
  int64_t bad = 0;

  for (int64_t i = 0; i < pre * len * post; i++)
    x[i] *= 1.1;
  sums (pre, len, post, x, o);
  for (int64_t i = 0; i < pre * post; i++)
    {
      double size;
      bad += o[i] != reduce (SG_SUM, SG_F64, x, i / pre * pre * len + i % pre, pre, len, &size);
    }
  check (bad == 0, "rows of %lldx%lldx%lld are not summed in order", (long long) pre,
         (long long) len, (long long) post);
  free (x), free (o);
}

static void
test_reductions (void)
{
  static const int64_t s[][3] = {
    { 1, 1, 1 }, { 1, 9, 1 }, { 1, 1, 9 }, { 9, 1, 1 }, { 1, 3, 4 }, { 3, 4, 1 }, { 2, 3, 4 },
    { 1, 7, 1000 }, { 7, 1000, 1 }, { 1000, 7, 1 }, { 1, 1000, 7 }, { 1, 511, 3 }, { 1, 512, 3 },
    { 1, 513, 3 }, { 1, 32768, 2 }, { 1, 32769, 2 }, { 1, 100001, 1 }, { 2, 256, 5 },
    { 2, 257, 5 }, { 3, 100000, 1 }, { 100, 3000, 1 }, { 511, 500, 1 }, { 512, 500, 1 },
    { 513, 500, 1 }, { 2049, 130, 1 }, { 5000, 3, 2 }, { 600, 20, 20 }, { 70000, 2, 1 },
    { 1, 2, 20000 }, { 4, 2, 9000 }, { 20, 20, 200 } };

  for (size_t k = 0; k < sizeof s / sizeof *s; k++)
    {
      test_reduce (s[k][0], s[k][1], s[k][2], SG_F64, SG_R64, false);
      test_reduce (s[k][0], s[k][1], s[k][2], SG_F32, SG_R32, false);
      test_reduce (s[k][0], s[k][1], s[k][2], SG_F64, SG_R64, true);
      test_reduce (s[k][0], s[k][1], s[k][2], SG_I16, SG_R64, false);
      test_reduce (s[k][0], s[k][1], s[k][2], SG_BOOL, SG_R64, false);
    }
  for (int64_t len = 1; len < 100000; len = len * 3 + 1)
    test_sum_order (len);
  test_row_order (1000, 7, 1);
  test_row_order (1000, 300, 1);
  test_row_order (5, 60, 40);
  test_row_order (200, 60, 9);
  test_row_order (2, 3, 1000);
}

int
main (void)
{
  sg_set_host (&host);
  test_reductions ();
  return finish ();
}
