/* The system's C compiler, run beside the program, and what it has made.  All but the work itself is
   for the main thread.  */

#ifndef SG_CPU_COMPILER_H
#define SG_CPU_COMPILER_H

#include "../core/symgpu.h"

/* Functions of one text, int NAME (long n, void *const *p); it lives as long as the process.  */
typedef struct sg_object sg_object;
typedef int (*sg_object_fn) (long n, void *const *p);

/* The object of TEXT, whose functions are sg_s0, sg_s1 ... sg_s(NFN - 1); the same text has the same
   object.  NULL: there are too many, or no memory.  */
sg_object * sg_object_of (const char *text, int nfn);

/* Ask that it be looked for among those that were kept on disk, and compiled if it is not there and
   COMPILE says so; SYNC: wait for it.  To ask again does nothing more than the first time.  */
void sg_object_ask (sg_object *o, bool compile, bool sync);

/* What it is compiled from; it stays.  */
const char * sg_object_text (const sg_object *o);
/* Its functions, once they are there, else NULL.  */
const sg_object_fn * sg_object_functions (sg_object *o);

#endif
