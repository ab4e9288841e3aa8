/* Map steps of the CPU backend against plain loops; how they stop.  */

#include "map_prog.h"

/* ---- maps ----------------------------------------------------------------------------------- */

/* C = A * B + s in memory, and the same by loads and a store.  */
static void
test_in_place (int64_t n, sg_rtype rt, int threads)
{
  sg_class c = rclass[rt];
  int64_t bytes = n * (int64_t) sg_class_bytes (c);
  void *a = data (c, n, true), *b = data (c, n, false), *s = data (c, 1, false);
  void *o = alloc (bytes), *q = alloc (bytes);
  prog p;

  prog_init (&p, n);
  int sa = slot (&p, c, a), sb = slot (&p, c, b), ss = slot (&p, c, s), so = slot (&p, c, o);
  int ra = reg (&p, SG_REG_MEM, rt, sa), rb = reg (&p, SG_REG_MEM, rt, sb);
  int rs = reg (&p, SG_REG_SCALAR, rt, ss), ro = reg (&p, SG_REG_MEM, rt, so);
  int t = op (&p, SG_TIMES, rt, ra, rb);
  ins (&p, SG_INS_OP, SG_PLUS, ro, t, rs);
  store (&p, op (&p, SG_PLUS, rt, op (&p, SG_TIMES, rt, load (&p, rt, sa, NULL), rb), rs),
         slot (&p, c, q));
  check (run_map (&p, threads) == SG_OK, "map");

  int64_t bad = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double w = rt == SG_R64
                 ? ((double *) a)[i] * ((double *) b)[i] + *(double *) s
                 : (float) (((float *) a)[i] * ((float *) b)[i]) + *(float *) s;
      bad += ! same (get (c, o, i), w) || ! same (get (c, q, i), w);
    }
  check (bad == 0, "a*b+s, %lld elements, rtype %d, %d threads", (long long) n, rt, threads);
  free (a), free (b), free (s), free (o), free (q);
}

static double
operate (sg_op f, double a, double b)
{
  return f == SG_PLUS ? a + b : f == SG_MINUS ? a - b : a * b;
}

/* (A f B) g C and C g (A f B), C of memory or of a load that stands between; both once more where
   the value between is needed twice.  */
static void
test_pair (int64_t n, sg_op f, sg_op g, bool right, bool loaded)
{
  double *a = data (SG_F64, n, true), *b = data (SG_F64, n, true);
  void *c = data (loaded ? SG_F32 : SG_F64, n, true);
  double *o = alloc (n * 8), *q = alloc (n * 8);
  prog p;

  prog_init (&p, n);
  int ra = reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, a));
  int rb = reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, b));
  int sc = slot (&p, loaded ? SG_F32 : SG_F64, c);
  int t = op (&p, f, SG_R64, ra, rb);
  int rc = loaded ? load (&p, SG_R64, sc, NULL) : reg (&p, SG_REG_MEM, SG_R64, sc);
  store (&p, right ? op (&p, g, SG_R64, rc, t) : op (&p, g, SG_R64, t, rc), slot (&p, SG_F64, o));
  int u = op (&p, f, SG_R64, ra, rb);
  int v = right ? op (&p, g, SG_R64, rc, u) : op (&p, g, SG_R64, u, rc);
  store (&p, op (&p, SG_PLUS, SG_R64, v, u), slot (&p, SG_F64, q));
  check (run_map (&p, 1) == SG_OK, "pair");

  int64_t bad = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double x = operate (f, a[i], b[i]), y = get (loaded ? SG_F32 : SG_F64, c, i);
      double w = right ? operate (g, y, x) : operate (g, x, y);
      bad += ! same (o[i], w) || ! same (q[i], w + x);
    }
  check (bad == 0, "%lld of %lld elements, operations %d and %d", (long long) bad, (long long) n, f, g);
  free (a), free (b), free (c), free (o), free (q);
}

static void
test_pairs (void)
{
  static const sg_op ops[3] = { SG_PLUS, SG_MINUS, SG_TIMES };
  static const int64_t sizes[3] = { 1, 100, 3000 };

  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 36; k++)
      test_pair (sizes[s], ops[k % 3], ops[k / 3 % 3], k / 9 % 2, k / 18);
}

