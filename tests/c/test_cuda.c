/* The backend "cuda" on the emulated driver: the same values as the CPU, how much is launched,
   brought there and back, and what happens when any call fails.  With SYMGPU_TEST_GPU=1, or
   where there is a GPU and no emulated driver, on the GPU, with the libraries below CUDA_PATH:
   then no call can be made to fail.  */

#define _GNU_SOURCE
#include <libgen.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "../../src/cuda/api.h"

static char emulator[4096];   /* its folder */
static int warnings;
static char warning[2000];

static void
host_warn (const char *id, const char *text)
{
  warnings++;
  snprintf (warning, sizeof warning, "%s %s", id, text);
}

static const char *
host_place (uint32_t origin)
{
  static char text[40];
  snprintf (text, sizeof text, origin ? "test.m:%u" : "", origin);
  return text;
}

static const sg_host cuda_host = { host_value_new, host_foreign, host_interrupted, host_warn,
                                   host_place };

static void
set_string (const char *name, const char *value)
{
  for (int k = 0; k < sg_config_count (); k++)
    if (strcmp (sg_config_name (k), name) == 0)
      CHECK (sg_config_set_string (k, value) == SG_OK, "%s", sg_message ());
}

/* Calls that fail from now on; "" none.  */
static void
fail (const char *what)
{
  setenv ("SYMGPU_EMU_FAIL", what, 1);
}

/* ---- a program ---------------------------------------------------------------------------- */

#define NODES 24

typedef struct program
{
  sg_node *node[NODES];
  int n, first;              /* those from FIRST on are results */
} program;

static double
fill (int64_t i)
{
  return 0.25 * (double) (i % 17) - 1.5;
}

static sg_status
keep (program *p, sg_status s, sg_node *n)
{
  if (s == SG_OK)
    p->node[p->n++] = n;
  return s;
}

static sg_status
source (program *p, sg_class cls, int64_t rows, int64_t cols)
{
  sg_origin = 1 + p->n;
  sg_node *x = leaf (cls, 2, (int64_t[]) { rows, cols }, fill);
  return keep (p, x ? SG_OK : SG_NOMEM, x);
}

#define MAKE(call)                                                              \
  do                                                                            \
    {                                                                           \
      sg_node *x = NULL;                                                        \
      sg_origin = 1 + p->n;                                                     \
      sg_status e_ = call;                                                      \
      SG_TRY (keep (p, e_, x));                                                 \
    }                                                                           \
  while (0)
#define N(i) p->node[i]
#define PAIR(i, j) 2, (sg_node *[]) { N (i), N (j) }

static sg_status
build (program *p)
{
  *p = (program) { .first = 4 };
  SG_TRY (source (p, SG_F64, 30, 20));                          /* 0 */
  SG_TRY (source (p, SG_F64, 1, 20));                           /* 1 */
  SG_TRY (source (p, SG_I8, 30, 20));                           /* 2 */
  SG_TRY (source (p, SG_F32, 30, 20));                          /* 3 */
  MAKE (sg_ew_new (SG_PLUS, PAIR (0, 1), &x));                  /* 4 */
  MAKE (sg_ew_new (SG_TIMES, PAIR (2, 4), &x));                 /* 5 */
  MAKE (sg_reduce_new (SG_SUM, N (4), 0, &x));                  /* 6 */
  MAKE (sg_reduce_new (SG_IMAX, N (4), 1, &x));                 /* 7 */
  MAKE (sg_mtimes_new (N (4), 1, N (3), 0, &x));                /* 8 */
  MAKE (sg_mtimes_new (N (4), 1, N (4), 0, &x));                /* 9 */
  MAKE (sg_scan_new (SG_CUMSUM, N (4), 0, &x));                 /* 10 */
  MAKE (sg_cat_new (1, PAIR (10, 3), &x));                      /* 11 */
  MAKE (sg_repmat_new (N (6), 2, (int64_t[]) { 3, 2 }, &x));    /* 12 */
  MAKE (sg_ew_new (SG_SQRT, 1, &N (0), &x));                    /* 13: complex */
  MAKE (sg_sort_new (SG_SORT, N (4), 0, false, &x));            /* 14 */
  MAKE (sg_transpose_new (N (4), false, &x));                   /* 15 */
  int64_t *vec = sg_malloc (3 * sizeof *vec);
  if (! vec)
    return sg_fail (SG_NOMEM, "out of memory for subscripts");
  memcpy (vec, (int64_t[]) { 3, 0, 29 }, 3 * sizeof *vec);
  sg_index idx[2] = { { .kind = SG_IDX_VECTOR, .n = 3, .vec = vec },
                      { .kind = SG_IDX_RANGE, .start = 2, .step = 4, .n = 5 } };
  sg_node *x = NULL;
  sg_status s = sg_index_new (N (4), 2, idx, 2, (int64_t[]) { 3, 5 }, &x);
  if (s != SG_OK)
    sg_free (vec);
  return keep (p, s, x);                                        /* 16 */
}

