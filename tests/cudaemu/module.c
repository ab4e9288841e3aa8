/* Calls of libcuda.so.1: modules and launches.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"

#define DEFAULT_SHARED 49152

typedef struct module
{
  void *lib;
  emu_module_parts parts;
  uintptr_t image, image_end;
  struct function *functions;
} module;

typedef struct function
{
  struct function *next;
  module *in;
  emu_entry entry;
  int shared_max;
  char name[];
} function;

/* ---- modules ----------------------------------------------------------------------------- */

static int
find_image (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  module *m = data;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      {
        uintptr_t a = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uintptr_t e = a + info->dlpi_phdr[i].p_memsz;
        start = a < start ? a : start;
        end = e > end ? e : end;
      }
  if ((uintptr_t) m->parts.env - start >= end - start)
    return 0;
  m->image = start;
  m->image_end = end;
  return 1;
}

/* The library of an image, by way of a file whose name is never used twice.  */
static void *
open_image (const emu_image *image)
{
  static int number;
  const char *dir = getenv ("TMPDIR");
  char name[4096];
  snprintf (name, sizeof name, "%s/cudaemu-%ld-%d.so", dir && *dir ? dir : "/tmp", (long) getpid (),
            ++number);
  FILE *f = fopen (name, "wbx");
  if (! f)
    return NULL;
  bool ok = fwrite (image + 1, 1, image->bytes, f) == image->bytes;
  ok = fclose (f) == 0 && ok;
  void *lib = ok ? dlopen (name, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (! lib)
    emu_complain ("a module cannot be loaded: %s", ok ? dlerror () : "its file cannot be written");
  unlink (name);
  return lib;
}

static CUresult
load (module **out, const emu_image *image)
{
  CONTEXT_CALL (LOAD);
  if (! image || ! out)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  if (strncmp (image->magic, EMU_MAGIC, sizeof image->magic) != 0
      || image->sum != emu_sum (image + 1, image->bytes))
    return emu_leave (CUDA_ERROR_INVALID_IMAGE);
  if (image->arch != emu_setting ("SYMGPU_EMU_ARCH", 90))
    return emu_leave (CUDA_ERROR_NO_BINARY_FOR_GPU);
  module *m = calloc (1, sizeof *m);
  if (! m)
    return emu_leave (CUDA_ERROR_OUT_OF_MEMORY);
  m->lib = open_image (image);
  void (*bind) (emu_module_parts *) = NULL;
  if (m->lib)
    bind = (void (*) (emu_module_parts *)) dlsym (m->lib, "emu_bind");
  if (! bind)
    {
      free (m);
      return emu_leave (CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    }
  bind (&m->parts);
  dl_iterate_phdr (find_image, m);
  emu_count.loads++;
  emu_count.modules++;
  emu_trace ("load of a module of %zu bytes", (size_t) image->bytes);
  *out = m;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuModuleLoadData (module **out, const void *image)
{
  return load (out, image);
}

EMU_API CUresult
cuModuleLoadDataEx (module **out, const void *image, unsigned int noptions, int *options,
                    void **values)
{
  (void) noptions;
  (void) options;
  (void) values;
  return load (out, image);
}

EMU_API CUresult
cuModuleUnload (module *m)
{
  CONTEXT_CALL (FREE);
  if (! m)
    return emu_leave (CUDA_ERROR_INVALID_HANDLE);
  emu_flush ();
  for (function *f = m->functions, *next; f; f = next)
    {
      next = f->next;
      free (f);
    }
  dlclose (m->lib);
  free (m);
  emu_count.modules--;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuModuleGetFunction (function **out, module *m, const char *name)
{
  CONTEXT_CALL (FIND);
  if (! out || ! m || ! name)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  for (function *f = m->functions; f; f = f->next)
    if (strcmp (f->name, name) == 0)
      {
        *out = f;
        return emu_leave (CUDA_SUCCESS);
      }
  char symbol[512];
  snprintf (symbol, sizeof symbol, "emu_entry_%s", name);
  const emu_entry *e = dlsym (m->lib, symbol);
  if (! e)
    return emu_leave (CUDA_ERROR_NOT_FOUND);
  function *f = malloc (sizeof *f + strlen (name) + 1);
  if (! f)
    return emu_leave (CUDA_ERROR_OUT_OF_MEMORY);
  f->next = m->functions;
  m->functions = f;
  f->in = m;
  f->entry = *e;
  f->shared_max = DEFAULT_SHARED;
  strcpy (f->name, name);
  *out = f;
  return emu_leave (CUDA_SUCCESS);
}

enum
{
  FUNC_MAX_THREADS,
  FUNC_SHARED,
  FUNC_NUM_REGS = 4,
  FUNC_SHARED_MAX = 8,
  FUNC_CARVEOUT
};

EMU_API CUresult
cuFuncSetAttribute (function *f, int attribute, int value)
{
  CONTEXT_CALL (OTHER);
  if (attribute == FUNC_CARVEOUT)
    return emu_leave (CUDA_SUCCESS);
  if (! f || attribute != FUNC_SHARED_MAX || value < 0 || value > EMU_SHARED_MAX)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  f->shared_max = value;
  return emu_leave (CUDA_SUCCESS);
}

EMU_API CUresult
cuFuncGetAttribute (int *value, int attribute, function *f)
{
  CONTEXT_CALL (OTHER);
  if (! f || ! value)
    return emu_leave (CUDA_ERROR_INVALID_VALUE);
  *value = attribute == FUNC_MAX_THREADS  ? 1024
           : attribute == FUNC_SHARED     ? (int) (f->in->parts.fixed_end - f->in->parts.fixed)
           : attribute == FUNC_SHARED_MAX ? f->shared_max
           : attribute == FUNC_NUM_REGS   ? 32
                                          : 0;
  return emu_leave (CUDA_SUCCESS);
}

/* ---- launches ---------------------------------------------------------------------------- */

/* A copy of the arguments, from the array of their addresses or from the buffer in EXTRA.  */
static bool
arguments (const function *f, void **params, void **extra, emu_args *args)
{
  char *buffer = NULL;
  size_t bytes = 0, at = 0;
  for (int i = 0; extra && extra[i]; i += 2)
    if (extra[i] == (void *) 1)
      buffer = extra[i + 1];
    else if (extra[i] == (void *) 2)
      bytes = *(size_t *) extra[i + 1];
  if (f->entry.narg && ! params && ! buffer)
    return false;
  for (int i = 0; i < f->entry.narg; i++)
    {
      size_t align = f->entry.align[i];
      at = (at + align - 1) / align * align;
      const void *from = params ? params[i] : buffer + at;
      if (! from || at + f->entry.size[i] > sizeof args->data)
        return false;
      args->at[i] = memcpy (args->data + at, from, f->entry.size[i]);
      at += f->entry.size[i];
    }
  return params || at == bytes;
}

EMU_API CUresult
cuLaunchKernel (function *f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                unsigned int by, unsigned int bz, unsigned int shared, void *stream, void **params,
                void **extra)
{
  static emu_args args;
  CONTEXT_CALL (LAUNCH);
  CHECK_STREAM (stream);
  if (! f)
    return emu_leave (CUDA_ERROR_INVALID_HANDLE);
  bool ok = gx - 1 < 2147483647 && gy - 1 < 65535 && gz - 1 < 65535 && bx - 1 < 1024
            && by - 1 < 1024 && bz - 1 < 64 && (uint64_t) bx * by * bz <= 1024
            && shared <= (unsigned) f->shared_max;
  emu_trace ("launch of %s, grid (%u,%u,%u), block (%u,%u,%u), %u bytes shared", f->name, gx, gy,
             gz, bx, by, bz, shared);
  if (! ok || ! arguments (f, params, extra, &args))
    {
      emu_complain ("launch of %s with grid (%u,%u,%u), block (%u,%u,%u), %u bytes shared: %s",
                    f->name, gx, gy, gz, bx, by, bz, shared,
                    ok ? "not the arguments that it has" : "not possible");
      return emu_leave (CUDA_ERROR_INVALID_VALUE);
    }
  emu_count.launches++;
  emu_op o = { EMU_OP_LAUNCH, .launch = { f->in->parts,
                                          f->entry,
                                          f->name,
                                          f->in->image,
                                          f->in->image_end,
                                          { gx, gy, gz },
                                          { bx, by, bz },
                                          shared,
                                          &args } };
  return emu_leave (emu_do (&o, false));
}
