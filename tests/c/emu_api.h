/* The calls of the emulated driver, and helpers, for its tests.  */

#ifndef TEST_EMU_API_H
#define TEST_EMU_API_H

#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

typedef unsigned long long ptr;

/* FN (library, result, name, arguments)  */
#define FUNCTIONS(FN)                                                                           \
  FN (cuda, int, cuInit, (unsigned))                                                            \
  FN (cuda, int, cuDriverGetVersion, (int *))                                                   \
  FN (cuda, int, cuDeviceGetCount, (int *))                                                     \
  FN (cuda, int, cuDeviceGet, (int *, int))                                                     \
  FN (cuda, int, cuDeviceGetName, (char *, int, int))                                           \
  FN (cuda, int, cuDeviceGetAttribute, (int *, int, int))                                       \
  FN (cuda, int, cuDevicePrimaryCtxRetain, (void **, int))                                      \
  FN (cuda, int, cuDevicePrimaryCtxRelease_v2, (int))                                           \
  FN (cuda, int, cuCtxSetCurrent, (void *))                                                     \
  FN (cuda, int, cuCtxSynchronize, (void))                                                      \
  FN (cuda, int, cuStreamCreate, (void **, unsigned))                                           \
  FN (cuda, int, cuStreamDestroy_v2, (void *))                                                  \
  FN (cuda, int, cuMemAlloc_v2, (ptr *, size_t))                                                \
  FN (cuda, int, cuMemAllocAsync, (ptr *, size_t, void *))                                      \
  FN (cuda, int, cuMemFree_v2, (ptr))                                                           \
  FN (cuda, int, cuMemFreeAsync, (ptr, void *))                                                 \
  FN (cuda, int, cuMemGetInfo_v2, (size_t *, size_t *))                                         \
  FN (cuda, int, cuMemHostAlloc, (void **, size_t, unsigned))                                   \
  FN (cuda, int, cuMemFreeHost, (void *))                                                       \
  FN (cuda, int, cuMemcpyHtoD_v2, (ptr, const void *, size_t))                                  \
  FN (cuda, int, cuMemcpyDtoH_v2, (void *, ptr, size_t))                                        \
  FN (cuda, int, cuMemcpyDtoD_v2, (ptr, ptr, size_t))                                           \
  FN (cuda, int, cuMemcpyHtoDAsync_v2, (ptr, const void *, size_t, void *))                     \
  FN (cuda, int, cuMemcpyDtoHAsync_v2, (void *, ptr, size_t, void *))                           \
  FN (cuda, int, cuStreamQuery, (void *))                                                       \
  FN (cuda, int, cuMemsetD8_v2, (ptr, unsigned char, size_t))                                   \
  FN (cuda, int, cuMemsetD32Async, (ptr, unsigned, size_t, void *))                             \
  FN (cuda, int, cuModuleLoadData, (void **, const void *))                                     \
  FN (cuda, int, cuModuleUnload, (void *))                                                      \
  FN (cuda, int, cuModuleGetFunction, (void **, void *, const char *))                          \
  FN (cuda, int, cuFuncSetAttribute, (void *, int, int))                                        \
  FN (cuda, int, cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned,     \
                                  unsigned, unsigned, void *, void **, void **))                \
  FN (cuda, int, cuGetErrorName, (int, const char **))                                          \
  FN (cuda, int, cuGetErrorString, (int, const char **))                                        \
  FN (cuda, const char *, emu_counts, (void))                                                   \
  FN (nvrtc, int, nvrtcVersion, (int *, int *))                                                 \
  FN (nvrtc, int, nvrtcCreateProgram, (void **, const char *, const char *, int,                \
                                       const char *const *, const char *const *))               \
  FN (nvrtc, int, nvrtcDestroyProgram, (void **))                                               \
  FN (nvrtc, int, nvrtcCompileProgram, (void *, int, const char *const *))                      \
  FN (nvrtc, int, nvrtcGetProgramLogSize, (void *, size_t *))                                   \
  FN (nvrtc, int, nvrtcGetProgramLog, (void *, char *))                                         \
  FN (nvrtc, int, nvrtcGetCUBINSize, (void *, size_t *))                                        \
  FN (nvrtc, int, nvrtcGetCUBIN, (void *, char *))                                              \
  FN (cublas, int, cublasCreate_v2, (void **))                                                  \
  FN (cublas, int, cublasDestroy_v2, (void *))                                                  \
  FN (cublas, int, cublasDgemm_v2, (void *, int, int, int, int, int, const double *, ptr, int, ptr, \
                                    int, const double *, ptr, int))                             \
  FN (cublas, int, cublasDsyrk_v2_64, (void *, int, int, int64_t, int64_t, const double *, ptr, \
                                       int64_t, const double *, ptr, int64_t))

