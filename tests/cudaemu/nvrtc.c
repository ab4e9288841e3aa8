/* The calls of libnvrtc: programs are compiled by the host's C++ compiler.

   EMU_CXX is the compiler; EMU_CXXFLAGS and EMU_LIBS are lists of strings, each with a comma
   behind it.  The shim and the runtime lie in the folder of this library.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler.h"
#include "emu.h"
#include "nvrtc.h"

typedef enum nvrtcResult
{
#define RESULT(id, number) NVRTC_##id = number,
#include "nvrtc.def"
} nvrtcResult;

typedef struct program
{
  char *text, *name;
  int nheaders;
  char **header, **header_name;
  char *log;
  char *image; /* an emu_image and the library */
  size_t image_bytes;
} program;

static const int archs[] = { 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121 };
#define NARCHS ((int) (sizeof archs / sizeof *archs))

extern char **environ;

EMU_API const char *
nvrtcGetErrorString (nvrtcResult r)
{
  switch (r)
    {
#define RESULT(id, number)                                                                         \
  case NVRTC_##id:                                                                                 \
    return "NVRTC_" #id;
#include "nvrtc.def"
    }
  return "NVRTC_ERROR unknown";
}

EMU_API nvrtcResult
nvrtcVersion (int *major, int *minor)
{
  if (! major || ! minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

EMU_API nvrtcResult
nvrtcGetNumSupportedArchs (int *n)
{
  *n = NARCHS;
  return NVRTC_SUCCESS;
}

EMU_API nvrtcResult
nvrtcGetSupportedArchs (int *list)
{
  memcpy (list, archs, sizeof archs);
  return NVRTC_SUCCESS;
}

/* ---- programs ---------------------------------------------------------------------------- */

static void
free_list (char **list, int n)
{
  for (int i = 0; list && i < n; i++)
    free (list[i]);
  free (list);
}

static void
free_program (program *p)
{
  free (p->text);
  free (p->name);
  free_list (p->header, p->nheaders);
  free_list (p->header_name, p->nheaders);
  free (p->log);
  free (p->image);
  free (p);
}

static char **
copy_list (const char *const *list, int n)
{
  char **r = calloc (n + 1, sizeof *r);
  for (int i = 0; r && i < n; i++)
    if (! (r[i] = strdup (list[i])))
      {
        free_list (r, n);
        return NULL;
      }
  return r;
}

EMU_API nvrtcResult
nvrtcCreateProgram (program **out, const char *text, const char *name, int nheaders,
                    const char *const *headers, const char *const *names)
{
  nvrtcResult r = emu_enter (EMU_NVRTC);
  if (r != NVRTC_SUCCESS)
    return r;
  if (! out || ! text || nheaders < 0 || (nheaders > 0 && (! headers || ! names)))
    return emu_leave (NVRTC_ERROR_INVALID_INPUT);
  program *p = calloc (1, sizeof *p);
  if (! p)
    return emu_leave (NVRTC_ERROR_OUT_OF_MEMORY);
  p->text = strdup (text);
  p->name = strdup (name ? name : "default_program");
  p->header = copy_list (headers, nheaders);
  p->header_name = copy_list (names, nheaders);
  p->nheaders = nheaders;
  p->log = strdup ("");
  if (! p->text || ! p->name || ! p->header || ! p->header_name || ! p->log)
    {
      free_program (p);
      return emu_leave (NVRTC_ERROR_OUT_OF_MEMORY);
    }
  emu_count.programs++;
  *out = p;
  return emu_leave (NVRTC_SUCCESS);
}

EMU_API nvrtcResult
nvrtcDestroyProgram (program **p)
{
  nvrtcResult r = emu_enter (EMU_FREE);
  if (r != NVRTC_SUCCESS)
    return r;
  if (! p || ! *p)
    return emu_leave (NVRTC_ERROR_INVALID_PROGRAM);
  free_program (*p);
  *p = NULL;
  emu_count.programs--;
  return emu_leave (NVRTC_SUCCESS);
}

/* ---- options ----------------------------------------------------------------------------- */

/* The value of an option that has this long or this short name, or NULL.  */
static const char *
option_value (const char *option, const char *lng, const char *shrt)
{
  const char *names[] = { lng, shrt };
  for (int i = 0; i < 2; i++)
    {
      size_t n = strlen (names[i]);
      if (n && strncmp (option, names[i], n) == 0 && option[n] == '=')
        return option + n + 1;
    }
  return NULL;
}

static bool
is_one_of (const char *s, const char *const *list)
{
  for (; *list; list++)
    if (strcmp (s, *list) == 0)
      return true;
  return false;
}

static bool
read_arch (const char *value, int *arch)
{
  char kind[16];
  int n;
  if (sscanf (value, "%8[a-z]_%d%n", kind, arch, &n) != 2 || value[n]
      || (strcmp (kind, "sm") != 0 && strcmp (kind, "compute") != 0))
    return false;
  for (int i = 0; i < NARCHS; i++)
    if (archs[i] == *arch)
      return true;
  return false;
}

static const char *const plain_options[] = { "-w",
                                             "--disable-warnings",
                                             "-G",
                                             "--device-debug",
                                             "-lineinfo",
                                             "--generate-line-info",
                                             "-default-device",
                                             "--device-as-default-execution-space",
                                             "--no-display-error-number",
                                             "--restrict",
                                             "-restrict",
                                             "--extra-device-vectorization",
                                             "--no-source-include",
                                             "--minimal",
                                             NULL };
static const char *const standards[] = { "c++03", "c++11", "c++14", "c++17", "c++20", NULL };
static const char *const truths[] = { "true", "false", NULL };

/* What the options say; false if there is one that NVRTC would not take.  */
static bool
read_options (int n, const char *const *option, int *arch, bool *fmad, const char **std)
{
  *arch = 75;
  *fmad = true;
  *std = "c++17";
  for (int i = 0; i < n; i++)
    {
      const char *o = option[i], *v;
      bool ok;
      if ((v = option_value (o, "--gpu-architecture", "-arch")))
        ok = read_arch (v, arch);
      else if ((v = option_value (o, "--std", "-std")))
        {
          ok = is_one_of (v, standards);
          *std = v;
        }
      else if ((v = option_value (o, "--fmad", "-fmad")))
        {
          ok = is_one_of (v, truths);
          *fmad = v[0] == 't';
        }
      else if ((v = option_value (o, "--ftz", "-ftz"))
               || (v = option_value (o, "--prec-sqrt", "-prec-sqrt"))
               || (v = option_value (o, "--prec-div", "-prec-div")))
        ok = is_one_of (v, truths);
      else if ((v = option_value (o, "--maxrregcount", "-maxrregcount")))
        ok = atoi (v) > 0;
      else
        ok = is_one_of (o, plain_options) || option_value (o, "--diag-suppress", "-diag-suppress");
      if (! ok)
        return false;
    }
  return true;
}

/* ---- files ------------------------------------------------------------------------------- */

static bool
write_file (const char *dir, const char *name, const char *first, const char *text)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s", dir, name);
  for (char *p = path + strlen (dir) + 1; *p; p++)
    if (*p == '/')
      {
        *p = 0;
        mkdir (path, 0777);
        *p = '/';
      }
  FILE *f = text ? fopen (path, "w") : NULL;
  if (! f)
    return false;
  bool ok = fputs (first, f) >= 0 && fputs (text, f) >= 0;
  return fclose (f) == 0 && ok;
}

/* The bytes of a file behind ROOM others, or NULL.  */
static char *
read_file (const char *dir, const char *name, size_t room, size_t *bytes)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen (path, "rb");
  if (! f)
    return NULL;
  fseek (f, 0, SEEK_END);
  *bytes = ftell (f);
  rewind (f);
  char *data = calloc (1, room + *bytes + 1);
  bool ok = data && fread (data + room, 1, *bytes, f) == *bytes;
  fclose (f);
  if (ok)
    return data;
  free (data);
  return NULL;
}

