/* The kernels of every instruction set that this machine has, against the C library and
   Octave's definitions, row by row of op.def.  */

#include "kernel_tests.h"

/* ---- references: the expressions of op.def with Octave's definitions ---------------------- */

#define sg_fabs fabs
#define sg_trunc trunc
#define sg_floor floor
#define sg_ceil ceil
#define sg_sqrt sqrt
#define sg_cbrt cbrt
#define sg_exp exp
#define sg_expm1 expm1
#define sg_log log
#define sg_log2 log2
#define sg_log10 log10
#define sg_log1p log1p
#define sg_sin sin
#define sg_cos cos
#define sg_tan tan
#define sg_asin asin
#define sg_acos acos
#define sg_atan atan
#define sg_sinh sinh
#define sg_cosh cosh
#define sg_tanh tanh
#define sg_asinh asinh
#define sg_acosh acosh
#define sg_atanh atanh
#define sg_erf erf
#define sg_erfc erfc
#define sg_atan2 atan2
#define sg_hypot hypot
#define sg_pow pow
#define sg_round round
#define sg_isinf(a) (isinf (a) != 0)
#define sg_isfinite isfinite
#define sg_max(a, b) (isnan (b) ? (a) : (a) >= (b) ? (a) : (b))
#define sg_min(a, b) (isnan (b) ? (a) : (a) <= (b) ? (a) : (b))
#define sg_sign(a) (isnan (a) ? (T) NAN : (a) < 0 ? -1 : (a) > 0 ? 1 : 0)
#define sg_arg(a) (signbit (a) ? (T) 3.1415926535897932385 : 0)
#define PICK(f, a) _Generic ((a), float: f##_float, default: f##_double)
#define sg_mod(a, b) PICK (ref_mod, a) (a, b)
#define sg_rem(a, b) PICK (ref_rem, a) (a, b)

#define REF_DIVISION(f, T, NDIGITS, round_q, at_zero, sign)                                 \
  static T                                                                                  \
  f (T x, T y)                                                                              \
  {                                                                                         \
    if (y == 0)                                                                             \
      return at_zero;                                                                       \
    T r, q = x / y, nq = isfinite (q) ? floor (q + (T) 0.5) : q;                            \
    T ny = isfinite (y) ? floor (y + (T) 0.5) : y;                                          \
    if (ny != y && fabs ((q - nq) / nq) < NDIGITS##_EPSILON)                                \
      r = 0;                                                                                \
    else                                                                                    \
      {                                                                                     \
        volatile T t = y * round_q (q);                                                     \
        r = x - t;                                                                          \
      }                                                                                     \
    return x != y ? copysign (r, sign) : r;                                                 \
  }
REF_DIVISION (ref_mod_double, double, DBL, floor, x, y)
REF_DIVISION (ref_mod_float, float, FLT, floor, x, y)
REF_DIVISION (ref_rem_double, double, DBL, trunc, (double) NAN, x)
REF_DIVISION (ref_rem_float, float, FLT, trunc, NAN, x)

#define sg_gamma(a) ((a) == 0 ? copysign ((T) INFINITY, a) \
                     : ((a) < 0 && floor ((a) + (T) 0.5) == (a)) || isinf (a) ? (T) INFINITY \
                     : tgamma (a))
#define sg_lgamma lgamma
#define sg_erfinv(a) ref_erfinv (a, sizeof (T) == 8)