/* O = A > 0 ? B : S, whichever of them are scalars; the result where B was as well.  */
static void
test_select (int64_t n, sg_rtype rt, int threads)
{
  sg_class c = rclass[rt];
  void *a = data (c, n, true), *b = data (c, n, true), *s = data (c, 1, false);
  void *o = alloc (n * (int64_t) sg_class_bytes (c)), *q = alloc (n * (int64_t) sg_class_bytes (c));
  double none = 0;
  prog p;

  prog_init (&p, n);
  int ra = reg (&p, SG_REG_MEM, rt, slot (&p, c, a)), rb = reg (&p, SG_REG_MEM, rt, slot (&p, c, b));
  int rs = reg (&p, SG_REG_SCALAR, rt, slot (&p, c, s));
  int rz = reg (&p, SG_REG_SCALAR, rt, slot (&p, SG_F64, &none));
  int m = op (&p, SG_GT, rt, ra, rz), t = reg (&p, SG_REG_SCRATCH, rt, -1);
  int ro = reg (&p, SG_REG_MEM, rt, slot (&p, c, o));
  ins (&p, SG_INS_OP3, SG_SELECT, ro, m, rb)->c = rs;
  ins (&p, SG_INS_OP3, SG_SELECT, t, rs, m)->c = rb;
  store (&p, t, slot (&p, c, q));
  check (run_map (&p, threads) == SG_OK, "select");

  int64_t bad = 0;
  for (int64_t i = 0; i < n; i++)
    {
      bool on = get (c, a, i) > 0;
      bad += ! same (get (c, o, i), on ? get (c, b, i) : get (c, s, 0));
      bad += ! same (get (c, q, i), get (c, s, 0) != 0 ? on : get (c, b, i));
    }
  check (bad == 0, "select, %lld elements, rtype %d, %d threads", (long long) n, rt, threads);
  free (a), free (b), free (s), free (o), free (q);
}

/* Round and saturate in every integer class; comparison to logical; conversion of rtypes.  */
static void
test_class (sg_class c, int64_t n, int threads)
{
  void *a = data (c, n, false);
  uint8_t *lt = alloc (n);
  float *f = alloc (n * 4);
  void *o = alloc (n * 8);
  double three = 3;
  prog p;

  prog_init (&p, n);
  int sa = slot (&p, c, a), so = slot (&p, c, o);
  int r3 = reg (&p, SG_REG_SCALAR, SG_R64, slot (&p, SG_F64, &three));
  int x = load (&p, SG_R64, sa, NULL);
  int y = op (&p, SG_TIMES, SG_R64, x, r3);
  if (sg_class_is_integer (c))
    {
      int z = reg (&p, SG_REG_SCRATCH, SG_R64, -1);
      ins (&p, SG_INS_SAT, SG_LEAF, z, y, -1)->cls = c;
      y = z;
    }
  if (c != SG_BOOL)
    store (&p, y, so);
  store (&p, op (&p, SG_LT, SG_R64, x, r3), slot (&p, SG_BOOL, lt));
  int g = reg (&p, SG_REG_SCRATCH, SG_R32, -1);
  ins (&p, SG_INS_CVT, SG_LEAF, g, x, -1);
  store (&p, g, slot (&p, SG_F32, f));
  check (run_map (&p, threads) == SG_OK, "classes");

  double top = c == SG_I8 ? 127 : c == SG_U8 ? 255 : INFINITY;
  int64_t bad = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double v = get (c, a, i), w = fmin (v * 3, top);
      if (c == SG_F32)
        w = (float) w;
      bad += (c != SG_BOOL && get (c, o, i) != w) || lt[i] != (v < 3) || f[i] != (float) v;
    }
  check (bad == 0, "class %s, %lld elements", sg_class_name (c), (long long) n);
  free (a), free (lt), free (f), free (o);
}

/* Operand of dimensions DIM, with 1 where BITS says so (bit set: broadcast there).  */
static void
test_broadcast (sg_class c, int nd, const int64_t *dim, int bits, int step, int threads)
{
  int64_t n = 1, m = step, stride[4], d4[4];
  prog p;

  for (int d = 0; d < nd; d++)
    {
      d4[d] = dim[d];
      n *= dim[d];
      stride[d] = bits >> d & 1 ? 0 : m;
      m *= bits >> d & 1 ? 1 : dim[d];
    }
  void *a = data (c, m, false);
  double *b = data (SG_F64, n, false), *o = alloc (n * 8);
  prog_init (&p, n);
  p.m.nd = nd;
  p.m.dim = d4;
  int rb = reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, b));
  int x = load (&p, SG_R64, slot (&p, c, a), stride);
  ins (&p, SG_INS_OP, SG_PLUS, reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, o)), x, rb);
  check (run_map (&p, threads) == SG_OK, "broadcast");

  int64_t bad = 0;
  for (int64_t i = 0; i < n; i++)
    {
      int64_t at = 0, k = i;
      for (int d = 0; d < nd; d++)
        {
          at += k % dim[d] * stride[d];
          k /= dim[d];
        }
      bad += o[i] != get (c, a, at) + b[i];
    }
  check (bad == 0, "broadcast of class %s, %lldx%lld..., pattern %d", sg_class_name (c),
         (long long) dim[0], (long long) dim[1], bits);
  free (a), free (b), free (o);
}

