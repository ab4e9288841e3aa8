/* Between the files that run a plan on the device: run.c does the steps in order, place.c knows
   where values are and brings them where they are needed.  */

#ifndef SG_CUDA_RUN_H
#define SG_CUDA_RUN_H

#include "../core/engine.h"
#include "../core/slots.h"
#include "code.h"
#include "device.h"
#include "resident.h"

/* Where a value is; both, perhaps.  */
enum { SG_ON_HOST = 1, SG_ON_DEVICE = 2 };

/* The positions of a subscript, brought to the device.  */
typedef struct sg_positions
{
  const int64_t *vec;
  sg_block *block;
} sg_positions;

typedef struct sg_cuda_run
{
  sg_run r;                  /* with the addresses of the host, for steps that the CPU does */
  const sg_graph *g;
  sg_plan *p;
  sg_code *c;
  sg_buf **buf;              /* by slot; owned, but for leaves; none for values of the arena */
  uint64_t *address;         /* by slot, on the device */
  uint8_t *where;            /* by slot */
  void *host_arena;
  sg_block *arena, *flags;
  sg_slots slots;            /* of the last step that the CPU has done */
  int *flag;                 /* what the flags said last */
  uint8_t *known;            /* by flag: the host has looked itself */
  int npositions, positions_room;
  sg_positions *positions;
  int dead, verified;        /* how far the plan's lists have been worked off */
} sg_cuda_run;

/* Launch kernel number L of a step; SCRATCH is the memory of the step, or NULL.  */
sg_status sg_cuda_launch (sg_cuda_run *x, const sg_kernels_of *k, int l, const sg_block *scratch);
/* The loop of step STEP by slices, after there was no memory to do it at once.  SG_DEVICE_MEMORY:
   that cannot be done, either.  */
sg_status sg_cuda_run_slices (sg_cuda_run *x, int step);

/* Slots that exist before the first step.  */
void sg_place_bind (sg_cuda_run *x);
void sg_place_clear (sg_cuda_run *x);
/* The value of a slot on the device, to be read there; memory for it, to be written.  */
sg_status sg_place_on_device (sg_cuda_run *x, int slot);
sg_status sg_place_new_on_device (sg_cuda_run *x, int slot);
/* Its value has memory of Octave's, also while it is on the device alone.  */
bool sg_place_is_for_host (const sg_slot *s);
/* The same on the host; N slots at once, and the flags.  */
sg_status sg_place_on_host (sg_cuda_run *x, int n, const int *slot);
sg_status sg_place_new_on_host (sg_cuda_run *x, int slot);
/* What the host has made of a slot that is Octave's.  */
void sg_place_foreign (sg_cuda_run *x, int slot, sg_buf *b);
/* The address of the positions of a subscript.  */
sg_status sg_place_positions (sg_cuda_run *x, const sg_index *idx, uint64_t *address);

#endif
