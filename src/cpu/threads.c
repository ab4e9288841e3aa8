/* Work in parallel, by OpenMP.  */

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

#include "threads.h"

/* Waking a team costs some microseconds; these keep it a small part of the work.  */
#define MIN_JOB_NS 60000
#define MIN_THREAD_NS 20000

/* The team of threads does not exist in a forked child, and libgomp would wait for it for
   ever: a child works alone.  */
static bool forked;

static void
in_child (void)
{
  forked = true;
}

static void
watch_fork (void)
{
  pthread_atfork (NULL, NULL, in_child);
}

int
sg_cpu_threads (void)
{
  static int procs;          /* asking is a system call */

  if (sg_cfg.threads > 0)
    return (int) sg_cfg.threads;
  if (procs == 0)
    procs = omp_get_num_procs ();
  return procs;
}

int
sg_threads_for (int limit, double ns, int64_t units)
{
  if (limit <= 1 || units <= 1 || ns < MIN_JOB_NS || forked || omp_in_parallel ())
    return 1;
  return (int) sg_min64 (sg_min64 (limit, units), (int64_t) (ns / MIN_THREAD_NS));
}

static sg_status
interrupted (void)
{
  return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
}

static sg_status
run_alone (int64_t units, sg_unit_fn fn, void *ctx)
{
  for (int64_t u = 0; u < units; u++)
    {
      if (u > 0 && sg_is_interrupted ())
        return interrupted ();
      if (! fn (ctx, u, 0))
        break;
    }
  return SG_OK;
}

sg_status
sg_units_run (int threads, int64_t units, sg_unit_fn fn, void *ctx)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  _Atomic int64_t next = 0;
  atomic_bool stop = false, asked = false;

  if (threads <= 1)
    return run_alone (units, fn, ctx);

  pthread_once (&once, watch_fork);

#pragma omp parallel num_threads (threads)
  {
    int t = omp_get_thread_num ();

    while (! stop)
      {
        if (t == 0 && sg_is_interrupted ())
          {
            asked = stop = true;
            break;
          }
        int64_t u = atomic_fetch_add (&next, 1);
        if (u >= units)
          break;
        if (! fn (ctx, u, t))
          stop = true;
      }
  }

  return asked ? interrupted () : SG_OK;
}
