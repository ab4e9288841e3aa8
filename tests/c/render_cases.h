/* Expressions whose kernels are looked at: each is a name and a function that makes its roots.  */

#ifndef TEST_RENDER_CASES_H
#define TEST_RENDER_CASES_H

#include <math.h>

#include "host.h"

/* All nodes of an expression, owned; the last ones are the roots.  */
typedef struct nodes
{
  sg_node *n[128];
  int count;
} nodes;

static nodes pool;

static inline void
pool_clear (void)
{
  for (int i = 0; i < pool.count; i++)
    sg_node_unref (pool.n[i]);
  pool.count = 0;
}

static sg_node *
keep (sg_status s, sg_node *n)
{
  if (s != SG_OK)
    return NULL;
  pool.n[pool.count++] = n;
  return n;
}

/* ---- operands --------------------------------------------------------------------------- */

/* Small numbers with zeros of both signs, and some NaN in floats, as in tests of reductions.  */
static double
some_number (sg_class cls, int64_t i)
{
  uint32_t x = (uint32_t) i * 2654435761u >> 8;
  bool fl = sg_class_kind (cls) == SG_KIND_FLOAT;
  if (cls == SG_BOOL)
    return x % 2;
  if (! fl)
    return x % 100;
  return x % 31 == 0 ? NAN : x % 17 == 0 ? 0.0 : x % 17 == 1 ? -0.0 : (x % 20001 - 10000.0) / 1024;
}

static bool plain_numbers;   /* no NaN */

static sg_node *
make_leaf (sg_class cls, bool cplx, int nd, const int64_t *dim)
{
  sg_buf *b;
  if (host_value_new (cls, cplx, nd, dim, &b) != SG_OK)
    return NULL;
  int64_t n = (int64_t) (b->bytes / sg_class_bytes (cls));
  for (int64_t i = 0; i < n; i++)
    {
      double x = some_number (cls, i + 7 * pool.count);
      if (x != x && plain_numbers)
        x = 0.5;
      switch (cls)
        {
#define TYPE(id, name, ctype, bytes, kind) \
          case SG_##id: ((ctype *) b->data)[i] = (ctype) x; break;
#include "../../src/core/type.def"
        default: break;
        }
    }
  sg_node *x;
  sg_status s = sg_leaf_new (b, nd, dim, NULL, &x);
  if (s != SG_OK)
    sg_buf_unref (b);
  return keep (s, x);
}

#define REAL(cls, ...) make_leaf (SG_##cls, false, DIMS (__VA_ARGS__))
#define CPLX(cls, ...) make_leaf (SG_##cls, true, DIMS (__VA_ARGS__))
#define DIMS(...) (int) (sizeof ((int64_t[]) { __VA_ARGS__ }) / 8), (int64_t[]) { __VA_ARGS__ }

/* ---- operations ------------------------------------------------------------------------- */

static sg_node *
op1 (sg_op op, sg_node *a)
{
  sg_node *x = NULL;
  sg_status s = a ? sg_ew_new (op, 1, &a, &x) : SG_NOMEM;
  return keep (s, x);
}

static sg_node *
op2 (sg_op op, sg_node *a, sg_node *b)
{
  sg_node *x = NULL;
  sg_status s = a && b ? sg_ew_new (op, 2, (sg_node *[]) { a, b }, &x) : SG_NOMEM;
  return keep (s, x);
}

#define MAKE(name, call, ...)                                   \
  static inline sg_node *                                       \
  name (__VA_ARGS__)                                            \
  {                                                             \
    sg_node *x = NULL;                                          \
    if (! a)                                                    \
      return NULL;                                              \
    sg_status s = call;                                         \
    return keep (s, x);                                         \
  }

MAKE (reduce, sg_reduce_new (op, a, dim, &x), sg_op op, sg_node *a, int dim)
MAKE (reduce_all, sg_reduce_all_new (op, a, &x), sg_op op, sg_node *a)
MAKE (scan, sg_scan_new (op, a, dim, &x), sg_op op, sg_node *a, int dim)
MAKE (sort, sg_sort_new (op, a, dim, descend, &x), sg_op op, sg_node *a, int dim, bool descend)
MAKE (transpose, sg_transpose_new (a, conj, &x), sg_node *a, bool conj)
MAKE (permute, sg_permute_new (a, n, perm, &x), sg_node *a, int n, const int64_t *perm)
MAKE (repmat, sg_repmat_new (a, n, reps, &x), sg_node *a, int n, const int64_t *reps)
MAKE (trilu, sg_trilu_new (op, a, k, &x), sg_op op, sg_node *a, int64_t k)