/* The first hit in the order of the elements counts, then that of the program.  */
static void
test_guard (int64_t n, int64_t at0, int64_t at1, int want, int threads)
{
  double *a = alloc (n * 8), *b = alloc (n * 8), *o = alloc (n * 8);
  prog p;

  for (int64_t i = 0; i < n; i++)
    a[i] = b[i] = 4;
  if (at0 >= 0)
    a[at0] = -1;
  if (at1 >= 0)
    b[at1] = -1;
  prog_init (&p, n);
  int ra = reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, a));
  int rb = reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, b));
  ins (&p, SG_INS_GUARD, SG_SQRT, -1, ra, -1)->node = 7;
  ins (&p, SG_INS_GUARD, SG_SQRT, -1, rb, -1)->node = 5;
  int x = op (&p, SG_SQRT, SG_R64, ra, -1), y = op (&p, SG_SQRT, SG_R64, rb, -1);
  store (&p, op (&p, SG_PLUS, SG_R64, x, y), slot (&p, SG_F64, o));
  sg_run r = make_run (&p, threads);
  sg_status s = sg_cpu_map (&p.m, &r);
  check (s == (want < 0 ? SG_OK : SG_DELEGATE) && r.failed_node == want,
         "guard: %lld elements, hits at %lld, %lld: node %d", (long long) n, (long long) at0,
         (long long) at1, r.failed_node);
  free (a), free (b), free (o);
}

/* Powers by a scalar EXPO, which is one of the operands or computed in the program.  */
static void
test_power (sg_rtype rt, double expo, bool computed, int64_t n)
{
  sg_class c = rclass[rt];
  void *a = alloc (n * 8), *o = alloc (n * 8);
  double e = expo, zero = 0;
  prog p;

  for (int64_t i = 0; i < n; i++)
    set (c, a, i, 0.01 + rnd () % 10000 / 1000.0);
  prog_init (&p, n);
  int ra = reg (&p, SG_REG_MEM, rt, slot (&p, c, a));
  int re = reg (&p, SG_REG_SCALAR, rt, slot (&p, SG_F64, &e));
  int r0 = reg (&p, SG_REG_SCALAR, rt, slot (&p, SG_F64, &zero));
  if (computed)
    re = op (&p, SG_PLUS, rt, re, r0);
  /* In place, which must not spoil the operand before it is used up.  */
  store (&p, ra, slot (&p, c, o));
  ins (&p, SG_INS_OP, SG_POWER, ra, ra, re);
  check (run_map (&p, 1) == SG_OK, "power");

  int64_t bad = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double x = get (c, o, i), v = get (c, a, i), w;
      float f = (float) x;
      bool exact = n > 1 && (expo == 2 || expo == 3 || expo == -1);
      if (exact && rt == SG_R64)
        w = expo == 2 ? x * x : expo == 3 ? x * x * x : 1 / x;
      else if (exact)
        w = expo == 2 ? f * f : expo == 3 ? (float) (f * f) * f : 1 / f;
      else
        w = rt == SG_R64 ? pow (x, expo) : powf (f, (float) expo);
      bad += ! is_near (v, w, exact ? 0 : fabs (w) * (rt == SG_R64 ? 5e-16 : 3e-7));
    }
  check (bad == 0, "power %g, rtype %d, %lld elements", expo, rt, (long long) n);
  free (a), free (o);
}

