/* Libraries of CUDA.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "api.h"

sg_api sg_cu;

#define NAMES_MAX 4

static const char *const names[SG_NLIB][NAMES_MAX] = {
#define LIB(id, ...) [SG_LIB_##id] = { __VA_ARGS__ },
#define API(lib, needed, result, symbol, arguments)
#include "api.def"
};

static const struct
{
  sg_lib lib;
  bool needed;
  const char *name;
  size_t at;
} symbols[] = {
#define LIB(id, ...)
#define API(lib, needed, result, symbol, arguments) \
  { SG_LIB_##lib, needed, #symbol, offsetof (sg_api, symbol) },
#include "api.def"
};

#define NSYMBOLS (sizeof symbols / sizeof symbols[0])

static void *handle[SG_NLIB];
static char file[SG_NLIB][1024];

/* Where the toolkit is when nobody has told the loader; "" is where the loader looks.  */
static const char *const folders[] = { "", "/usr/local/cuda/lib64", "/usr/local/cuda/lib",
                                       "/opt/cuda/lib64" };

static void *
open_in (const char *folder, const char *name)
{
  char path[1024];
  int n = snprintf (path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
  return n < (int) sizeof path ? dlopen (path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

/* The folder that the user names comes first; it may be that of the whole toolkit.  */
static void *
find (sg_lib lib)
{
  static const char *const below[] = { "", "/lib64", "/lib" };
  char own[1024];
  void *h = NULL;
  for (int b = 0; b < 3 && *sg_cfg.cuda_path; b++)
    for (int k = 0; k < NAMES_MAX && names[lib][k] && ! h; k++)
      if (snprintf (own, sizeof own, "%s%s", sg_cfg.cuda_path, below[b]) < (int) sizeof own)
        h = open_in (own, names[lib][k]);
  for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++)
    for (int k = 0; k < NAMES_MAX && names[lib][k] && ! h; k++)
      h = open_in (folders[f], names[lib][k]);
  return h;
}

static sg_status
not_found (sg_lib lib)
{
  char list[200] = "";
  for (int k = 0; k < NAMES_MAX && names[lib][k]; k++)
    snprintf (list + strlen (list), sizeof list - strlen (list), "%s%s", k ? ", " : "",
              names[lib][k]);
  return sg_fail (SG_NO_CUDA, "there is no %s, neither %s%s%swhere the system keeps its libraries"
                  " nor in %s", list, *sg_cfg.cuda_path ? "in " : "", sg_cfg.cuda_path,
                  *sg_cfg.cuda_path ? ", " : "", folders[1]);
}

/* The functions are there only if all that are needed are.  */
static sg_status
look_up (sg_lib lib, void *h)
{
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < NSYMBOLS; i++)
      if (symbols[i].lib == lib)
        {
          void *p = dlsym (h, symbols[i].name);
          if (! p && symbols[i].needed)
            return sg_fail (SG_NO_CUDA, "%s has no %s", file[lib], symbols[i].name);
          if (pass == 1)
            memcpy ((char *) &sg_cu + symbols[i].at, &p, sizeof p);
        }
  return SG_OK;
}

static void
name_file (sg_lib lib, void *h)
{
  Dl_info info;
  for (size_t i = 0; i < NSYMBOLS; i++)
    if (symbols[i].lib == lib)
      {
        void *p = dlsym (h, symbols[i].name);
        bool known = p && dladdr (p, &info) && info.dli_fname;
        snprintf (file[lib], sizeof file[lib], "%s", known ? info.dli_fname : names[lib][0]);
        return;
      }
}

sg_status
sg_api_open (sg_lib lib)
{
  if (handle[lib])
    return SG_OK;
  void *h = find (lib);
  if (! h)
    return not_found (lib);
  name_file (lib, h);
  sg_status s = look_up (lib, h);
  if (s != SG_OK)
    {
      file[lib][0] = '\0';
      dlclose (h);
      return s;
    }
  handle[lib] = h;
  return SG_OK;
}

const char *
sg_api_file (sg_lib lib)
{
  return file[lib];
}

void
sg_api_close (void)
{
  for (int lib = 0; lib < SG_NLIB; lib++)
    if (handle[lib])
      {
        dlclose (handle[lib]);
        handle[lib] = NULL;
        file[lib][0] = '\0';
      }
  memset (&sg_cu, 0, sizeof sg_cu);
}

sg_status
sg_cu_fail (const char *call, int error)
{
  const char *name = NULL, *text = NULL;
  if (strncmp (call, "cublas", 6) == 0)
    return sg_fail (SG_CUDA_ERROR, "%s failed with status %d", call, error);
  if (sg_cu.cuGetErrorName)
    sg_cu.cuGetErrorName (error, &name);
  if (sg_cu.cuGetErrorString)
    sg_cu.cuGetErrorString (error, &text);
  return sg_fail (SG_CUDA_ERROR, "%s failed with error %d (%s: %s)", call, error,
                  name ? name : "unknown", text ? text : "unknown");
}
