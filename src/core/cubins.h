/* What the user may know of the cache of compiled kernels.  */

#ifndef SG_CUBINS_H
#define SG_CUBINS_H

#include "symgpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FOLDER "": none are kept.  */
typedef struct sg_cache_info
{
  char folder[4096];
  int64_t files, bytes, limit;
} sg_cache_info;

void sg_cuda_cache_info (sg_cache_info *out);

#ifdef __cplusplus
}
#endif
#endif