static inline sg_node *
cat (int dim, sg_node *a, sg_node *b)
{
  sg_node *x = NULL;
  sg_status s = a && b ? sg_cat_new (dim, 2, (sg_node *[]) { a, b }, &x) : SG_NOMEM;
  return keep (s, x);
}

static inline sg_index
colon (int64_t n)
{
  return (sg_index) { .kind = SG_IDX_COLON, .n = n, .step = 1 };
}

static inline sg_index
range (int64_t start, int64_t step, int64_t n)
{
  return (sg_index) { .kind = SG_IDX_RANGE, .start = start, .step = step, .n = n };
}

/* N positions below LIMIT.  */
static inline sg_index
vector (int64_t limit, int64_t n)
{
  sg_index x = { .kind = SG_IDX_VECTOR, .n = n, .vec = sg_malloc ((size_t) n * 8) };
  for (int64_t i = 0; x.vec && i < n; i++)
    x.vec[i] = (i * 7 + 3) % limit;
  return x;
}

static inline sg_node *
subscript (sg_node *a, int n, sg_index *idx)
{
  int64_t dim[8];
  sg_node *x = NULL;
  sg_status s = SG_NOMEM;
  for (int i = 0; i < n; i++)
    dim[i] = idx[i].n;
  if (n == 1)
    dim[1] = 1;
  bool all = a != NULL;
  for (int i = 0; i < n; i++)
    all &= idx[i].kind != SG_IDX_VECTOR || idx[i].vec;
  if (all)
    s = sg_index_new (a, n, idx, n == 1 ? 2 : n, dim, &x);
  for (int i = 0; i < n && s != SG_OK; i++)
    sg_free (idx[i].vec);
  return keep (s, x);
}

/* X, whose parts nobody else waits for.  */
static inline sg_node *
alone (sg_node *x)
{
  if (! x)
    return NULL;
  sg_node_ref (x);
  pool_clear ();
  return keep (SG_OK, x);
}

/* ---- cases ------------------------------------------------------------------------------ */

/* Roots of an expression, at most ROOTS; one that cannot be made is NULL.  */
#define ROOTS 8

typedef struct sg_case
{
  const char *name;
  void (*make) (sg_node **root);
} sg_case;

#define CASE(name)                              \
  static void                                   \
  case_##name (sg_node **root)

CASE (sum_of_products)
{
  sg_node *a = REAL (F64, 300, 20), *b = REAL (F64, 300, 20);
  root[0] = op2 (SG_PLUS, op2 (SG_TIMES, a, b), REAL (F64, 1, 1));
}
CASE (logistic_function)
{
  sg_node *one = REAL (F64, 1, 1), *x = REAL (F64, 300, 20);
  root[0] = op2 (SG_RDIVIDE, one, op2 (SG_PLUS, one, op1 (SG_EXP, op1 (SG_UMINUS, x))));
}
CASE (single_with_double)
{
  root[0] = op2 (SG_MINUS, REAL (F32, 300, 20), REAL (F64, 300, 20));
}
CASE (column_times_row)
{
  root[0] = op2 (SG_TIMES, REAL (F64, 300, 1), REAL (F64, 1, 20));
}
CASE (row_broadcast)
{
  root[0] = op2 (SG_PLUS, REAL (F32, 300, 20), REAL (F32, 1, 20));
}
CASE (broadcast_4d)
{
  root[0] = op2 (SG_PLUS, REAL (F64, 5, 1, 7, 3), REAL (F64, 1, 6, 7, 1));
}
CASE (int8_times_double)
{
  root[0] = op2 (SG_TIMES, REAL (I8, 300, 20), REAL (F64, 1, 1));
}
CASE (uint32_sum)
{
  root[0] = op2 (SG_PLUS, REAL (U32, 300, 20), REAL (U32, 300, 20));
}
CASE (comparison_and_mask)
{
  sg_node *x = REAL (F64, 300, 20);
  root[0] = op2 (SG_AND, op2 (SG_GT, x, REAL (F64, 1, 1)), op2 (SG_LT, x, REAL (F32, 300, 20)));
}
CASE (int16_of_double)
{
  root[0] = op1 (SG_INT16, REAL (F64, 300, 20));
  root[1] = op1 (SG_LOGICAL, REAL (F64, 300, 20));
}
CASE (sqrt_guard)
{
  root[0] = op1 (SG_SQRT, REAL (F64, 300, 20));
}
CASE (power_guard)
{
  root[0] = op2 (SG_POWER, REAL (F64, 300, 20), REAL (F64, 1, 1));
}
CASE (complex_sum)
{
  root[0] = op2 (SG_PLUS, CPLX (F64, 300, 20), CPLX (F64, 300, 20));
}
CASE (complex_product_abs)
{
  root[0] = op1 (SG_ABS, op2 (SG_TIMES, CPLX (F32, 300, 20), CPLX (F32, 1, 20)));
}
CASE (complex_exp)
{
  root[0] = op1 (SG_EXP, CPLX (F64, 300, 20));
}
CASE (imaginary_part)
{
  root[0] = op1 (SG_IMAG, CPLX (F64, 300, 20));
}
CASE (complex_sqrt_of_real)
{
  root[0] = op1 (SG_SQRT, REAL (F64, 300, 20));
  if (root[0])
    root[0]->leaves = true;
}
CASE (two_results)
{
  sg_node *x = op1 (SG_EXP, REAL (F64, 300, 20));
  root[0] = x;
  root[1] = op2 (SG_TIMES, x, x);
}

