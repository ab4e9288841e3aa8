/* From nothing to a GPU that computes, step by step.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "device.h"
#include "gemm.h"
#include "module.h"
#include "resident.h"

static const struct { const char *name, *advice; } rung_info[SG_NRUNG] = {
#define RUNG(id, name, advice) [SG_RUNG_##id] = { name, advice },
#include "../core/ladder.def"
};

static struct
{
  sg_rung_state state;
  char text[1200];
} rung[SG_NRUNG];

static bool is_open;

#define OLDEST_DRIVER 12000

/* ---- the steps; TEXT is what there is ----------------------------------------------------- */

static sg_status
driver_library (char *text, size_t size)
{
  SG_TRY (sg_api_open (SG_LIB_DRIVER));
  snprintf (text, size, "%s", sg_api_file (SG_LIB_DRIVER));
  return SG_OK;
}

static sg_status
driver (char *text, size_t size)
{
  int version;
  SG_CU (cuInit, 0);
  SG_CU (cuDriverGetVersion, &version);
  snprintf (text, size, "CUDA %d.%d", version / 1000, version % 1000 / 10);
  if (version < OLDEST_DRIVER)
    return sg_fail (SG_NO_CUDA, "the driver is of %s", text);
  return SG_OK;
}

static sg_status
device (char *text, size_t size)
{
  int n = sg_cuda_device_count ();
  sg_device_info d;
  if (n == 0)
    return sg_fail (SG_NO_CUDA, "the driver sees no GPU");
  if (sg_cfg.device >= n)
    return sg_fail (SG_NO_CUDA, "there is no device %lld; the driver sees %d, the first is 0",
                    (long long) sg_cfg.device, n);
  SG_TRY (sg_cuda_device_info (sg_cfg.device, &d));
  snprintf (text, size, "%d: %s, compute capability %d.%d, %.1f GB", d.index, d.name, d.major,
            d.minor, (double) d.total / 1e9);
  return SG_OK;
}

static sg_status
context (char *text, size_t size)
{
  SG_TRY (sg_device_open (sg_cfg.device));
  snprintf (text, size, "%d multiprocessors, %s", sg_dev.processors,
            sg_dev.pools ? "stream-ordered memory" : "no stream-ordered memory");
  return SG_OK;
}

static sg_status
nvrtc (char *text, size_t size)
{
  SG_TRY (sg_api_open (SG_LIB_NVRTC));
  int v = sg_compiler_version ();
  snprintf (text, size, "NVRTC %d.%d, %s", v / 1000, v % 1000 / 10, sg_api_file (SG_LIB_NVRTC));
  return SG_OK;
}

static sg_status
cublas (char *text, size_t size)
{
  SG_TRY (sg_api_open (SG_LIB_CUBLAS));
  SG_TRY (sg_gemm_open ());
  snprintf (text, size, "%s", sg_api_file (SG_LIB_CUBLAS));
  return SG_OK;
}

/* ---- what has to come out right ----------------------------------------------------------- */

static const char first_text[] =
  "extern \"C\" __global__ void\n"
  "sg_first (int *x, long long n)\n"
  "{\n"
  "  long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x;\n"
  "  if (i < n)\n"
  "    x[i] = 3 * (int) i + 1;\n"
  "}\n";

static const char double_text[] =
  "extern \"C\" __global__ void\n"
  "sg_first (double *x, long long n)\n"
  "{\n"
  "  long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x;\n"
  "  if (i < n)\n"
  "    x[i] = (double) i / 3.0;\n"
  "}\n";

/* Run one of the kernels above for N elements, bring the results.  */
static sg_status
try_kernel (const char *text, int64_t n, void *out, size_t bytes)
{
  void *function;
  sg_block *b;
  SG_TRY (sg_module_get ("sg_first", text, &function));
  SG_TRY (sg_block_get (bytes, &b));
  sg_status s = sg_module_launch (function, 2, 64, 0, (void *[]) { &b->address, &n });
  if (s == SG_OK)
    s = sg_download (1, &(sg_piece) { out, b->address, bytes });
  sg_block_unref (b);
  return s;
}

#define TRIED 100

static sg_status
kernel (char *text, size_t size)
{
  int x[TRIED];
  SG_TRY (try_kernel (first_text, TRIED, x, sizeof x));
  for (int i = 0; i < TRIED; i++)
    if (x[i] != 3 * i + 1)
      return sg_fail (SG_CUDA_ERROR, "a kernel gives %d where %d is right", x[i], 3 * i + 1);
  snprintf (text, size, "compiled, loaded and run");
  return SG_OK;
}

static sg_status
doubles (char *text, size_t size)
{
  double x[TRIED];
  SG_TRY (try_kernel (double_text, TRIED, x, sizeof x));
  for (int i = 0; i < TRIED; i++)
    if (x[i] != i / 3.0)
      return sg_fail (SG_CUDA_ERROR, "a kernel gives %.17g where %.17g is right", x[i], i / 3.0);
  snprintf (text, size, "the same bits as the CPU");
  return SG_OK;
}

