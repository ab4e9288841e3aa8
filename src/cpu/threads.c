/* Work in parallel, by a pool of threads of our own.

   Whoever calls does units of the work himself and never waits for a thread that has not begun:
   threads that wake up late find the work closed.  So a machine that is busy with other
   programs costs what these take and no more; with teams that meet at barriers, as OpenMP has
   them, one thread without a processor keeps all others spinning.  */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

/* Waking a thread costs some microseconds; these keep it a small part of the work.  */
#define MIN_JOB_NS 60000
#define MIN_THREAD_NS 20000

/* How long an idle thread looks for work before it sleeps.  The steps of a plan follow each
   other faster than a sleeping processor wakes up; a thread that looks gives way to others.  */
#define LOOK_NS 200000
#define LOOKS_PER_YIELD 64

typedef struct job
{
  sg_unit_fn fn;
  void *ctx;
  int64_t units;
  int threads;               /* at most, with the caller */
  _Atomic int64_t next;
  atomic_bool stop, asked;
} job;

static struct
{
  pthread_mutex_t lock;
  pthread_cond_t wake, idle;
  job *job;                  /* NULL: closed */
  int joined;                /* threads that have taken part in it */
  int active;                /* of these, still at work */
  int workers;               /* threads that exist */
  atomic_uint serial;        /* counts jobs */
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER,
           .idle = PTHREAD_COND_INITIALIZER };

/* A forked child has none of the threads: it works alone.  */
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

static int
processors (void)
{
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity (0, sizeof set, &set) == 0)
    return CPU_COUNT (&set);
#endif
  long n = sysconf (_SC_NPROCESSORS_ONLN);
  return n > 0 ? (int) n : 1;
}

int
sg_cpu_threads (void)
{
  static int procs;          /* asking is a system call */

  if (sg_cfg.threads > 0)
    return (int) sg_cfg.threads;
  if (procs == 0)
    procs = processors ();
  return procs;
}

int
sg_threads_for (int limit, double ns, int64_t units)
{
  if (limit <= 1 || units <= 1 || ns < MIN_JOB_NS || forked)
    return 1;
  return (int) sg_min64 (sg_min64 (limit, units), (int64_t) (ns / MIN_THREAD_NS));
}

/* Units until there are none left; thread 0 is the caller.  */
static void
work (job *j, int t)
{
  while (! j->stop)
    {
      if (t == 0 && sg_is_interrupted ())
        {
          j->asked = j->stop = true;
          break;
        }
      int64_t u = atomic_fetch_add (&j->next, 1);
      if (u >= j->units)
        break;
      if (! j->fn (j->ctx, u, t))
        j->stop = true;
    }
}

static void
relax (void)
{
#ifdef __x86_64__
  __builtin_ia32_pause ();
#endif
}

static int64_t
nanoseconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000000000) + t.tv_nsec;
}

/* Wait for another job than number SEEN, for a while.  */
static void
look (unsigned seen)
{
  int64_t end = nanoseconds () + LOOK_NS;
  do
    {
      for (int i = 0; i < LOOKS_PER_YIELD; i++)
        {
          if (pool.serial != seen)
            return;
          relax ();
        }
      sched_yield ();
    }
  while (nanoseconds () < end);
}

/* With the lock: is there a job that wants one more?  */
static bool
is_wanted (void)
{
  return pool.job && pool.joined < pool.job->threads - 1;
}

static void *
worker (void *arg)
{
  (void) arg;
  pthread_mutex_lock (&pool.lock);
  for (;;)
    {
      if (! is_wanted ())
        {
          unsigned seen = pool.serial;
          pthread_mutex_unlock (&pool.lock);
          look (seen);
          pthread_mutex_lock (&pool.lock);
          while (! is_wanted ())
            pthread_cond_wait (&pool.wake, &pool.lock);
        }
      job *j = pool.job;
      int t = ++pool.joined;
      pool.active++;
      pthread_mutex_unlock (&pool.lock);
      work (j, t);
      pthread_mutex_lock (&pool.lock);
      if (--pool.active == 0)
        pthread_cond_signal (&pool.idle);
    }
  return NULL;
}

/* What debuggers and lists of threads show.  */
static void
set_name (pthread_t id)
{
#ifdef __linux__
  pthread_setname_np (id, "symgpu worker");
#else
  (void) id;
#endif
}

/* With the lock: make threads until there are N; fewer will do.  Signals are for the threads
   that the program itself has.  */
static void
make_workers (int n)
{
  sigset_t all, old;
  pthread_attr_t attr;

  if (pool.workers >= n || pthread_attr_init (&attr) != 0)
    return;
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  pthread_t id;
  while (pool.workers < n && pthread_create (&id, &attr, worker, NULL) == 0)
    {
      set_name (id);
      pool.workers++;
    }
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attr);
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

  if (threads <= 1)
    return run_alone (units, fn, ctx);

  job j = { .fn = fn, .ctx = ctx, .units = units, .threads = threads };
  pthread_once (&once, watch_fork);
  pthread_mutex_lock (&pool.lock);
  make_workers (threads - 1);
  pool.job = &j;
  pool.joined = 0;
  pool.serial++;
  pthread_cond_broadcast (&pool.wake);
  pthread_mutex_unlock (&pool.lock);

  work (&j, 0);

  pthread_mutex_lock (&pool.lock);
  pool.job = NULL;
  while (pool.active > 0)
    pthread_cond_wait (&pool.idle, &pool.lock);
  pthread_mutex_unlock (&pool.lock);
  return j.asked ? interrupted () : SG_OK;
}