static int
remove_one (const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
  (void) st;
  (void) kind;
  (void) ftw;
  return remove (path);
}

static bool
write_sources (const program *p, const char *dir)
{
  bool ok = true;
  for (int i = 0; ok && i < p->nheaders; i++)
    {
      char *t = emu_translate (p->header[i], false);
      ok = write_file (dir, p->header_name[i], "", t);
      free (t);
    }
  char first[1024];
  snprintf (first, sizeof first, "# 1 \"%s\"\n", p->name);
  char *t = emu_translate (p->text, true);
  ok = ok && write_file (dir, "kernel.cc", first, t);
  free (t);
  return ok;
}

/* "NAME:LINE:COLUMN: error" as NVRTC has it, "NAME(LINE): error".  */
static void
nvrtc_style (char *log)
{
  char *to = log;
  for (char *p = log; *p;)
    {
      int line, skip = 0;
      char *colon = p + strcspn (p, ":\n"), kind;
      if (*colon == ':' && sscanf (colon, ":%d:%*d: %n%c", &line, &skip, &kind) == 2)
        {
          memmove (to, p, colon - p);
          to += colon - p;
          to += sprintf (to, "(%d): ", line);
          p = colon + skip;
        }
      size_t n = strcspn (p, "\n");
      n += p[n] == '\n';
      memmove (to, p, n);
      to += n;
      p += n;
    }
  *to = 0;
}

/* ---- compilation ------------------------------------------------------------------------- */

static const char *
own_dir (void)
{
  static char dir[4096];
  Dl_info info;
  if (! dir[0] && dladdr ((void *) own_dir, &info))
    {
      char *path = realpath (info.dli_fname, NULL);
      snprintf (dir, sizeof dir, "%s", path ? path : info.dli_fname);
      free (path);
      char *slash = strrchr (dir, '/');
      if (slash)
        *slash = 0;
    }
  return dir;
}

