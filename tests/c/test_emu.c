/* The emulated CUDA driver itself: what it runs, and what it notices.  */

#define _GNU_SOURCE
#include <libgen.h>
#include <stddef.h>

#include "emu_api.h"

/* ---- the driver -------------------------------------------------------------------------- */

static void
test_start (void)
{
  ptr p;
  CHECK (cuMemAlloc_v2 (&p, 8) == 3, "before cuInit");
  OK (cuInit (0));
  CHECK (cuMemAlloc_v2 (&p, 8) == 201, "without a context");
  int n, major, minor;
  char name[100];
  OK (cuDriverGetVersion (&n));
  CHECK (n == 13000, "version %d", n);
  OK (cuDeviceGetCount (&n));
  CHECK (n == 1, "%d devices", n);
  CHECK (cuDeviceGet (&n, 1) == 101, "there is no second device");
  OK (cuDeviceGetName (name, sizeof name, 0));
  CHECK (strstr (name, "emulated"), "%s", name);
  OK (cuDeviceGetAttribute (&n, 10, 0));
  CHECK (n == 32, "warps of %d", n);
  OK (cuDeviceGetAttribute (&n, 75, 0));
  CHECK (n == 9, "compute capability %d", n);
  CHECK (cuDeviceGetAttribute (&n, 9999, 0) == 1, "an attribute that there is not");
  OK (nvrtcVersion (&major, &minor));
  CHECK (major == 13, "version %d", major);
  const char *text;
  OK (cuGetErrorName (700, &text));
  CHECK (strcmp (text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0, "%s", text);
  OK (cuGetErrorString (2, &text));
  CHECK (strcmp (text, "out of memory") == 0, "%s", text);
  CHECK (cuGetErrorName (12345, &text) == 1 && ! text, "no such error");
  start ();
}

static void
test_compiler (void)
{
  char *cubin = NULL;
  const char *good = "extern \"C\" __global__ void k () {}", *option[] = { "--use_magic" };
  CHECK (compile (good, "x", 1, option, &cubin) == 5, "an option that there is not");
  option[0] = "--gpu-architecture=sm_12";
  CHECK (compile (good, "x", 1, option, &cubin) == 5, "an architecture that there is not");
  option[0] = "--fmad=maybe";
  CHECK (compile (good, "x", 1, option, &cubin) == 5, "neither true nor false");
  CHECK (compile ("extern \"C\" __global__ void k ()\n{\n  x = 1;\n}\n", "sum.cu", 3, options,
                  &cubin) == 6, "an error in the text");
  CHECK (strstr (compiler_log, "sum.cu(3): error"), "%s", compiler_log);
  CHECK (compile ("#include \"none.h\"\n", "x", 3, options, &cubin) == 6, "no such header");

  option[0] = "--gpu-architecture=sm_75";
  OK (compile (good, "x", 1, option, &cubin));
  void *m;
  CHECK (cuModuleLoadData (&m, cubin) == 209, "another architecture");
  cubin[2000]++;
  CHECK (cuModuleLoadData (&m, cubin) == 200, "a damaged image");
  CHECK (cuModuleLoadData (&m, "this is no image at all, but long enough") == 200, "a foreign image");
  free (cubin);
  kernel k = load (good);
  CHECK (cuModuleGetFunction (&m, k.module, "kk") == 500, "no such kernel");
  unload (k);
}

static void
test_memory (void)
{
  unsigned char byte[100], zero[100] = { 0 };
  ptr p, q;
  size_t unused, total, before;
  OK (cuMemGetInfo_v2 (&before, &total));
  CHECK (cuMemAlloc_v2 (&p, 0) == 1, "no bytes");
  CHECK (cuMemAlloc_v2 (&p, total + 1) == 2, "more than there is");
  OK (cuMemAlloc_v2 (&p, 100));
  OK (cuMemAllocAsync (&q, 1000, NULL));
  CHECK (p % 256 == 0 && q % 256 == 0, "%llx, %llx", p, q);
  OK (cuMemGetInfo_v2 (&unused, &total));
  CHECK (before - unused == 1100, "%zu bytes used", before - unused);
  OK (cuMemcpyDtoH_v2 (byte, p, 100));
  CHECK (byte[0] == 0xf9 && byte[99] == 0xf9, "fresh memory has %d", byte[0]);
  OK (cuMemsetD8_v2 (p, 7, 50));
  OK (cuMemsetD32Async (p + 52, 0x01020304, 12, NULL));
  OK (cuMemcpyDtoD_v2 (q, p, 100));
  OK (cuMemcpyDtoH_v2 (byte, q, 100));
  CHECK (byte[49] == 7 && byte[50] == 0xf9 && byte[52] == 4 && byte[99] == 1, "memset");
  OK (cuMemFree_v2 (p));
  OK (cuMemFreeAsync (q, NULL));
  OK (cuMemFree_v2 (0));
  long long wrong = count ("complaints");
  CHECK (cuMemFree_v2 (p) == 1, "freed twice");
  CHECK (cuMemFree_v2 (12345) == 1, "never allocated");
  CHECK (count ("complaints") == wrong + 2, "it complains");

  ptr outside[] = { 0, 12345 };
  for (int i = 0; i < 4; i++)
    {
      OK (cuMemAlloc_v2 (&p, 100));
      int r = i < 2 ? cuMemcpyHtoD_v2 (outside[i], zero, 8)
              : i == 2 ? cuMemcpyHtoD_v2 (p + 1, zero, 100) : cuMemcpyDtoH_v2 (byte, p - 1, 2);
      CHECK (r == 700, "copy %d outside returns %d", i, r);
      CHECK (cuCtxSynchronize () == 700, "the device is lost");
      CHECK (cuMemFree_v2 (p) == 700, "the device is lost");
      restart ();
    }
  OK (cuMemAlloc_v2 (&p, 100));
  OK (cuMemFree_v2 (p));
  CHECK (cuMemcpyDtoH_v2 (byte, p, 1) == 700, "after it was freed");
  restart ();

  void *h;
  OK (cuMemHostAlloc (&h, 100, 0));
  CHECK (count ("host_live") == 1, "page-locked memory");
  ((char *) h)[100] = 1;
  wrong = count ("complaints");
  OK (cuMemFreeHost (h));
  CHECK (count ("complaints") == wrong + 1, "written to beyond its end");
}

static void
read_it (ptr p)
{
  volatile double x = *(volatile double *) (uintptr_t) p;
  (void) x;
}

static void
test_host_access (void)
{
  double x = 1;
  ptr p = upload (&x, 8);
  CHECK (dies (read_it, p, SIGSEGV), "the host can read memory of the device");
  CHECK (! dies (read_it, (uintptr_t) &x, SIGSEGV), "the host can read its own");
  OK (cuMemFree_v2 (p));
}

/* ---- kernels ----------------------------------------------------------------------------- */

static void
test_map (void)
{
  static double x[1000], y[1000];
  for (int i = 0; i < 1000; i++)
    x[i] = i;
  kernel k = load ("#include \"twice.h\"\n"
                   "/* __global__ void not_this (extern __shared__ int *); */\n"
                   "__device__ __forceinline__ double inc (double a, float b) { return a + b; }\n"
                   "extern \"C\" __global__ void __launch_bounds__ (256)\n"
                   "k (double *__restrict__ y, const double *x, long long n, float b, char c)\n"
                   "{\n"
                   "  long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;\n"
                   "  if (i < n)\n"
                   "    y[i] = inc (twice (x[i]), b) + c;\n"
                   "}\n");
  ptr dx = upload (x, sizeof x), dy = upload (y, sizeof y);
  long long n = 1000;
  float b = 0.5;
  char c = 1;
  void *arg[] = { &dy, &dx, &n, &b, &c };
  OK (launch (k, 4, 256, 0, arg));
  download (y, dy, sizeof y);
  download (x, dx, sizeof x);
  bool ok = true;
  for (int i = 0; i < 1000; i++)
    ok = ok && y[i] == 2 * i + 1.5;
  CHECK (ok, "a map");

  /* The same arguments in a buffer.  */
  struct { ptr y, x; long long n; float b; char c; } all = { upload (y, 8), upload (x, 8), 1, 2, 3 };
  size_t bytes = offsetof (__typeof__ (all), c) + 1;
  void *extra[] = { (void *) 1, &all, (void *) 2, &bytes, NULL };
  OK (cuLaunchKernel (k.function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
  download (y, all.y, 8);
  download (x, all.x, 8);
  CHECK (y[0] == 5, "%g", y[0]);
  arg[2] = NULL;
  CHECK (launch (k, 1, 1, 0, arg) == 1, "an argument is missing");
  CHECK (launch (k, 0, 1, 0, arg) == 1, "no block");
  CHECK (launch (k, 1, 1025, 0, arg) == 1, "too many threads");
  unload (k);
}

static void
test_grid (void)
{
  static int x[4 * 3 * 2 * 6];
  kernel k = load ("extern \"C\" __global__ void k (int *x)\n"
                   "{\n"
                   "  int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);\n"
                   "  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
                   "  atomicAdd (x + b * 6 + t, 1 + b * 6 + t);\n"
                   "}\n");
  ptr dx = upload (x, sizeof x);
  void *arg[] = { &dx };
  OK (cuLaunchKernel (k.function, 4, 3, 2, 1, 3, 2, 0, NULL, arg, NULL));
  download (x, dx, sizeof x);
  bool ok = true;
  for (int i = 0; i < 4 * 3 * 2 * 6; i++)
    ok = ok && x[i] == i + 1;
  CHECK (ok, "every thread of every block runs once");
  unload (k);
}

/* The sum of a block by shared memory, fixed and not, by the block's barrier and by warps.  */
static const char sums[] =
  "extern \"C\" __global__ void k (double *out, const double *x, int n)\n"
  "{\n"
  "  __shared__ double part[8];\n"
  "  extern __shared__ __align__ (16) double all[];\n"
  "  int t = threadIdx.x;\n"
  "  all[t] = t < n ? x[t] : 0;\n"
  "  __syncthreads ();\n"
  "  for (int h = blockDim.x / 2; h; h /= 2)\n"
  "    {\n"
  "      if (t < h)\n"
  "        all[t] += all[t+h];\n"
  "      __syncthreads ();\n"
  "    }\n"
  "  double a = t < n ? x[t] : 0;\n"
  "  for (int h = 16; h; h /= 2)\n"
  "    a += __shfl_down_sync (0xffffffff, a, h);\n"
  "  if (t % 32 == 0)\n"
  "    part[t / 32] = a;\n"
  "  __syncthreads ();\n"
  "  unsigned odd = __ballot_sync (0xffffffff, t & 1);\n"
  "  int count = __syncthreads_count (t < 100);\n"
  "  if (t == 0)\n"
  "    {\n"
  "      double s = 0;\n"
  "      for (int w = 0; w < 8; w++)\n"
  "        s += part[w];\n"
  "      out[3 * blockIdx.x] = all[0];\n"
  "      out[3 * blockIdx.x + 1] = s;\n"
  "      out[3 * blockIdx.x + 2] = odd == 0xaaaaaaaa ? count : -1;\n"
  "    }\n"
  "}\n";

static void
test_barriers (void)
{
  double x[256], out[9];
  for (int i = 0; i < 256; i++)
    x[i] = i;
  kernel k = load (sums);
  for (int seed = 0; seed < 4; seed++)
    {
      char text[16];
      snprintf (text, sizeof text, "%d", seed);
      setenv ("SYMGPU_EMU_SEED", text, 1);
      int n = 200;
      ptr dx = upload (x, sizeof x), dout = upload (out, sizeof out);
      void *arg[] = { &dout, &dx, &n };
      OK (launch (k, 3, 256, 256 * 8, arg));
      OK (cuCtxSynchronize ());
      download (out, dout, sizeof out);
      download (x, dx, sizeof x);
      for (int i = 0; i < 9; i++)
        CHECK (out[i] == (i % 3 == 2 ? 100 : 19900), "seed %d, %d: %g", seed, i, out[i]);
    }
  unsetenv ("SYMGPU_EMU_SEED");
  unload (k);
}

static void
test_shuffles (void)
{
  int out[4][40];
  kernel k = load ("extern \"C\" __global__ void k (int *out)\n"
                   "{\n"
                   "  int t = threadIdx.x;\n"
                   "  unsigned m = t < 32 ? 0xffffffff : 0xff;\n"
                   "  out[t] = __shfl_sync (m, t, 3);\n"
                   "  out[40 + t] = __shfl_up_sync (m, t, 2, 8);\n"
                   "  out[80 + t] = (int) __shfl_xor_sync (m, (double) t, 5);\n"
                   "  out[120 + t] = (int) __shfl_down_sync (m, (long long) t, 1);\n"
                   "}\n");
  ptr d = upload (out, sizeof out);
  void *arg[] = { &d };
  OK (launch (k, 1, 40, 0, arg));
  download (out, d, sizeof out);
  for (int t = 0; t < 40; t++)
    {
      int first = t & ~31;
      CHECK (out[0][t] == first + 3, "%d: %d", t, out[0][t]);
      CHECK (out[1][t] == (t % 8 < 2 ? t : t - 2), "%d: %d", t, out[1][t]);
      CHECK (out[2][t] == (t ^ 5), "%d: %d", t, out[2][t]);
      /* Behind the threads that there are, nothing is defined.  */
      CHECK (out[3][t] == (t == 31 ? t : t == 39 ? (int) 0xfafafafa : t + 1), "%d: %d", t, out[3][t]);
    }
  unload (k);
}

/* Kernels that do something wrong, and what the device says.  */
static void
test_wrong_kernels (void)
{
  static const struct { int code; const char *text; } row[] = {
    { 700, "x[64] = 1;" },
    { 700, "if (threadIdx.x == 3) x[0] = x[-1];" },
    { 700, "x[threadIdx.x] = ((char *) x)[512 + 255];" },
    { 700, "*(long long *) ((char *) (x + 64) - 4) = 1;" },
    { 700, "x[0] = *(double *) 8;" },
    { 700, "struct big { double a[10]; }; *(big *) x = *(big *) (x + 60);" },
    { 700, "extern __shared__ double s[]; s[8] = 1;" },
    { 700, "x[0] = *(double *) (unsigned long long) n;" },
    { 719, "if (threadIdx.x < 20) __syncthreads ();" },
    { 719, "if (threadIdx.x < 20) __syncthreads (); else\n__syncthreads ();" },
    { 719, "if (threadIdx.x < 20) x[0] = __shfl_sync (0xffffffff, x[1], 0);\nelse __syncthreads ();" },
    { 715, "__shfl_sync (1, n, 0);" },
    { 710, "assert (n != n);" },
    { 710, "__trap ();" },
    { 719, "x[0] = 1 / (int) (n - n);" },
    { 0, "x[63] = 1;" },
    { 0, "if (threadIdx.x < 20) x[1] = __shfl_sync (0xfffff, x[1], 0);" },
    { 0, "extern __shared__ double s[]; s[7] = 1; x[0] = s[7];" },
  };
  static double x[64];
  static long long host;
  setenv ("SYMGPU_EMU_QUIET", "1", 1);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    {
      char text[1000];
      snprintf (text, sizeof text, "extern \"C\" __global__ void k (double *x, long long n)\n"
                "{\n%s\n}\n", row[i].text);
      kernel k = load (text);
      ptr d = upload (x, sizeof x);
      long long n = (intptr_t) &host, wrong = count ("complaints");
      void *arg[] = { &d, &n };
      OK (launch (k, 1, 64, 64, arg));
      int r = cuCtxSynchronize ();
      CHECK (r == row[i].code, "%s: %d", row[i].text, r);
      CHECK (count ("complaints") == wrong + (row[i].code != 0), "%s", row[i].text);
      CHECK (cuMemFree_v2 (d) == row[i].code, "%s", row[i].text);
      if (r)
        restart ();
      unload (k);
    }
  unsetenv ("SYMGPU_EMU_QUIET");
}

/* What depends on the order of blocks, or on memory that was never written, is not the same.  */
static void
test_order (void)
{
  int last[8];
  kernel k = load ("extern \"C\" __global__ void k (int *x)\n"
                   "{ if (threadIdx.x == 0) *x = blockIdx.x; }\n");
  for (int seed = 0; seed < 8; seed++)
    {
      char text[16];
      snprintf (text, sizeof text, "%d", seed);
      setenv ("SYMGPU_EMU_SEED", text, 1);
      ptr d = upload (last, sizeof *last);
      void *arg[] = { &d };
      OK (launch (k, 100, 32, 0, arg));
      download (last + seed, d, sizeof *last);
    }
  unsetenv ("SYMGPU_EMU_SEED");
  int others = 0;
  for (int i = 1; i < 8; i++)
    others += last[i] != 99;
  CHECK (last[0] == 99 && others > 4, "the last block is %d, and %d others", last[0], others);
  unload (k);

  double x = 0;
  k = load ("extern \"C\" __global__ void k (double *x)\n"
            "{ __shared__ double s[4]; *x = s[1] + 1; }\n");
  ptr d = upload (&x, 8);
  void *arg[] = { &d };
  OK (launch (k, 1, 1, 0, arg));
  download (&x, d, 8);
  CHECK (x != 1, "shared memory begins with %g", x - 1);
  unload (k);
}

/* ---- failures on demand ------------------------------------------------------------------ */

static void
test_failures (void)
{
  ptr p, q, r;
  double x = 1;
  setenv ("SYMGPU_EMU_FAIL", "alloc:2:2, launch:1:719, compile:1:6, download:3:700", 1);
  OK (cuMemAlloc_v2 (&p, 8));
  CHECK (cuMemAlloc_v2 (&q, 8) == 2, "the second allocation fails");
  OK (cuMemAlloc_v2 (&q, 8));
  char *cubin;
  const char *text = "extern \"C\" __global__ void k (double *x) { *x = 7; }";
  CHECK (compile (text, "x", 3, options, &cubin) == 6, "the first compilation fails");
  kernel k = load (text);
  void *arg[] = { &p };
  CHECK (launch (k, 1, 1, 0, arg) == 719, "the first launch fails");
  OK (launch (k, 1, 1, 0, arg));
  OK (cuMemcpyDtoH_v2 (&x, p, 8));
  CHECK (x == 7, "%g", x);
  OK (cuMemcpyDtoH_v2 (&x, p, 8));
  CHECK (cuMemcpyDtoH_v2 (&x, p, 8) == 700, "the third download fails");
  OK (cuCtxSynchronize ());
  CHECK (count ("injected") == 4, "%lld failures", count ("injected"));
  unsetenv ("SYMGPU_EMU_FAIL");
  OK (cuMemAlloc_v2 (&r, 8));
  setenv ("SYMGPU_EMU_FAIL", "alloc:1:2", 1);
  ptr s;
  CHECK (cuMemAlloc_v2 (&s, 8) == 2, "counted anew");
  unsetenv ("SYMGPU_EMU_FAIL");
  OK (cuMemFree_v2 (p));
  OK (cuMemFree_v2 (q));
  OK (cuMemFree_v2 (r));
  unload (k);
}

/* A stream that does everything as late as it may.  */
static void
test_late (void)
{
  double x = 1, *locked;
  ptr p, q;
  setenv ("SYMGPU_EMU_LATE", "1", 1);
  kernel k = load ("extern \"C\" __global__ void k (double *x, double b) { *x += b; }");
  OK (cuMemHostAlloc ((void **) &locked, 8, 0));
  OK (cuMemAllocAsync (&p, 8, NULL));
  double b = 10;
  void *arg[] = { &p, &b };

  *locked = 5;
  OK (cuMemcpyHtoDAsync_v2 (p, locked, 8, NULL));
  OK (launch (k, 1, 1, 0, arg));
  b = 1000;
  *locked = 7;
  OK (cuMemcpyDtoHAsync_v2 (locked, p, 8, NULL));
  CHECK (*locked == 7, "%g", *locked);
  CHECK (cuStreamQuery (NULL) == 600, "not ready");
  OK (cuStreamQuery (NULL));
  CHECK (*locked == 17, "it was changed before it was read: %g", *locked);

  OK (cuMemcpyHtoDAsync_v2 (p, &x, 8, NULL));
  x = 2;
  OK (cuMemcpyDtoHAsync_v2 (&x, p, 8, NULL));
  CHECK (x == 1, "other memory is read at once, and written: %g", x);

  OK (cuMemFreeAsync (p, NULL));
  CHECK (count ("live") == 1, "not yet freed");
  OK (launch (k, 1, 1, 0, arg));
  setenv ("SYMGPU_EMU_QUIET", "1", 1);
  CHECK (cuCtxSynchronize () == 700, "used after it was freed");
  unsetenv ("SYMGPU_EMU_QUIET");
  restart ();

  size_t unused, total;
  OK (cuMemGetInfo_v2 (&unused, &total));
  OK (cuMemAllocAsync (&p, total, NULL));
  OK (cuMemFreeAsync (p, NULL));
  OK (cuMemAllocAsync (&q, total, NULL));
  OK (cuMemFreeAsync (q, NULL));
  OK (cuMemFreeHost (locked));
  unload (k);
  unsetenv ("SYMGPU_EMU_LATE");
}

static void
test_products (void)
{
  double a[6] = { 1, 2, 3, 4, 5, 6 }, b[6] = { 1, 0, 1, 0, 1, 0 }, c[4], one = 1, zero = 0;
  void *h;
  OK (cublasCreate_v2 (&h));
  ptr da = upload (a, sizeof a), db = upload (b, sizeof b), dc;
  OK (cuMemAlloc_v2 (&dc, sizeof c));
  /* 2 x 3 by 3 x 2 */
  OK (cublasDgemm_v2 (h, 0, 0, 2, 2, 3, &one, da, 2, db, 3, &zero, dc, 2));
  OK (cuMemcpyDtoH_v2 (c, dc, sizeof c));
  CHECK (c[0] == 6 && c[1] == 8 && c[2] == 3 && c[3] == 4, "%g %g %g %g", c[0], c[1], c[2], c[3]);
  OK (cublasDsyrk_v2_64 (h, 1, 0, 2, 3, &one, da, 2, &zero, dc, 2));
  OK (cuMemcpyDtoH_v2 (c, dc, sizeof c));
  CHECK (c[0] == 35 && c[1] == 8 && c[2] == 44 && c[3] == 56, "%g %g %g %g", c[0], c[1], c[2], c[3]);
  CHECK (cublasDgemm_v2 (h, 0, 0, 2, 2, 3, &one, da, 1, db, 3, &zero, dc, 2) == 7, "lda");
  CHECK (cublasDgemm_v2 (h, 0, 0, 2, 2, 3, &one, da, 2, db, 4, &zero, dc, 2) == 13, "beyond the end");
  CHECK (cuCtxSynchronize () == 700, "the device is lost");
  cuMemFree_v2 (da);
  cuMemFree_v2 (db);
  cuMemFree_v2 (dc);
  restart ();
  CHECK (count ("products") == 2, "%lld products", count ("products"));
  OK (cublasDestroy_v2 (h));
}

/* ---- the report -------------------------------------------------------------------------- */

/* In a process of its own: leaves something behind.  */
static void
leave_something (void)
{
  ptr p;
  start ();
  OK (cuMemAlloc_v2 (&p, 100));
  OK (cuMemAlloc_v2 (&p, 200));
  OK (cuMemFree_v2 (p));
}

static void
test_report (const char *self)
{
  char name[] = "/tmp/test_emu_XXXXXX", command[5000], text[10000] = "";
  int fd = mkstemp (name);
  snprintf (command, sizeof command, "SYMGPU_EMU_REPORT=%s '%s' leave", name, self);
  CHECK (system (command) == 0, "%s", command);
  CHECK (read (fd, text, sizeof text - 1) > 0, "there is no report");
  close (fd);
  unlink (name);
  CHECK (strstr (text, "allocation 1 of 100 bytes is live"), "%s", text);
  CHECK (! strstr (text, "allocation 2"), "%s", text);
  char *live = strstr (text, "\nlive_bytes ");
  CHECK (live && atoi (live + 12) == 100, "%s", text);
}

int
main (int argc, char **argv)
{
  char dir[4096], path[4096];
  snprintf (path, sizeof path, "%s", argv[0]);
  snprintf (dir, sizeof dir, "%s/../cudaemu", dirname (path));
  setenv ("SYMGPU_EMU_MEMORY", "20000000", 1);
  open_libraries (dir);
  if (argc > 1)
    {
      leave_something ();
      return failed > 0;
    }
  setenv ("SYMGPU_EMU_QUIET", "1", 1);
  test_start ();
  test_compiler ();
  test_memory ();
  unsetenv ("SYMGPU_EMU_QUIET");
  test_host_access ();
  test_map ();
  test_grid ();
  test_barriers ();
  test_shuffles ();
  test_wrong_kernels ();
  test_order ();
  test_failures ();
  test_late ();
  test_products ();
  test_report (argv[0]);
  CHECK (count ("live") == 0 && count ("modules") == 0 && count ("programs") == 0
         && count ("handles") == 0, "%s", emu_counts ());
  return finish ();
}
