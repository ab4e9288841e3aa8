/* Scans along one dimension: every element in order, as Octave's loops do (mx-inlines.cc), so
   that the results have the same bits.  */

#include "cpu.h"
#include "threads.h"

#define PIECE (1 << 16)      /* elements of a line between looks for an interrupt */
#define ROWS 2048
#define ELEMENT_NS 1.0       /* about */

/* Elements I0 to I1 - 1 of a line; those before are done.  */
typedef void (*line_fn) (const void *v, void *r, int64_t i0, int64_t i1);
/* N elements side by side, number I of their lines, at most PRE; their predecessors in the
   result stand PRE elements before.  */
typedef void (*rows_fn) (const void *v, void *r, int64_t pre, int64_t n, int64_t i);

/* NEXT is what element X makes of the value T before it.  */
#define SCAN_FN(name, T, NEXT)                                                          \
  static void                                                                           \
  line_##name (const void *vv, void *vr, int64_t i0, int64_t i1)                        \
  {                                                                                     \
    const T *v = vv;                                                                    \
    T *r = vr;                                                                          \
    int64_t i = i0 > 0 ? i0 : 1;                                                        \
    T t = i0 > 0 ? r[i0 - 1] : (r[0] = v[0]);                                           \
                                                                                        \
    for (; i < i1; i++)                                                                 \
      {                                                                                 \
        const T x = v[i];                                                               \
        r[i] = t = NEXT;                                                                \
      }                                                                                 \
  }                                                                                     \
                                                                                        \
  static void                                                                           \
  rows_##name (const void *vv, void *vr, int64_t pre, int64_t n, int64_t at)            \
  {                                                                                     \
    const T *v = vv;                                                                    \
    T *r = vr;                                                                          \
    const T *r0 = r - pre;                                                              \
    (void) at;                                                                          \
                                                                                        \
    _Pragma ("omp simd") for (int64_t i = 0; i < n; i++)                                \
      {                                                                                 \
        const T t = r0[i], x = v[i];                                                    \
        r[i] = NEXT;                                                                    \
      }                                                                                 \
  }

/* The same for the position, from 1, of the last X that was BETTER than the value T at the
   position before.  */
#define PLACE_FN(name, T, BETTER)                                                       \
  static void                                                                           \
  line_##name (const void *vv, void *vr, int64_t i0, int64_t i1)                        \
  {                                                                                     \
    const T *v = vv;                                                                    \
    double *r = vr;                                                                     \
    int64_t i = i0 > 0 ? i0 : 1, at = i0 > 0 ? (int64_t) r[i0 - 1] - 1 : 0;             \
    T t = v[at];                                                                        \
                                                                                        \
    for (r[0] = i0 > 0 ? r[0] : 1; i < i1; i++)                                         \
      {                                                                                 \
        const T x = v[i];                                                               \
        if (BETTER)                                                                     \
          {                                                                             \
            t = x;                                                                      \
            at = i;                                                                     \
          }                                                                             \
        r[i] = (double) (at + 1);                                                       \
      }                                                                                 \
  }                                                                                     \
                                                                                        \
  static void                                                                           \
  rows_##name (const void *vv, void *vr, int64_t pre, int64_t n, int64_t at)            \
  {                                                                                     \
    const T *v = vv;                                                                    \
    double *r = vr;                                                                     \
    const double *r0 = r - pre;                                                         \
                                                                                        \
    for (int64_t i = 0; i < n; i++)                                                     \
      {                                                                                 \
        const T t = v[i + ((int64_t) r0[i] - 1 - at) * pre], x = v[i];                  \
        r[i] = BETTER ? (double) (at + 1) : r0[i];                                      \
      }                                                                                 \
  }

