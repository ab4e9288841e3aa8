/* What bench_gpu measures: each row is an expression over a few inputs.  */

#ifndef BENCH_GPU_ROWS_H
#define BENCH_GPU_ROWS_H

#include <string.h>

#include "../src/core/symgpu.h"

/* ---- writing expressions ------------------------------------------------------------------ */

#define MADE_MAX 64
#define ROOTS_MAX 3

/* The nodes of the expression being written.  After a failure nothing more is made.  */
static struct
{
  sg_status status;
  int n;
  sg_node *node[MADE_MAX];
} made;

static sg_node *
keep (sg_status s, sg_node *n)
{
  made.status = s;
  if (s != SG_OK)
    return NULL;
  made.node[made.n++] = n;
  return n;
}

#define MAKE(call)                              \
  sg_node *n = NULL;                            \
  if (made.status != SG_OK)                     \
    return NULL;                                \
  sg_status s = call;                           \
  return keep (s, n)

static sg_node *
two (sg_op op, sg_node *a, sg_node *b)
{
  MAKE (sg_ew_new (op, 2, (sg_node *[]) { a, b }, &n));
}

static sg_node *
one (sg_op op, sg_node *a)
{
  MAKE (sg_ew_new (op, 1, &a, &n));
}

static sg_node *
number (double x)
{
  MAKE (sg_number_new (x, &n));
}

static sg_node *
reduced (sg_op op, sg_node *a, int dim)
{
  MAKE (dim < 0 ? sg_reduce_all_new (op, a, &n) : sg_reduce_new (op, a, dim, &n));
}

static sg_node *
product (sg_node *a, int ta, sg_node *b, int tb)
{
  MAKE (sg_mtimes_new (a, ta, b, tb, &n));
}

static sg_node *
cumulated (sg_node *a)
{
  MAKE (sg_scan_new (SG_CUMSUM, a, 0, &n));
}

static sg_node *
transposed (sg_node *a)
{
  MAKE (sg_transpose_new (a, false, &n));
}

/* A tenth of the elements of a column, in an order without a pattern.  */
static sg_status
indexed_new (sg_node *a, sg_node **out)
{
  int64_t n = a->numel / 10;
  sg_index idx = { .kind = SG_IDX_VECTOR, .n = n, .vec = sg_malloc (n * sizeof (int64_t)) };
  if (! idx.vec)
    return sg_fail (SG_NOMEM, "out of memory for %lld subscripts", (long long) n);
  uint64_t x = 88172645463325252u;
  for (int64_t i = 0; i < n; i++)
    {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      idx.vec[i] = x % a->numel;
    }
  sg_status s = sg_index_new (a, 1, &idx, 2, (int64_t[]) { n, 1 }, out);
  if (s != SG_OK)
    sg_free (idx.vec);
  return s;
}

static sg_node *
indexed (sg_node *a)
{
  MAKE (indexed_new (a, &n));
}

static sg_node *
logistic (sg_node *a)
{
  return two (SG_RDIVIDE, number (1), two (SG_PLUS, number (1), one (SG_EXP, one (SG_UMINUS, a))));
}

/* ---- the expressions ---------------------------------------------------------------------- */

static void
write_map (sg_node *const *in, sg_node **out)
{
  out[0] = two (SG_PLUS, two (SG_TIMES, in[0], in[1]), in[2]);
}

static void
write_chain (sg_node *const *in, sg_node **out)
{
  static const sg_op op[10] = { SG_TIMES, SG_PLUS, SG_MINUS, SG_TIMES, SG_MAX2, SG_PLUS, SG_MIN2,
                                SG_MINUS, SG_TIMES, SG_PLUS };
  sg_node *x = in[0];
  for (int i = 0; i < 10; i++)
    x = two (op[i], x, in[(i + 1) % 3]);
  out[0] = x;
}

static void
write_sum (sg_node *const *in, sg_node **out)
{
  out[0] = reduced (SG_SUM, in[0], -1);
}

static void
write_sum_columns (sg_node *const *in, sg_node **out)
{
  out[0] = reduced (SG_SUM, in[0], 0);
}

static void
write_sum_rows (sg_node *const *in, sg_node **out)
{
  out[0] = reduced (SG_SUM, in[0], 1);
}

static void
write_softmax (sg_node *const *in, sg_node **out)
{
  sg_node *e = one (SG_EXP, two (SG_MINUS, in[0], reduced (SG_MAX, in[0], 1)));
  out[0] = two (SG_RDIVIDE, e, reduced (SG_SUM, e, 1));
}

static void
write_cumsum (sg_node *const *in, sg_node **out)
{
  out[0] = cumulated (in[0]);
}

static void
write_transpose (sg_node *const *in, sg_node **out)
{
  out[0] = transposed (in[0]);
}

static void
write_gather (sg_node *const *in, sg_node **out)
{
  out[0] = indexed (in[0]);
}

