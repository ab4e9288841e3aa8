/* Small values are computed when their nodes are made: by the same kernels, so with the same
   bits, but without a plan, which takes longer than these operations do.  What is not done here
   stays an expression: complex numbers, conversions, foreign operations, hits of guards.

   What is small depends on the line.  A plan costs as much as some operations on a thousand elements;
   a line of a loop pays that in each turn, and nobody looks at the expressions of all turns.  */

#include <string.h>

#include "../core/build.h"
#include "../core/node.h"
#include "block.h"

/* The largest value of the settings "small" and "loop_small".  */
#define MOST 4096

/* Work that is no more than that on so many elements: elements that a reduction takes,
   products and sums of a matrix product.  */
#define REDUCED 4
#define MULTIPLIED 32

typedef struct block
{
  _Alignas (64) char mem[MOST * 8];
} block;

static bool
is_real_float (const sg_node *n)
{
  return (n->cls == SG_F64 || n->cls == SG_F32) && ! n->cplx;
}

/* Elements of values that are small where N is made.  */
static int64_t
limit (const sg_node *n)
{
  bool more = sg_cfg.loop_small > sg_cfg.small && sg_line_is_loop (n);
  return more ? sg_cfg.loop_small : sg_cfg.small;
}

/* Values that are known, of up to MOST_ELEMENTS.  */
static bool
has_operands (const sg_node *n, int64_t most_elements)
{
  for (int i = 0; i < n->nin; i++)
    if (! n->in[i]->val || ! n->in[i]->val->data || n->in[i]->numel == 0
        || n->in[i]->numel > most_elements)
      return false;
  return true;
}

/* An expression would keep a large array from being changed in place for the sake of a small part.  */
static bool
is_small_part (const sg_node *n)
{
  const int64_t few = 2000, ratio = 8;
  return n->op == SG_INDEX && n->in[0]->numel > few && n->numel * ratio <= n->in[0]->numel;
}

/* How large the operands of N may be for the work to be small.  In loops the work itself counts: of an
   index what it takes, of a product the inner dimension.  */
static int64_t
most_elements (const sg_node *n, int64_t small)
{
  if (small <= sg_cfg.small)
    return small;
  if (n->op == SG_INDEX)
    return INT64_MAX;
  if (n->op == SG_MTIMES)
    return n->numel * n->in[0]->dim[n->par[0] ? 0 : 1] <= MULTIPLIED * small ? INT64_MAX : 0;
  return sg_op_info (n->op)->family == SG_FAM_RED ? REDUCED * small : small;
}

/* ---- elementwise -------------------------------------------------------------------------- */

#define SPREAD(bits)                                                                    \
  static void                                                                           \
  spread_##bits (const sg_node *n, const sg_node *a, void *out)                         \
  {                                                                                     \
    const uint##bits##_t *x = a->val->data;                                             \
    uint##bits##_t *o = out;                                                            \
    int64_t s0 = a->dim[0] > 1, s1 = a->dim[1] > 1 ? a->dim[0] : 0;                     \
    for (int64_t j = 0; j < n->dim[1]; j++, x += s1)                                    \
      for (int64_t i = 0; i < n->dim[0]; i++)                                           \
        *o++ = x[i * s0];                                                               \
  }

SPREAD (32)
SPREAD (64)

/* The elements of operand A of N in full, in its own memory if they are there.  */
static const void *
elements (const sg_node *n, const sg_node *a, block *room)
{
  if (a->numel == n->numel)
    return a->val->data;
  (a->cls == SG_F64 ? spread_64 : spread_32) (n, a, room->mem);
  return room->mem;
}

/* The exponent of a power that has but one, and that Octave does for arrays by products then.  */
static bool
get_exponent (const sg_node *n, double *e)
{
  const sg_node *b = n->in[n->nin - 1];
  if (n->op != SG_POWER || b->numel != 1 || n->numel == 1)
    return false;
  *e = b->cls == SG_F64 ? *(double *) b->val->data : *(float *) b->val->data;
  return true;
}

