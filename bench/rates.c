/* rates: what this machine gives, to judge the other numbers by.  Prints lines "name value".

   triad   GB/s of a[i] = b[i] + s * c[i], all threads, arrays far larger than the caches
   stream  the same with stores that do not read first, where there are such
   read    GB/s of a sum, all threads
   dgemm   GFLOP/s of a product of two 1000 x 1000 matrices by Octave's BLAS
   naive   seconds of the sum of exp (-x^2) * sin (x) over 1e6 numbers as anyone would write
           it in C, one thread, libm
   sleef   seconds of exp over 1e6 numbers by a loop over SLEEF's vectors, one thread; only where
           there is SLEEF and AVX2  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#if SG_HAVE_SLEEF && defined __x86_64__
#include <immintrin.h>
__m256d Sleef_expd4_u10avx2 (__m256d);
__m512d Sleef_expd8_u10avx512f (__m512d);
#endif

extern void dgemm_ (const char *, const char *, const int *, const int *, const int *,
                    const double *, const double *, const int *, const double *, const int *,
                    const double *, double *, const int *, size_t, size_t);

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double *
fill (long n, double step)
{
  double *x = malloc (n * sizeof (double));
  if (! x)
    {
      fprintf (stderr, "rates: out of memory\n");
      exit (1);
    }
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    x[i] = (i % 1000) * step;
  return x;
}

static double
sum_of (long n, const double *x)
{
  double s = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : s)
  for (long i = 0; i < n; i++)
    s += x[i];
  return s;
}

static double
read_rate (void)
{
  const long n = 20000000;
  double *a = fill (n, 1), best = 1e9;
  volatile double use;
  for (int run = 0; run < 10; run++)
    {
      double t = now ();
      use = sum_of (n, a);
      t = now () - t;
      best = t < best ? t : best;
    }
  (void) use;
  free (a);
  return 1e-9 * n * sizeof (double) / best;
}

static void
streamed (long n, double *a, const double *b, const double *c)
{
#ifdef __SSE2__
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n / 2; i++)
    _mm_stream_pd (a + 2 * i, _mm_add_pd (_mm_loadu_pd (b + 2 * i),
                                          _mm_mul_pd (_mm_set1_pd (3), _mm_loadu_pd (c + 2 * i))));
#else
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    a[i] = b[i] + 3.0 * c[i];
#endif
}

static void
stored (long n, double *a, const double *b, const double *c)
{
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    a[i] = b[i] + 3.0 * c[i];
}

/* The best of some runs: it is the machine that is measured, not its noise.  */
static double
triad (void (*f) (long, double *, const double *, const double *))
{
  const long n = 20000000;
  double *a = fill (n, 0), *b = fill (n, 1), *c = fill (n, 2), best = 1e9;
  for (int run = 0; run < 10; run++)
    {
      double t = now ();
      f (n, a, b, c);
      t = now () - t;
      best = t < best ? t : best;
    }
  volatile double use = a[n / 2];
  (void) use;
  free (a);
  free (b);
  free (c);
  return 3e-9 * n * sizeof (double) / best;
}

static double
dgemm (void)
{
  const int n = 1000;
  const double one = 1, zero = 0;
  double *a = fill ((long) n * n, 1e-3), *b = fill ((long) n * n, 2e-3), best = 1e9;
  double *c = fill ((long) n * n, 0);
  for (int run = 0; run < 10; run++)
    {
      double t = now ();
      dgemm_ ("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
      t = now () - t;
      best = t < best ? t : best;
    }
  free (a);
  free (b);
  free (c);
  return 2e-9 * n * n * n / best;
}

static double
naive (void)
{
  const long n = 1000000;
  double *x = fill (n, 4e-3), best = 1e9;
  volatile double sum;
  for (int run = 0; run < 5; run++)
    {
      double t = now (), s = 0;
      for (long i = 0; i < n; i++)
        s += exp (-x[i] * x[i]) * sin (x[i]);
      sum = s;
      t = now () - t;
      best = t < best ? t : best;
    }
  (void) sum;
  free (x);
  return best;
}

#if SG_HAVE_SLEEF && defined __x86_64__
__attribute__ ((target ("avx2,fma")))
static void
exp_4 (long n, double *y, const double *x)
{
  for (long i = 0; i < n; i += 4)
    _mm256_storeu_pd (y + i, Sleef_expd4_u10avx2 (_mm256_loadu_pd (x + i)));
}

__attribute__ ((target ("avx512f")))
static void
exp_8 (long n, double *y, const double *x)
{
  for (long i = 0; i < n; i += 8)
    _mm512_storeu_pd (y + i, Sleef_expd8_u10avx512f (_mm512_loadu_pd (x + i)));
}

/* 0: it cannot be measured here.  */
static double
sleef (void)
{
  const long n = 1000000;
  if (! __builtin_cpu_supports ("avx2"))
    return 0;
  double *x = fill (n, 4e-3), *y = fill (n, 0), best = 1e9;
  for (int run = 0; run < 30; run++)
    {
      double t = now ();
      (__builtin_cpu_supports ("avx512f") ? exp_8 : exp_4) (n, y, x);
      t = now () - t;
      best = t < best ? t : best;
    }
  volatile double use = y[n / 2];
  (void) use;
  free (x);
  free (y);
  return best;
}
#else
static double
sleef (void)
{
  return 0;
}
#endif

int
main (void)
{
  printf ("triad %.3g\n", triad (stored));
  printf ("stream %.3g\n", triad (streamed));
  printf ("read %.3g\n", read_rate ());
  printf ("dgemm %.3g\n", dgemm ());
  printf ("naive %.3g\n", naive ());
  printf ("sleef %.3g\n", sleef ());
  return 0;
}
