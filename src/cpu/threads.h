/* Work in parallel.  A job is a number of units; the units are handed out in increasing
   order, so that when one unit ends the job early all units before it have been done.  */

#ifndef SG_THREADS_H
#define SG_THREADS_H

#include "../core/plan.h"

/* Do unit U as thread T, T from 0.  False: start no further unit.  */
typedef bool (*sg_unit_fn) (void *ctx, int64_t u, int t);

/* How many threads, of LIMIT at most, a job of UNITS units is worth that takes NS
   nanoseconds on one core.  */
int sg_threads_for (int limit, double ns, int64_t units);

/* Do units 0 to UNITS - 1 with THREADS threads.  SG_INTERRUPTED: the user wants to stop, and
   some units have not been done.  */
sg_status sg_units_run (int threads, int64_t units, sg_unit_fn fn, void *ctx);

static inline int64_t
sg_min64 (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static inline int64_t
sg_max64 (int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* A / B rounded up.  */
static inline int64_t
sg_ceil_div (int64_t a, int64_t b)
{
  return (a + b - 1) / b;
}

#endif
