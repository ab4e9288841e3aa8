/* The device: one context, one stream, in whose order everything happens; its memory; what is
   brought there and back.  */

#ifndef SG_CUDA_DEVICE_H
#define SG_CUDA_DEVICE_H

#include "../core/symgpu.h"

/* Memory of the device.  Given back, it is used again by whatever the stream does next.  */
typedef struct sg_block sg_block;
struct sg_block
{
  uint64_t address;
  size_t bytes;
  int refs;
  sg_block *next;            /* in the list of free blocks */
};

/* The device in use.  */
typedef struct sg_device
{
  int index;
  int id;                    /* the driver's number */
  int major, minor;
  int processors;
  void *context, *stream;
  void *cublas;
  size_t total;
  bool pools;                /* allocates in the order of the stream */
  int generation;            /* counts openings: what older ones have made is gone */
} sg_device;
extern sg_device sg_dev;
/* This process was made by fork from one that used the device: it cannot.  */
extern bool sg_device_forked;

/* Make the context of device INDEX and its stream.  */
sg_status sg_device_open (int index);
/* Give all memory and the context back.  */
void sg_device_close (void);
/* Give up a device that has failed, and the values that are only there.  */
void sg_cuda_abandon (void);
/* The context is that of this thread.  */
sg_status sg_device_enter (void);

/* SG_DEVICE_MEMORY: there is no more, even when what is kept for reuse has been given back.  */
sg_status sg_block_get (size_t bytes, sg_block **out);
sg_block * sg_block_ref (sg_block *b);
void sg_block_unref (sg_block *b);
/* Give back what is kept for reuse.  */
void sg_block_trim (void);

/* A piece of memory to be brought from the device.  */
typedef struct sg_piece
{
  void *to;
  uint64_t from;
  size_t bytes;
} sg_piece;

/* DATA may change when this returns.  */
sg_status sg_upload (uint64_t to, const void *data, size_t bytes);
/* All the pieces; waits for them and for all that was asked for before.  */
sg_status sg_download (int n, const sg_piece *piece);
sg_status sg_zero (uint64_t at, size_t bytes);
/* Wait until the stream is empty; SG_INTERRUPTED if the user does not want to.  */
sg_status sg_device_wait (void);

#endif
