/* nvrtc [ARCH...]: NVIDIA's compiler takes every kernel of the golden expressions and of the sweep
   over all operations, for these architectures (sm_90).  Needs no GPU.  Where the compiler is
   not installed that is said, and nothing fails.  */

#include <dlfcn.h>
#include <glob.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/core/build.h"
#include "../../src/render/render.h"
#include "../c/render_cases.h"

/* ---- the compiler ----------------------------------------------------------------------- */

static struct
{
  int (*create) (void **prog, const char *text, const char *name, int n, const char *const *header,
                 const char *const *header_name);
  int (*compile) (void *prog, int n, const char *const *option);
  int (*log_size) (void *prog, size_t *n);
  int (*log) (void *prog, char *text);
  int (*destroy) (void **prog);
  int (*count_archs) (int *n);
  int (*archs) (int *arch);
} nvrtc;

static void *
open_library (void)
{
  static const char *const place[] = {
    "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so.13",
    "/usr/local/cuda/lib64/libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"
  };
  void *lib = NULL;
  for (size_t i = 0; ! lib && i < sizeof place / sizeof place[0]; i++)
    lib = dlopen (place[i], RTLD_NOW);
  glob_t found;
  if (! lib && glob ("build/nvrtc/nvidia/*/lib/libnvrtc.so.1[0-9]", 0, NULL, &found) == 0)
    {
      for (size_t i = 0; ! lib && i < found.gl_pathc; i++)
        lib = dlopen (found.gl_pathv[i], RTLD_NOW);
      globfree (&found);
    }
  return lib;
}

static bool
find_functions (void *lib)
{
  static const struct { void *at; const char *name; } table[] = {
    { &nvrtc.create, "nvrtcCreateProgram" }, { &nvrtc.compile, "nvrtcCompileProgram" },
    { &nvrtc.log_size, "nvrtcGetProgramLogSize" }, { &nvrtc.log, "nvrtcGetProgramLog" },
    { &nvrtc.destroy, "nvrtcDestroyProgram" }, { &nvrtc.count_archs, "nvrtcGetNumSupportedArchs" },
    { &nvrtc.archs, "nvrtcGetSupportedArchs" }
  };
  bool all = true;
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
      void *f = dlsym (lib, table[i].name);
      memcpy (table[i].at, &f, sizeof f);
      all &= f != NULL;
    }
  return all;
}

static bool
is_known (const char *arch)
{
  int n = 0, list[64];
  if (nvrtc.count_archs (&n) != 0 || n > 64 || nvrtc.archs (list) != 0)
    return true;
  for (int i = 0; i < n; i++)
    if (list[i] == atoi (arch + 3))
      return true;
  return false;
}

/* ---- texts ------------------------------------------------------------------------------ */

static char **texts;
static int ntexts, room;

static void
add_text (const char *text)
{
  for (int i = 0; i < ntexts; i++)
    if (strcmp (texts[i], text) == 0)
      return;
  if (ntexts == room)
    texts = realloc (texts, (size_t) (room = 2 * room + 64) * sizeof *texts);
  texts[ntexts++] = strdup (text);
}

static void
add_rendered (sg_rendered *out)
{
  for (int i = 0; i < out->nlaunch; i++)
    add_text (out->launch[i].text);
  sg_rendered_clear (out);
}

static void
look (const char *name, int n, sg_node **root)
{
  sg_graph g;
  sg_plan *p;
  sg_rendered out;
  (void) name;
  if (sg_graph_init (&g, n, root, SG_WANT_HOST) == SG_OK && sg_graph_make_key (&g) == SG_OK
      && sg_plan_get (&g, &p) == SG_OK)
    {
      for (int k = 0; k < p->nsteps; k++)
        if (sg_render_cuda (p, &p->step[k], g.order, &out) == SG_OK)
          add_rendered (&out);
      for (int i = 0; i < p->nslots; i++)
        if (p->slot[i].cplx && p->slot[i].kind != SG_SLOT_ALIAS
            && sg_render_cuda_verify (p, i, &out) == SG_OK)
          add_rendered (&out);
    }
  sg_graph_clear (&g);
}

static void
collect (void)
{
  for (int i = 0; i < NCASES; i++)
    {
      sg_node *root[ROOTS] = { NULL };
      int n = 0;
      cases[i].make (root);
      while (n < ROOTS && root[n])
        n++;
      look (cases[i].name, n, root);
      pool_clear ();
    }
  sweep (look);
  sg_release_caches ();
}

/* ---- compiling -------------------------------------------------------------------------- */

/* True if the compiler takes the text and has nothing to say of it.  */
static bool
compile (const char *text, const char *arch)
{
  const char *name[16], *header[16];
  int n = 0;
  for (; sg_render_headers[n].name; n++)
    {
      name[n] = sg_render_headers[n].name;
      header[n] = sg_render_headers[n].text;
    }
  char option[40];
  snprintf (option, sizeof option, "--gpu-architecture=%s", arch);
  const char *const options[] = { option, "--std=c++17", "--fmad=false" };
  void *prog;
  if (nvrtc.create (&prog, text, "sg_k.cu", n, header, name) != 0)
    return false;
  int status = nvrtc.compile (prog, 3, options);
  size_t bytes = 0;
  nvrtc.log_size (prog, &bytes);
  bool ok = status == 0 && bytes <= 1;
  char *log = malloc (bytes + 1);
  if (! ok && log && nvrtc.log (prog, log) == 0)
    printf ("%s: status %d\n%s%s\n", arch, status, text, log);
  free (log);
  nvrtc.destroy (&prog);
  return ok;
}

/* One of JOBS processes: each takes every JOBS-th text.  The number that failed.  */
static int
compile_share (const char *arch, int job, int jobs)
{
  int bad = 0;
  for (int i = job; i < ntexts; i += jobs)
    bad += ! compile (texts[i], arch);
  fflush (stdout);
  return bad;
}

static int
compile_all (const char *arch)
{
  int jobs = (int) sysconf (_SC_NPROCESSORS_ONLN), bad = 0;
  fflush (stdout);
  for (int j = 1; j < jobs; j++)
    if (fork () == 0)
      {
        int b = compile_share (arch, j, jobs);
        _exit (b > 100 ? 100 : b);
      }
  bad = compile_share (arch, 0, jobs);
  for (int j = 1, status; j < jobs; j++)
    if (wait (&status) > 0)
      bad += WIFEXITED (status) ? WEXITSTATUS (status) : 1;
  return bad;
}

int
main (int argc, char **argv)
{
  static char *one[] = { "", "sm_90" };
  int bad = 0, done = 0, skips = 0;
  if (argc < 2)
    {
      argc = 2;
      argv = one;
    }
  void *lib = open_library ();
  if (! lib || ! find_functions (lib))
    {
      printf ("NVRTC is not installed: no kernel was compiled\n0 passed, 0 failed, 1 skipped\n");
      return 0;
    }
  sg_set_host (&test_host);
  collect ();
  for (int i = 1; i < argc; i++)
    if (! is_known (argv[i]))
      {
        printf ("this NVRTC does not know %s\n", argv[i]);
        skips++;
      }
    else
      {
        int b = compile_all (argv[i]);
        printf ("%s: %d of %d kernels failed\n", argv[i], b, ntexts);
        bad += b;
        done += ntexts;
      }
  printf ("%d passed, %d failed, %d skipped\n", done - bad, bad, skips);
  return bad > 0;
}
