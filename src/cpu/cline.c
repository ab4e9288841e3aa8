/* Reductions and scans of complex numbers that are not those of their parts: line by line, in
   the order of Octave's own loops, and with its bits.  */

#include "cpu.h"
#include "threads.h"
#include "../../kernels/sg_cmath.h"

#define ELEMENT_NS 8

/* N elements of X, S apart, to one element of OUT or to N of them, S apart.  */
typedef void (*line_fn) (int64_t n, int64_t s, const void *x, void *out);

/* first  the first element that is no NaN, N if all are
   after  true if A comes after B (SIDE is SG_AFTER) or before it
   best   the position of the largest or smallest  */
#define LINES(T)                                                                            \
  static int64_t                                                                            \
  first_##T (int64_t n, int64_t s, const T _Complex *x)                                     \
  {                                                                                         \
    int64_t i = 0;                                                                          \
    while (i < n && sg_cisnan (x[i * s]))                                                   \
      i++;                                                                                  \
    return i;                                                                               \
  }                                                                                         \
  static bool                                                                               \
  after_##T (T _Complex a, T _Complex b, int side)                                          \
  {                                                                                         \
    return sg_corder (a, sg_cangle (a), b, sg_cangle (b)) == side;                          \
  }                                                                                         \
  static int64_t                                                                            \
  best_##T (int64_t n, int64_t s, const T _Complex *x, int side)                            \
  {                                                                                         \
    int64_t i = first_##T (n, s, x), b = i < n ? i : 0;                                     \
    for (; i < n; i++)                                                                      \
      if (after_##T (x[i * s], x[b * s], side))                                             \
        b = i;                                                                              \
    return b;                                                                               \
  }                                                                                         \
  static void                                                                               \
  max_##T (int64_t n, int64_t s, const void *x, void *out)                                  \
  {                                                                                         \
    const T _Complex *p = x;                                                                \
    *(T _Complex *) out = p[best_##T (n, s, p, SG_AFTER) * s];                              \
  }                                                                                         \
  static void                                                                               \
  min_##T (int64_t n, int64_t s, const void *x, void *out)                                  \
  {                                                                                         \
    const T _Complex *p = x;                                                                \
    *(T _Complex *) out = p[best_##T (n, s, p, SG_BEFORE) * s];                             \
  }                                                                                         \
  static void                                                                               \
  imax_##T (int64_t n, int64_t s, const void *x, void *out)                                 \
  {                                                                                         \
    *(double *) out = (double) best_##T (n, s, x, SG_AFTER) + 1;                            \
  }                                                                                         \
  static void                                                                               \
  imin_##T (int64_t n, int64_t s, const void *x, void *out)                                 \
  {                                                                                         \
    *(double *) out = (double) best_##T (n, s, x, SG_BEFORE) + 1;                           \
  }                                                                                         \
  static void                                                                               \
  prod_##T (int64_t n, int64_t s, const void *x, void *out)                                 \
  {                                                                                         \
    const T _Complex *p = x;                                                                \
    T _Complex r = __builtin_complex ((T) 1, (T) 0);                                        \
    for (int64_t i = 0; i < n; i++)                                                         \
      r *= p[i * s];                                                                        \
    *(T _Complex *) out = r;                                                                \
  }                                                                                         \
  static void                                                                               \
  cumprod_##T (int64_t n, int64_t s, const void *x, void *out)                              \
  {                                                                                         \
    const T _Complex *p = x;                                                                \
    T _Complex *o = out, r = p[0];                                                          \
    o[0] = r;                                                                               \
    for (int64_t i = 1; i < n; i++)                                                         \
      o[i * s] = r = r * p[i * s];                                                          \
  }                                                                                         \
  static void                                                                               \
  cumulate_##T (int64_t n, int64_t s, const T _Complex *x, T _Complex *out, int side)       \
  {                                                                                         \
    int64_t i = first_##T (n, s, x);                                                        \
    for (int64_t j = 0; j < i; j++)                                                         \
      out[j * s] = x[0];                                                                    \
    for (int64_t b = i; i < n; i++)                                                         \
      {                                                                                     \
        if (after_##T (x[i * s], x[b * s], side))                                           \
          b = i;                                                                            \
        out[i * s] = x[b * s];                                                              \
      }                                                                                     \
  }                                                                                         \
  static void                                                                               \
  cummax_##T (int64_t n, int64_t s, const void *x, void *out)                               \
  {                                                                                         \
    cumulate_##T (n, s, x, out, SG_AFTER);                                                  \
  }                                                                                         \
  static void                                                                               \
  cummin_##T (int64_t n, int64_t s, const void *x, void *out)                               \
  {                                                                                         \
    cumulate_##T (n, s, x, out, SG_BEFORE);                                                 \
  }

LINES (double)
LINES (float)

static const line_fn lines[SG_NOP][2] =   /* by sg_rtype */
{
#define CL(id, name) [SG_##id] = { name##_double, name##_float },
#include "../core/cplx.def"
};

typedef struct job
{
  const sg_scan *s;
  line_fn fn;
  bool scan;
  const char *in;
  char *out;
  int64_t bytes, outbytes;   /* of an element */
  int64_t group;             /* lines in a unit */
} job;

static bool
run_unit (void *ctx, int64_t u, int t)
{
  const job *j = ctx;
  const sg_scan *s = j->s;
  (void) t;

  int64_t end = sg_min64 ((u + 1) * j->group, s->pre * s->post);
  for (int64_t q = u * j->group; q < end; q++)
    {
      int64_t at = q / s->pre * s->len * s->pre + q % s->pre;
      j->fn (s->len, s->pre, j->in + at * j->bytes, j->out + (j->scan ? at : q) * j->outbytes);
    }
  return true;
}

sg_status
sg_cpu_cplx_lines (const sg_scan *s, sg_run *r)
{
  sg_rtype rt = s->cls == SG_F32 ? SG_R32 : SG_R64;
  job j = { .s = s, .fn = lines[s->op][rt], .scan = sg_op_info (s->op)->family == SG_FAM_SCAN,
            .in = r->ptr[s->in], .out = r->ptr[s->out] };

  if (! j.fn)
    return sg_fail (SG_INTERNAL, "no kernel for complex %s", sg_op_info (s->op)->name);
  j.bytes = 2 * (int64_t) sg_class_bytes (s->cls);
  j.outbytes = sg_op_info (s->op)->out == SG_OUT_IDX ? (int64_t) sizeof (double) : j.bytes;
  j.group = sg_max64 (1, 4096 / s->len);
  int64_t count = s->pre * s->post, units = sg_ceil_div (count, j.group);
  double ns = (double) count * s->len * ELEMENT_NS;
  return sg_units_run (sg_threads_for (r->threads, ns, units), units, run_unit, &j);
}