/* A layer: max (a * b + c, 0) with c a row.  */
static void
write_layer (sg_node *const *in, sg_node **out)
{
  out[0] = two (SG_MAX2, two (SG_PLUS, product (in[0], 0, in[1], 0), in[2]), number (0));
}

/* A step of the demo without momentum: examples X, weights W, offsets b and c.  */
static void
write_autoencoder (sg_node *const *in, sg_node **out)
{
  sg_node *x = in[0], *w = in[1], *b = in[2], *c = in[3], *i = number (1), *rate = number (1e-3);
  sg_node *h = logistic (two (SG_PLUS, product (x, 0, w, 0), b));
  sg_node *z = logistic (two (SG_PLUS, product (h, 0, w, 1), c));
  sg_node *dz = two (SG_TIMES, two (SG_TIMES, two (SG_MINUS, z, x), z), two (SG_MINUS, i, z));
  sg_node *dh = two (SG_TIMES, two (SG_TIMES, product (dz, 0, w, 0), h), two (SG_MINUS, i, h));
  sg_node *dw = two (SG_PLUS, product (x, 1, dh, 0), product (dz, 1, h, 0));
  out[0] = two (SG_MINUS, w, two (SG_TIMES, rate, dw));
  out[1] = two (SG_MINUS, b, two (SG_TIMES, rate, reduced (SG_SUM, dh, 0)));
  out[2] = two (SG_MINUS, c, two (SG_TIMES, rate, reduced (SG_SUM, dz, 0)));
}

/* ---- the rows ----------------------------------------------------------------------------- */

/* What the inputs are: columns, a square matrix, what products take.  */
typedef enum shape { COLUMN, SQUARE, LAYER, AUTOENCODER } shape;

typedef struct row
{
  const char *name;          /* also for other programs */
  const char *text;
  sg_class cls;
  shape shape;
  int nin, nout;
  void (*write) (sg_node *const *in, sg_node **out);
  double moved;              /* arrays of the size of the input that have to be read and written;
                                0: products are what counts */
} row;

static const row rows[] = {
  { "map", "a .* b + c", SG_F64, COLUMN, 3, 1, write_map, 4 },
  { "map single", "the same, single", SG_F32, COLUMN, 3, 1, write_map, 4 },
  { "chain", "10 operations", SG_F64, COLUMN, 3, 1, write_chain, 4 },
  { "sum", "sum (a(:))", SG_F64, COLUMN, 1, 1, write_sum, 1 },
  { "gather", "a(k), a tenth of a", SG_F64, COLUMN, 1, 1, write_gather, 0.3 },
  { "sum columns", "sum (a, 1)", SG_F64, SQUARE, 1, 1, write_sum_columns, 1 },
  { "sum rows", "sum (a, 2)", SG_F64, SQUARE, 1, 1, write_sum_rows, 1 },
  { "softmax", "of the rows of a", SG_F64, SQUARE, 1, 1, write_softmax, 2 },
  { "cumsum", "cumsum (a)", SG_F64, SQUARE, 1, 1, write_cumsum, 2 },
  { "transpose", "a.'", SG_F64, SQUARE, 1, 1, write_transpose, 2 },
  { "layer", "max (a * b + c, 0)", SG_F64, LAYER, 3, 1, write_layer, 0 },
  { "layer single", "the same, single", SG_F32, LAYER, 3, 1, write_layer, 0 },
  { "autoencoder", "a step of the demo", SG_F64, AUTOENCODER, 4, 3, write_autoencoder, 0 } };

#define NROWS ((int) (sizeof rows / sizeof rows[0]))

/* The roots of a row, owned by the caller; all else belongs to them.  */
static sg_status
row_new (const row *r, sg_node *const *in, sg_node **out)
{
  made.status = SG_OK;
  made.n = 0;
  r->write (in, out);
  for (int i = 0; i < r->nout && made.status == SG_OK; i++)
    sg_node_ref (out[i]);
  for (int i = 0; i < made.n; i++)
    sg_node_unref (made.node[i]);
  return made.status;
}

/* Elements of a column, and the order of the matrices of a product.  */
typedef struct sizes
{
  int64_t numel, order;
} sizes;

/* The dimensions of input I.  */
static void
input_size (shape s, sizes z, int i, int64_t dim[2])
{
  const int64_t n = z.order, batch = (n + 1) / 2, width = (n + 7) / 8, hidden = (n + 15) / 16;
  int64_t side = 1;
  while ((side + 1) * (side + 1) <= z.numel)
    side++;
  const int64_t size[][4][2] = {
    [COLUMN] = { { z.numel, 1 }, { z.numel, 1 }, { z.numel, 1 } },
    [SQUARE] = { { side, side } },
    [LAYER] = { { n, n }, { n, n }, { 1, n } },
    [AUTOENCODER] = { { batch, width }, { width, hidden }, { 1, hidden }, { 1, width } } };
  memcpy (dim, size[s][i], 2 * sizeof *dim);
}

#endif
