/* Complex numbers for C++ that has no library for them: what C has of its own.  Products and
   quotients are those of the compiler's run-time library; the functions follow W. Kahan (1987),
   T. E. Hull, T. F. Fairgrieve and P. T. P. Tang (1997).  Singles are computed as doubles.  */

#ifndef SG_CLIB_H
#define SG_CLIB_H

#include "sg_math.h"

template <class T> struct sg_complex
{
  T re, im;
  sg_complex () = default;
  SG_MEMBER sg_complex (T x, T y = 0) : re (x), im (y) {}
};

typedef sg_complex<double> sg_cplx_double;
typedef sg_complex<float> sg_cplx_float;

#define SG_PI 3.14159265358979323846
#define SG_LN2 0.69314718055994530942
#define SG_EPS 2.2204460492503130808e-16

/* ---- arithmetic ------------------------------------------------------------------------ */

template <class T> SG_FN sg_complex<T>
operator~ (sg_complex<T> a)
{
  return sg_complex<T> (a.re, -a.im);
}

/* 1 for an infinity, 0 for all else, with the sign of x.  */
template <class T> SG_FN T
sg_unit (T x)
{
  return sg_copysign ((T) (sg_isinf (x) ? 1 : 0), x);
}

template <class T> SG_FN T
sg_no_nan (T x)
{
  return x != x ? sg_copysign ((T) 0, x) : x;
}

/* A product that is NaN in both parts may be infinite.  */
template <class T> static __device__ sg_complex<T>
sg_product_again (T a, T b, T c, T d, sg_complex<T> z)
{
  bool again = false;
  if (sg_isinf (a) || sg_isinf (b))
    {
      a = sg_unit (a), b = sg_unit (b);
      c = sg_no_nan (c), d = sg_no_nan (d);
      again = true;
    }
  if (sg_isinf (c) || sg_isinf (d))
    {
      c = sg_unit (c), d = sg_unit (d);
      a = sg_no_nan (a), b = sg_no_nan (b);
      again = true;
    }
  if (! again && (sg_isinf (a * c) || sg_isinf (b * d) || sg_isinf (a * d) || sg_isinf (b * c)))
    {
      a = sg_no_nan (a), b = sg_no_nan (b);
      c = sg_no_nan (c), d = sg_no_nan (d);
      again = true;
    }
  const T inf = SG_INF;
  return again ? sg_complex<T> (inf * (a * c - b * d), inf * (a * d + b * c)) : z;
}

