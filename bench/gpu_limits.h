/* How bench_gpu measures time, and what the device gives: copies, transfers, bare products.  */

#ifndef BENCH_GPU_LIMITS_H
#define BENCH_GPU_LIMITS_H

#include <stdlib.h>
#include <time.h>

#include "../src/cuda/api.h"
#include "../src/cuda/device.h"
#include "gpu_rows.h"

#define WARM 2               /* runs before those that count */
#define RUNS_MAX 25
#define RUNS_MIN 3
#define SECONDS 0.4          /* for the runs of a row */
#define SMALL 1000           /* elements of a small expression, and how many there are */
#define PINNED_MAX ((size_t) 256 << 20)

/* ---- time --------------------------------------------------------------------------------- */

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

typedef sg_status (*action) (void *arg);

static sg_status
finish (void)
{
  SG_CU (cuStreamSynchronize, sg_dev.stream);
  return SG_OK;
}

/* The median; what PREPARE does is not counted.  */
static sg_status
time_of (action prepare, action run, void *arg, double *out)
{
  double t[WARM + RUNS_MAX], spent = 0;
  int n = 0;
  while (n < WARM + RUNS_MIN || (n < WARM + RUNS_MAX && spent < SECONDS))
    {
      if (prepare)
        SG_TRY (prepare (arg));
      SG_TRY (finish ());
      double start = now ();
      SG_TRY (run (arg));
      SG_TRY (finish ());
      t[n] = now () - start;
      spent += n < WARM ? 0 : t[n];
      n++;
    }
  qsort (t + WARM, n - WARM, sizeof *t, by_size);
  *out = t[WARM + (n - WARM) / 2];
  return SG_OK;
}

/* ---- what the device gives ---------------------------------------------------------------- */

/* Numbers that all inputs are made of, as double and as single.  */
static struct
{
  int64_t n;
  double *f64;
  float *f32;
} numbers;

static bool
fill_numbers (int64_t n)
{
  numbers.n = n;
  numbers.f64 = malloc (n * sizeof *numbers.f64);
  numbers.f32 = malloc (n * sizeof *numbers.f32);
  if (! numbers.f64 || ! numbers.f32)
    return false;
  for (int64_t i = 0; i < n; i++)
    {
      numbers.f64[i] = 0.05 + (double) (i * 40503 % 10007) / 10007;
      numbers.f32[i] = (float) numbers.f64[i];
    }
  return true;
}

/* Copies and transfers of BYTES, COUNT times.  */
typedef struct copies
{
  sg_block *from, *to;
  void *pinned;
  size_t bytes;
  int count;
} copies;

static sg_status
copy (void *arg)
{
  copies *c = arg;
  for (int i = 0; i < c->count; i++)
    SG_CU (cuMemcpyDtoDAsync_v2, c->to->address, c->from->address, c->bytes, sg_dev.stream);
  return SG_OK;
}

static sg_status
bring (void *arg)
{
  copies *c = arg;
  SG_CU (cuMemcpyHtoDAsync_v2, c->to->address, c->pinned, c->bytes, sg_dev.stream);
  return SG_OK;
}

static sg_status
bring_back (void *arg)
{
  copies *c = arg;
  SG_CU (cuMemcpyDtoHAsync_v2, c->pinned, c->to->address, c->bytes, sg_dev.stream);
  return SG_OK;
}

/* Seconds for a byte that is read or written, and so on.  */
typedef struct limits
{
  double copy, launch, up, down;
} limits;

static sg_status
measure_transfers (copies *c, limits *l)
{
  SG_CU (cuMemAllocHost_v2, &c->pinned, c->bytes);
  memcpy (c->pinned, numbers.f64, c->bytes);
  sg_status s = time_of (NULL, bring, c, &l->up);
  if (s == SG_OK)
    s = time_of (NULL, bring_back, c, &l->down);
  sg_cu.cuMemFreeHost (c->pinned);
  l->up /= (double) c->bytes;
  l->down /= (double) c->bytes;
  return s;
}

static sg_status
measure_copies (copies *c, limits *l)
{
  SG_TRY (sg_upload (c->from->address, numbers.f64, c->bytes));
  SG_TRY (time_of (NULL, copy, c, &l->copy));
  l->copy /= 2 * (double) c->bytes;
  copies small = { c->from, c->to, NULL, SMALL * sizeof (double), SMALL };
  if (small.bytes > c->bytes)
    small.bytes = c->bytes;
  SG_TRY (time_of (NULL, copy, &small, &l->launch));
  if (c->bytes > PINNED_MAX)
    c->bytes = PINNED_MAX;
  return measure_transfers (c, l);
}

static sg_status
measure_limits (limits *l)
{
  copies c = { .bytes = numbers.n * sizeof (double), .count = 1 };
  sg_status s = sg_block_get (c.bytes, &c.from);
  if (s == SG_OK)
    s = sg_block_get (c.bytes, &c.to);
  if (s == SG_OK)
    s = measure_copies (&c, l);
  sg_block_unref (c.from);
  sg_block_unref (c.to);
  return s;
}

/* Bare products, one after the other.  */
typedef struct gemm
{
  int m, n, k, ta, tb;
} gemm;

typedef struct gemms
{
  sg_class cls;
  int n;
  gemm g[5];
  sg_block *block[3];
} gemms;

static gemms
products_of (const row *r, sizes z)
{
  int64_t d[4][2];
  for (int i = 0; i < r->nin; i++)
    input_size (r->shape, z, i, d[i]);
  const int m = d[0][0], k = d[0][1], n = d[1][1];
  if (r->shape == LAYER)
    return (gemms) { r->cls, 1, { { m, n, k, 0, 0 } }, { NULL } };
  return (gemms) { r->cls, 5, { { m, n, k, 0, 0 }, { m, k, n, 0, 1 }, { m, n, k, 0, 0 },
                                { k, n, m, 1, 0 }, { k, n, m, 1, 0 } }, { NULL } };
}

#define BARE(symbol, T)                                                                 \
  SG_CU (symbol, sg_dev.cublas, g->ta, g->tb, g->m, g->n, g->k, (T[]) { 1 },            \
         (const T *) (uintptr_t) x->block[0]->address, g->ta ? g->k : g->m,             \
         (const T *) (uintptr_t) x->block[1]->address, g->tb ? g->n : g->k, (T[]) { 0 }, \
         (T *) (uintptr_t) x->block[2]->address, g->m)

static sg_status
multiply (void *arg)
{
  gemms *x = arg;
  for (const gemm *g = x->g; g < x->g + x->n; g++)
    if (x->cls == SG_F64)
      BARE (cublasDgemm_v2, double);
    else
      BARE (cublasSgemm_v2, float);
  return SG_OK;
}

static sg_status
measure_products (const row *r, sizes z, double *seconds, double *flops)
{
  gemms x = products_of (r, z);
  const size_t bytes = z.order * z.order * sg_class_bytes (r->cls);
  const void *data = r->cls == SG_F64 ? (void *) numbers.f64 : (void *) numbers.f32;
  sg_status s = SG_OK;
  *flops = 0;
  for (int i = 0; i < x.n; i++)
    *flops += 2.0 * x.g[i].m * x.g[i].n * x.g[i].k;
  for (int i = 0; i < 3 && s == SG_OK; i++)
    {
      s = sg_block_get (bytes, &x.block[i]);
      if (s == SG_OK)
        s = sg_upload (x.block[i]->address, data, bytes);
    }
  if (s == SG_OK)
    s = time_of (NULL, multiply, &x, seconds);
  for (int i = 0; i < 3; i++)
    sg_block_unref (x.block[i]);
  return s;
}

#endif
