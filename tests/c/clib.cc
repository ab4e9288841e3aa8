/* The headers of the kernels as C++, without a device.  */

#include <math.h>

#define __device__
#define __forceinline__ inline
#define __int_as_float(bits) ((bits) == 0x7f800000 ? __builtin_inff () : __builtin_nanf (""))

#include "../../kernels/sg_cmath.h"
#include "clib.h"

#define X(f)                                                                                \
  pair64 cxx64_##f (double x, double y)                                                     \
  {                                                                                         \
    sg_cplx_double z = sg_##f (sg_cplx_double (x, y));                                      \
    return { z.re, z.im };                                                                  \
  }                                                                                         \
  pair32 cxx32_##f (float x, float y)                                                       \
  {                                                                                         \
    sg_cplx_float z = sg_##f (sg_cplx_float (x, y));                                        \
    return { z.re, z.im };                                                                  \
  }
FUNCTIONS (X)

#define BINARY(bits, T, name, op)                                                           \
  pair##bits cxx##bits##_##name (T a, T b, T c, T d)                                        \
  {                                                                                         \
    sg_complex<T> z = sg_complex<T> (a, b) op sg_complex<T> (c, d);                         \
    return { z.re, z.im };                                                                  \
  }
BINARY (64, double, product, *)
BINARY (64, double, quotient, /)
BINARY (32, float, product, *)
BINARY (32, float, quotient, /)
