/* The lower and the upper part of a matrix: columns of zeros and copies.  */

#include <string.h>

#include "cpu.h"
#include "threads.h"

#define UNIT_BYTES (INT64_C (1) << 18)
#define BYTE_NS 0.2          /* what writing a byte costs on one core, about */

typedef struct job
{
  const char *in;
  char *out;
  int64_t esize, rows, cols, k;
  bool lower;
  int64_t group;             /* columns of a unit */
} job;

static bool
run_unit (void *ctx, int64_t u, int t)
{
  const job *j = ctx;
  int64_t end = sg_min64 (j->cols, (u + 1) * j->group);
  (void) t;

  for (int64_t c = u * j->group; c < end; c++)
    {
      /* The first row below the part that TRIU takes, or of the part that TRIL takes.  */
      int64_t cut = sg_max64 (0, sg_min64 (j->rows, j->lower ? c - j->k : c + 1 - j->k));
      const char *in = j->in + c * j->rows * j->esize;
      char *out = j->out + c * j->rows * j->esize;
      size_t above = (size_t) (cut * j->esize), below = (size_t) ((j->rows - cut) * j->esize);
      if (j->lower)
        {
          memset (out, 0, above);
          memcpy (out + above, in + above, below);
        }
      else
        {
          memcpy (out, in, above);
          memset (out + above, 0, below);
        }
    }
  return true;
}

sg_status
sg_cpu_trilu (const sg_move *v, sg_run *r)
{
  job j = { r->ptr[v->in[0]], r->ptr[v->out], v->esize, v->dim[0], v->dim[1], v->k,
            v->op == SG_TRIL, 1 };
  int64_t bytes = j.rows * j.esize;

  if (bytes == 0 || j.cols == 0)
    return SG_OK;
  j.group = sg_max64 (1, UNIT_BYTES / bytes);
  int64_t units = sg_ceil_div (j.cols, j.group);
  return sg_units_run (sg_threads_for (r->threads, (double) bytes * j.cols * BYTE_NS, units),
                       units, run_unit, &j);
}