static void
clear (program *p)
{
  for (int i = 0; i < p->n; i++)
    sg_node_unref (p->node[i]);
  p->n = 0;
}

static sg_status
evaluate (program *p, sg_backend b)
{
  return sg_eval (b, p->n - p->first, p->node + p->first);
}

/* ULP: units in the last place of the larger; both were computed from the same values.  */
static bool
same_value (sg_node *a, sg_node *b, double ulp)
{
  if (! a->val || ! b->val || a->val->bytes != b->val->bytes || a->val->cplx != b->val->cplx
      || sg_buf_host (a->val) != SG_OK || sg_buf_host (b->val) != SG_OK)
    return false;
  int64_t n = a->numel << a->val->cplx;
  const double *x = a->val->data, *y = b->val->data;
  const float *u = a->val->data, *v = b->val->data;
  if (ulp == 0 || (a->cls != SG_F64 && a->cls != SG_F32))
    return memcmp (x, y, a->val->bytes) == 0;
  for (int64_t i = 0; i < n; i++)
    if (a->cls == SG_F64 ? fabs (x[i] - y[i]) > ulp * 2.3e-16 * (1 + fabs (x[i]))
        : fabsf (u[i] - v[i]) > ulp * 1.2e-7 * (1 + fabs (u[i])))
      return false;
  return true;
}

static program wanted;

static void
check_values (program *p, const char *when)
{
  for (int i = p->first; i < p->n; i++)
    {
      bool sums = i == 6 || i == 8 || i == 9 || i == 12;
      CHECK (same_value (p->node[i], wanted.node[i], sums ? 100 : 0), "%s: value %d", when, i);
    }
}

/* ---- tests -------------------------------------------------------------------------------- */