CASE (int64_times_double)
{
  root[0] = op2 (SG_TIMES, REAL (I64, 300, 20), REAL (F64, 1, 20));
}
CASE (int64_at_least_uint64)
{
  root[0] = op2 (SG_GE, REAL (I64, 300, 20), REAL (U64, 300, 20));
}
CASE (int16_of_uint64)
{
  root[0] = op1 (SG_INT16, REAL (U64, 300, 20));
}
CASE (place_in_uint64)
{
  root[0] = reduce (SG_IMIN, REAL (U64, 100000, 1), 0);
}
CASE (cumsum_of_int64)
{
  root[0] = scan (SG_CUMSUM, REAL (I64, 300, 40), 0);
}

CASE (sum_of_long_vector)
{
  root[0] = reduce (SG_SUM, op1 (SG_EXP, REAL (F64, 100000, 1)), 0);
}
CASE (sum_of_columns_by_blocks)
{
  root[0] = reduce (SG_SUM, REAL (F64, 2000, 40), 0);
}
CASE (sum_of_columns_by_warps)
{
  root[0] = reduce (SG_SUM, REAL (F32, 300, 200), 0);
}
CASE (sum_of_columns_by_threads)
{
  root[0] = reduce (SG_SUM, REAL (F64, 3, 2000), 0);
}
CASE (sum_of_rows_by_threads)
{
  root[0] = reduce (SG_SUM, REAL (F64, 40000, 30), 1);
}
CASE (sum_of_rows_by_blocks)
{
  root[0] = reduce (SG_SUM, REAL (F64, 300, 200), 1);
}
CASE (sum_of_few_rows)
{
  root[0] = reduce (SG_SUM, REAL (F64, 3, 100000), 1);
}
CASE (product_in_order)
{
  root[0] = reduce (SG_PROD, REAL (F64, 2000, 40), 0);
}
CASE (max_and_place)
{
  sg_node *x = REAL (F64, 2000, 40);
  root[0] = reduce (SG_MAX, x, 0);
  root[1] = reduce (SG_IMAX, x, 0);
}
CASE (place_in_long_vector)
{
  root[0] = reduce (SG_IMIN, REAL (F32, 100000, 1), 0);
}
CASE (any_and_value)
{
  sg_node *x = op2 (SG_GT, REAL (F64, 300, 200), REAL (F64, 300, 200));
  root[0] = reduce (SG_ANY, x, 0);
  root[1] = x;
}
CASE (norm_of_vector)
{
  root[0] = reduce_all (SG_NORM, REAL (F64, 100000, 1));
}
CASE (complex_sum_of_columns)
{
  root[0] = reduce (SG_SUM, CPLX (F64, 300, 40), 0);
}
CASE (complex_max)
{
  root[0] = reduce (SG_MAX, CPLX (F64, 300, 40), 0);
}

CASE (cumsum_of_columns)
{
  root[0] = scan (SG_CUMSUM, REAL (F64, 300, 40), 0);
}
CASE (cumprod_of_rows)
{
  root[0] = scan (SG_CUMPROD, REAL (F32, 300, 40), 1);
}
CASE (cummax_place)
{
  root[0] = scan (SG_ICUMMAX, REAL (I16, 300, 40), 0);
}
CASE (complex_cumprod)
{
  root[0] = scan (SG_CUMPROD, CPLX (F64, 300, 40), 0);
}

