/* What the expressions of cplx.def call: complex functions of the C library, and those that
   Octave and the C++ library make of them, step by step the same.  */

#ifndef SG_CMATH_H
#define SG_CMATH_H

#include "sg_math.h"

#ifdef __cplusplus
#include "sg_clib.h"
#define SG_CPLX(T, re, im) (sg_complex<T> ((T) (re), (T) (im)))
#define SG_CLIBM(fn, a) sg_lib_##fn (a)
#define SG_COWN(f, a) f##_
#define SG_CPOW(a, b) sg_lib_cpow (a, b)
#define sg_creal(a) ((a).re)
#define sg_cimag(a) ((a).im)
#else
#include <complex.h>
#undef I
typedef double _Complex sg_cplx_double;
typedef float _Complex sg_cplx_float;
#define SG_CPLX(T, re, im) __builtin_complex ((T) (re), (T) (im))
#define SG_CLIBM(fn, a) _Generic ((a), float _Complex: fn##f, default: fn) (a)
#define SG_COWN(f, a) _Generic ((a), float _Complex: f##_float, default: f##_double)
#define SG_CPOW(a, b) _Generic ((a), float _Complex: cpowf, default: cpow) (a, b)
#define sg_creal(a) (__real__ (a))
#define sg_cimag(a) (__imag__ (a))
#endif

#define sg_csqrt(a) SG_CLIBM (csqrt, a)
#define sg_cexp(a) SG_CLIBM (cexp, a)
#define sg_clog(a) SG_CLIBM (clog, a)
#define sg_csin(a) SG_CLIBM (csin, a)
#define sg_ccos(a) SG_CLIBM (ccos, a)
#define sg_ctan(a) SG_CLIBM (ctan, a)
#define sg_catan(a) SG_CLIBM (catan, a)
#define sg_csinh(a) SG_CLIBM (csinh, a)
#define sg_ccosh(a) SG_CLIBM (ccosh, a)
#define sg_ctanh(a) SG_CLIBM (ctanh, a)
#define sg_casinh(a) SG_CLIBM (casinh, a)
#define sg_cacosh(a) SG_CLIBM (cacosh, a)
#define sg_catanh(a) SG_CLIBM (catanh, a)
#define sg_cpow(a, b) SG_CPOW (a, b)

#define sg_casin(a) SG_COWN (sg_casin, a) (a)
#define sg_cacos(a) SG_COWN (sg_cacos, a) (a)
#define sg_clog2(a) SG_COWN (sg_clog2, a) (a)
#define sg_clog10(a) SG_COWN (sg_clog10, a) (a)
#define sg_clog1p(a) SG_COWN (sg_clog1p, a) (a)
#define sg_cexpm1(a) SG_COWN (sg_cexpm1, a) (a)
#define sg_csign(a) SG_COWN (sg_csign, a) (a)
#define sg_cpow_real(a, b) SG_COWN (sg_cpow_real, a) (a, b)
#define sg_cpow_any(a, b) SG_COWN (sg_cpow_any, a) (a, b)
#define sg_rpow_cplx(a, b) SG_COWN (sg_rpow_cplx, b) (a, b)
#define sg_corder(a, ay, b, by) SG_COWN (sg_corder, a) (a, ay, b, by)
#define sg_cmax(a, b) SG_COWN (sg_cmax, a) (a, b)
#define sg_cmin(a, b) SG_COWN (sg_cmin, a) (a, b)
#define sg_cisnan(a) SG_COWN (sg_cisnan, a) (a)
#define sg_cangle(a) SG_COWN (sg_cangle, a) (a)

/* Complex numbers go by their absolute value, then by their angle.  */
enum { SG_BEFORE = -1, SG_SAME, SG_AFTER, SG_UNORDERED };

/* sg_casin, sg_cacos   on the real axis beyond 1 the other side of the cut
   sg_cquot             a quotient by a real number
   sg_cpow_real         a power with a real exponent, as the C++ library has it
   sg_cpow_any          a whole exponent is done by products
   sg_rpow_cplx         a real base
   sg_cangle            the angle for comparisons: -pi is pi
   sg_corder            AY, BY are the angles of A and B  */
