/* Compiled kernels and loops on disk, so that each is compiled once for all sessions.  */

#ifndef SG_STORE_H
#define SG_STORE_H

#include "symgpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* H goes on with N bytes; it begins with SG_HASH_START.  */
#define SG_HASH_START UINT64_C (0xcbf29ce484222325)
uint64_t sg_store_hash (uint64_t h, const void *data, size_t n);

/* All that the code depends on is in the key, which is compared as a whole.  */
typedef struct sg_store_key
{
  const char *text;
  size_t size;
  const char *folder;        /* NULL: the one of the settings, which only the main thread may read */
} sg_store_key;

/* The folder, as the setting or the environment names it; false: there is to be none.  */
bool sg_store_folder (char *path, size_t size);
/* Look for code under KEY; the caller frees DATA.  False: there is none that is whole and
   the user's own.  */
bool sg_store_find (sg_store_key key, void **data, size_t *size);
/* Keep code for the next time; what goes wrong does no harm.  */
void sg_store_keep (sg_store_key key, const void *data, size_t size);
/* Forget the code under a key that cannot be loaded.  */
void sg_store_drop (sg_store_key key);

/* What the user may know of it; FOLDER "": none are kept.  */
typedef struct sg_store_about
{
  char folder[4096];
  int64_t files, bytes, limit;
} sg_store_about;
void sg_store_info (sg_store_about *out);

/* Bytes that the folder may hold; the files used longest ago go first.  */
extern int64_t sg_store_limit;

#ifdef __cplusplus
}
#endif
#endif
