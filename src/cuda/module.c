/* From text to functions: a table of those that are loaded, the cache on disk, NVRTC.  */

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../core/profile.h"
#include "../core/store.h"
#include "../render/render.h"
#include "api.h"
#include "device.h"
#include "module.h"

#define HEADERS_MAX 16
#define NBUCKETS 256

typedef struct kernel kernel;
struct kernel
{
  uint64_t hash;
  sg_store_key key;          /* owned */
  void *module, *function;
  kernel *next;
};

static kernel *bucket[NBUCKETS];

void
sg_module_clear (void)
{
  for (int i = 0; i < NBUCKETS; i++)
    while (bucket[i])
      {
        kernel *k = bucket[i];
        bucket[i] = k->next;
        if (sg_dev.context)
          sg_cu.cuModuleUnload (k->module);
        sg_free ((char *) k->key.text);
        sg_free (k);
      }
}

/* ---- the compiler ------------------------------------------------------------------------- */

int
sg_compiler_version (void)
{
  int major = 0, minor = 0;
  if (! sg_cu.nvrtcVersion || sg_cu.nvrtcVersion (&major, &minor) != 0)
    return 0;
  return 1000 * major + 10 * minor;
}

/* The architecture to compile for: the device's own, or an older one of the same family if the
   compiler does not know it.  */
static int
architecture (void)
{
  int own = 10 * sg_dev.major + sg_dev.minor, n = 0, best = 0, list[256];
  if (! sg_cu.nvrtcGetNumSupportedArchs || ! sg_cu.nvrtcGetSupportedArchs
      || sg_cu.nvrtcGetNumSupportedArchs (&n) != 0 || n < 1 || n > 256
      || sg_cu.nvrtcGetSupportedArchs (list) != 0)
    return own;
  for (int i = 0; i < n; i++)
    if (list[i] <= own && list[i] / 10 == sg_dev.major && list[i] > best)
      best = list[i];
  return best ? best : own;
}

typedef struct options
{
  char arch[40];
  const char *fmad;
} options;

static options
current_options (void)
{
  options o = { .fmad = sg_cfg.fmad ? "--fmad=true" : "--fmad=false" };
  snprintf (o.arch, sizeof o.arch, "--gpu-architecture=sm_%d", architecture ());
  return o;
}

/* What the code depends on: everything but the device itself.  */
static sg_status
make_key (const options *o, const char *name, const char *text, sg_store_key *out)
{
  static uint64_t headers;
  if (headers == 0)
    headers = sg_render_headers_hash ();
  size_t room = strlen (text) + strlen (name) + strlen (sg_api_file (SG_LIB_NVRTC)) + 256;
  char *p = sg_malloc (room);
  if (! p)
    return sg_fail (SG_NOMEM, "out of memory for a kernel");
  int n = snprintf (p, room, "%s %s %s\n%d %s\n%016llx\n%s", name, o->arch, o->fmad,
                    sg_compiler_version (), sg_api_file (SG_LIB_NVRTC),
                    (unsigned long long) headers, text);
  *out = (sg_store_key) { .text = p, .size = n };
  return SG_OK;
}

/* The first errors of the log: all of it may be long.  */
static void
read_log (void *program, char *text, size_t room)
{
  size_t n = 0;
  text[0] = '\0';
  if (sg_cu.nvrtcGetProgramLogSize (program, &n) != 0 || n == 0)
    return;
  char *log = sg_malloc (n + 1);
  if (! log)
    return;
  if (sg_cu.nvrtcGetProgramLog (program, log) == 0)
    {
      log[n] = '\0';
      char *first = strstr (log, "error");
      while (first && first > log && first[-1] != '\n')
        first--;
      snprintf (text, room, "%s", first ? first : log);
    }
  sg_free (log);
}

static sg_status
compiler_failed (const char *call, int error, const char *log)
{
  return sg_fail (SG_CUDA_ERROR, "%s failed with error %d (%s)%s%s", call, error,
                  sg_cu.nvrtcGetErrorString (error), *log ? ":\n" : "", log);
}

static sg_status
take_code (void *program, void **data, size_t *size)
{
  int e = sg_cu.nvrtcGetCUBINSize (program, size);
  if (e != 0)
    return compiler_failed ("nvrtcGetCUBINSize", e, "");
  char *p = sg_malloc (*size);
  if (! p)
    return sg_fail (SG_NOMEM, "out of memory for the code of a kernel");
  e = sg_cu.nvrtcGetCUBIN (program, p);
  if (e != 0)
    {
      sg_free (p);
      return compiler_failed ("nvrtcGetCUBIN", e, "");
    }
  *data = p;
  return SG_OK;
}

