/* Runs kernels: blocks one after another, the threads of a block as fibers.  A fiber runs one
   thread after another for as long as they do not wait, so that kernels without barriers are
   plain loops.  */

/* The checks of longjmp know nothing of fibers.  */
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "emu.h"

#define MAX_THREADS 1024
#define STACK (256 << 10)
#define UNSET 0xfa /* fills shared memory */

typedef enum wait
{
  NEW,
  READY,
  BARRIER,
  WARP,
  DONE
} wait;

typedef struct fiber
{
  ucontext_t start;
  jmp_buf place;
  char *stack;
  bool started;
} fiber;

/* A thread of the block; where it waits, and for what.  */
typedef struct thread
{
  wait wait;
  fiber *on;
  const char *file;
  int line, value;
  emu_vote vote;
  emu_warpop op;
  uint32_t mask;
  uint64_t given, taken;
  unsigned int source;
} thread;

static const emu_launch *now;
static emu_env *env;
static int nthreads, next, current, nidle;
static int order[MAX_THREADS];
static thread th[MAX_THREADS];
static fiber pool[MAX_THREADS], *idle[MAX_THREADS], *active;
static jmp_buf scheduler;
static sigjmp_buf bail;
static uint64_t seed;

static uint32_t
rnd (uint32_t n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % n;
}

/* ---- what is wrong ----------------------------------------------------------------------- */

static const char *
where (void)
{
  static char text[160];
  emu_dim b = env->block, t = env->thread;
  snprintf (text, sizeof text, "kernel %s, block (%u,%u,%u), thread (%u,%u,%u)", now->name, b.x,
            b.y, b.z, t.x, t.y, t.z);
  return text;
}

static void
on_access (uintptr_t at, size_t bytes, int write)
{
  uintptr_t off = at - env->arena;
  if (off < env->arena_bytes && off + bytes <= env->arena_bytes)
    {
      bool ok = true;
      for (uintptr_t g = off / 8; ok && g <= (off + bytes - 1) / 8; g++)
        {
          size_t upto = g == (off + bytes - 1) / 8 ? (off + bytes - 1) % 8 + 1 : 8;
          ok = env->shadow[g] == 0 || (env->shadow[g] < 8 && upto <= env->shadow[g]);
        }
      if (ok)
        return;
    }
  else if ((at - (uintptr_t) now->parts.dynamic < now->shared
            && bytes <= now->shared - (at - (uintptr_t) now->parts.dynamic))
           || at - (uintptr_t) active->stack < STACK
           || at - (uintptr_t) now->args < sizeof *now->args
           || (at - now->image < now->image_end - now->image
               && at - (uintptr_t) now->parts.dynamic >= EMU_SHARED_MAX))
    return;
  const char *what = at - (uintptr_t) now->parts.dynamic < EMU_SHARED_MAX
                         ? "shared memory beyond its size"
                         : emu_describe (at);
  emu_break (CUDA_ERROR_ILLEGAL_ADDRESS, "%s %s %zu bytes at %#zx, which is %s", where (),
             write ? "writes" : "reads", bytes, (size_t) at, what);
  siglongjmp (bail, 1);
}

static void
on_trap (const char *what)
{
  emu_break (CUDA_ERROR_ASSERT, "%s: %s", where (), what);
  siglongjmp (bail, 1);
}

static void
on_signal (int sig, siginfo_t *info, void *context)
{
  (void) context;
  emu_break (sig == SIGFPE ? CUDA_ERROR_LAUNCH_FAILED : CUDA_ERROR_ILLEGAL_ADDRESS,
             "%s ends with signal %d at %p", where (), sig, info->si_addr);
  siglongjmp (bail, 1);
}

/* ---- fibers ------------------------------------------------------------------------------ */

static void
put_thread (int t)
{
  emu_dim b = env->block_dim;
  current = t;
  env->thread = (emu_dim){ t % b.x, t / b.x % b.y, t / (b.x * b.y) };
  env->lane = t % 32;
}

static void check_warp (int t);

/* A fiber: threads that have not begun, one after another.  */
static void
work (void)
{
  for (;;)
    {
      while (next < nthreads)
        {
          int t = order[next++];
          th[t].on = active;
          put_thread (t);
          th[t].wait = READY;
          now->entry.call (now->args->at);
          th[current].wait = DONE;
          check_warp (current);
        }
      idle[nidle++] = active;
      if (_setjmp (active->place) == 0)
        _longjmp (scheduler, 1);
    }
}