static void
test_table (void)
{
  for (int lib = 0; lib < SG_NLIB; lib++)
    {
      CHECK (*sg_api_file (lib) == '\0', "not opened yet");
      CHECK (sg_api_open (lib) == SG_OK, "%s", sg_message ());
      CHECK (strncmp (sg_api_file (lib), emulator, strlen (emulator)) == 0, "%s",
             sg_api_file (lib));
    }
#define LIB(id, ...)
#define API(lib, needed, result, symbol, arguments) \
  CHECK (sg_cu.symbol || ! needed, "%s is missing", #symbol);
#include "../../src/cuda/api.def"
}

static void
test_ladder (void)
{
  static const struct { const char *fault; sg_rung rung; } bad[] = {
    { "init:1:100", SG_RUNG_DRIVER }, { "version:1:3", SG_RUNG_DRIVER },
    { "context:1:2", SG_RUNG_CONTEXT }, { "stream:1:2", SG_RUNG_CONTEXT },
    { "host:1:2", SG_RUNG_CONTEXT }, { "blas_create:1:1", SG_RUNG_CUBLAS },
    { "compile:1:6", SG_RUNG_KERNEL }, { "load:1:200", SG_RUNG_KERNEL },
    { "launch:1:700", SG_RUNG_KERNEL }, { "compile:2:6", SG_RUNG_DOUBLE },
    { "alloc:1:999", SG_RUNG_KERNEL }, { "blas:1:13", SG_RUNG_PRODUCT } };
  sg_rung_state state;
  const char *text;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    {
      fail (bad[i].fault);
      CHECK (sg_cuda_open () == SG_NO_CUDA, "%s", bad[i].fault);
      const char *name = sg_cuda_rung (bad[i].rung, &state, &text);
      CHECK (state == SG_RUNG_FAILED && strstr (text, "What helps: "), "%s: %s: %s", bad[i].fault,
             name, text);
      CHECK (strstr (sg_message (), name), "%s: %s", bad[i].fault, sg_message ());
      for (int k = 0; k < SG_NRUNG; k++)
        {
          sg_cuda_rung (k, &state, &text);
          CHECK (k == (int) bad[i].rung || state == (k < (int) bad[i].rung ? SG_RUNG_OK : SG_RUNG_UNTRIED),
                 "%s: step %d", bad[i].fault, k);
        }
      CHECK (! sg_cuda_is_open () && sg_count.device_bytes == 0, "%s", bad[i].fault);
    }
  fail ("");
  CHECK (sg_cuda_open () == SG_OK && sg_cuda_is_open (), "%s", sg_message ());
  sg_cfg.device = 7;
  CHECK (sg_cuda_open () == SG_NO_CUDA && strstr (sg_message (), "no device 7"), "%s",
         sg_message ());
  sg_cfg.device = 0;
  CHECK (sg_cuda_open () == SG_OK, "%s", sg_message ());
}

static void
test_values (void)
{
  program p;
  CHECK (build (&p) == SG_OK && evaluate (&p, SG_CUDA) == SG_OK, "%s", sg_message ());
  check_values (&p, "first");
  sg_counters c = sg_count;
  for (int i = 0; i < 3; i++)
    {
      clear (&p);
      CHECK (build (&p) == SG_OK && evaluate (&p, SG_CUDA) == SG_OK, "%s", sg_message ());
    }
  check_values (&p, "again");
  CHECK (sg_count.compiled == c.compiled, "%lld compiled again",
         (long long) (sg_count.compiled - c.compiled));
  clear (&p);
}

static void
test_counts (void)
{
  program q = { .n = 0 }, *p = &q;
  for (int i = 0; i < 3; i++)
    CHECK (source (p, SG_F64, 40, 50) == SG_OK, "%s", sg_message ());
  for (int i = 0; i < 3; i++)
    {
      sg_node *t = NULL, *r = NULL;
      sg_counters c = sg_count;
      CHECK (sg_ew_new (SG_TIMES, PAIR (0, 1), &t) == SG_OK
             && sg_ew_new (SG_PLUS, 2, (sg_node *[]) { t, N (2) }, &r) == SG_OK, "%s",
             sg_message ());
      sg_node_unref (t);
      CHECK (sg_eval (SG_CUDA, 1, &r) == SG_OK, "%s", sg_message ());
      CHECK (sg_count.launches == c.launches + 1, "%lld launches",
             (long long) (sg_count.launches - c.launches));
      CHECK (sg_count.uploaded == c.uploaded + (i ? 0 : 48000), "%lld bytes uploaded",
             (long long) (sg_count.uploaded - c.uploaded));
      CHECK (sg_count.downloaded == c.downloaded + 16000, "%lld bytes downloaded",
             (long long) (sg_count.downloaded - c.downloaded));
      CHECK (i == 0 || sg_count.compiled == c.compiled, "compiled again");
      CHECK (i < 2 || sg_count.device_allocs == c.device_allocs, "allocated again");
      sg_node_unref (r);
    }
  clear (p);
}

/* A value that nobody has looked at is on the device only, until the device is left.  */
static void
test_residence (void)
{
  program q = { .n = 0 }, *p = &q;
  CHECK (source (p, SG_F64, 40, 50) == SG_OK, "%s", sg_message ());
  sg_node *y = NULL, *z = NULL;
  CHECK (sg_ew_new (SG_PLUS, PAIR (0, 0), &y) == SG_OK, "%s", sg_message ());
  CHECK (sg_compute (SG_CUDA, 1, &y) == SG_OK && y->val && ! y->val->data, "%s", sg_message ());
  int64_t up = sg_count.uploaded, down = sg_count.downloaded;
  CHECK (sg_ew_new (SG_PLUS, 2, (sg_node *[]) { y, N (0) }, &z) == SG_OK, "%s", sg_message ());
  CHECK (sg_compute (SG_CUDA, 1, &z) == SG_OK, "%s", sg_message ());
  CHECK (sg_count.uploaded == up && sg_count.downloaded == down, "nothing is moved");
  CHECK (sg_cuda_close () == SG_OK && y->val->data && z->val->data, "%s", sg_message ());
  CHECK (((double *) z->val->data)[7] == 3 * fill (7), "%g", ((double *) z->val->data)[7]);
  CHECK (sg_count.device_bytes == 0, "%lld bytes", (long long) sg_count.device_bytes);
  sg_node *w = NULL;
  CHECK (sg_ew_new (SG_MINUS, 2, (sg_node *[]) { z, y }, &w) == SG_OK
         && sg_eval (SG_CUDA, 1, &w) == SG_OK, "%s", sg_message ());
  CHECK (((double *) w->val->data)[7] == fill (7), "%g", ((double *) w->val->data)[7]);
  sg_node_unref (w);
  sg_node_unref (y);
  sg_node_unref (z);
  clear (p);
}

/* Values larger than what travels at a time, and many small ones.  */
static void
test_transfers (void)
{
  int64_t n = 1500001;
  sg_node *x = leaf (SG_F64, 2, (int64_t[]) { n, 2 }, fill), *y[70], *z = NULL;
  CHECK (x && sg_ew_new (SG_PLUS, 2, (sg_node *[]) { x, x }, &z) == SG_OK, "%s", sg_message ());
  for (int i = 0; i < 70; i++)
    {
      sg_node *a = leaf (SG_F32, 2, (int64_t[]) { 1 + i, 3 }, fill);
      CHECK (a && sg_ew_new (SG_TIMES, 2, (sg_node *[]) { a, a }, &y[i]) == SG_OK, "%s",
             sg_message ());
      sg_node_unref (a);
    }
  CHECK (sg_eval (SG_CUDA, 70, y) == SG_OK && sg_eval (SG_CUDA, 1, &z) == SG_OK, "%s",
         sg_message ());
  int64_t bad = 0;
  for (int64_t i = 0; i < 2 * n; i++)
    bad += ((double *) z->val->data)[i] != 2 * fill (i);
  CHECK (bad == 0, "%lld large values", (long long) bad);
  for (int i = 0; i < 70; i++)
    for (int k = 0; k < 3 * (1 + i); k++)
      bad += ((float *) y[i]->val->data)[k] != (float) (fill (k) * fill (k));
  CHECK (bad == 0, "%lld small values", (long long) bad);
  for (int i = 0; i < 70; i++)
    sg_node_unref (y[i]);
  sg_node_unref (z);
  sg_node_unref (x);
}

/* An error says what was called, for what, and where the user wrote that.  */
static void
test_messages (void)
{
  static const struct { const char *fault, *call; bool fresh; } bad[] = {
    { "launch:1:701", "cuLaunchKernel failed with error 701 (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
      false },
    { "compile:1:6", "nvrtcCompileProgram failed with error 6", true } };
  for (int i = 0; i < 2; i++)
    {
      sg_node *x = leaf (SG_F64, 2, (int64_t[]) { 4, 5 }, fill), *y = NULL;
      sg_origin = 77;
      CHECK (x && sg_ew_new (SG_ATAN2, 2, (sg_node *[]) { x, x }, &y) == SG_OK, "%s",
             sg_message ());
      if (bad[i].fresh)
        {
          CHECK (sg_cuda_close () == SG_OK && sg_cuda_open () == SG_OK, "%s", sg_message ());
          sg_release_caches ();
        }
      fail (bad[i].fault);
      CHECK (sg_eval (SG_CUDA, 1, &y) == SG_CUDA_ERROR, "%s", bad[i].fault);
      CHECK (strstr (sg_message (), "cannot do atan2 of test.m:77: ")
             && strstr (sg_message (), bad[i].call), "%s", sg_message ());
      fail ("");
      CHECK (sg_eval (SG_CPU, 1, &y) == SG_OK, "%s", sg_message ());
      sg_node_unref (y);
      sg_node_unref (x);
    }
}

/* The device is lost, and with it what was only there; the rest is not, and it comes back.  */
static void
test_loss (void)
{
  program p, q = { .n = 0 };
  sg_node *y = NULL, *z = NULL;
  CHECK (source (&q, SG_F64, 40, 50) == SG_OK && build (&p) == SG_OK, "%s", sg_message ());
  CHECK (sg_ew_new (SG_PLUS, 2, (sg_node *[]) { q.node[0], q.node[0] }, &y) == SG_OK
         && sg_ew_new (SG_EXP, 1, &y, &z) == SG_OK, "%s", sg_message ());
  CHECK (sg_compute (SG_CUDA, 1, &y) == SG_OK && ! y->val->data, "%s", sg_message ());
  fail ("download:1:700");
  CHECK (evaluate (&p, SG_CUDA) == SG_CUDA_ERROR, "%s", sg_message ());
  fail ("");
  CHECK (evaluate (&p, SG_CUDA) == SG_OK, "%s", sg_message ());
  check_values (&p, "after the loss");
  if (! y->val->data)
    {
      sg_status s = sg_eval (SG_CUDA, 1, &z);
      CHECK (s == SG_OK || (s == SG_CUDA_ERROR && strstr (sg_message (), "was lost")), "%s",
             sg_message ());
    }
  sg_node_unref (z);
  sg_node_unref (y);
  clear (&p);
  clear (&q);
}

static void
test_fork (void)
{
  program p;
  CHECK (build (&p) == SG_OK && evaluate (&p, SG_CUDA) == SG_OK, "%s", sg_message ());
  fflush (stdout);
  int warned = warnings;
  pid_t pid = fork ();
  if (pid == 0)
    {
      int before = failed;
      program c;
      CHECK (build (&c) == SG_OK && evaluate (&c, SG_CUDA) == SG_OK, "%s", sg_message ());
      check_values (&c, "in a forked process");
      clear (&c);
      CHECK (warnings == warned + 1, "%d warnings", warnings - warned);
      fflush (stdout);
      /* What is the parent's stays: no farewell, no search for leaks.  */
      _exit (failed > before);
    }
  int status;
  waitpid (pid, &status, 0);
  CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0, "status %d", status);
  clear (&p);
  CHECK (build (&p) == SG_OK && evaluate (&p, SG_CUDA) == SG_OK, "%s", sg_message ());
  check_values (&p, "after the fork");
  clear (&p);
}