static sg_status
compile (const options *o, const char *text, void **data, size_t *size)
{
  const char *names[HEADERS_MAX], *texts[HEADERS_MAX];
  const char *const list[] = { o->arch, o->fmad, "--std=c++17" };
  int n = 0;
  for (const sg_header *h = sg_render_headers; h->name && n < HEADERS_MAX; h++)
    {
      names[n] = h->name;
      texts[n++] = h->text;
    }
  void *program;
  int e = sg_cu.nvrtcCreateProgram (&program, text, "symgpu.cu", n, texts, names);
  if (e != 0)
    return compiler_failed ("nvrtcCreateProgram", e, "");
  sg_count.compiled++;
  double start = sg_profile_start ();
  e = sg_cu.nvrtcCompileProgram (program, 3, list);
  if (start > 0)
    sg_profile_compiled (sg_now () - start, false);
  sg_status s;
  if (e != 0)
    {
      char log[700];
      read_log (program, log, sizeof log);
      s = compiler_failed ("nvrtcCompileProgram", e, log);
    }
  else
    s = take_code (program, data, size);
  sg_cu.nvrtcDestroyProgram (&program);
  return s;
}

/* ---- loading ------------------------------------------------------------------------------ */

static sg_status
load (kernel *k, const void *code, const char *name)
{
  int e = sg_cu.cuModuleLoadData (&k->module, code);
  if (e == 0)
    {
      e = sg_cu.cuModuleGetFunction (&k->function, k->module, name);
      if (e != 0)
        sg_cu.cuModuleUnload (k->module);
    }
  return e == 0 ? SG_OK : sg_cu_fail ("loading the code of a kernel", e);
}

/* From the disk if it is there and the driver takes it, else from the compiler.  */
static sg_status
make (kernel *k, const options *o, const char *name, const char *text)
{
  void *code;
  size_t size;
  if (sg_store_find (k->key, &code, &size))
    {
      sg_status s = load (k, code, name);
      sg_free (code);
      if (s == SG_OK)
        {
          sg_count.cubin_hits++;
          return SG_OK;
        }
      sg_store_drop (k->key);
    }
  SG_TRY (compile (o, text, &code, &size));
  sg_status s = load (k, code, name);
  if (s == SG_OK)
    sg_store_keep (k->key, code, size);
  sg_free (code);
  return s;
}

static kernel *
find (sg_store_key key, uint64_t hash)
{
  for (kernel *k = bucket[hash % NBUCKETS]; k; k = k->next)
    if (k->hash == hash && k->key.size == key.size && memcmp (k->key.text, key.text, key.size) == 0)
      return k;
  return NULL;
}

sg_status
sg_module_get (const char *name, const char *text, void **function)
{
  options o = current_options ();
  sg_store_key key;
  SG_TRY (make_key (&o, name, text, &key));
  uint64_t hash = sg_store_hash (SG_HASH_START, key.text, key.size);
  kernel *k = find (key, hash);
  if (k)
    {
      sg_free ((char *) key.text);
      *function = k->function;
      return SG_OK;
    }
  k = sg_malloc (sizeof *k);
  if (k)
    *k = (kernel) { .hash = hash, .key = key };
  sg_status s = k ? make (k, &o, name, text)
                : sg_fail (SG_NOMEM, "out of memory for a kernel");
  if (s != SG_OK)
    {
      sg_free (k);
      sg_free ((char *) key.text);
      return s;
    }
  k->next = bucket[hash % NBUCKETS];
  bucket[hash % NBUCKETS] = k;
  *function = k->function;
  return SG_OK;
}

#define SHARED_ALWAYS 49152  /* bytes that every kernel may have */

sg_status
sg_module_launch (void *function, int64_t blocks, int threads, int shared, void **arg)
{
  if (blocks < 1 || blocks > INT_MAX || threads < 1)
    return sg_fail (SG_INTERNAL, "a launch of %lld blocks of %d threads",
                    (long long) blocks, threads);
  int e = 0;
  if (shared > SHARED_ALWAYS)
    e = sg_cu.cuFuncSetAttribute (function, CU_FUNCTION_DYNAMIC_SHARED, shared);
  sg_count.launches++;
  if (e == 0)
    e = sg_cu.cuLaunchKernel (function, (unsigned) blocks, 1, 1, threads, 1, 1, shared,
                              sg_dev.stream, arg, NULL);
  return e == 0 ? SG_OK : sg_cu_fail ("cuLaunchKernel", e);
}