static int
run (char *const *argv, const char *log)
{
  posix_spawn_file_actions_t a;
  posix_spawn_file_actions_init (&a);
  posix_spawn_file_actions_addopen (&a, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&a, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2 (&a, 1, 2);
  pid_t pid;
  int status, r = posix_spawnp (&pid, argv[0], &a, NULL, argv, environ);
  posix_spawn_file_actions_destroy (&a);
  if (r != 0)
    return -1;
  while ((r = waitpid (pid, &status, 0)) < 0)
    ;
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

static nvrtcResult
build (program *p, const char *dir, int arch, bool fmad, const char *std)
{
  char shim[4200], runtime[4200], source[4200], lib[4200], log[4200], include[4200], standard[32];
  snprintf (shim, sizeof shim, "%s/shim.h", own_dir ());
  snprintf (runtime, sizeof runtime, "%s/runtime.o", own_dir ());
  snprintf (source, sizeof source, "%s/kernel.cc", dir);
  snprintf (lib, sizeof lib, "%s/kernel.so", dir);
  snprintf (log, sizeof log, "%s/log", dir);
  snprintf (include, sizeof include, "-I%s", dir);
  snprintf (standard, sizeof standard, "-std=gnu++%s", std + 3);
  const char *argv[] = { EMU_CXX,
                         EMU_CXXFLAGS standard,
                         fmad ? "-ffp-contract=fast" : "-ffp-contract=off",
                         "-include",
                         shim,
                         include,
                         "-shared",
                         "-nostdlib",
                         source,
                         runtime,
                         "-o",
                         lib,
                         EMU_LIBS NULL };
  int status = run ((char *const *) argv, log);
  size_t bytes;
  char *text = read_file (dir, "log", 0, &bytes);
  if (text)
    {
      free (p->log);
      p->log = text;
      nvrtc_style (text);
    }
  if (status != 0)
    return NVRTC_ERROR_COMPILATION;
  char *image = read_file (dir, "kernel.so", sizeof (emu_image), &bytes);
  if (! image)
    return NVRTC_ERROR_INTERNAL_ERROR;
  emu_image head = { EMU_MAGIC, arch, 0, bytes, emu_sum (image + sizeof head, bytes) };
  memcpy (image, &head, sizeof head);
  free (p->image);
  p->image = image;
  p->image_bytes = sizeof head + bytes;
  return NVRTC_SUCCESS;
}

EMU_API nvrtcResult
nvrtcCompileProgram (program *p, int noptions, const char *const *options)
{
  nvrtcResult r = emu_enter (EMU_COMPILE);
  if (r != NVRTC_SUCCESS)
    {
      if (p)
        {
          free (p->log);
          p->log = strdup ("this failure was asked for\n");
        }
      return r;
    }
  int arch;
  bool fmad;
  const char *std, *tmp = getenv ("TMPDIR");
  if (! p)
    return emu_leave (NVRTC_ERROR_INVALID_PROGRAM);
  if (! read_options (noptions, options, &arch, &fmad, &std))
    return emu_leave (NVRTC_ERROR_INVALID_OPTION);
  emu_count.compiles++;
  emu_trace ("compilation of %s", p->name);
  char dir[4096];
  snprintf (dir, sizeof dir, "%s/cudaemu-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (! mkdtemp (dir))
    return emu_leave (NVRTC_ERROR_INTERNAL_ERROR);
  r = write_sources (p, dir) ? build (p, dir, arch, fmad, std) : NVRTC_ERROR_INTERNAL_ERROR;
  nftw (dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  return emu_leave (r);
}

/* ---- results ----------------------------------------------------------------------------- */

EMU_API nvrtcResult
nvrtcGetProgramLogSize (program *p, size_t *n)
{
  if (! p || ! n)
    return NVRTC_ERROR_INVALID_INPUT;
  *n = strlen (p->log) + 1;
  return NVRTC_SUCCESS;
}

EMU_API nvrtcResult
nvrtcGetProgramLog (program *p, char *log)
{
  if (! p || ! log)
    return NVRTC_ERROR_INVALID_INPUT;
  strcpy (log, p->log);
  return NVRTC_SUCCESS;
}

static nvrtcResult
image_size (const program *p, size_t *n)
{
  if (! p || ! n || ! p->image)
    return NVRTC_ERROR_INVALID_PROGRAM;
  *n = p->image_bytes;
  return NVRTC_SUCCESS;
}

static nvrtcResult
get_image (const program *p, char *image)
{
  if (! p || ! image || ! p->image)
    return NVRTC_ERROR_INVALID_PROGRAM;
  memcpy (image, p->image, p->image_bytes);
  return NVRTC_SUCCESS;
}

EMU_API nvrtcResult
nvrtcGetCUBINSize (program *p, size_t *n)
{
  return image_size (p, n);
}

EMU_API nvrtcResult
nvrtcGetCUBIN (program *p, char *image)
{
  return get_image (p, image);
}

EMU_API nvrtcResult
nvrtcGetPTXSize (program *p, size_t *n)
{
  return image_size (p, n);
}

EMU_API nvrtcResult
nvrtcGetPTX (program *p, char *image)
{
  return get_image (p, image);
}