static bool
make_stack (fiber *f)
{
  if (! f->stack)
    {
      void *m = mmap (NULL, STACK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (m == MAP_FAILED)
        return false;
      f->stack = m;
      mprotect (m, 4096, PROT_NONE);
    }
  return true;
}

static void
go_on (fiber *f)
{
  active = f;
  if (_setjmp (scheduler) != 0)
    return;
  if (f->started)
    _longjmp (f->place, 1);
  f->started = true;
  getcontext (&f->start);
  f->start.uc_stack.ss_sp = f->stack;
  f->start.uc_stack.ss_size = STACK;
  f->start.uc_link = NULL;
  makecontext (&f->start, work, 0);
  setcontext (&f->start);
}

/* The thread that runs waits until somebody has made it ready.  */
static void
wait_here (void)
{
  int me = current;
  while (th[me].wait != READY)
    if (_setjmp (th[me].on->place) == 0)
      _longjmp (scheduler, 1);
  put_thread (me);
}

/* ---- barriers ---------------------------------------------------------------------------- */

static int
on_barrier (const char *file, int line, emu_vote vote, int value)
{
  thread *t = th + current;
  t->wait = BARRIER;
  t->file = file;
  t->line = line;
  t->vote = vote;
  t->value = value;
  wait_here ();
  return t->value;
}

/* All threads wait at one barrier: they go on.  */
static void
release (void)
{
  int count = 0;
  for (int i = 0; i < nthreads; i++)
    count += th[i].value != 0;
  for (int i = 0; i < nthreads; i++)
    {
      th[i].wait = READY;
      th[i].value = th[i].vote == EMU_VOTE_AND  ? count == nthreads
                    : th[i].vote == EMU_VOTE_OR ? count > 0
                                                : count;
    }
}

static uint64_t
exchange (int first, uint32_t mask, const thread *t)
{
  uint64_t r = 0;
  if (t->op == EMU_WARP_SHFL)
    return mask >> t->source & 1 ? th[first + t->source].given : UINT64_C (0xfafafafafafafafa);
  for (int i = 0; i < 32; i++)
    if (mask >> i & 1)
      r |= (uint64_t) (t->op == EMU_WARP_MATCH ? th[first + i].given == t->given
                                               : th[first + i].given != 0)
           << i;
  return r;
}

/* If all threads of the warp of T that a waiting one names are there, they go on.  */
static void
check_warp (int t)
{
  int first = t & ~31;
  for (int i = 0; i < 32 && first + i < nthreads; i++)
    {
      thread *w = th + first + i;
      uint32_t there = 0;
      bool all = w->wait == WARP;
      for (int j = 0; all && j < 32 && first + j < nthreads; j++)
        {
          const thread *v = th + first + j;
          if (! (w->mask >> j & 1) || v->wait == DONE)
            continue;
          all = v->wait == WARP && v->file == w->file && v->line == w->line && v->mask == w->mask;
          there |= (uint32_t) 1 << j;
        }
      if (! all)
        continue;
      for (int j = 0; j < 32; j++)
        if (there >> j & 1)
          th[first + j].taken = exchange (first, there, th + first + j);
      for (int j = 0; j < 32; j++)
        if (there >> j & 1)
          th[first + j].wait = READY;
    }
}

static uint64_t
on_warp (const char *file, int line, emu_warpop op, uint32_t mask, uint64_t value,
         unsigned int source)
{
  thread *t = th + current;
  if (! (mask >> (current % 32) & 1))
    {
      emu_break (CUDA_ERROR_ILLEGAL_INSTRUCTION,
                 "%s is not in the mask %#x that it gives in line %d", where (), mask, line);
      siglongjmp (bail, 1);
    }
  t->wait = WARP;
  t->file = file;
  t->line = line;
  t->op = op;
  t->mask = mask;
  t->given = value;
  t->source = source;
  check_warp (current);
  wait_here ();
  return t->taken;
}

/* Nobody can go on.  */
static void
divergent (void)
{
  static const char *const what[] = { "has not begun", "runs", "waits for the block in line",
                                      "waits for its warp in line", "has ended" };
  int a = 0, b = 1;
  while (a < nthreads - 1 && (th[a].wait == DONE || th[a].wait == READY))
    a++;
  for (b = 0; b < nthreads - 1; b++)
    if (th[b].wait != th[a].wait || th[b].line != th[a].line || th[b].file != th[a].file
        || th[b].mask != th[a].mask)
      break;
  put_thread (a);
  emu_break (CUDA_ERROR_LAUNCH_FAILED, "%s %s %d, but thread %d %s %d", where (), what[th[a].wait],
             th[a].line, b, what[th[b].wait], th[b].wait == DONE ? 0 : th[b].line);
  siglongjmp (bail, 1);
}

/* ---- blocks ------------------------------------------------------------------------------ */

static void
fill_shared (void)
{
  memset (now->parts.dynamic, UNSET, now->shared);
  if (now->parts.fixed)
    memset (now->parts.fixed, UNSET, now->parts.fixed_end - now->parts.fixed);
}

static void
run_block (void)
{
  for (int i = 0; i < nthreads; i++)
    th[i].wait = NEW;
  next = 0;
  fill_shared ();
  for (;;)
    {
      int ready = -1, waiting = 0, same = 0;
      for (int i = 0; i < nthreads && ready < 0; i++)
        {
          int t = order[i];
          if (th[t].wait == READY)
            ready = t;
          waiting += th[t].wait == BARRIER;
          same += th[t].wait == BARRIER && th[t].file == th[order[0]].file
                  && th[t].line == th[order[0]].line;
        }
      if (ready >= 0)
        {
          put_thread (ready);
          go_on (th[ready].on);
        }
      else if (next < nthreads)
        go_on (idle[--nidle]);
      else if (waiting == nthreads && same == nthreads)
        release ();
      else
        {
          int done = 0;
          for (int i = 0; i < nthreads; i++)
            done += th[i].wait == DONE;
          if (done == nthreads)
            return;
          divergent ();
        }
    }
}

/* A permutation of the blocks: those of a step apart that has no divisor with their number.  */
static void
run_blocks (void)
{
  emu_dim g = now->grid;
  uint64_t n = (uint64_t) g.x * g.y * g.z, start = 0, step = 1;
  if (seed)
    {
      start = rnd (n < UINT32_MAX ? n : UINT32_MAX);
      step = rnd (n < UINT32_MAX ? n : UINT32_MAX) | 1;
      uint64_t a, b;
      do
        {
          step += 2;
          for (a = n, b = step; b;)
            {
              uint64_t r = a % b;
              a = b;
              b = r;
            }
        }
      while (a != 1 && step < 3 * n);
      if (a != 1)
        step = 1;
      for (int i = nthreads - 1; i > 0; i--)
        {
          int k = rnd (i + 1), t = order[i];
          order[i] = order[k];
          order[k] = t;
        }
    }
  for (uint64_t i = 0; i < n; i++)
    {
      uint64_t k = (uint64_t) ((start + (unsigned __int128) i * step) % n);
      env->block = (emu_dim){ k % g.x, k / g.x % g.y, k / ((uint64_t) g.x * g.y) };
      run_block ();
    }
}

static bool
set_up (void)
{
  env = now->parts.env;
  emu_memory_env (env);
  env->grid_dim = now->grid;
  env->block_dim = now->block;
  env->barrier = on_barrier;
  env->warp = on_warp;
  env->access = on_access;
  env->trap = on_trap;
  nthreads = now->block.x * now->block.y * now->block.z;
  seed = emu_setting ("SYMGPU_EMU_SEED", 0);
  nidle = 0;
  for (int i = nthreads - 1; i >= 0; i--)
    {
      order[i] = i;
      if (! make_stack (pool + i))
        return false;
      pool[i].started = false;
      idle[nidle++] = pool + i;
    }
  return true;
}

void
emu_run (const emu_launch *l)
{
  static const int sig[] = { SIGSEGV, SIGBUS, SIGFPE };
  struct sigaction old[3];
  struct sigaction mine = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK };
  static char stack[64 << 10];
  stack_t old_stack, my_stack = { .ss_sp = stack, .ss_size = sizeof stack };
  sigemptyset (&mine.sa_mask);
  now = l;
  if (! set_up ())
    {
      emu_break (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "no memory for the threads of a block");
      return;
    }
  sigaltstack (&my_stack, &old_stack);
  for (int i = 0; i < 3; i++)
    sigaction (sig[i], &mine, old + i);
  if (sigsetjmp (bail, 1) == 0)
    run_blocks ();
  for (int i = 0; i < 3; i++)
    sigaction (sig[i], old + i, NULL);
  sigaltstack (&old_stack, NULL);
}