/* Any call of the driver fails: an error or the right values; then the CPU has the values, and
   then the device.  */
static void
test_faults (void)
{
  static const char *const kind[] = { "alloc", "host", "upload", "download", "copy", "set",
                                      "load", "find", "launch", "sync", "compile", "nvrtc", "blas" };
  static const int code[] = { 2, 1, 700 };
  int errors = 0;
  for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++)
    for (size_t c = 0; c < 3; c++)
      for (int at = 1; at < 20; at += 3)
        {
          program p;
          char what[60];
          bool fresh = strcmp (kind[k], "compile") == 0 || strcmp (kind[k], "nvrtc") == 0
                       || strcmp (kind[k], "load") == 0 || strcmp (kind[k], "find") == 0;
          if (fresh && (at > 1 || c > 0))
            continue;
          fail ("");
          if (fresh)
            {
              sg_release_caches ();
              CHECK (sg_cuda_close () == SG_OK && sg_cuda_open () == SG_OK, "%s", sg_message ());
            }
          else if (strcmp (kind[k], "alloc") == 0)
            sg_release_caches ();
          snprintf (what, sizeof what, "%s:%d:%d", kind[k], at, code[c]);
          CHECK (build (&p) == SG_OK, "%s", sg_message ());
          fail (what);
          sg_status s = evaluate (&p, SG_CUDA);
          CHECK (s == SG_OK || ((s == SG_CUDA_ERROR || s == SG_NO_CUDA) && strlen (sg_message ()) > 20),
                 "%s: status %d %s", what, s, sg_message ());
          fail ("");
          errors += s != SG_OK;
          if (s != SG_OK)
            CHECK (evaluate (&p, SG_CPU) == SG_OK, "%s", sg_message ());
          check_values (&p, what);
          clear (&p);
          CHECK (build (&p) == SG_OK && evaluate (&p, SG_CUDA) == SG_OK, "%s: %s", what,
                 sg_message ());
          check_values (&p, what);
          clear (&p);
        }
  CHECK (errors > 30, "%d errors", errors);
}

