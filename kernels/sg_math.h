/* What the expressions of op.def call, for float and double: the names of the C library, and
   Octave's own functions written without branches, so that loops over them become vector
   code.  This is C and CUDA text: C chooses by _Generic, CUDA by overloading.  It counts on
   products and sums not being contracted.  */

#ifndef SG_MATH_H
#define SG_MATH_H

#ifdef __cplusplus
#define SG_FN static __device__ __forceinline__
#define SG_MEMBER __device__ __forceinline__
#define SG_NAME(f, type) f##_
#define SG_LIBM(fn, a) fn
#define SG_OWN(f, a) f##_
#define SG_LGAMMA(a, sign) lgamma (a)
#define SG_INF __int_as_float (0x7f800000)
#define SG_NAN __int_as_float (0x7fc00000)
#else
#include <math.h>
#define SG_FN static inline
#define SG_NAME(f, type) f##_##type
#define SG_LIBM(fn, a) _Generic ((a), float: fn##f, default: fn)
#define SG_OWN(f, a) _Generic ((a), float: f##_float, default: f##_double)
#define SG_LGAMMA(a, sign) _Generic ((a), float: lgammaf_r, default: lgamma_r) (a, sign)
#define SG_INF __builtin_inff ()
#define SG_NAN __builtin_nanf ("")
#endif

/* ---- the C library --------------------------------------------------------------------- */

#define sg_fabs(a) SG_LIBM (fabs, a) (a)
#define sg_trunc(a) SG_LIBM (trunc, a) (a)
#define sg_floor(a) SG_LIBM (floor, a) (a)
#define sg_ceil(a) SG_LIBM (ceil, a) (a)
#define sg_copysign(a, b) SG_LIBM (copysign, a) (a, b)
#define sg_sqrt(a) SG_LIBM (sqrt, a) (a)
#define sg_cbrt(a) SG_LIBM (cbrt, a) (a)
#define sg_exp(a) SG_LIBM (exp, a) (a)
#define sg_expm1(a) SG_LIBM (expm1, a) (a)
#define sg_log(a) SG_LIBM (log, a) (a)
#define sg_log2(a) SG_LIBM (log2, a) (a)
#define sg_log10(a) SG_LIBM (log10, a) (a)
#define sg_log1p(a) SG_LIBM (log1p, a) (a)
#define sg_sin(a) SG_LIBM (sin, a) (a)
#define sg_cos(a) SG_LIBM (cos, a) (a)
#define sg_tan(a) SG_LIBM (tan, a) (a)
#define sg_asin(a) SG_LIBM (asin, a) (a)
#define sg_acos(a) SG_LIBM (acos, a) (a)
#define sg_atan(a) SG_LIBM (atan, a) (a)
#define sg_sinh(a) SG_LIBM (sinh, a) (a)
#define sg_cosh(a) SG_LIBM (cosh, a) (a)
#define sg_tanh(a) SG_LIBM (tanh, a) (a)
#define sg_asinh(a) SG_LIBM (asinh, a) (a)
#define sg_acosh(a) SG_LIBM (acosh, a) (a)
#define sg_atanh(a) SG_LIBM (atanh, a) (a)
#define sg_erf(a) SG_LIBM (erf, a) (a)
#define sg_erfc(a) SG_LIBM (erfc, a) (a)
#define sg_tgamma(a) SG_LIBM (tgamma, a) (a)
#define sg_atan2(a, b) SG_LIBM (atan2, a) (a, b)
#define sg_hypot(a, b) SG_LIBM (hypot, a) (a, b)

/* ---- Octave's own ------------------------------------------------------------------------ */

#define sg_pow(a, b) SG_OWN (sg_pow, a) (a, b)
#define sg_max(a, b) SG_OWN (sg_max, a) (a, b)
#define sg_min(a, b) SG_OWN (sg_min, a) (a, b)
#define sg_mod(a, b) SG_OWN (sg_mod, a) (a, b)
#define sg_rem(a, b) SG_OWN (sg_rem, a) (a, b)
#define sg_nint(a) SG_OWN (sg_nint, a) (a)
#define sg_sign(a) SG_OWN (sg_sign, a) (a)
#define sg_round(a) SG_OWN (sg_round, a) (a)
#define sg_arg(a) SG_OWN (sg_arg, a) (a)
#define sg_gamma(a) SG_OWN (sg_gamma, a) (a)
#define sg_lgamma(a) SG_OWN (sg_lgamma, a) (a)
#define sg_erfinv(a) SG_OWN (sg_erfinv, a) (a)
#define sg_isinf(a) (sg_fabs (a) == SG_INF)
#define sg_isfinite(a) (sg_fabs (a) < SG_INF)

/* sg_pow      x.^2, x.^3 and x.^-1 are products and a quotient in Octave.
   sg_nint     Octave's test for an integer; it fails for odd numbers beyond 1/eps.
   sg_mod/rem  where the quotient is within rounding of an integer and the divisor is none,
               the result is 0; the sign is always that of the divisor (mod), dividend (rem).
   sg_sign     a NaN of any kind gives the plain one, -0 gives 0.
   sg_round    halves away from zero: HALF is the number before 1/2, so that the sum cannot
               reach the next integer by rounding.
   sg_arg      goes by the sign alone.
   sg_gamma    whole negative numbers and -Inf give Inf, a NaN of any kind the plain one.
   sg_lgamma   the sign of gamma is not wanted, and not kept where threads would share it.
   sg_erfinv   in double for single as well, there without the last step.  */