/* liboctave's, lo-specfun.cc.  */
static double
ref_erfinv (double x, bool refine)
{
  static const double a[] = { -2.806989788730439e+01, 1.562324844726888e+02, -1.951109208597547e+02,
                              9.783370457507161e+01, -2.168328665628878e+01, 1.772453852905383e+00 };
  static const double b[] = { -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                              6.680131188771972e+01, -1.328068155288572e+01 };
  static const double c[] = { -5.504751339936943e-03, -2.279687217114118e-01, -1.697592457770869e+00,
                              -1.802933168781950e+00, 3.093354679843505e+00, 2.077595676404383e+00 };
  static const double d[] = { 7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                              3.754408661907416e+00 };
  double ax = fabs (x), y, yn, yd;
  if (ax <= 0.95150)
    {
      const double q = 0.5 * x, r = q * q;
      yn = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q;
      yd = ((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1.0;
      y = yn / yd;
    }
  else if (ax < 1.0)
    {
      const double q = sqrt (-2 * log (0.5 * (1 - ax)));
      yn = ((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5];
      yd = (((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1.0;
      y = yn / yd * (x > 0 ? -1 : 1);
    }
  else
    return ax == 1.0 ? (double) INFINITY * x : (double) NAN;
  if (refine)
    {
      double u = (erf (y) - x) * 8.862269254527579e-01 * exp (y * y);
      y -= u / (1 + y * u);
    }
  return y;
}

#define NATIVE 0
#define EW(id, name, n, in, out, guard, ulp, lo, hi, expr)                                  \
  static double                                                                             \
  ref_##id##_64 (double a, double b)                                                        \
  {                                                                                         \
    typedef double T __attribute__ ((unused));                                              \
    (void) a, (void) b;                                                                     \
    return (double) (expr);                                                                 \
  }                                                                                         \
  static double                                                                             \
  ref_##id##_32 (double x, double y)                                                        \
  {                                                                                         \
    typedef float T __attribute__ ((unused));                                               \
    float a = (float) x, b = (float) y;                                                     \
    (void) a, (void) b;                                                                     \
    return (double) (float) (expr);                                                         \
  }
#include "op.def"

typedef double (*ref_fn) (double a, double b);
static const ref_fn ref[SG_NOP][2] = {
#define EW(id, name, n, in, out, guard, ulp, lo, hi, expr)                                  \
  [SG_##id] = { ref_##id##_64, ref_##id##_32 },
#include "op.def"
};

/* ---- elementwise ------------------------------------------------------------------------- */

static char bufb[sizeof bufa], bufp[sizeof bufa];

static void
compare (const sg_kernels *k, const sg_opinfo *op, sg_op id, int rt, int n)
{
  k->map[id][rt] (n, bufo, bufa, op->n == 2 ? bufb : NULL);
  for (int i = 0; i < n; i++)
    {
      double a = get (rt, bufa, i), b = get (rt, bufb, i), y = get (rt, bufo, i);
      double want = ref[id][rt] (a, b), d = distance (rt, y, want);
      if (d > op->ulp || (op->ulp && want == 0 && ! is_same (y, want)))
        FAIL ("%s %s %s (%.17g, %.17g) = %.17g, not %.17g: %g units", k->isa, rt_name[rt], op->id,
              a, b, y, want, d);
    }
}

static void
test_values (const sg_kernels *k, const sg_opinfo *op, sg_op id, int rt)
{
  /* specials, each with each */
  for (int s = 0; s < NSPECIAL; s++)
    {
      for (int i = 0; i < NSPECIAL; i++)
        {
          set (rt, bufa, i, special[rt][i]);
          set (rt, bufb, i, special[rt][(i + s) % NSPECIAL]);
        }
      compare (k, op, id, rt, NSPECIAL);
    }
  for (int block = 0; block < 40; block++)
    {
      for (int i = 0; i < MANY; i++)
        {
          double a = random_in (op->lo, op->hi), b = random_in (op->lo, op->hi);
          if (block % 4 == 1)
            {
              a = random_any (rt);
              b = random_any (rt);
            }
          else if (block % 4 == 2)      /* small integers */
            {
              a = floor (random_in (-40, 40));
              b = floor (random_in (-40, 40));
            }
          else if (block % 4 == 3)      /* all magnitudes near 1 */
            {
              a = ldexp (random_in (-2, 2), (int) random_in (-30, 30));
              b = ldexp (random_in (-2, 2), (int) random_in (-30, 30));
            }
          set (rt, bufa, i, a);
          set (rt, bufb, i, b);
        }
      compare (k, op, id, rt, MANY);
    }
  end_test ();
}

/* The same bits at every place and length, and when the result replaces an operand.  */
static void
test_places (const sg_kernels *k, const sg_opinfo *op, sg_op id, int rt)
{
  enum { N = 64 };
  int sz = size[rt];
  sg_map_fn f = k->map[id][rt];
  for (int i = 0; i < N; i++)
    {
      set (rt, bufa, i, i % 3 == 2 ? random_any (rt) : random_in (op->lo, op->hi));
      set (rt, bufb, i, i % 5 == 4 ? random_any (rt) : random_in (op->lo, op->hi));
      f (1, bufp + i * sz, bufa + i * sz, bufb + i * sz);
    }
  for (int off = 0; off < 16; off++)
    for (int n = 1; n <= 40; n++)
      {
        memset (bufo, 0x55, N * 8);
        f (n, bufo, bufa + off * sz, bufb + off * sz);
        for (int i = 0; i < n; i++)
          if (! is_same (get (rt, bufo, i), get (rt, bufp, off + i)))
            FAIL ("%s %s %s: element %d of %d depends on its place", k->isa, rt_name[rt], op->id,
                  i, n);
        for (int i = n * sz; i < N * sz; i++)
          if (bufo[i] != 0x55)
            FAIL ("%s %s %s writes behind its end", k->isa, rt_name[rt], op->id);
      }
  for (int which = 0; which < op->n; which++)
    {
      memcpy (bufo, which ? bufb : bufa, N * 8);
      f (N - 1, bufo, which ? bufa : bufo, which ? bufo : bufb);
      for (int i = 0; i < N - 1; i++)
        if (! is_same (get (rt, bufo, i), get (rt, bufp, i)))
          FAIL ("%s %s %s in place of operand %d", k->isa, rt_name[rt], op->id, which + 1);
    }
  end_test ();
}

static void
test_elementwise (const sg_kernels *k)
{
  for (int id = 0; id < SG_NOP; id++)
    {
      const sg_opinfo *op = sg_op_info (id);
      for (int rt = 0; rt < 2; rt++)
        {
          bool has = op->family == SG_FAM_EW && ! op->native && op->n < 3;
          if ((op->family == SG_FAM_EW && op->n == 3) != (k->map3[id][rt] != NULL))
            FAIL ("%s %s %s: a kernel of three operands", k->isa, rt_name[rt], op->id);
          end_test ();
          if (has != (k->map[id][rt] != NULL))
            FAIL ("%s %s %s: a kernel %s", k->isa, rt_name[rt], op->id,
                  has ? "is missing" : "too many");
          end_test ();
          if (! k->map[id][rt])
            continue;
          test_values (k, op, id, rt);
          test_places (k, op, id, rt);
        }
    }
}

/* Results that users compare with ==.  The cube root of the C library is not exact.  */
static void
test_exact (const sg_kernels *k)
{
  static const struct { sg_op op; double a, b, y; } row[] = {
    { SG_EXP, 0, 0, 1 }, { SG_EXP, -INFINITY, 0, 0 }, { SG_LOG, 1, 0, 0 }, { SG_LOG10, 1000, 0, 3 },
    { SG_LOG2, 8, 0, 3 }, { SG_LOG2, 0.125, 0, -3 }, { SG_COS, 0, 0, 1 },
    { SG_TANH, 1000, 0, 1 }, { SG_ERF, INFINITY, 0, 1 }, { SG_ACOS, 1, 0, 0 },
    { SG_HYPOT, 3, 4, 5 }, { SG_HYPOT, -5, 12, 13 }, { SG_POWER, -2, 3, -8 }, { SG_POWER, 7, 0, 1 },
    { SG_POWER, 0.3, 1, 0.3 }, { SG_POWER, NAN, 0, 1 }, { SG_POWER, 1, NAN, 1 },
    { SG_POWER, 0, -1, INFINITY }, { SG_POWER, -0.0, -3, -INFINITY }, { SG_POWER, 4, 0.5, 2 },
    { SG_POWER, 27, 1, 27 }, { SG_POWER, -1, 1e10, 1 }, { SG_POWER, 0.1, 2, 0.1 * 0.1 }
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    {
      double a[2] = { row[i].a, 1 }, b[2] = { row[i].b, 1 }, y[2];
      k->map[row[i].op][SG_R64] (1, y, a, b);
      if (! is_same (y[0], row[i].y))
        FAIL ("%s %s (%g, %g) = %.17g, not %.17g", k->isa, sg_op_info (row[i].op)->id, a[0], b[0],
              y[0], row[i].y);
      end_test ();
    }
  for (int e = -1074; e < 1024; e++)
    {
      double x[2] = { 2, ldexp (1.0, e) }, n = e, y[2];
      k->map[SG_POWER][SG_R64] (1, &y[0], &x[0], &n);
      k->map[SG_LOG2][SG_R64] (1, &y[1], &x[1], NULL);
      if (y[0] != x[1] || y[1] != n)
        FAIL ("%s 2 ^ %d and its log2", k->isa, e);
    }
  for (int e = -300; e < 300; e++)
    {
      double ten = 10, n = e, y, z, want = pow (10.0, n);
      k->map[SG_POWER][SG_R64] (1, &y, &ten, &n);
      k->map[SG_LOG10][SG_R64] (1, &z, &want, NULL);
      if (y != want || z != log10 (want))
        FAIL ("%s 10 ^ %d and its log10", k->isa, e);
    }
  for (int i = -1000; i <= 1000; i++)
    {
      double r = i, x = r * r * r, y, three = 3, z;
      k->map[SG_CBRT][SG_R64] (1, &y, &x, NULL);
      k->map[SG_POWER][SG_R64] (1, &z, &r, &three);
      if (z != x || (strcmp (k->vector_math, "libm") != 0 && y != r))
        FAIL ("%s %d ^ 3 and its cbrt", k->isa, i);
    }
  end_test ();
}

/* ---- guards ------------------------------------------------------------------------------ */

/* Whether Octave does the operation in complex or calls it an error.  To Octave, odd numbers
   beyond 2^23 are no integers in single.  */
static bool
violates (sg_guard g, int rt, double a, double b)
{
  double nint = rt == SG_R32 ? (double) floorf ((float) b + 0.5f) : floor (b + 0.5);
  switch (g)
    {
    case SG_GUARD_NEG: return a < 0;
    case SG_GUARD_SIGN: return signbit (a) != 0;
    case SG_GUARD_LT1: return a < 1;
    case SG_GUARD_ABS1: return fabs (a) > 1;
    case SG_GUARD_LTM1: return a < -1;
    case SG_GUARD_NANL: return isnan (a);
    case SG_GUARD_NANL2: return isnan (a) || isnan (b);
    case SG_GUARD_POW: return a < 0 && ! (nint == b && fabs (b) < 2147483647);
    default: return false;
    }
}

static void
test_guards (const sg_kernels *k)
{
  for (int g = SG_GUARD_NONE + 1; g <= SG_GUARD_POW; g++)
    for (int rt = 0; rt < 2; rt++)
      {
        for (int s = 0; s < NSPECIAL * NSPECIAL; s++)
          {
            double a = special[rt][s % NSPECIAL], b = special[rt][s / NSPECIAL];
            int n = 1 + s % 37, at = s % n;
            for (int i = 0; i < n; i++)
              {
                set (rt, bufa, i, 1);
                set (rt, bufb, i, 1);
              }
            set (rt, bufa, at, a);
            set (rt, bufb, at, b);
            bool hit = k->guard[g][rt] (n, bufa, bufb) != 0;
            if (hit != violates (g, rt, a, b))
              FAIL ("%s guard %d %s (%g, %g) at %d of %d", k->isa, g, rt_name[rt], a, b, at, n);
          }
        end_test ();
      }
}

/* ---- conversions ------------------------------------------------------------------------- */

static void
test_saturation (const sg_kernels *k)
{
  static const struct { sg_class cls; double lo, hi; } row[] = {
    { SG_I8, INT8_MIN, INT8_MAX }, { SG_I16, INT16_MIN, INT16_MAX },
    { SG_I32, INT32_MIN, INT32_MAX }, { SG_U8, 0, UINT8_MAX }, { SG_U16, 0, UINT16_MAX },
    { SG_U32, 0, UINT32_MAX }
  };
  for (size_t r = 0; r < sizeof row / sizeof *row; r++)
    {
      for (int block = 0; block < 40; block++)
        {
          double *a = (double *) bufa, *o = (double *) bufo, lo = row[r].lo, hi = row[r].hi;
          for (int i = 0; i < MANY; i++)
            a[i] = (block == 0 ? special[SG_R64][i % NSPECIAL]
                    : block == 1 ? (i % 2 ? lo : hi) + (i - MANY / 2) / 8.0
                    : block == 2 ? (i - MANY / 2) / 4.0 : random_in (2 * lo - 10, 2 * hi));
          k->sat[row[r].cls] (MANY, o, a);
          for (int i = 0; i < MANY; i++)
            {
              double want = isnan (a[i]) ? 0 : round (a[i]);
              want = want < lo ? lo : want > hi ? hi : want + 0.0;
              if (! is_same (o[i], want))
                FAIL ("%s %s (%.17g) = %.17g", k->isa, sg_class_name (row[r].cls), a[i], o[i]);
            }
        }
      end_test ();
    }
}

/* What a class holds, through registers and back.  */
#define TYPE(id, name, ctype, bytes, kind)                                                  \
  static void                                                                               \
  test_memory_##id (const sg_kernels *k)                                                    \
  {                                                                                         \
    ctype x[MANY], y[MANY];                                                                 \
    for (int rt = 0; rt < 2 && k->load[SG_##id][rt]; rt++)                                  \
      {                                                                                     \
        for (int block = 0; block < 130; block++)                                           \
          {                                                                                 \
            int n = block == 0 ? 37 : MANY;                                                 \
            for (int i = 0; i < n; i++)                                                     \
              {                                                                             \
                uint64_t u = bytes > 2 ? random_bits () : (uint64_t) (block * MANY + i);    \
                x[i] = (ctype) (SG_##id == SG_BOOL ? u & 1 : u);                            \
                if (rt == SG_R32 && bytes > 2)                                              \
                  x[i] = (ctype) (u & 0xffff80);                                            \
              }                                                                             \
            k->load[SG_##id][rt] (n, bufa, x);                                              \
            k->store[rt][SG_##id] (n, y, bufa);                                             \
            for (int i = 0; i < n; i++)                                                     \
              if (get (rt, bufa, i) != (double) x[i] || y[i] != x[i])                       \
                FAIL ("%s %s %s in memory", k->isa, rt_name[rt], name);                     \
          }                                                                                 \
        end_test ();                                                                        \
      }                                                                                     \
  }
#include "type.def"

static void
test_memory (const sg_kernels *k)
{
#define TYPE(id, name, ctype, bytes, kind) test_memory_##id (k);
#include "type.def"
  double x[3] = { 0, -2, NAN };
  uint8_t b[3];
  k->store[SG_R64][SG_BOOL] (3, b, x);
  if (b[0] != 0 || b[1] != 1 || b[2] != 1)
    FAIL ("%s logical of doubles", k->isa);
  end_test ();
}

int
main (void)
{
  ok = true;
  find_tables ();
  for (int t = 0; t < ntables; t++)
    {
      test_elementwise (table[t]);
      test_exact (table[t]);
      test_guards (table[t]);
      test_saturation (table[t]);
      test_memory (table[t]);
    }
  printf ("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