static void
test_memory (void)
{
  program p;
  sg_release_caches ();
  CHECK (sg_cuda_close () == SG_OK && build (&p) == SG_OK, "%s", sg_message ());
  CHECK (sg_cuda_open () == SG_OK, "%s", sg_message ());
  int before = warnings;
  int64_t old = sg_cfg.memory;
  sg_node *big = leaf (SG_F64, 2, (int64_t[]) { 1500, 1000 }, fill), *y = NULL, *z = NULL;
  CHECK (big && sg_ew_new (SG_PLUS, 2, (sg_node *[]) { big, big }, &y) == SG_OK
         && sg_scan_new (SG_CUMSUM, y, 0, &z) == SG_OK, "%s", sg_message ());
  sg_cfg.memory = 1;          /* percent of 1 GiB: slices, then the CPU */
  CHECK (sg_eval (SG_CUDA, 1, &y) == SG_OK && sg_count.slices > 1 && warnings == before
         && sg_eval (SG_CUDA, 1, &z) == SG_OK, "%s", sg_message ());
  CHECK (warnings == before + 1 && strncmp (warning, "symgpu:device-memory ", 21) == 0
         && strstr (warning, "the CPU does this"), "%d: %s", warnings - before, warning);
  CHECK (((double *) y->val->data)[1000] == 2 * fill (1000), "the value");
  sg_cfg.memory = old;
  sg_node_unref (z), sg_node_unref (y), sg_node_unref (big);
  CHECK (evaluate (&p, SG_CUDA) == SG_OK, "%s", sg_message ());
  check_values (&p, "after there was not enough");
  clear (&p);
}