#define FN(lib, result, name, args) static result (*name) args;
FUNCTIONS (FN)
#undef FN

static void
open_libraries (const char *dir)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/libcuda.so.1", dir);
  void *cuda = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  snprintf (path, sizeof path, "%s/libnvrtc.so.13", dir);
  void *nvrtc = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  snprintf (path, sizeof path, "%s/libcublas.so.13", dir);
  void *cublas = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (! cuda || ! nvrtc || ! cublas)
    {
      printf ("%s\n0 passed, 1 failed\n", dlerror ());
      exit (1);
    }
#define FN(lib, result, name, args) name = (result (*) args) dlsym (lib, #name);
  FUNCTIONS (FN)
#undef FN
}

#define OK(call)                                        \
  do                                                    \
    {                                                   \
      int ok_ = (call);                                 \
      CHECK (ok_ == 0, "%s returns %d", #call, ok_);    \
    }                                                   \
  while (0)

/* ---- helpers ----------------------------------------------------------------------------- */

static long long
count (const char *name)
{
  const char *text = emu_counts ();
  size_t n = strlen (name);
  for (const char *p = text; p; p = strchr (p, '\n') ? strchr (p, '\n') + 1 : NULL)
    if (strncmp (p, name, n) == 0 && p[n] == ' ')
      return atoll (p + n);
  CHECK (false, "there is no count %s", name);
  return -1;
}

static void
start (void)
{
  void *context;
  OK (cuInit (0));
  OK (cuDevicePrimaryCtxRetain (&context, 0));
  OK (cuCtxSetCurrent (context));
}

/* A lost device is found again, as after the end of a process.  */
static void
restart (void)
{
  cuDevicePrimaryCtxRelease_v2 (0);
  start ();
}

static char compiler_log[20000];

static int
compile (const char *text, const char *name, int noptions, const char *const *option, char **cubin)
{
  void *p;
  const char *header = "static __device__ double twice (double a) { return 2 * a; }\n";
  OK (nvrtcCreateProgram (&p, text, name, 1, &header, (const char *[]) { "twice.h" }));
  int r = nvrtcCompileProgram (p, noptions, option);
  size_t n;
  OK (nvrtcGetProgramLogSize (p, &n));
  if (n < sizeof compiler_log)
    OK (nvrtcGetProgramLog (p, compiler_log));
  if (r == 0)
    {
      OK (nvrtcGetCUBINSize (p, &n));
      *cubin = malloc (n);
      OK (nvrtcGetCUBIN (p, *cubin));
    }
  OK (nvrtcDestroyProgram (&p));
  return r;
}

static const char *const options[] = { "--gpu-architecture=sm_90", "--std=c++17", "--fmad=false" };

typedef struct kernel
{
  void *module, *function;
} kernel;

/* The kernel "k" of a text.  */
static kernel
load (const char *text)
{
  kernel k = { NULL, NULL };
  char *cubin = NULL;
  int r = compile (text, "test", 3, options, &cubin);
  CHECK (r == 0, "%d: %s", r, compiler_log);
  if (r == 0)
    {
      OK (cuModuleLoadData (&k.module, cubin));
      OK (cuModuleGetFunction (&k.function, k.module, "k"));
    }
  free (cubin);
  return k;
}

static void
unload (kernel k)
{
  OK (cuModuleUnload (k.module));
}

static int
launch (kernel k, int blocks, int threads, int shared, void **arg)
{
  return cuLaunchKernel (k.function, blocks, 1, 1, threads, 1, 1, shared, NULL, arg, NULL);
}

static ptr
upload (const void *data, size_t bytes)
{
  ptr p = 0;
  OK (cuMemAlloc_v2 (&p, bytes));
  OK (cuMemcpyHtoD_v2 (p, data, bytes));
  return p;
}

static void
download (void *data, ptr p, size_t bytes)
{
  OK (cuMemcpyDtoH_v2 (data, p, bytes));
  OK (cuMemFree_v2 (p));
}

/* True if FN ends with this signal; in a process of its own.  */
static bool
dies (void (*fn) (ptr), ptr p, int sig)
{
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    {
      signal (sig, SIG_DFL);
      fn (p);
      _exit (0);
    }
  int status;
  waitpid (pid, &status, 0);
  return WIFSIGNALED (status) && WTERMSIG (status) == sig;
}

#endif
