/* A host for the tests of the core: memory of malloc, and the few operations that the tests
   let it do.  Checks count into passed and failed; finish () prints them.  */

#ifndef TEST_HOST_H
#define TEST_HOST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/symgpu.h"

static int passed, failed;

#define CHECK(cond, ...)                                                \
  do                                                                    \
    {                                                                   \
      if (cond)                                                         \
        passed++;                                                       \
      else                                                              \
        {                                                               \
          failed++;                                                     \
          printf ("%s:%d: %s: ", __FILE__, __LINE__, #cond);            \
          printf (__VA_ARGS__);                                         \
          putchar ('\n');                                               \
        }                                                               \
    }                                                                   \
  while (0)

static inline int
finish (void)
{
  printf ("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}

static inline void
free_value (sg_buf *b)
{
  sg_free (b->data);
}

static inline sg_status
host_value_new (sg_class cls, bool cplx, int nd, const int64_t *dim, sg_buf **out)
{
  size_t bytes = sg_class_bytes (cls) << cplx;
  for (int d = 0; d < nd; d++)
    bytes *= dim[d];
  void *p = sg_malloc (bytes);
  if (! p)
    return sg_fail (SG_NOMEM, "out of memory for a value of the host");
  sg_status s = sg_buf_new (cls, cplx, p, bytes, free_value, NULL, out);
  if (s != SG_OK)
    sg_free (p);
  return s;
}

static int stop_now, foreign_calls;

static inline bool
host_interrupted (void)
{
  return stop_now;
}

/* "Octave's own" operations here: sqrt, with the value 1i * sqrt (-a) where a < 0; all else
   fails.  */
static inline sg_status
host_foreign (sg_node *n, sg_buf *const *in, sg_buf **out)
{
  foreign_calls++;
  if (n->op != SG_SQRT)
    return sg_fail (SG_FOREIGN, "the host of the tests has no %s", sg_op_info (n->op)->name);
  SG_TRY (host_value_new (n->cls, true, n->nd, n->dim, out));
  const double *a = in[0]->data;
  double *z = (*out)->data;
  for (int64_t i = 0; i < n->numel; i++)
    {
      z[2 * i] = a[i] < 0 ? 0 : __builtin_sqrt (a[i]);
      z[2 * i + 1] = a[i] < 0 ? __builtin_sqrt (-a[i]) : 0;
    }
  return SG_OK;
}

static const sg_host test_host = { .value_new = host_value_new, .foreign = host_foreign,
                                   .interrupted = host_interrupted };

/* A leaf of these dimensions; FILL gives its elements as doubles.  */
static inline sg_node *
leaf (sg_class cls, int nd, const int64_t *dim, double (*fill) (int64_t i))
{
  sg_buf *b;
  if (host_value_new (cls, false, nd, dim, &b) != SG_OK)
    return NULL;
  int64_t n = b->bytes / sg_class_bytes (cls);
  for (int64_t i = 0; i < n; i++)
    switch (cls)
      {
#define TYPE(id, name, ctype, bytes, kind) \
        case SG_##id: ((ctype *) b->data)[i] = (ctype) fill (i); break;
#include "../../src/core/type.def"
      default: break;
      }
  sg_node *x;
  if (sg_leaf_new (b, nd, dim, NULL, &x) != SG_OK)
    {
      sg_buf_unref (b);
      return NULL;
    }
  return x;
}

#endif
