/* Compiled kernels on disk, so that each is compiled once for all sessions.  */

#ifndef SG_CUDA_CUBIN_H
#define SG_CUDA_CUBIN_H

#include "../core/symgpu.h"

/* All that the code depends on is in the key, which is compared as a whole.  */
typedef struct sg_cubin_key
{
  const char *text;
  size_t size;
} sg_cubin_key;

/* The folder, as the setting or the environment names it; false: there is to be none.  */
bool sg_cubin_folder (char *path, size_t size);
/* Look for code under KEY; the caller frees DATA.  False: there is none that is whole and
   the user's own.  */
bool sg_cubin_find (sg_cubin_key key, void **data, size_t *size);
/* Keep code for the next time; what goes wrong does no harm.  */
void sg_cubin_keep (sg_cubin_key key, const void *data, size_t size);
/* Forget the code under a key that the driver did not take.  */
void sg_cubin_drop (sg_cubin_key key);

/* Bytes that the folder may hold; the files used longest ago go first.  */
extern int64_t sg_cubin_limit;

#endif