/* The k-th allocation of the host fails.  */
static void
test_allocations (void)
{
  program p;
  int errors = 0;
  for (int k = 1; k < 400; k++)
    {
      CHECK (build (&p) == SG_OK, "%s", sg_message ());
      int64_t bytes = sg_count.device_bytes;
      if (k % 20 == 1)
        sg_release_caches ();
      sg_fail_allocation (k);
      sg_status s = evaluate (&p, SG_CUDA);
      sg_fail_allocation (0);
      CHECK (s == SG_OK || s == SG_NOMEM || s == SG_CUDA_ERROR, "allocation %d: %d %s", k, s,
             sg_message ());
      errors += s != SG_OK;
      if (s != SG_OK)
        CHECK (evaluate (&p, SG_CUDA) == SG_OK, "after allocation %d: %s", k, sg_message ());
      check_values (&p, "after an allocation has failed");
      clear (&p);
      CHECK (sg_count.device_bytes <= bytes, "allocation %d: %lld bytes of the device are lost", k,
             (long long) (sg_count.device_bytes - bytes));
    }
  CHECK (errors > 20, "%d allocations failed", errors);
}

static void
test_interrupt (void)
{
  program p;
  CHECK (build (&p) == SG_OK, "%s", sg_message ());
  stop_now = 1;
  CHECK (evaluate (&p, SG_CUDA) == SG_INTERRUPTED, "%s", sg_message ());
  stop_now = 0;
  CHECK (evaluate (&p, SG_CUDA) == SG_OK, "%s", sg_message ());
  check_values (&p, "after an interrupt");
  clear (&p);
}