template <class T> SG_FN sg_complex<T>
operator* (sg_complex<T> x, sg_complex<T> y)
{
  sg_complex<T> z (x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
  return z.re != z.re && z.im != z.im ? sg_product_again (x.re, x.im, y.re, y.im, z) : z;
}

template <class T> SG_FN sg_complex<T> &
operator*= (sg_complex<T> &x, sg_complex<T> y)
{
  return x = x * y;
}

/* A quotient that is NaN in both parts.  */
template <class T> static __device__ sg_complex<T>
sg_quotient_again (T a, T b, T c, T d, sg_complex<T> z)
{
  const T inf = SG_INF;
  if (c == 0 && d == 0 && (a == a || b == b))
    return sg_complex<T> (sg_copysign (inf, c) * a, sg_copysign (inf, c) * b);
  if ((sg_isinf (a) || sg_isinf (b)) && sg_isfinite (c) && sg_isfinite (d))
    {
      a = sg_unit (a), b = sg_unit (b);
      return sg_complex<T> (inf * (a * c + b * d), inf * (b * c - a * d));
    }
  if ((sg_isinf (c) || sg_isinf (d)) && sg_isfinite (a) && sg_isfinite (b))
    {
      c = sg_unit (c), d = sg_unit (d);
      return sg_complex<T> (0 * (a * c + b * d), 0 * (b * c - a * d));
    }
  return z;
}

/* (a + ib) / (c + id) where |c| >= |d|.  */
SG_FN sg_cplx_double
sg_smith (double a, double b, double c, double d)
{
  const double least = 2.2250738585072014e-308;
  double ratio = d / c, denom = d * ratio + c;
  if (sg_fabs (ratio) > least)
    return sg_cplx_double ((a + b * ratio) / denom, (b - a * ratio) / denom);
  return sg_cplx_double ((a + d * (b / c)) / denom, (b - d * (a / c)) / denom);
}

/* The number to scale all by, so that nothing is lost at the ends of the range; LARGE is the
   larger part of the divisor.  */
SG_FN double
sg_smith_scale (double a, double b, double large)
{
  const double big = 8.9884656743115785e307, least = 2.2250738585072014e-308;
  const double high = big * SG_EPS;
  double s = 1;
  if (large >= big)
    {
      s = 0.5;
      a *= s, b *= s, large *= s;
    }
  if (large < SG_EPS || (large < high && ((a < least && b < high) || (b < least && a < high))))
    s /= SG_EPS;
  return s;
}

SG_FN sg_cplx_double
operator/ (sg_cplx_double x, sg_cplx_double y)
{
  const bool steep = sg_fabs (y.re) < sg_fabs (y.im);
  double s = sg_smith_scale (sg_fabs (x.re), sg_fabs (x.im), sg_fabs (steep ? y.im : y.re));
  double a = x.re * s, b = x.im * s, c = y.re * s, d = y.im * s;
  sg_cplx_double z = steep ? sg_smith (b, -a, d, -c) : sg_smith (a, b, c, d);
  return z.re != z.re && z.im != z.im ? sg_quotient_again (a, b, c, d, z) : z;
}

SG_FN sg_cplx_float
operator/ (sg_cplx_float x, sg_cplx_float y)
{
  double a = x.re, b = x.im, c = y.re, d = y.im, denom = c * c + d * d;
  sg_cplx_float z ((float) ((a * c + b * d) / denom), (float) ((b * c - a * d) / denom));
  return (z.re != z.re && z.im != z.im
          ? sg_quotient_again (x.re, x.im, y.re, y.im, z) : z);
}

/* ---- functions ------------------------------------------------------------------------- */

/* A function of doubles for singles as well.  */
#define SG_SINGLE(f)                                                                        \
  SG_FN sg_cplx_float                                                                       \
  f (sg_cplx_float a)                                                                       \
  {                                                                                         \
    const sg_cplx_double z = f (sg_cplx_double (a.re, a.im));                               \
    return sg_cplx_float ((float) z.re, (float) z.im);                                      \
  }
/* f (a) = -i g (i a).  */
#define SG_TURNED(f, g)                                                                     \
  SG_FN sg_cplx_double                                                                      \
  f (sg_cplx_double a)                                                                      \
  {                                                                                         \
    const sg_cplx_double z = g (sg_cplx_double (-a.im, a.re));                              \
    return sg_cplx_double (z.im, -z.re);                                                    \
  }                                                                                         \
  SG_SINGLE (f)

static __device__ sg_cplx_double
sg_lib_csqrt (sg_cplx_double a)
{
  double x = a.re, y = a.im, s = 1;
  if (x == 0 && y == 0)
    return sg_cplx_double (0, y);
  if (sg_isinf (y))
    return sg_cplx_double (SG_INF, y);
  if (x != x || y != y)
    return (sg_isinf (x) ? sg_cplx_double (x < 0 ? y : x, x < 0 ? -x : y)
            : sg_cplx_double (SG_NAN, SG_NAN));
  if (sg_isinf (x))
    return sg_cplx_double (x < 0 ? 0 : x, sg_copysign (x < 0 ? -x : 0.0, y));
  if (sg_fabs (x) > 4e307 || sg_fabs (y) > 4e307)
    x *= 0.0625, y *= 0.0625, s = 4;
  else if (sg_fabs (x) < 1e-290 && sg_fabs (y) < 1e-290)
    x *= 0x1p106, y *= 0x1p106, s = 0x1p-53;
  double t = sg_sqrt ((sg_fabs (x) + sg_hypot (x, y)) * 0.5);
  double u = x == 0 ? t : sg_fabs (y) / (2 * t);
  return (x >= 0 ? sg_cplx_double (s * t, sg_copysign (s * u, y))
          : sg_cplx_double (s * u, sg_copysign (s * t, y)));
}
SG_SINGLE (sg_lib_csqrt)

/* exp (x) * f * y where exp (x) alone may be too large, and f * y too small.  */
SG_FN double
sg_exp_times (double x, double f, double y)
{
  const double step = 709, big = 8.2184074615549724e307;
  if (x > step)
    x -= step, y *= f * big, f = 1;
  if (x > step)
    x -= step, y *= big;
  return sg_exp (x) * (f * y);
}

static __device__ sg_cplx_double
sg_lib_cexp (sg_cplx_double a)
{
  double x = a.re, y = a.im;
  if (y == 0)
    return sg_cplx_double (sg_exp (x), y);
  if (! sg_isfinite (y))
    {
      if (sg_isinf (x))
        return (x < 0 ? sg_cplx_double (0, sg_copysign (0.0, y))
                : sg_cplx_double (x, y - y));
      return sg_cplx_double (y - y, y - y);
    }
  if (x != x)
    return sg_cplx_double (x, x);
  if (sg_isinf (x))
    {
      double m = x > 0 ? x : 0;
      return sg_cplx_double (sg_copysign (m, sg_cos (y)), sg_copysign (m, sg_sin (y)));
    }
  return sg_cplx_double (sg_exp_times (x, 1, sg_cos (y)), sg_exp_times (x, 1, sg_sin (y)));
}
SG_SINGLE (sg_lib_cexp)

/* x^2 + y^2 - 1, x >= y, near 1: products and sums with what rounding takes from them.  */
SG_FN double
sg_x2y2m1 (double x, double y)
{
  double p = x * x, q = y * y, pe = fma (x, x, -p), qe = fma (y, y, -q);
  double s = p - 1, b = s - p, se = (p - (s - b)) + (-1 - b);
  double t = s + q, c = t - s, te = (s - (t - c)) + (q - c);
  return t + (te + se + pe + qe);
}

/* The logarithm of the absolute value.  */
static __device__ double
sg_log_hypot (double x, double y)
{
  x = sg_fabs (x), y = sg_fabs (y);
  if (x < y)
    {
      double t = x;
      x = y, y = t;
    }
  if (x == 1)
    return sg_log1p (y * y) / 2;
  if (x > 1 && x < 2 && y < 1)
    return sg_log1p ((x - 1) * (x + 1) + y * y) / 2;
  if (x < 1 && x >= 0.5 && x * x + y * y >= 0.5)
    return sg_log1p (sg_x2y2m1 (x, y)) / 2;
  if (x > 4e307)
    return sg_log (sg_hypot (x * 0.5, y * 0.5)) + SG_LN2;
  if (x < 1e-300)
    return sg_log (sg_hypot (x * 0x1p60, y * 0x1p60)) - 60 * SG_LN2;
  return sg_log (sg_hypot (x, y));
}

SG_FN sg_cplx_double
sg_lib_clog (sg_cplx_double a)
{
  double x = a.re, y = a.im;
  if ((x != x || y != y) && ! (sg_isinf (x) || sg_isinf (y)))
    return sg_cplx_double (x + y, x + y);
  double m = (sg_isinf (x) || sg_isinf (y) ? (double) SG_INF
              : x == 0 && y == 0 ? -(double) SG_INF : sg_log_hypot (x, y));
  return sg_cplx_double (m, sg_atan2 (y, x));
}
SG_SINGLE (sg_lib_clog)

/* sinh (x) * c and cosh (x) * s, or cosh (x) * c and sinh (x) * s; C and S may make finite what is
   too large.  */
static __device__ sg_cplx_double
sg_hyperbolic (double x, double c, double s, bool sinh_first)
{
  double ax = sg_fabs (x);
  if (ax < 709)
    {
      double u = sg_sinh (x), v = sg_cosh (x);
      return sinh_first ? sg_cplx_double (u * c, v * s) : sg_cplx_double (v * c, u * s);
    }
  double p = sg_exp_times (ax, 0.5, c), q = sg_exp_times (ax, 0.5, s);
  return (x > 0 ? sg_cplx_double (p, q)
          : sinh_first ? sg_cplx_double (-p, q) : sg_cplx_double (p, -q));
}

static __device__ sg_cplx_double
sg_lib_csinh (sg_cplx_double a)
{
  double x = a.re, y = a.im;
  if (y == 0)
    return sg_cplx_double (sg_sinh (x), y);
  if (! sg_isfinite (y))
    return sg_cplx_double (x == 0 ? x : sg_isinf (x) ? SG_INF : SG_NAN, y - y);
  if (x == 0)
    return sg_cplx_double (sg_copysign (0.0, x) * (sg_cos (y) < 0 ? -1 : 1), sg_sin (y));
  if (x != x)
    return sg_cplx_double (x, x);
  if (sg_isinf (x))
    return sg_cplx_double (x * sg_copysign (1.0, sg_cos (y)),
                           sg_fabs (x) * sg_copysign (1.0, sg_sin (y)));
  return sg_hyperbolic (x, sg_cos (y), sg_sin (y), true);
}
SG_SINGLE (sg_lib_csinh)

static __device__ sg_cplx_double
sg_lib_ccosh (sg_cplx_double a)
{
  double x = a.re, y = a.im;
  if (y == 0)
    return sg_cplx_double (sg_cosh (x), x != x ? sg_copysign (0.0, y) : sg_copysign (1.0, x) * y);
  if (! sg_isfinite (y))
    return (sg_isinf (x) ? sg_cplx_double (SG_INF, y - y)
            : x == 0 ? sg_cplx_double (y - y, 0) : sg_cplx_double (y - y, y - y));
  if (x == 0)
    return sg_cplx_double (sg_cos (y), sg_copysign (0.0, x) * sg_copysign (1.0, sg_sin (y)));
  if (x != x)
    return sg_cplx_double (x, x);
  if (sg_isinf (x))
    return sg_cplx_double (sg_fabs (x) * sg_copysign (1.0, sg_cos (y)),
                           x * sg_copysign (1.0, sg_sin (y)));
  return sg_hyperbolic (x, sg_cos (y), sg_sin (y), false);
}
SG_SINGLE (sg_lib_ccosh)

static __device__ sg_cplx_double
sg_lib_ctanh (sg_cplx_double a)
{
  double x = a.re, y = a.im;
  if (! sg_isfinite (x) || ! sg_isfinite (y))
    {
      if (sg_isinf (x))
        return sg_cplx_double (sg_copysign (1.0, x),
                               sg_isfinite (y) && sg_fabs (y) > 1
                               ? sg_copysign (0.0, sg_sin (y) * sg_cos (y)) : sg_copysign (0.0, y));
      return (y == 0 ? a : sg_cplx_double (x == 0 ? x : (double) SG_NAN, SG_NAN));
    }
  double s = sg_sin (y), c = sg_cos (y);
  if (sg_fabs (x) > 350)
    return sg_cplx_double (sg_copysign (1.0, x), 4 * s * c * sg_exp (-2 * sg_fabs (x)));
  double u = sg_fabs (x) > SG_EPS ? sg_sinh (x) : x, v = sg_fabs (x) > SG_EPS ? sg_cosh (x) : 1;
  double denom = sg_fabs (u) > sg_fabs (c) * SG_EPS ? u * u + c * c : c * c;
  return sg_cplx_double (u * v / denom, s * c / denom);
}
SG_SINGLE (sg_lib_ctanh)

SG_TURNED (sg_lib_ctan, sg_lib_ctanh)

/* The C library has a positive infinity where the sign is open.  */
SG_FN sg_cplx_double
sg_lib_csin (sg_cplx_double a)
{
  const sg_cplx_double z = sg_lib_csinh (sg_cplx_double (-a.im, a.re));
  return sg_cplx_double (z.im, ! sg_isfinite (a.re) && sg_isinf (a.im) ? z.re : -z.re);
}
SG_SINGLE (sg_lib_csin)

SG_FN sg_cplx_double
sg_lib_ccos (sg_cplx_double a)
{
  return sg_lib_ccosh (sg_cplx_double (-a.im, a.re));
}
SG_SINGLE (sg_lib_ccos)

/* ---- inverse functions ------------------------------------------------------------------ */

/* (hypot (a, b) - b) / 2 without cancellation.  */
SG_FN double
sg_half_less (double a, double b, double hyp)
{
  return b < 0 ? (hyp - b) / 2 : b == 0 ? a / 2 : a * a / (hyp + b) / 2;
}

/* asinh (x + iy) is R + i asin (B), or R + i atan2 (Y, S) where B is near 1; x, y >= 0.  */
struct sg_arcs
{
  double r, b, y, s;
  bool steep;
};

static __device__ sg_arcs
sg_arcs_of (double x, double y)
{
  const double tiny = SG_EPS * SG_EPS / 128;
  double R = sg_hypot (x, y + 1), S = sg_hypot (x, y - 1), A = (R + S) / 2;
  A = A < 1 ? 1 : A;
  double below = sg_half_less (x, 1 - y, S);
  sg_arcs z;
  if (A >= 10)
    z.r = sg_log (A + sg_sqrt (A * A - 1));
  else if (y == 1 && x < tiny)
    z.r = sg_sqrt (x);
  else if (x >= SG_EPS * sg_fabs (y - 1))
    {
      double m = sg_half_less (x, 1 + y, R) + below;
      z.r = sg_log1p (m + sg_sqrt (m * (A + 1)));
    }
  else
    z.r = y < 1 ? x / sg_sqrt ((1 - y) * (1 + y)) : sg_log1p (y - 1 + sg_sqrt ((y - 1) * (y + 1)));
  z.b = y / A;
  z.y = y;
  z.s = 0;
  z.steep = z.b > 0.6417;
  if (! z.steep)
    return z;
  if (y == 1 && x < SG_EPS / 128)
    z.s = sg_sqrt (x) * sg_sqrt ((A + y) / 2);
  else if (x >= SG_EPS * sg_fabs (y - 1))
    z.s = sg_sqrt ((sg_half_less (x, y + 1, R) + sg_half_less (x, y - 1, S)) * (A + y));
  else if (y > 1)
    {
      z.s = x * (4 / SG_EPS / SG_EPS) * y / sg_sqrt ((y + 1) * (y - 1));
      z.y = y * (4 / SG_EPS / SG_EPS);
    }
  else
    z.s = sg_sqrt ((1 - y) * (1 + y));
  return z;
}

SG_FN bool
sg_is_far (double x, double y)
{
  return sg_fabs (x) > 1 / SG_EPS || sg_fabs (y) > 1 / SG_EPS;
}

static __device__ sg_cplx_double
sg_lib_casinh (sg_cplx_double a)
{
  double x = a.re, y = a.im;
  if (x != x || y != y)
    {
      if (sg_isinf (x))
        return sg_cplx_double (x, y);
      if (sg_isinf (y))
        return sg_cplx_double (sg_copysign (y, x), SG_NAN);
      return y == 0 ? a : sg_cplx_double (SG_NAN, SG_NAN);
    }
  if (x == 0 && y == 0)
    return a;
  double ax = sg_fabs (x), ay = sg_fabs (y), r, i;
  if (sg_is_far (x, y))
    {
      sg_cplx_double w = sg_lib_clog (sg_cplx_double (ax, ay));
      r = w.re + SG_LN2, i = w.im;
    }
  else
    {
      sg_arcs z = sg_arcs_of (ax, ay);
      r = z.r, i = z.steep ? sg_atan2 (z.y, z.s) : sg_asin (z.b);
    }
  return sg_cplx_double (sg_copysign (r, x), sg_copysign (i, y));
}
SG_SINGLE (sg_lib_casinh)

SG_TURNED (sg_lib_casin, sg_lib_casinh)

static __device__ sg_cplx_double
sg_lib_cacos (sg_cplx_double a)
{
  double x = a.re, y = a.im;
  if (x != x || y != y)
    {
      if (sg_isinf (x))
        return sg_cplx_double (SG_NAN, -SG_INF);
      if (sg_isinf (y))
        return sg_cplx_double (SG_NAN, -y);
      return x == 0 ? sg_cplx_double (SG_PI / 2, SG_NAN) : sg_cplx_double (SG_NAN, SG_NAN);
    }
  double ax = sg_fabs (x), ay = sg_fabs (y), r, i;
  if (sg_is_far (x, y))
    {
      sg_cplx_double w = sg_lib_clog (a);
      r = sg_fabs (w.im), i = w.re + SG_LN2;
    }
  else
    {
      sg_arcs z = sg_arcs_of (ay, ax);
      double side = sg_copysign (1.0, x);
      r = z.steep ? sg_atan2 (z.s, side * z.y) : sg_acos (side * z.b), i = z.r;
    }
  return sg_cplx_double (r, sg_copysign (i, -y));
}
SG_SINGLE (sg_lib_cacos)

SG_FN sg_cplx_double
sg_lib_cacosh (sg_cplx_double a)
{
  sg_cplx_double w = sg_lib_cacos (a);
  if (w.re != w.re && w.im != w.im)
    return w;
  return sg_cplx_double (sg_fabs (w.im), w.re != w.re ? w.re : sg_copysign (w.re, a.im));
}
SG_SINGLE (sg_lib_cacosh)

static __device__ sg_cplx_double
sg_lib_catanh (sg_cplx_double a)
{
  double x = a.re, y = a.im, ax = sg_fabs (x), ay = sg_fabs (y), r, i;
  if (x != x || y != y)
    {
      if (sg_isinf (x))
        return sg_cplx_double (sg_copysign (0.0, x), y);
      if (sg_isinf (y))
        return sg_cplx_double (sg_copysign (0.0, x), sg_copysign (SG_PI / 2, y));
      return x == 0 ? a : sg_cplx_double (SG_NAN, SG_NAN);
    }
  if (y == 0 && ax <= 1)
    return sg_cplx_double (sg_atanh (x), y);
  if (x == 0)
    return sg_cplx_double (x, sg_atan (y));
  if (sg_is_far (x, y))
    {
      double big = ax > ay ? ax : ay, small = ax > ay ? ay : ax, q = small / big;
      r = sg_isinf (big) ? 0 : ax / big / (big * (1 + q * q));
      return sg_cplx_double (sg_copysign (r, x), sg_copysign (SG_PI / 2, y));
    }
  if (ax == 1 && ay < SG_EPS)
    r = (SG_LN2 - sg_log (ay)) / 2;
  else
    r = sg_log1p (4 * ax / ((ax - 1) * (ax - 1) + (ay < 1e-150 ? 0 : ay * ay))) / 4;
  if (ax == 1)
    i = sg_atan2 (2.0, -ay) / 2;
  else
    i = sg_atan2 (2 * ay, (1 - ax) * (1 + ax) - (ay < SG_EPS ? 0 : ay * ay)) / 2;
  return sg_cplx_double (sg_copysign (r, x), sg_copysign (i, y));
}
SG_SINGLE (sg_lib_catanh)

SG_TURNED (sg_lib_catan, sg_lib_catanh)

template <class T> SG_FN sg_complex<T>
sg_lib_cpow (sg_complex<T> a, sg_complex<T> b)
{
  return sg_lib_cexp (b * sg_lib_clog (a));
}

#endif