#define SG_CMATH(T)                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_casin, T) (sg_cplx_##T a)                                                     \
  {                                                                                         \
    sg_cplx_##T y = SG_CLIBM (casin, a);                                                    \
    return sg_cimag (a) == 0 && sg_creal (a) > 1 ? ~y : y;                                  \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_cacos, T) (sg_cplx_##T a)                                                     \
  {                                                                                         \
    sg_cplx_##T y = SG_CLIBM (cacos, a);                                                    \
    return sg_cimag (a) == 0 && sg_creal (a) > 1 ? ~y : y;                                  \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_cquot, T) (sg_cplx_##T a, T d)                                                \
  {                                                                                         \
    return SG_CPLX (T, sg_creal (a) / d, sg_cimag (a) / d);                                 \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_clog2, T) (sg_cplx_##T a)                                                     \
  {                                                                                         \
    return SG_NAME (sg_cquot, T) (sg_clog (a), (T) 0.69314718055994530942);                 \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_clog10, T) (sg_cplx_##T a)                                                    \
  {                                                                                         \
    return SG_NAME (sg_cquot, T) (sg_clog (a), (T) 2.30258509299404568402);                 \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_cabs, T) (sg_cplx_##T a)                                                      \
  {                                                                                         \
    return sg_hypot (sg_creal (a), sg_cimag (a));                                           \
  }                                                                                         \
  SG_FN int                                                                                 \
  SG_NAME (sg_cisnan, T) (sg_cplx_##T a)                                                    \
  {                                                                                         \
    return sg_creal (a) != sg_creal (a) || sg_cimag (a) != sg_cimag (a);                    \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_clog1p, T) (sg_cplx_##T a)                                                    \
  {                                                                                         \
    T r = sg_creal (a), i = sg_cimag (a);                                                   \
    if (sg_fabs (r) < (T) 0.5 && sg_fabs (i) < (T) 0.5)                                     \
      {                                                                                     \
        T u = 2 * r + r * r + i * i;                                                        \
        return SG_CPLX (T, sg_log1p (u / (1 + sg_sqrt (u + 1))),                            \
                                  sg_atan2 (i, 1 + r));                                     \
      }                                                                                     \
    return sg_clog (SG_CPLX (T, 1 + r, 0 + i));                                             \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_cexpm1, T) (sg_cplx_##T a)                                                    \
  {                                                                                         \
    T im = sg_cimag (a);                                                                    \
    if (SG_NAME (sg_cabs, T) (a) < 1)                                                       \
      {                                                                                     \
        T u = sg_expm1 (sg_creal (a)), v = sg_sin (im / 2);                                 \
        v = -2 * v * v;                                                                     \
        return SG_CPLX (T, u * v + u + v, (u + 1) * sg_sin (im));                           \
      }                                                                                     \
    sg_cplx_##T y = sg_cexp (a);                                                            \
    return SG_CPLX (T, sg_creal (y) - 1, sg_cimag (y) - 0);                                 \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_csign, T) (sg_cplx_##T a)                                                     \
  {                                                                                         \
    T m = SG_NAME (sg_cabs, T) (a);                                                         \
    return m == 0 ? SG_CPLX (T, (T) 0, (T) 0) : SG_NAME (sg_cquot, T) (a, m);               \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_polar, T) (T r, T angle)                                                      \
  {                                                                                         \
    return SG_CPLX (T, r * sg_cos (angle), r * sg_sin (angle));                             \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_cpow_real, T) (sg_cplx_##T a, T b)                                            \
  {                                                                                         \
    if (sg_cimag (a) == 0 && sg_creal (a) > 0)                                              \
      return SG_CPLX (T, SG_LIBM (pow, b) (sg_creal (a), b), (T) 0);                        \
    sg_cplx_##T t = sg_clog (a);                                                            \
    return SG_NAME (sg_polar, T) (sg_exp (b * sg_creal (t)), b * sg_cimag (t));             \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_cpow_any, T) (sg_cplx_##T a, T b)                                             \
  {                                                                                         \
    if (! (b == sg_nint (b) && b < (T) 2147483648.0 && b >= (T) -2147483648.0))             \
      return SG_NAME (sg_cpow_real, T) (a, b);                                              \
    unsigned n = b < 0 ? -(unsigned) (int) b : (unsigned) b;                                \
    const sg_cplx_##T one = SG_CPLX (T, (T) 1, (T) 0);                                      \
    sg_cplx_##T y = n % 2 ? a : one;                                                        \
    while (n >>= 1)                                                                         \
      {                                                                                     \
        a *= a;                                                                             \
        if (n % 2)                                                                          \
          y *= a;                                                                           \
      }                                                                                     \
    return b < 0 ? one / y : y;                                                             \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_rpow_cplx, T) (T a, sg_cplx_##T b)                                            \
  {                                                                                         \
    return (a > 0 ? SG_NAME (sg_polar, T) (SG_LIBM (pow, a) (a, sg_creal (b)),              \
                                  sg_cimag (b) * sg_log (a))                                \
            : sg_cpow (SG_CPLX (T, a, (T) 0), b));                                          \
  }                                                                                         \
  SG_FN T                                                                                   \
  SG_NAME (sg_cangle, T) (sg_cplx_##T a)                                                    \
  {                                                                                         \
    const T pi = (T) 3.14159265358979323846;                                                \
    T y = sg_atan2 (sg_cimag (a), sg_creal (a));                                            \
    return y == -pi ? pi : y;                                                               \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_cmax, T) (sg_cplx_##T a, sg_cplx_##T b)                                       \
  {                                                                                         \
    return (SG_NAME (sg_cabs, T) (a) >= SG_NAME (sg_cabs, T) (b)                            \
            || SG_NAME (sg_cisnan, T) (a) ? a : b);                                         \
  }                                                                                         \
  SG_FN sg_cplx_##T                                                                         \
  SG_NAME (sg_cmin, T) (sg_cplx_##T a, sg_cplx_##T b)                                       \
  {                                                                                         \
    return (SG_NAME (sg_cabs, T) (a) <= SG_NAME (sg_cabs, T) (b)                            \
            || SG_NAME (sg_cisnan, T) (a) ? a : b);                                         \
  }                                                                                         \
  SG_FN int                                                                                 \
  SG_NAME (sg_corder, T) (sg_cplx_##T a, T ay, sg_cplx_##T b, T by)                         \
  {                                                                                         \
    T ax = SG_NAME (sg_cabs, T) (a), bx = SG_NAME (sg_cabs, T) (b);                         \
    T x = ax == bx ? ay : ax, y = ax == bx ? by : bx;                                       \
    return x < y ? SG_BEFORE : x > y ? SG_AFTER : x == y ? SG_SAME : SG_UNORDERED;          \
  }

SG_CMATH (double)
SG_CMATH (float)

#endif
