/* The functions of CUDA, looked up in libraries that are opened when they are needed.  */

#ifndef SG_CUDA_API_H
#define SG_CUDA_API_H

#include "../core/symgpu.h"

typedef enum sg_lib
{
#define LIB(id, ...) SG_LIB_##id,
#define API(lib, needed, result, symbol, arguments)
#include "api.def"
  SG_NLIB
} sg_lib;

/* NULL: not opened, or not in this version of the library.  */
typedef struct sg_api
{
#define LIB(id, ...)
#define API(lib, needed, result, symbol, arguments) result (*symbol) arguments;
#include "api.def"
} sg_api;
extern sg_api sg_cu;

/* Open a library, if it is not.  SG_NO_CUDA: none of its names was found where libraries are, or
   a function is missing; sg_message says which.  */
sg_status sg_api_open (sg_lib lib);
/* The file it was read from; "" if it is not open.  */
const char * sg_api_file (sg_lib lib);
void sg_api_close (void);

/* Say that a call of the driver or of cuBLAS has failed; returns SG_CUDA_ERROR.  */
sg_status sg_cu_fail (const char *call, int error);
#define SG_CU(fn, ...)                                                          \
  do                                                                            \
    {                                                                           \
      int e_ = sg_cu.fn (__VA_ARGS__);                                          \
      if (e_ != 0)                                                              \
        return sg_cu_fail (#fn, e_);                                            \
    }                                                                           \
  while (0)

/* Numbers of cuda.h that are used.  */
enum
{
  CU_OUT_OF_MEMORY = 2,
  CU_NOT_READY = 600,

  CU_ATTRIBUTE_MAX_THREADS = 1,
  CU_ATTRIBUTE_SHARED = 8,
  CU_ATTRIBUTE_WARP = 10,
  CU_ATTRIBUTE_CLOCK = 13,
  CU_ATTRIBUTE_PROCESSORS = 16,
  CU_ATTRIBUTE_MAJOR = 75,
  CU_ATTRIBUTE_MINOR = 76,
  CU_ATTRIBUTE_POOLS = 115,

  CU_POOL_RELEASE_THRESHOLD = 4,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_STREAM_NON_BLOCKING = 1,
  CU_FUNCTION_DYNAMIC_SHARED = 8
};

#endif