#define SG_MATH(T, EPS, HALF)                                                               \
  SG_FN T                                                                                   \
  SG_NAME (sg_pow, T) (T a, T b)                                                            \
  {                                                                                         \
    return (b == 2 ? a * a : b == 3 ? a * a * a : b == -1 ? 1 / a                           \
            : SG_LIBM (pow, a) (a, b));                                                     \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_max, T) (T a, T b)                                                            \
  {                                                                                         \
    T m = a >= b ? a : b;                                                                   \
    return b != b ? a : m;                                                                  \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_min, T) (T a, T b)                                                            \
  {                                                                                         \
    T m = a <= b ? a : b;                                                                   \
    return b != b ? a : m;                                                                  \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_nint, T) (T a)                                                                \
  {                                                                                         \
    return sg_floor (a + (T) 0.5);                                                          \
  }                                                                                         \
  SG_FN int                                                                                 \
  SG_NAME (sg_divides, T) (T q, T b)                                                        \
  {                                                                                         \
    T n = SG_NAME (sg_nint, T) (q);                                                         \
    return (SG_NAME (sg_nint, T) (b) != b) & (sg_fabs ((q - n) / n) < (T) (EPS));           \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_mod, T) (T a, T b)                                                            \
  {                                                                                         \
    T q = a / b;                                                                            \
    T r = a - b * sg_floor (q);                                                             \
    r = SG_NAME (sg_divides, T) (q, b) ? 0 : r;                                             \
    r = a != b ? sg_copysign (r, b) : r;                                                    \
    return b == 0 ? a : r;                                                                  \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_rem, T) (T a, T b)                                                            \
  {                                                                                         \
    T q = a / b;                                                                            \
    T r = a - b * sg_trunc (q);                                                             \
    r = SG_NAME (sg_divides, T) (q, b) ? 0 : r;                                             \
    r = a != b ? sg_copysign (r, a) : r;                                                    \
    return b == 0 ? SG_NAN : r;                                              \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_sign, T) (T a)                                                                \
  {                                                                                         \
    T s = (T) (a > 0) - (T) (a < 0);                                                        \
    return a != a ? SG_NAN : s;                                              \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_round, T) (T a)                                                               \
  {                                                                                         \
    return sg_trunc (a + sg_copysign ((T) (HALF), a));                                      \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_arg, T) (T a)                                                                 \
  {                                                                                         \
    return sg_copysign ((T) 1, a) < 0 ? (T) 3.14159265358979323846 : 0;                     \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_gamma, T) (T a)                                                               \
  {                                                                                         \
    if (a == 0)                                                                             \
      return 1 / a;                                                                         \
    if ((a < 0 && SG_NAME (sg_nint, T) (a) == a) || sg_isinf (a))                           \
      return SG_INF;                                                                        \
    if (a != a)                                                                             \
      return SG_NAN;                                                                        \
    return sg_tgamma (a);                                                                   \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_lgamma, T) (T a)                                                              \
  {                                                                                         \
    int sign;                                                                               \
    (void) sign;                                                                            \
    return SG_LGAMMA (a, &sign);                                                            \
  }

SG_MATH (double, 2.2204460492503130808e-16, 0.49999999999999994449)
SG_MATH (float, 1.1920928955078125e-07f, 0.49999997019767761f)

/* Rational approximations for the middle and the tails, and a step of Halley's method, as
   Octave does it.  */
SG_FN double
sg_erfinv_start (double x)
{
  double ax = fabs (x);
  if (ax <= 0.95150)
    {
      double q = 0.5 * x, r = q * q;
      double n = (((((-2.806989788730439e+01 * r + 1.562324844726888e+02) * r
                     - 1.951109208597547e+02) * r + 9.783370457507161e+01) * r
                   - 2.168328665628878e+01) * r + 1.772453852905383e+00) * q;
      double d = ((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r
                    - 1.556989798598866e+02) * r + 6.680131188771972e+01) * r
                  - 1.328068155288572e+01) * r + 1.0;
      return n / d;
    }
  double q = sqrt (-2 * log (0.5 * (1 - ax)));
  double n = ((((-5.504751339936943e-03 * q - 2.279687217114118e-01) * q
                - 1.697592457770869e+00) * q - 1.802933168781950e+00) * q
              + 3.093354679843505e+00) * q + 2.077595676404383e+00;
  double d = (((7.784695709041462e-03 * q + 3.224671290700398e-01) * q
               + 2.445134137142996e+00) * q + 3.754408661907416e+00) * q + 1.0;
  return n / d * (x < 0 ? 1 : -1);
}

SG_FN double
sg_erfinv_special (double x)
{
  return fabs (x) == 1 ? x * (double) SG_INF : (double) SG_NAN;
}

SG_FN double
SG_NAME (sg_erfinv, double) (double x)
{
  if (! (fabs (x) < 1))
    return sg_erfinv_special (x);
  double y = sg_erfinv_start (x), u = (erf (y) - x) * 8.862269254527579e-01 * exp (y * y);
  return y - u / (1 + y * u);
}

SG_FN float
SG_NAME (sg_erfinv, float) (float x)
{
  return (float) (fabs ((double) x) < 1 ? sg_erfinv_start (x) : sg_erfinv_special (x));
}

#endif
