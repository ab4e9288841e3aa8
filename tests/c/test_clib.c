/* Complex numbers as the kernels of the CUDA backend have them, C++ without a library, against the
   C library and the run-time library of the compiler: products and quotients have the same bits,
   functions differ by rounding.  */

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kernels/sg_cmath.h"
#include "clib.h"

#define ULP 8                /* of the larger part */
#define SOME 20000

/* Of the test at hand: values that differ.  A test is a function or a row of operands.  */
static long differ;
static int passed, failed;

static void
end_test (void)
{
  passed += differ == 0;
  failed += differ != 0;
  differ = 0;
}

static const double special[] = {
  0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 0.1, 1e-10, 1e-300, -1e-300, 1e300, 1e18, -1e18, 750, -750,
  1400, 710, 709.5, 20, -20, 3.14159265358979, 1e-20, INFINITY, -INFINITY, NAN, 0.999999,
  1.0000001, 5e-324, 1.7e308, -1.7e308
};
#define NSPECIAL ((int) (sizeof special / sizeof special[0]))

static double
some (void)
{
  return 18 * (rand () / (double) RAND_MAX - 0.5);
}

/* SCALE: the larger part; a zero has the same sign.  */
static int
is_near (double x, double y, double scale, double eps, double least)
{
  if (x != x || y != y || isinf (x) || isinf (y))
    return x == y || (x != x && y != y);
  if (x == 0 && y == 0)
    return ! signbit (x) == ! signbit (y);
  return fabs (x - y) <= ULP * fmax (eps * scale, least);
}

static void
compare (const char *name, int bits, double x, double y, double re, double im, double cre,
         double cim)
{
  double eps = bits == 64 ? DBL_EPSILON : FLT_EPSILON, least = bits == 64 ? 5e-324 : 1.5e-45;
  double scale = fmax (isfinite (cre) ? fabs (cre) : 0, isfinite (cim) ? fabs (cim) : 0);
  if (! (is_near (re, cre, scale, eps, least) && is_near (im, cim, scale, eps, least))
      && differ++ < 50)
    printf ("%s (%g, %g) of %d bits: (%.17g, %.17g), not (%.17g, %.17g)\n", name, x, y, bits, re,
            im, cre, cim);
}

#define X(f)                                                                                \
  static void                                                                               \
  look_##f (double x, double y)                                                             \
  {                                                                                         \
    pair64 z = cxx64_##f (x, y);                                                            \
    double _Complex c = sg_##f (__builtin_complex (x, y));                                  \
    compare (#f, 64, x, y, z.re, z.im, __real__ c, __imag__ c);                             \
    pair32 w = cxx32_##f ((float) x, (float) y);                                            \
    float _Complex d = sg_##f (__builtin_complex ((float) x, (float) y));                   \
    compare (#f, 32, x, y, w.re, w.im, __real__ d, __imag__ d);                             \
  }
FUNCTIONS (X)
#undef X

static void (*const look[]) (double, double) = {
#define X(f) look_##f,
  FUNCTIONS (X)
#undef X
};

static int
is_same (double x, double y)
{
  return x == y ? ! signbit (x) == ! signbit (y) : x != x && y != y;
}

static void
exact (const char *name, const double *in, double re, double im, double cre, double cim)
{
  if (! (is_same (re, cre) && is_same (im, cim)) && differ++ < 50)
    printf ("%s (%g, %g) (%g, %g): (%.17g, %.17g), not (%.17g, %.17g)\n", name, in[0], in[1],
            in[2], in[3], re, im, cre, cim);
}

static void
arithmetic (const double *in)
{
  double _Complex a = __builtin_complex (in[0], in[1]), b = __builtin_complex (in[2], in[3]);
  float _Complex fa = a, fb = b;
  double _Complex p = a * b, q = a / b;
  float _Complex fp = fa * fb, fq = fa / fb;
#define LOOK(bits, name, x, y, z)                                                           \
  {                                                                                         \
    pair##bits c = cxx##bits##_##name (__real__ x, __imag__ x, __real__ y, __imag__ y);     \
    exact (#name " of " #bits " bits", in, c.re, c.im, __real__ z, __imag__ z);             \
  }
  LOOK (64, product, a, b, p)
  LOOK (64, quotient, a, b, q)
  LOOK (32, product, fa, fb, fp)
  LOOK (32, quotient, fa, fb, fq)
}

int
main (void)
{
  const int nlook = (int) (sizeof look / sizeof look[0]);
  for (int f = 0; f < nlook; f++)
    {
      for (int i = 0; i < NSPECIAL * NSPECIAL; i++)
        look[f] (special[i % NSPECIAL], special[i / NSPECIAL]);
      for (int i = 0; i < SOME; i++)
        look[f] (some (), some ());
      end_test ();
    }
  for (int i = 0; i < NSPECIAL * NSPECIAL; i++)
    {
      for (int j = 0; j < NSPECIAL * NSPECIAL; j++)
        arithmetic ((double[]) { special[i % NSPECIAL], special[i / NSPECIAL],
                                 special[j % NSPECIAL], special[j / NSPECIAL] });
      end_test ();
    }
  printf ("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