static bool
has_kernel (const sg_node *n, const sg_opinfo *row)
{
  bool same = n->nin <= 2 && row->in != SG_IN_CASTS && ! row->native && ! n->dyn && n->nd == 2
              && (n->cls == n->ctype || n->cls == SG_BOOL);
  for (int i = 0; i < n->nin; i++)
    same &= is_real_float (n->in[i]) && n->in[i]->cls == n->ctype;
  return same;
}

/* False: a guard was hit, or there is no memory.  */
static bool
elementwise (sg_node *n)
{
  const sg_opinfo *row = sg_op_info (n->op);
  if (! has_kernel (n, row))
    return false;
  const sg_kernels *k = sg_kernels_get ();
  sg_rtype rt = n->ctype == SG_F64 ? SG_R64 : SG_R32;
  block x, y, z;
  const void *a = elements (n, n->in[0], &x);
  const void *b = n->nin > 1 ? elements (n, n->in[1], &y) : NULL;
  if (row->guard != SG_GUARD_NONE && k->guard[row->guard][rt] (n->numel, a, b))
    return false;
  sg_buf *out;
  if (sg_buf_pool (n->cls, false, n->numel * sg_class_bytes (n->cls), &out) != SG_OK)
    return false;
  void *o = n->cls == SG_BOOL ? z.mem : out->data;
  double e;
  if (! get_exponent (n, &e) || ! sg_simple_power (k, rt, n->numel, e, a, o, y.mem))
    {
      bool swap = sg_takes_second_first (n);
      k->map[n->op][rt] (n->numel, o, swap ? b : a, swap ? a : b);
    }
  if (n->cls == SG_BOOL)
    k->store[rt][SG_BOOL] (n->numel, out->data, o);
  sg_node_set_value (n, out);
  return true;
}

/* ---- reductions --------------------------------------------------------------------------- */

/* Longer lines have kernels of their own, see cpu/reduce.c.  */
#define SHORT 32

static void
reduce_line (const sg_kernels *k, const sg_node *n, sg_rtype rt, int64_t len, const char *x,
             char *acc)
{
  int64_t e = rt == SG_R64 ? 8 : 4;
  if (len > SHORT)
    for (int64_t i = 0; i < len; i += SG_BLOCK)
      k->line[n->op][rt] (len - i < SG_BLOCK ? len - i : SG_BLOCK, x + i * e, acc);
  else
    for (int64_t i = 0; i < len; i++)
      k->elem[n->op][rt] (1, x + i * e, acc);
}

/* Few rows of long slices are folded by blocks there.  */
#define FOLD 16

static bool
has_reduction (const sg_node *n)
{
  const sg_node *a = n->in[0];
  switch (n->op)
    {
    case SG_ANY:
      return (is_real_float (a) || a->cls == SG_BOOL) && n->numel <= MOST;
    case SG_ALL:
      return ((a->cls == SG_BOOL || (is_real_float (a) && ! sg_takes_nan_as_false (n)))
              && n->numel <= MOST);
    case SG_SUM:
      return is_real_float (a) || (a->cls == SG_BOOL && n->cls == SG_F64);
    case SG_PROD:
    case SG_SUMSQ:
    case SG_MAX:
    case SG_MIN:
      return is_real_float (a);
    default:
      return false;
    }
}

