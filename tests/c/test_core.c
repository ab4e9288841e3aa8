/* Nodes, plans and evaluation without Octave.  */

#include "host.h"

static uint64_t seed = 20240229;

static uint32_t
rnd (uint32_t n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % n;
}

static double
fill_any (int64_t i)
{
  (void) i;
  return (double) rnd (2001) / 100 - 5;
}

static double
fill_count (int64_t i)
{
  return i + 1;
}

#define DIMS(...) (int) (sizeof ((int64_t[]) { __VA_ARGS__ }) / sizeof (int64_t)), \
                  (int64_t[]) { __VA_ARGS__ }

static sg_node *
ew (sg_op op, sg_node *a, sg_node *b)
{
  sg_node *n = NULL;
  sg_status s = sg_ew_new (op, b ? 2 : 1, (sg_node *[]) { a, b }, &n);
  return s == SG_OK ? n : NULL;
}

static double
f64_at (const sg_node *n, int64_t i)
{
  return ((double *) n->val->data)[i];
}

/* ---- classes and shapes ------------------------------------------------------------------ */

static void
test_classes (void)
{
  /* -1: Octave has no such operation, or the core leaves it to Octave.  */
  static const struct { sg_op op; sg_class a, b; int want; } row[] = {
    { SG_PLUS, SG_F64, SG_F64, SG_F64 },     { SG_PLUS, SG_F64, SG_F32, SG_F32 },
    { SG_PLUS, SG_BOOL, SG_BOOL, SG_F64 },   { SG_PLUS, SG_BOOL, SG_F32, SG_F32 },
    { SG_TIMES, SG_I8, SG_F64, SG_I8 },      { SG_TIMES, SG_F32, SG_U16, SG_U16 },
    { SG_PLUS, SG_I8, SG_I16, -1 },          { SG_PLUS, SG_I8, SG_BOOL, SG_I8 },
    { SG_LT, SG_I8, SG_I16, SG_BOOL },       { SG_EQ, SG_F32, SG_F64, SG_BOOL },
    { SG_AND, SG_F64, SG_I8, SG_BOOL },      { SG_MAX2, SG_I32, SG_F64, SG_I32 },
    { SG_POWER, SG_F64, SG_F32, SG_F32 },    { SG_POWER, SG_I8, SG_F64, -1 },
    { SG_PLUS, SG_I64, SG_F64, SG_I64 },     { SG_ATAN2, SG_I32, SG_F64, -1 },
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    {
      sg_node *a = leaf (row[i].a, DIMS (2, 2), fill_count);
      sg_node *b = leaf (row[i].b, DIMS (2, 2), fill_count);
      sg_node *n = ew (row[i].op, a, b);
      CHECK ((n ? (int) n->cls : -1) == row[i].want, "row %zu", i);
      sg_node_unref (n);
      sg_node_unref (a);
      sg_node_unref (b);
    }
}

static void
test_shapes (void)
{
  sg_node *a = leaf (SG_F64, DIMS (3, 1), fill_count);
  sg_node *b = leaf (SG_F64, DIMS (1, 4, 2), fill_count);
  sg_node *c = leaf (SG_F64, DIMS (2, 4), fill_count), *n;
  n = ew (SG_PLUS, a, b);
  CHECK (n && n->nd == 3 && n->dim[0] == 3 && n->dim[1] == 4 && n->dim[2] == 2, "broadcast");
  sg_node_unref (n);
  CHECK (sg_ew_new (SG_PLUS, 2, (sg_node *[]) { a, c }, &n) == SG_NONCONFORMANT
         && ! strcmp (sg_message (),
                      "plus: nonconformant arguments (op1 is 3x1, op2 is 2x4)"),
         "%s", sg_message ());
  CHECK (sg_mtimes_new (a, 0, c, 0, &n) == SG_NONCONFORMANT, "product");
  CHECK (sg_mtimes_new (c, 1, c, 0, &n) == SG_OK && n->dim[0] == 4 && n->dim[1] == 4, "product");
  sg_node_unref (n);
  CHECK (sg_reduce_new (SG_SUM, b, -1, &n) == SG_OK && n->nd == 3 && n->dim[1] == 1, "sum");
  sg_node_unref (n);
  CHECK (sg_reduce_new (SG_SUM, b, 2, &n) == SG_OK && n->nd == 2 && n->dim[1] == 4, "sum");
  sg_node_unref (n);
  CHECK (sg_reshape_new (c, DIMS (4, 3), &n) == SG_DELEGATE, "reshape");
  sg_node_unref (a);
  sg_node_unref (b);
  sg_node_unref (c);
}

/* ---- evaluation ---------------------------------------------------------------------------- */

static void
test_values (void)
{
  sg_node *x = leaf (SG_F64, DIMS (3, 4), fill_count);
  sg_node *r = leaf (SG_F64, DIMS (1, 4), fill_count);
  sg_node *y = ew (SG_TIMES, x, r), *z = ew (SG_PLUS, y, x), *s, *p, *t;
  sg_reduce_new (SG_SUM, z, 0, &s);
  sg_mtimes_new (x, 1, z, 0, &p);
  sg_transpose_new (s, false, &t);
  /* Y stays ours, Z is held by the two nodes above it alone.  */
  sg_node_unref (z);
  CHECK (sg_eval (SG_CPU, 2, (sg_node *[]) { t, p }) == SG_OK, "%s", sg_message ());
  CHECK (y->val && ! z->val, "a node that somebody else holds keeps its value, others do not");
  for (int j = 0; j < 4; j++)
    {
      double sum = 0;
      for (int i = 0; i < 3; i++)
        sum += f64_at (x, i + 3 * j) * (j + 2);
      CHECK (f64_at (t, j) == sum, "sum %d: %g", j, f64_at (t, j));
      for (int k = 0; k < 4; k++)
        {
          double q = 0;
          for (int i = 0; i < 3; i++)
            q += f64_at (x, i + 3 * k) * f64_at (x, i + 3 * j) * (j + 2);
          CHECK (f64_at (p, k + 4 * j) == q, "product");
        }
    }
  sg_node *all[] = { x, r, y, s, p, t };
  for (int i = 0; i < 6; i++)
    sg_node_unref (all[i]);
}

/* d*e-d and d*e-e have the same operations on the same shapes.  */
static void
test_key (void)
{
  sg_node *d = leaf (SG_F64, DIMS (1, 1), fill_any), *e = leaf (SG_F64, DIMS (1, 1), fill_any);
  sg_node *m = ew (SG_TIMES, d, e), *a = ew (SG_MINUS, m, d), *b = ew (SG_MINUS, m, e);
  sg_eval (SG_CPU, 1, &a);
  int64_t misses = sg_count.plan_misses;
  sg_eval (SG_CPU, 1, &b);
  CHECK (sg_count.plan_misses == misses + 1, "another plan");
  CHECK (f64_at (b, 0) == f64_at (d, 0) * f64_at (e, 0) - f64_at (e, 0), "value");
  sg_node *c = ew (SG_MINUS, m, e);
  sg_eval (SG_CPU, 1, &c);
  CHECK (sg_count.plan_misses == misses + 1, "the same plan");
  sg_node *all[] = { d, e, m, a, b, c };
  for (int i = 0; i < 6; i++)
    sg_node_unref (all[i]);
}

/* A square root that leaves the reals is done again, and the host has no part in it.  */
static void
test_guard (void)
{
  sg_node *x = leaf (SG_F64, DIMS (2, 3), fill_any);
  ((double *) x->val->data)[3] = -4;
  sg_node *r = ew (SG_SQRT, x, NULL), *a = ew (SG_ABS, x, NULL), *q = ew (SG_SQRT, a, NULL);
  foreign_calls = 0;
  CHECK (r->spec && ! r->cplx, "real until known better");
  CHECK (sg_eval (SG_CPU, 2, (sg_node *[]) { r, q }) == SG_OK, "%s", sg_message ());
  CHECK (r->val->cplx && r->cplx && ! q->val->cplx && foreign_calls == 0, "%d", foreign_calls);
  CHECK (f64_at (r, 6) == 0 && f64_at (r, 7) == 2 && f64_at (q, 3) == 2, "value");
  sg_node *all[] = { x, r, a, q };
  for (int i = 0; i < 4; i++)
    sg_node_unref (all[i]);
}

/* A leaf of two complex numbers.  */
static sg_node *
complex_leaf (double re0, double im0, double re1, double im1)
{
  void *p = sg_malloc (4 * sizeof (double));
  memcpy (p, (double[]) { re0, im0, re1, im1 }, 4 * sizeof (double));
  sg_buf *b;
  sg_node *n;
  sg_buf_new (SG_F64, true, p, 4 * sizeof (double), free_value, NULL, &b);
  sg_leaf_new (b, DIMS (1, 2), NULL, &n);
  return n;
}

/* Complex values are computed here; those that turn out to be real become so, and what depends
   on them is done with real numbers.  */
static void
test_complex (void)
{
  sg_node *z = complex_leaf (1, 2, 3, -4), *c = ew (SG_CONJ, z, NULL), *p = ew (SG_TIMES, z, c);
  sg_node *s = ew (SG_TIMES, z, z), *r = ew (SG_SQRT, p, NULL), *lt = ew (SG_LT, p, s);
  sg_node *sum, *i, *prod, *where;
  sg_reduce_new (SG_SUM, s, 1, &sum);
  sg_reduce_new (SG_PROD, s, 1, &prod);
  sg_reduce_new (SG_IMAX, s, 1, &where);
  sg_index *x = sg_malloc (sizeof *x);
  *x = sg_index_range (1, 1, 1);
  sg_index_new (z, 1, x, DIMS (1, 1), &i);
  sg_free (x);
  foreign_calls = 0;
  CHECK (sg_eval (SG_CPU, 6, (sg_node *[]) { r, sum, lt, i, prod, where }) == SG_OK, "%s", sg_message ());
  CHECK (foreign_calls == 0, "%d", foreign_calls);
  CHECK (! r->val->cplx && ! p->val->cplx && s->val->cplx && sum->val->cplx && i->val->cplx,
         "complex or real");
  CHECK (f64_at (p, 0) == 5 && f64_at (p, 1) == 25 && f64_at (r, 1) == 5, "a real product");
  CHECK (f64_at (s, 0) == -3 && f64_at (s, 1) == 4 && f64_at (sum, 0) == -10
         && f64_at (sum, 1) == -20, "a complex product, its sum");
  CHECK (f64_at (prod, 0) == 117 && f64_at (prod, 1) == 44 && f64_at (where, 0) == 2,
         "a product, the place of the largest");
  CHECK (f64_at (i, 0) == 3 && f64_at (i, 1) == -4, "an element");
  sg_node *all[] = { z, c, p, s, r, lt, sum, i, prod, where };
  for (int k = 0; k < 10; k++)
    sg_node_unref (all[k]);
}

/* The expressions of computed values have a bound together; the oldest go first.  */
static void
test_history (void)
{
  enum { N = 6 };
  int64_t old = sg_cfg.history_bytes;
  sg_node *s[N];
  sg_cfg.history_bytes = 3 * 8000 + 4096;
  for (int i = 0; i < N; i++)
    {
      sg_node *x = leaf (SG_F64, DIMS (1000, 1), fill_count);
      sg_reduce_new (SG_SUM, x, 0, &s[i]);
      sg_node_unref (x);
      sg_eval (SG_CPU, 1, &s[i]);
    }
  for (int i = 0; i < N; i++)
    CHECK (s[i]->cut == (i < N - 3) && (s[i]->op == SG_LEAF) == s[i]->cut
           && f64_at (s[i], 0) == 500500, "%d", i);
  /* In any order.  */
  for (int i = 0; i < N; i++)
    sg_node_unref (s[i % 2 ? i : N - 2 - i]);
  sg_cfg.history_bytes = old;
}

/* A complex value whose imaginary parts are all 0, as "complex" makes it, is left to the host.  */
static void
test_wide (void)
{
  sg_node *z = complex_leaf (1, 0, 3, -0.0), *m = ew (SG_SQRT, z, NULL);
  CHECK (z->wide, "wide");
  foreign_calls = 0;
  sg_eval (SG_CPU, 1, &m);
  CHECK (foreign_calls == 1, "%d", foreign_calls);
  sg_node_unref (z);
  sg_node_unref (m);
}

/* What another expression waits for is not computed again for it.  */
static void
test_shared (void)
{
  sg_node *x = leaf (SG_F64, DIMS (4, 4), fill_any), *p;
  sg_mtimes_new (x, 0, x, 0, &p);
  sg_node *a = ew (SG_EXP, p, NULL), *b = ew (SG_SIN, p, NULL);
  sg_node *shared = p;
  sg_node_unref (p);
  CHECK (sg_eval (SG_CPU, 1, &a) == SG_OK && shared->val, "kept for b");
  int64_t steps = sg_count.steps;
  CHECK (sg_eval (SG_CPU, 1, &b) == SG_OK && sg_count.steps == steps + 1, "one step");
  sg_node *all[] = { x, a, b };
  for (int i = 0; i < 3; i++)
    sg_node_unref (all[i]);
}

static void
test_interrupt (void)
{
  sg_node *x = leaf (SG_F64, DIMS (20, 30), fill_any), *y = ew (SG_EXP, x, NULL);
  stop_now = 1;
  CHECK (sg_eval (SG_CPU, 1, &y) == SG_INTERRUPTED && ! y->val, "stops");
  stop_now = 0;
  CHECK (sg_eval (SG_CPU, 1, &y) == SG_OK && y->val, "goes on");
  sg_node_unref (x);
  sg_node_unref (y);
}

/* ---- size ------------------------------------------------------------------------------------ */

static void
test_long_chain (void)
{
  int64_t nodes = sg_count.nodes, bound = sg_cfg.graph_nodes;
  sg_node *one = leaf (SG_F64, DIMS (1, 1), fill_count), *x = sg_node_ref (one);
  for (int i = 0; i < 1000000; i++)
    {
      sg_node *y = ew (SG_PLUS, x, one);
      sg_node_unref (x);
      x = y;
    }
  CHECK (sg_node_is_over_bound (x), "over the bound");
  CHECK (sg_eval (SG_CPU, 1, &x) == SG_OK && f64_at (x, 0) == 1000001, "%s", sg_message ());
  CHECK (x->op == SG_LEAF, "the tree of a large expression is let go");
  sg_node_unref (x);
  x = sg_node_ref (one);
  for (int i = 0; i < 1000000; i++)
    {
      sg_node *y = ew (SG_PLUS, x, x);
      sg_node_unref (x);
      x = y;
    }
  sg_node_unref (x);
  sg_node_unref (one);
  CHECK (sg_count.nodes == nodes, "all freed");
  sg_cfg.graph_nodes = bound;
}

/* ---- random graphs: any fusion, any number of threads, the same bits -------------------------- */

#define NNODES 40

static const sg_class classes[] = { SG_F64, SG_F64, SG_F64, SG_F32, SG_BOOL, SG_I8, SG_U16, SG_I32 };

static sg_node *
random_leaf (void)
{
  static const int64_t sizes[][3] = { { 1, 1, 1 }, { 5, 1, 1 }, { 1, 7, 1 }, { 5, 7, 1 },
                                      { 7, 5, 1 }, { 5, 7, 2 }, { 600, 1, 1 }, { 600, 7, 1 } };
  const int64_t *d = sizes[rnd (8)];
  return leaf (classes[rnd (8)], d[2] > 1 ? 3 : 2, d, fill_any);
}

static sg_status
random_node (sg_node **pool, int n, sg_node **out)
{
  static const sg_op red[] = { SG_SUM, SG_PROD, SG_SUMSQ, SG_MAX, SG_MIN, SG_ANY, SG_ALL,
                               SG_IMAX, SG_IMIN };
  static const sg_op scan[] = { SG_CUMSUM, SG_CUMPROD, SG_CUMMAX, SG_CUMMIN, SG_ICUMMAX,
                                SG_ICUMMIN };
  sg_node *a = pool[rnd (n)], *b = pool[rnd (n)];
  int64_t p[3] = { 1 + rnd (2), 1 + rnd (2), 1 };
  switch (rnd (20))
    {
    case 0:
      return sg_reduce_new (red[rnd (9)], a, (int) rnd (4) - 1, out);
    case 1:
      return sg_scan_new (scan[rnd (6)], a, (int) rnd (4) - 1, out);
    case 2:
      return sg_mtimes_new (a, rnd (3), b, rnd (3), out);
    case 3:
      return sg_transpose_new (a, rnd (2), out);
    case 4:
      return sg_repmat_new (a, 2, p, out);
    case 5:
      return sg_cat_new (rnd (3), 2, (sg_node *[]) { a, b }, out);
    case 6:
      p[0] = a->numel;
      p[1] = 1;
      return sg_reshape_new (a, 2, p, out);
    case 8:
      return sg_dot_new (a, rnd (2) ? a : b, (int) rnd (4) - 1, out);
    case 9:
      return sg_reduce_all_new (rnd (2) ? SG_SUM : SG_IMAX, a, out);
    case 10:
      return sg_sort_new (rnd (2) ? SG_SORT : SG_ISORT, a, (int) rnd (4) - 1, rnd (2), out);
    case 11:
      return sg_trilu_new (rnd (2) ? SG_TRIL : SG_TRIU, a, (int) rnd (5) - 2, out);
    case 7:
      return sg_permute_new (a, 3, (int64_t[]) { 1, 2, 0 }, out);
    default:
      {
        sg_op op = 1 + rnd (SG_UINT64);
        const sg_opinfo *row = sg_op_info (op);
        if (row->native || (row->guard != SG_GUARD_NONE && row->in != SG_IN_LOGIC))
          return SG_DELEGATE;
        return sg_ew_new (op, row->n, (sg_node *[]) { a, b }, out);
      }
    }
}

/* Let go of the values that an evaluation left, so that it can be done again.  */
static void
forget (int n, sg_node **pool)
{
  for (int i = 0; i < n; i++)
    if (pool[i]->op != SG_LEAF)
      {
        sg_buf_unref (pool[i]->val);
        pool[i]->val = NULL;
      }
}

static bool
same_bytes (const sg_node *n, const void *bytes)
{
  return memcmp (n->val->data, bytes, n->val->bytes) == 0;
}

static void
random_graph (int round)
{
  sg_node *pool[NNODES];
  int n = 0, first;
  for (; n < 6; n++)
    pool[n] = random_leaf ();
  for (first = n; n < NNODES; )
    {
      sg_node *x;
      sg_status s = random_node (pool, n, &x);
      if (s != SG_OK)
        continue;
      if (x->numel > 200000 || x->cls == SG_I64 || x->cls == SG_U64)
        sg_node_unref (x);
      else
        pool[n++] = x;
    }
  void *bytes[NNODES];
  sg_status s = SG_OK;
  static const struct { int fuse, threads; } way[] = { { 0, 1 }, { 1, 1 }, { 1, 2 }, { 0, 2 } };
  for (int w = 0; w < 4 && s == SG_OK; w++)
    {
      sg_cfg.fuse = way[w].fuse;
      sg_cfg.threads = way[w].threads;
      s = sg_eval (SG_CPU, NNODES - first, pool + first);
      /* A NaN as a truth value is for Octave, which the host is not.  */
      CHECK (s == SG_OK || (w == 0 && s == SG_FOREIGN), "round %d: %s", round, sg_message ());
      for (int i = first; i < NNODES && s == SG_OK; i++)
        if (w == 0)
          bytes[i] = memcpy (malloc (pool[i]->val->bytes + 1), pool[i]->val->data,
                             pool[i]->val->bytes);
        else
          CHECK (same_bytes (pool[i], bytes[i]), "round %d, node %d, %s, fuse %d, threads %d",
                 round, i, sg_op_info (pool[i]->op)->id, way[w].fuse, way[w].threads);
      forget (NNODES, pool);
      /* Not all values are wanted: other loops, other places.  */
      s = s == SG_OK ? sg_eval (SG_CPU, 1, pool + NNODES - 1) : s;
      if (s == SG_OK)
        CHECK (same_bytes (pool[NNODES - 1], bytes[NNODES - 1]), "round %d, alone", round);
      forget (NNODES, pool);
    }
  for (int i = 0; i < NNODES; i++)
    {
      if (i >= first && s == SG_OK)
        free (bytes[i]);
      sg_node_unref (pool[i]);
    }
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 300;
  sg_set_host (&test_host);
  test_classes ();
  test_shapes ();
  test_values ();
  test_key ();
  test_guard ();
  test_complex ();
  test_wide ();
  test_history ();
  test_shared ();
  test_interrupt ();
  test_long_chain ();
  sg_cfg.history_nodes = 1000000000;
  for (int i = 0; i < rounds; i++)
    random_graph (i);
  sg_release_caches ();
  CHECK (sg_count.nodes == 0 && sg_count.buffers == 0 && sg_count.pool_bytes == 0,
         "%lld nodes, %lld buffers, %lld bytes of the pool left", (long long) sg_count.nodes,
         (long long) sg_count.buffers, (long long) sg_count.pool_bytes);
  return finish ();
}
