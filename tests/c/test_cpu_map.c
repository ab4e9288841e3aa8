/* Map steps of the CPU backend, with and without reductions, against plain loops.  */

#include "cpu_data.h"

/* ---- programs --------------------------------------------------------------------------- */

typedef struct prog
{
  sg_map m;
  sg_plan plan;
  sg_slot slot[24];
  void *ptr[24];
  sg_reg reg[32];
  sg_ins ins[32];
  sg_sink sink[12];
} prog;

static void
prog_init (prog *p, int64_t numel)
{
  memset (p, 0, sizeof *p);
  p->m.reg = p->reg;
  p->m.ins = p->ins;
  p->m.sink = p->sink;
  p->m.numel = numel;
  p->m.nd = 1;
  p->m.dim = &p->m.numel;
  p->m.cost = 16000;         /* so that even small spaces are shared out */
  p->plan.slot = p->slot;
}

static int
slot (prog *p, sg_class c, void *mem)
{
  int k = p->plan.nslots++;
  p->slot[k].cls = c;
  p->ptr[k] = mem;
  return k;
}

static int
reg (prog *p, sg_regkind kind, sg_rtype rt, int s)
{
  int k = p->m.nreg++;
  p->reg[k] = (sg_reg) { .kind = kind, .rt = rt, .slot = s,
                         .scratch = kind == SG_REG_MEM ? -1 : p->m.nscratch++ };
  return k;
}

static sg_ins *
ins (prog *p, sg_inskind kind, sg_op op, int o, int a, int b)
{
  sg_ins *i = &p->ins[p->m.nins++];
  *i = (sg_ins) { .kind = kind, .op = op, .cls = SG_F64, .o = o, .a = a, .b = b, .c = -1, .oi = -1,
                  .ai = -1, .bi = -1, .slot = -1, .sink = -1 };
  return i;
}

static int
load (prog *p, sg_rtype rt, int s, int64_t *stride)
{
  int o = reg (p, SG_REG_SCRATCH, rt, -1);
  sg_ins *i = ins (p, SG_INS_LOAD, SG_LEAF, o, -1, -1);
  i->slot = s;
  i->cls = p->slot[s].cls;
  i->stride = stride;
  return o;
}

static int
op (prog *p, sg_op f, sg_rtype rt, int a, int b)
{
  int o = reg (p, SG_REG_SCRATCH, rt, -1);
  ins (p, SG_INS_OP, f, o, a, b);
  return o;
}

static void
store (prog *p, int a, int s)
{
  sg_ins *i = ins (p, SG_INS_STORE, SG_LEAF, -1, a, -1);
  i->slot = s;
  i->cls = p->slot[s].cls;
}

static void
sink (prog *p, sg_op f, int a, int s)
{
  int k = p->m.nsink++;
  p->sink[k] = (sg_sink) { f, p->reg[a].rt, s, p->slot[s].cls, -1, false, -1 };
  ins (p, SG_INS_SINK, f, -1, a, -1)->sink = k;
}

static sg_run
make_run (prog *p, int threads)
{
  return (sg_run) { &p->plan, NULL, p->ptr, threads, -1 };
}

static sg_status
run_map (prog *p, int threads)
{
  sg_run r = make_run (p, threads);
  return sg_cpu_map (&p->m, &r);
}

/* ---- maps without reductions -------------------------------------------------------------- */

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

/* ---- reductions ----------------------------------------------------------------------------- */

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

int
main (void)
{
  sg_set_host (&host);
  test_maps ();
  test_reductions ();
  test_stop ();
  test_memory ();
  return finish ();
}