static bool
reduction (sg_node *n)
{
  const sg_node *a = n->in[0];
  block room, result;
  if (! has_reduction (n) || (a->cls == SG_BOOL && a->numel > MOST))
    return false;
  const sg_kernels *k = sg_kernels_get ();
  sg_rtype rt = a->cls == SG_F32 ? SG_R32 : SG_R64;
  size_t e = rt == SG_R64 ? 8 : 4;
  int64_t pre, len, post;
  sg_line_shape (a, n->par[0], &pre, &len, &post);
  sg_buf *out;
  if ((pre > 1 && pre <= FOLD && pre * len >= 8 * SG_BLOCK)
      || sg_buf_pool (n->cls, false, n->numel * sg_class_bytes (n->cls), &out) != SG_OK)
    return false;
  const char *x = a->val->data;
  if (a->cls == SG_BOOL)
    {
      k->load[SG_BOOL][rt] (a->numel, room.mem, x);
      x = room.mem;
    }
  char *acc = n->cls == SG_BOOL ? result.mem : out->data;
  for (int64_t i = 0; i < n->numel; i++)
    if (rt == SG_R64)
      ((double *) acc)[i] = sg_red_init (n->op);
    else
      ((float *) acc)[i] = sg_red_init (n->op);
  for (int64_t j = 0; j < post; j++, acc += pre * e, x += pre * len * e)
    if (pre == 1)
      reduce_line (k, n, rt, len, x, acc);
    else
      for (int64_t q = 0; q < len; q++)
        k->elem[n->op][rt] (pre, x + q * pre * e, acc);
  if (n->cls == SG_BOOL)
    k->store[rt][SG_BOOL] (n->numel, out->data, result.mem);
  sg_node_set_value (n, out);
  return true;
}

/* ---- products and moves --------------------------------------------------------------------- */

static bool
product (sg_node *n)
{
  sg_node *a = n->in[0], *b = n->in[1];
  if (! is_real_float (a) || ! is_real_float (b) || a->cls != n->cls || b->cls != n->cls)
    return false;
  sg_buf *out;
  if (sg_buf_pool (n->cls, false, n->numel * sg_class_bytes (n->cls), &out) != SG_OK)
    return false;
  sg_gemm g = { .cls = n->cls, .a = 0, .b = a == b ? 0 : 1, .out = 2, .ta = n->par[0],
                .tb = n->par[1], .m = n->dim[0], .n = n->dim[1],
                .k = a->dim[n->par[0] ? 0 : 1] };
  void *ptr[3] = { a->val->data, b->val->data, out->data };
  sg_run r = { .ptr = ptr, .threads = 1, .failed_node = -1 };
  if (sg_cpu_gemm (&g, &r) != SG_OK)
    {
      sg_buf_unref (out);
      return false;
    }
  sg_node_set_value (n, out);
  return true;
}

static bool
is_alias (const sg_node *n)
{
  const sg_node *a = n->in[0];
  return n->op == SG_RESHAPE
         || ((n->op == SG_TRANSPOSE || n->op == SG_CTRANSPOSE)
             && (a->dim[0] == 1 || a->dim[1] == 1));
}

/* What an INDEX node takes, if that stands side by side in the memory of its operand.  */
static const char *
neighbours (const sg_node *n, size_t e)
{
  const sg_node *a = n->in[0];
  const sg_index *x = n->idx;
  if (n->op != SG_INDEX || n->npar > 2 || x[0].kind == SG_IDX_VECTOR
      || x[n->npar - 1].kind == SG_IDX_VECTOR || (x[0].step != 1 && x[0].n > 1))
    return NULL;
  int64_t at = x[0].start;
  if (n->npar == 2)
    {
      int64_t rows = a->dim[0];
      if (a->nd != 2 || (x[1].n > 1 && (x[1].step != 1 || x[0].n != rows)))
        return NULL;
      at += x[1].start * rows;
    }
  return (const char *) a->val->data + at * (int64_t) e;
}

/* Complex numbers without imaginary parts are real.  */
static bool
set_index (sg_node *n, sg_buf *b)
{
  if (b->cplx && sg_has_no_imag (n->cls, n->numel, b->data))
    {
      sg_buf *re;
      if (sg_buf_pool (n->cls, false, b->bytes / 2, &re) != SG_OK)
        {
          sg_buf_unref (b);
          return false;
        }
      for (int64_t i = 0; i < n->numel; i++)
        if (n->cls == SG_F64)
          ((double *) re->data)[i] = ((const double *) b->data)[2 * i];
        else
          ((float *) re->data)[i] = ((const float *) b->data)[2 * i];
      sg_buf_unref (b);
      b = re;
    }
  sg_node_set_value (n, b);
  return true;
}