CASE (sort_of_columns)
{
  root[0] = sort (SG_SORT, REAL (F64, 30, 40), 0, false);
}
CASE (places_of_sorted_rows)
{
  root[0] = sort (SG_ISORT, REAL (I8, 300, 40), 1, true);
}
CASE (sort_of_short_rows)
{
  root[0] = sort (SG_SORT, REAL (U64, 300, 4), 1, false);
}

CASE (transpose_in_tiles)
{
  root[0] = transpose (REAL (F64, 300, 200), false);
}
CASE (conjugate_transpose)
{
  root[0] = transpose (CPLX (F32, 300, 200), true);
}
CASE (transpose_of_thin)
{
  root[0] = transpose (REAL (U8, 3, 2000), false);
}
CASE (permute_3d)
{
  root[0] = permute (REAL (F64, 40, 50, 60), 3, (int64_t[]) { 2, 0, 1 });
}
CASE (repmat_2d)
{
  root[0] = repmat (REAL (F64, 30, 20), 2, (int64_t[]) { 2, 3 });
}
CASE (cat_of_columns)
{
  root[0] = cat (1, REAL (F64, 300, 20), REAL (F64, 300, 7));
}
CASE (cat_of_rows)
{
  root[0] = cat (0, REAL (F32, 300, 20), REAL (F32, 7, 20));
}
CASE (lower_triangle)
{
  root[0] = trilu (SG_TRIL, REAL (F64, 300, 200), -1);
}
CASE (subscripts)
{
  sg_index x[3] = { colon (30), range (18, -2, 7), vector (9, 4) };
  root[0] = subscript (REAL (F64, 30, 20, 9), 3, x);
}
CASE (one_subscript)
{
  sg_index x[1] = { vector (600, 100) };
  root[0] = subscript (REAL (I16, 30, 20), 1, x);
}
/* Neighbours in a grid, read where they are; and a sum of them.  */
CASE (slices_and_shift)
{
  sg_node *a = REAL (F64, 30, 20);
  sg_index x[2] = { range (1, 1, 29), colon (20) }, y[2] = { range (0, 1, 29), vector (20, 20) };
  root[0] = alone (op2 (SG_MINUS, subscript (a, 2, x), subscript (a, 2, y)));
}
CASE (sum_of_slice)
{
  sg_index x[2] = { range (3, 2, 200), colon (500) };
  sg_node *part = subscript (REAL (U8, 600, 500), 2, x);
  root[0] = alone (reduce (SG_SUM, op2 (SG_PLUS, part, part), 0));
}
#undef CASE

static const sg_case cases[] = {
#define CASE(name) { #name, case_##name }
  CASE (sum_of_products), CASE (logistic_function), CASE (single_with_double),
  CASE (column_times_row), CASE (row_broadcast), CASE (broadcast_4d), CASE (int8_times_double),
  CASE (uint32_sum), CASE (comparison_and_mask), CASE (int16_of_double), CASE (sqrt_guard),
  CASE (power_guard), CASE (complex_sum), CASE (complex_product_abs), CASE (complex_exp),
  CASE (imaginary_part), CASE (complex_sqrt_of_real), CASE (two_results),
  CASE (int64_times_double), CASE (int64_at_least_uint64), CASE (int16_of_uint64),
  CASE (place_in_uint64), CASE (cumsum_of_int64),
  CASE (sum_of_long_vector), CASE (sum_of_columns_by_blocks), CASE (sum_of_columns_by_warps),
  CASE (sum_of_columns_by_threads), CASE (sum_of_rows_by_threads), CASE (sum_of_rows_by_blocks),
  CASE (sum_of_few_rows), CASE (product_in_order), CASE (max_and_place),
  CASE (place_in_long_vector),
  CASE (any_and_value), CASE (norm_of_vector), CASE (complex_sum_of_columns),
  CASE (complex_max), CASE (cumsum_of_columns), CASE (cumprod_of_rows), CASE (cummax_place),
  CASE (complex_cumprod), CASE (sort_of_columns), CASE (places_of_sorted_rows),
  CASE (sort_of_short_rows), CASE (transpose_in_tiles), CASE (conjugate_transpose),
  CASE (transpose_of_thin), CASE (permute_3d), CASE (repmat_2d), CASE (cat_of_columns),
  CASE (cat_of_rows), CASE (lower_triangle), CASE (subscripts), CASE (one_subscript),
  CASE (slices_and_shift), CASE (sum_of_slice)
#undef CASE
};
#define NCASES ((int) (sizeof cases / sizeof cases[0]))

/* ---- all operations --------------------------------------------------------------------- */

/* Calls LOOK with the roots of every operation, class and form there is.  The rows of one
   family and class share a loop.  */
