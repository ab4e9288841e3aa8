/* What the tests of the CPU backend share: checks, data.  */

#ifndef TEST_CPU_DATA_H
#define TEST_CPU_DATA_H

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/cpu/cpu.h"

static long passed, failed;

static void __attribute__ ((format (printf, 2, 3)))
check (bool ok, const char *fmt, ...)
{
  if (ok)
    {
      passed++;
      return;
    }
  if (failed++ < 50)
    {
      va_list ap;
      va_start (ap, fmt);
      printf ("FAILED: ");
      vprintf (fmt, ap);
      printf ("\n");
      va_end (ap);
    }
}

/* ---- data ------------------------------------------------------------------------------- */

static uint64_t seed = 1;

static uint32_t
rnd (void)
{
  seed = seed * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return seed >> 33;
}

static inline void *
alloc (int64_t bytes)
{
  void *p = malloc (bytes > 0 ? bytes : 1);
  if (! p)
    exit (2);
  return p;
}

static double
get (sg_class c, const void *p, int64_t i)
{
  switch (c)
    {
#define TYPE(id, name, ctype, bytes, kind) case SG_##id: return (double) ((const ctype *) p)[i];
#include "type.def"
    default: return 0;
    }
}

static void
set (sg_class c, void *p, int64_t i, double v)
{
  switch (c)
    {
#define TYPE(id, name, ctype, bytes, kind) case SG_##id: ((ctype *) p)[i] = (ctype) v; break;
#include "type.def"
    default: break;
    }
}

/* N small values that every class holds; some NaN in floats if NANS.  */
static inline void *
data (sg_class c, int64_t n, bool nans)
{
  void *p = alloc (n * (int64_t) sg_class_bytes (c));
  bool fl = sg_class_kind (c) == SG_KIND_FLOAT;
  for (int64_t i = 0; i < n; i++)
    {
      double v = c == SG_BOOL ? rnd () % 2 : rnd () % 100;
      if (fl)
        v = nans && rnd () % 4 == 0 ? NAN : (rnd () % 20001 - 10000.0) / 1024;
      set (c, p, i, v);
    }
  return p;
}

static inline bool
same (double a, double b)
{
  return a == b || (a != a && b != b);
}

static inline bool
is_near (double a, double b, double scale)
{
  return same (a, b) || fabs (a - b) <= scale;
}

static const sg_class rclass[2] = { SG_F64, SG_F32 };

/* The host: the user wants to stop when STOP_AT looks have been taken.  */
static long looks, stop_at = -1;

static inline bool
host_interrupted (void)
{
  return stop_at >= 0 && looks++ >= stop_at;
}

static const sg_host host = { .interrupted = host_interrupted };

static inline int
finish (void)
{
  printf ("%ld passed, %ld failed\n", passed, failed);
  return failed > 0;
}

#endif