#define FEW 8

static bool
move (sg_node *n)
{
  for (int i = 0; i < n->nin; i++)
    if (n->in[i]->cls != n->cls || (n->in[i]->cplx && n->op != SG_INDEX))
      return false;
  if (is_alias (n))
    {
      sg_node_set_value (n, sg_buf_ref (n->in[0]->val));
      return true;
    }
  sg_buf *out;
  bool cplx = n->in[0]->cplx;
  size_t e = (size_t) sg_class_bytes (n->cls) << cplx;
  if (n->nin > FEW || sg_buf_pool (n->cls, cplx, n->numel * e, &out) != SG_OK)
    return false;
  const char *piece = neighbours (n, e);
  if (piece)
    {
      memcpy (out->data, piece, n->numel * e);
      return set_index (n, out);
    }
  int in[FEW];
  void *ptr[FEW + 1] = { out->data };
  for (int i = 0; i < n->nin; i++)
    {
      in[i] = i + 1;
      ptr[i + 1] = n->in[i]->val->data;
    }
  sg_move v = { .op = n->op, .esize = e, .out = 0, .in = in, .nin = n->nin, .inode = 0 };
  sg_run r = { .ptr = ptr, .order = &n, .threads = sg_cpu_threads (), .failed_node = -1 };
  sg_status s = sg_build_move (n, &v);
  if (s == SG_OK)
    s = sg_cpu_move (&v, &r);
  v.in = NULL;
  sg_move_clear (&v);
  if (s != SG_OK)
    {
      sg_buf_unref (out);
      return false;
    }
  return set_index (n, out);
}

/* ---- numbers ------------------------------------------------------------------------------ */

bool
sg_number_op (sg_op op, double a, double b, double *out)
{
  const sg_opinfo *row = sg_op_info (op);
  const sg_kernels *k = sg_kernels_get ();
  if (row->family != SG_FAM_EW || row->native || row->in == SG_IN_CASTS
      || (row->guard != SG_GUARD_NONE && k->guard[row->guard][SG_R64] (1, &a, &b)))
    return false;
  k->map[op][SG_R64] (1, out, &a, &b);
  return true;
}

sg_status
sg_number_new (double x, sg_node **out)
{
  sg_buf *b;
  SG_TRY (sg_buf_scalar (SG_F64, false, &x, &b));
  sg_node *n = sg_node_new (SG_LEAF, SG_F64, 2, 0, 0);
  if (! n)
    {
      sg_buf_unref (b);
      return SG_NOMEM;
    }
  n->dim[0] = n->dim[1] = n->numel = 1;
  n->val = b;
  n->pinned = b->bytes;
  *out = n;
  return SG_OK;
}

/* ------------------------------------------------------------------------------------------- */

static bool
compute (sg_node *n)
{
  switch (sg_op_info (n->op)->family)
    {
    case SG_FAM_EW:
      return elementwise (n);
    case SG_FAM_RED:
      return reduction (n);
    case SG_FAM_MOVE:
      return n->op == SG_MTIMES ? product (n) : move (n);
    default:
      return false;
    }
}

bool
sg_compute_part (sg_node *n)
{
  if (n->val || ! is_small_part (n) || ! has_operands (n, INT64_MAX) || ! move (n))
    return false;
  sg_node_cut (n);
  return true;
}

bool
sg_compute_small (sg_node *n)
{
  if (n->val || n->nin == 0 || n->numel == 0)
    return false;
  int64_t small = limit (n);
  if (n->numel > small || ! has_operands (n, most_elements (n, small)) || ! compute (n))
    return false;
  sg_line_computed (n);
  return true;
}