typedef void look_fn (const char *name, int n, sg_node **root);

static void
look_and_drop (look_fn *look, const char *name, int n, sg_node **root)
{
  if (n > 0)
    look (name, n, root);
  pool_clear ();
}

static void
sweep_elementwise (look_fn *look, sg_class cls, int operands)
{
  sg_node *root[SG_NOP];
  int n = 0;
  sg_node *a = make_leaf (cls, false, DIMS (70, 5)), *b = make_leaf (cls, false, DIMS (70, 5));
  for (int op = 0; op < SG_NOP && pool.count < 120; op++)
    {
      const sg_opinfo *row = sg_op_info (op);
      if (row->family != SG_FAM_EW || row->n != operands || row->native)
        continue;
      sg_node *x = operands == 1 ? op1 (op, a) : op2 (op, a, b);
      if (x)
        root[n++] = x;
    }
  look_and_drop (look, sg_class_name (cls), n, root);
}

static void
sweep_complex (look_fn *look, sg_class cls, sg_cplx_form form)
{
  sg_node *root[SG_NOP];
  int n = 0;
  sg_node *a = make_leaf (cls, form == SG_CX_A || form == SG_CX_BOTH, DIMS (70, 5));
  sg_node *b = make_leaf (cls, form == SG_CX_B || form == SG_CX_BOTH, DIMS (70, 5));
  for (int op = 0; op < SG_NOP && pool.count < 120; op++)
    {
      const sg_opinfo *row = sg_op_info (op);
      if (row->family != SG_FAM_EW || sg_op_cplx (op, form) == SG_CX_NONE)
        continue;
      sg_node *x = row->n == 1 ? op1 (op, a) : op2 (op, a, b);
      if (x && form == SG_CX_LEAVES)
        x->leaves = true;
      if (x)
        root[n++] = x;
    }
  look_and_drop (look, "complex", n, root);
}

static void
sweep_lines (look_fn *look, sg_class cls, bool cplx)
{
  static const int64_t dims[][3] = { { 3, 70, 2 }, { 70000, 1, 1 }, { 400, 50, 2 } };
  for (int op = 0; op < SG_NOP; op++)
    for (int d = 0; d < 3; d++)
      for (int along = 0; along < 2; along++)
        {
          sg_family f = sg_op_info (op)->family;
          bool sorts = op == SG_SORT || op == SG_ISORT;
          /* Inner products are sums to the renderer; it does not sort complex numbers.  */
          if ((f != SG_FAM_RED && f != SG_FAM_SCAN) || op == SG_DOT || (sorts && cplx))
            continue;
          sg_node *a = make_leaf (cls, cplx, 3, dims[d]);
          sg_node *x = op == SG_NORM ? reduce_all (op, a) : sorts ? sort (op, a, along, along)
                       : f == SG_FAM_RED ? reduce (op, a, along) : scan (op, a, along);
          look_and_drop (look, sg_op_info (op)->id, x != NULL, &x);
        }
}

static void
sweep_moves (look_fn *look, sg_class cls, bool cplx)
{
  sg_node *a = make_leaf (cls, cplx, 2, (int64_t[]) { 40, 50 });
  sg_index x[2] = { vector (40, 5), range (3, 2, 4) };
  sg_node *root[] = { transpose (a, true), repmat (a, 2, (int64_t[]) { 2, 2 }), cat (0, a, a),
                      trilu (SG_TRIU, a, 1), subscript (a, 2, x) };
  bool all = true;
  for (int i = 0; i < 5; i++)
    all &= root[i] != NULL;
  look_and_drop (look, "move", all ? 5 : 0, root);
}

/* Along lines the class changes nothing but how elements are read and written.  */
static void
sweep (look_fn *look)
{
  static const sg_class along[] = { SG_F64, SG_F32, SG_BOOL, SG_I8, SG_U32, SG_I64 };
  for (int c = 0; c < SG_NCLASS; c++)
    {
      sweep_elementwise (look, c, 1);
      sweep_elementwise (look, c, 2);
      sweep_moves (look, c, false);
    }
  for (size_t c = 0; c < sizeof along / sizeof along[0]; c++)
    sweep_lines (look, along[c], false);
  for (int c = 0; c < 2; c++)
    {
      sg_class cls = c == 0 ? SG_F64 : SG_F32;
      for (int form = 0; form < SG_NCX; form++)
        sweep_complex (look, cls, form);
      sweep_lines (look, cls, true);
      sweep_moves (look, cls, true);
    }
}

#endif