/* A NaN stays only where there is nothing else before it.  */
#define GREATER (x > t || (t != t && x == x))
#define LESS (x < t || (t != t && x == x))
#define CUMMAX(id, T) \
  SCAN_FN (CUMMAX_##id, T, GREATER ? x : t) PLACE_FN (ICUMMAX_##id, T, GREATER)
#define CUMMIN(id, T) \
  SCAN_FN (CUMMIN_##id, T, LESS ? x : t) PLACE_FN (ICUMMIN_##id, T, LESS)

SCAN_FN (CUMSUM_F64, double, t + x)
SCAN_FN (CUMSUM_F32, float, t + x)
SCAN_FN (CUMPROD_F64, double, t * x)
SCAN_FN (CUMPROD_F32, float, t * x)

#define BOTH(id, T) CUMMAX (id, T) CUMMIN (id, T)
BOTH (F64, double)
BOTH (F32, float)
BOTH (BOOL, uint8_t)
BOTH (I8, int8_t)
BOTH (I16, int16_t)
BOTH (I32, int32_t)
BOTH (U8, uint8_t)
BOTH (U16, uint16_t)
BOTH (U32, uint32_t)

typedef struct kernel
{
  sg_op op;
  sg_class cls;
  line_fn line;
  rows_fn rows;
} kernel;

#define ROW(op, id) { SG_##op, SG_##id, line_##op##_##id, rows_##op##_##id }
static const kernel kernels[] =
{
  ROW (CUMSUM, F64), ROW (CUMSUM, F32), ROW (CUMPROD, F64), ROW (CUMPROD, F32),
#define BOTH_ROWS(id) ROW (CUMMAX, id), ROW (CUMMIN, id), ROW (ICUMMAX, id), ROW (ICUMMIN, id)
  BOTH_ROWS (F64), BOTH_ROWS (F32), BOTH_ROWS (BOOL), BOTH_ROWS (I8), BOTH_ROWS (I16), BOTH_ROWS (I32),
  BOTH_ROWS (U8), BOTH_ROWS (U16), BOTH_ROWS (U32)
};

typedef struct job
{
  const sg_scan *s;
  const kernel *k;
  const char *in;
  char *out;
  int64_t ibytes, obytes;    /* of an element */
  int64_t rows, slices;      /* a unit has this many of PRE and of POST */
} job;

static bool
run_unit (void *ctx, int64_t u, int t)
{
  const job *j = ctx;
  const sg_scan *s = j->s;
  int64_t nr = sg_ceil_div (s->pre, j->rows);
  int64_t r0 = u % nr * j->rows, n = sg_min64 (s->pre - r0, j->rows);
  int64_t p0 = u / nr * j->slices, p1 = sg_min64 (s->post, p0 + j->slices);
  (void) t;

  for (int64_t p = p0; p < p1; p++)
    {
      int64_t at = p * s->len * s->pre + r0;
      const char *in = j->in + at * j->ibytes;
      char *out = j->out + at * j->obytes;
      if (s->pre == 1)
        {
          j->k->line (in, out, 0, s->len);
          continue;
        }
      for (int64_t i = 0; i < n; i++)
        j->k->line (in + i * j->ibytes, out + i * j->obytes, 0, 1);
      for (int64_t i = 1; i < s->len; i++)
        {
          in += s->pre * j->ibytes;
          out += s->pre * j->obytes;
          j->k->rows (in, out, s->pre, n, i);
        }
    }
  return true;
}

/* Few long lines, one after the other.  */
static sg_status
run_lines (const job *j)
{
  for (int64_t p = 0; p < j->s->post; p++)
    for (int64_t i = 0; i < j->s->len; i += PIECE)
      {
        int64_t at = p * j->s->len;
        if (i > 0 && sg_is_interrupted ())
          return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
        j->k->line (j->in + at * j->ibytes, j->out + at * j->obytes, i,
                    sg_min64 (j->s->len, i + PIECE));
      }
  return SG_OK;
}

sg_status
sg_cpu_scan (const sg_scan *s, sg_run *r)
{
  bool place = s->op == SG_ICUMMAX || s->op == SG_ICUMMIN;
  int64_t bytes = (int64_t) sg_class_bytes (s->cls);
  job j = { s, NULL, r->ptr[s->in], r->ptr[s->out], bytes, place ? (int64_t) sizeof (double) : bytes,
            1, 1 };
  int64_t numel = s->pre * s->len * s->post;

  if (numel == 0)
    return SG_OK;
  if (s->op == SG_SORT || s->op == SG_ISORT)
    return sg_cpu_sort (s, r);
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    if (kernels[i].op == s->op && kernels[i].cls == s->cls)
      j.k = &kernels[i];
  if (! j.k)
    return sg_fail (SG_INTERNAL, "no kernel for %s of class %s", sg_op_info (s->op)->name,
                    sg_class_name (s->cls));

  j.rows = sg_min64 (s->pre, ROWS);
  j.slices = sg_max64 (1, PIECE / (s->len * j.rows));
  int64_t units = sg_ceil_div (s->pre, j.rows) * sg_ceil_div (s->post, j.slices);
  int threads = sg_threads_for (r->threads, (double) numel * ELEMENT_NS, units);
  if (threads == 1 && s->pre == 1 && s->len > PIECE)
    return run_lines (&j);
  return sg_units_run (threads, units, run_unit, &j);
}