/* ---- where ---------------------------------------------------------------------------------- */

/* The emulated driver is beside the program's folder.  */
static bool
find_emulator (const char *program)
{
  char *self = realpath (program, NULL), folder[4096];
  snprintf (folder, sizeof folder, "%s/../cudaemu", dirname (self));
  free (self);
  char *real = realpath (folder, NULL);
  snprintf (folder, sizeof folder, "%s/libcuda.so.1", real ? real : "");
  bool found = real && access (folder, F_OK) == 0;
  if (found)
    snprintf (emulator, sizeof emulator, "%s", real);
  free (real);
  return found;
}

static bool
wants_gpu (void)
{
  const char *wish = getenv ("SYMGPU_TEST_GPU");
  return wish && strcmp (wish, "1") == 0;
}

/* In this order; what takes calls that fail on demand, or a device of 1 GiB, is for the emulated
   driver only.  */
static const struct { const char *name; void (*run) (void); bool emulated; } tests[] = {
  { "table", test_table, true }, { "ladder", test_ladder, true },
  { "values", test_values, false }, { "counts", test_counts, false },
  { "residence", test_residence, false }, { "transfers", test_transfers, false },
  { "memory", test_memory, true }, { "interrupt", test_interrupt, false },
  { "fork", test_fork, false }, { "messages", test_messages, true }, { "loss", test_loss, true },
  { "allocations", test_allocations, false }, { "faults", test_faults, true } };

int
main (int argc, char **argv)
{
  (void) argc;
  bool emulated = ! wants_gpu () && find_emulator (argv[0]);
  if (! emulated && ! wants_gpu () && access ("/dev/nvidiactl", F_OK) != 0)
    {
      printf ("there is no emulated driver (make cudaemu)\n0 passed, 0 failed, 1 skipped\n");
      return 0;
    }
  /* Work is done as late as the driver may.  */
  setenv ("SYMGPU_EMU_LATE", "1", 1);
  sg_set_host (&cuda_host);
  const char *path = emulated ? emulator : getenv ("CUDA_PATH");
  set_string ("cuda_path", path ? path : "");
  set_string ("cache", "off");
  CHECK (build (&wanted) == SG_OK && evaluate (&wanted, SG_CPU) == SG_OK, "%s", sg_message ());
  int skipped = 0;
  bool usable = emulated || sg_cuda_open () == SG_OK;
  CHECK (usable, "%s", sg_message ());
  for (size_t i = 0; usable && i < sizeof tests / sizeof tests[0]; i++)
    if (emulated || ! tests[i].emulated)
      tests[i].run ();
    else
      printf ("skipped, only for the emulated driver: %s (%d)\n", tests[i].name, ++skipped);
  clear (&wanted);
  sg_release_caches ();
  CHECK (sg_cuda_close () == SG_OK && sg_count.device_bytes == 0, "%s", sg_message ());
  CHECK (sg_count.buffers == 0 && sg_count.nodes == 0, "%lld buffers, %lld nodes",
         (long long) sg_count.buffers, (long long) sg_count.nodes);
  if (emulated)
    return finish ();
  printf ("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed > 0;
}