static void
test_maps (void)
{
  static const int64_t sizes[] = { 1, 2, 3, 9, 12, 511, 512, 513, 7000, 32767, 32768, 32769,
                                   100000 };
  static const int64_t shapes[][4] = { { 1, 9, 1, 1 }, { 3, 4, 1, 1 }, { 2, 3, 4, 1 },
                                       { 7, 1000, 1, 1 }, { 1000, 7, 1, 1 }, { 600, 5, 30, 1 },
                                       { 3, 5, 7, 40 } };
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int t = 1; t <= 3; t++)
      {
        test_in_place (sizes[k], SG_R64, t);
        test_in_place (sizes[k], SG_R32, t);
        test_select (sizes[k], SG_R64, t);
        test_select (sizes[k], SG_R32, t);
        for (int c = 0; c < SG_NCLASS; c++)
          if (c != SG_I64 && c != SG_U64)
            test_class (c, sizes[k], t);
      }
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    for (int bits = 0; bits < 16; bits++)
      for (int t = 1; t <= 2; t++)
        for (int c = 0; c < SG_NCLASS; c++)
          if (c != SG_I64 && c != SG_U64)
            test_broadcast (c, 4, shapes[k], bits, 1 + (bits + t) % 2, t);
  for (int t = 1; t <= 4; t++)
    {
      test_guard (100, -1, -1, -1, t);
      test_guard (100, 50, 40, 7, t);          /* one block: the program's order */
      test_guard (100, -1, 99, 5, t);
      test_guard (200000, 190000, 3, 5, t);
      test_guard (200000, 3, 190000, 7, t);
      test_guard (200000, 100600, 100000, 5, t);
      test_guard (200000, -1, -1, -1, t);
    }
  static const double expo[] = { 2, 3, -1, 0.5, 1, 2.5, -2 };
  for (int k = 0; k < 7; k++)
    for (int rt = 0; rt < 2; rt++)
      for (int computed = 0; computed < 2; computed++)
        {
          test_power (rt, expo[k], computed, 1);
          test_power (rt, expo[k], computed, 1000);
        }

  int64_t big = 0;
  double o;
  prog p;
  prog_init (&p, 1);
  store (&p, load (&p, SG_R64, slot (&p, SG_I64, &big), NULL), slot (&p, SG_F64, &o));
  check (run_map (&p, 1) == SG_INTERNAL, "a program on int64");
}

/* ---- stopping ------------------------------------------------------------------------------ */

static void
test_stop (void)
{
  int64_t n = 400000;
  double *x = data (SG_F64, n, false), *o = alloc (n * 8), sum;

  for (int t = 1; t <= 2; t++)
    for (int k = 0; k < 2; k++)
      {
        prog p;
        prog_init (&p, n);
        p.m.pre = p.m.post = 1;
        p.m.len = n;
        int rx = reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, x));
        if (k == 0)
          store (&p, rx, slot (&p, SG_F64, o));
        else
          sink (&p, SG_SUM, rx, slot (&p, SG_F64, &sum));
        looks = 0, stop_at = 0;
        check (run_map (&p, t) == SG_INTERRUPTED, "map: the interrupt was not seen");
        stop_at = -1;
        check (run_map (&p, t) == SG_OK, "map after an interrupt");
      }
  free (x), free (o);
}

static void
test_memory (void)
{
  int64_t n = 100000;
  double *x = data (SG_F64, n, false), sum;
  prog p;

  prog_init (&p, n);
  p.m.pre = p.m.post = 1;
  p.m.len = n;
  int r = reg (&p, SG_REG_MEM, SG_R64, slot (&p, SG_F64, x));
  for (int k = 0; k < 8; k++)
    r = op (&p, SG_PLUS, SG_R64, r, r);
  sink (&p, SG_SUM, r, slot (&p, SG_F64, &sum));
  for (long k = 1; k < 4; k++)
    {
      sg_fail_allocation (k);
      sg_status s = run_map (&p, 2);
      check (s == (k <= 2 ? SG_NOMEM : SG_OK), "allocation %ld fails: status %d", k, s);
    }
  sg_fail_allocation (0);
  free (x);
}

/* The same programs as compiled code; without a compiler the interpreter does them again.  */
static void
test_compiled (void)
{
  int64_t before = sg_count.loops_compiled;
  sg_cfg.cache = "off";
  sg_cfg.jit = SG_JIT_SYNC;
  test_maps ();
  test_stop ();
  sg_cfg.jit = SG_JIT_ON;
  if (*sg_cpu_compiler () == '/')
    check (sg_count.loops_compiled > before + 10, "%lld loops were compiled",
           (long long) (sg_count.loops_compiled - before));
  else
    printf ("skipped: compiled loops: %s\n", sg_cpu_compiler ());
}

int
main (void)
{
  sg_set_host (&host);
  test_maps ();
  test_pairs ();
  test_stop ();
  test_memory ();
  test_compiled ();
  return finish ();
}