static sg_status
product (char *text, size_t size)
{
  static const double ab[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, right[4] = { 23, 34, 31, 46 };
  static const sg_gemm g = { .cls = SG_F64, .m = 2, .n = 2, .k = 2 };
  double c[4] = { 0 };
  sg_block *b;
  SG_TRY (sg_block_get (sizeof ab + sizeof c, &b));
  sg_status s = sg_upload (b->address, ab, sizeof ab);
  if (s == SG_OK)
    s = sg_cuda_gemm (&g, b->address, b->address + 32, b->address + 64);
  if (s == SG_OK)
    s = sg_download (1, &(sg_piece) { c, b->address + 64, sizeof c });
  sg_block_unref (b);
  SG_TRY (s);
  bool same = true;
  for (int i = 0; i < 4; i++)
    same &= c[i] == right[i];
  if (! same)
    return sg_fail (SG_CUDA_ERROR, "a product gives %g %g %g %g where 23 34 31 46 is right",
                    c[0], c[1], c[2], c[3]);
  snprintf (text, size, "right");
  return SG_OK;
}

/* ---- up and down -------------------------------------------------------------------------- */

static sg_status (*const climb[SG_NRUNG]) (char *, size_t) = {
  [SG_RUNG_DRIVER_LIBRARY] = driver_library, [SG_RUNG_DRIVER] = driver, [SG_RUNG_DEVICE] = device,
  [SG_RUNG_CONTEXT] = context, [SG_RUNG_NVRTC] = nvrtc, [SG_RUNG_CUBLAS] = cublas,
  [SG_RUNG_KERNEL] = kernel, [SG_RUNG_DOUBLE] = doubles, [SG_RUNG_PRODUCT] = product };

const char *
sg_cuda_rung (sg_rung r, sg_rung_state *state, const char **text)
{
  *state = rung[r].state;
  *text = rung[r].text;
  return rung_info[r].name;
}

static sg_status
give_up (int k)
{
  snprintf (rung[k].text, sizeof rung[k].text, "%s.  What helps: %s", sg_message (),
            rung_info[k].advice);
  rung[k].state = SG_RUNG_FAILED;
  sg_module_clear ();
  sg_device_close ();
  return sg_fail (SG_NO_CUDA, "there is no usable GPU: %s: %s", rung_info[k].name, rung[k].text);
}

/* At the end of the program nobody looks at values any more.  */
static void
at_exit (void)
{
  sg_cuda_abandon ();
}

sg_status
sg_cuda_open (void)
{
  static bool registered;
  if (sg_device_forked)
    return sg_fail (SG_NO_CUDA, "there is no usable GPU: a process made by fork cannot use that of"
                    " the process it was made from");
  if (is_open && sg_cfg.device != sg_dev.index)
    SG_TRY (sg_cuda_close ());
  if (is_open)
    return sg_device_enter ();
  memset (rung, 0, sizeof rung);
  for (int k = 0; k < SG_NRUNG; k++)
    {
      sg_status s = climb[k] (rung[k].text, sizeof rung[k].text);
      if (s == SG_INTERRUPTED || s == SG_NOMEM)
        {
          sg_device_close ();
          return s;
        }
      if (s != SG_OK)
        return give_up (k);
      rung[k].state = SG_RUNG_OK;
    }
  is_open = true;
  if (! registered)
    atexit (at_exit);
  registered = true;
  return SG_OK;
}

bool
sg_cuda_is_open (void)
{
  return is_open;
}

sg_status
sg_cuda_close (void)
{
  if (! is_open)
    return SG_OK;
  SG_TRY (sg_device_enter ());
  SG_TRY (sg_resident_leave ());
  sg_module_clear ();
  sg_device_close ();
  is_open = false;
  return SG_OK;
}

void
sg_cuda_abandon (void)
{
  sg_resident_lose ();
  sg_module_clear ();
  sg_device_close ();
  is_open = false;
}

sg_status
sg_cuda_wait (void)
{
  return is_open ? sg_device_wait () : SG_OK;
}

/* ---- what there is ------------------------------------------------------------------------ */

int
sg_cuda_device_count (void)
{
  int n = 0;
  if (sg_api_open (SG_LIB_DRIVER) != SG_OK || sg_cu.cuInit (0) != 0
      || sg_cu.cuDeviceGetCount (&n) != 0)
    return 0;
  return n;
}

sg_status
sg_cuda_device_info (int index, sg_device_info *out)
{
  int id;
  size_t bytes = 0, left = 0;
  *out = (sg_device_info) { .index = index, .toolkit = sg_compiler_version () };
  SG_TRY (sg_api_open (SG_LIB_DRIVER));
  SG_CU (cuInit, 0);
  SG_CU (cuDeviceGet, &id, index);
  SG_CU (cuDriverGetVersion, &out->driver);
  SG_CU (cuDeviceGetName, out->name, sizeof out->name, id);
  SG_CU (cuDeviceTotalMem_v2, &bytes, id);
  out->total = bytes;
  const struct { int *value, attribute; } list[] = {
    { &out->major, CU_ATTRIBUTE_MAJOR }, { &out->minor, CU_ATTRIBUTE_MINOR },
    { &out->processors, CU_ATTRIBUTE_PROCESSORS }, { &out->clock_khz, CU_ATTRIBUTE_CLOCK },
    { &out->threads, CU_ATTRIBUTE_MAX_THREADS }, { &out->shared, CU_ATTRIBUTE_SHARED },
    { &out->warp, CU_ATTRIBUTE_WARP } };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
    SG_CU (cuDeviceGetAttribute, list[i].value, list[i].attribute, id);
  if (is_open && index == sg_dev.index && sg_device_enter () == SG_OK
      && sg_cu.cuMemGetInfo_v2 (&left, &bytes) == 0)
    out->available = left;
  return SG_OK;
}
