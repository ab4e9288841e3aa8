/* From the text of a kernel to a function that can be launched.  */

#ifndef SG_CUDA_MODULE_H
#define SG_CUDA_MODULE_H

#include "../core/symgpu.h"

/* The function NAME of TEXT, a whole translation unit.  It stays until the device is closed.  */
sg_status sg_module_get (const char *name, const char *text, void **function);
/* Launch it; ARG are the addresses of 8-byte arguments.  */
sg_status sg_module_launch (void *function, int64_t blocks, int threads, int shared,
                            void **arg);
/* Forget all functions.  */
void sg_module_clear (void);
/* Version of the compiler, 13000 for 13.0; 0 if there is none.  */
int sg_compiler_version (void);

#endif
