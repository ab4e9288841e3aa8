/* Values that are on the device: which, where, and whose.  */

#ifndef SG_CUDA_RESIDENT_H
#define SG_CUDA_RESIDENT_H

#include "../core/symgpu.h"
#include "device.h"

/* The device's record of a value; it goes with the buffer.  */
typedef struct sg_resident sg_resident;
struct sg_resident
{
  sg_remote base;
  sg_buf *buf;               /* NULL: not given to a buffer yet */
  sg_block *block;           /* the value begins at OFFSET of it; other values may share it;
                                NULL: lost with the device */
  size_t offset, bytes;
  uint32_t origin;           /* where the user made it */
  bool in_use;               /* of the run under way */
  sg_resident *newer, *older;
};

/* Take the reference to BLOCK.  */
sg_status sg_resident_new (sg_block *block, size_t offset, size_t bytes, uint32_t origin,
                           sg_resident **out);
/* The record of a buffer, NULL if its value is not on the device.  */
sg_resident * sg_resident_of (const sg_buf *b);
void sg_resident_give (sg_resident *r, sg_buf *b);
static inline uint64_t
sg_resident_address (const sg_resident *r)
{
  return r->block->address + r->offset;
}

/* Let go of copies of values that the host has too and the run under way does not use; true if
   there were any.  */
bool sg_resident_evict (void);
/* The same of the copy of B, though the run under way uses it; false if the host has it not.  */
bool sg_resident_release (sg_buf *b);
/* Bring all values to the host that are not there, and let go of the device's.  */
sg_status sg_resident_leave (void);
/* The device is gone: what the host has is kept, all else is lost.  */
void sg_resident_lose (void);
/* "3 MB made at train.m:5, ...": the largest.  */
void sg_resident_largest (char *text, size_t size);

#endif
