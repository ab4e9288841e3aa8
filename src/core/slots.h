/* What the steps of a plan read and write.  */

#ifndef SG_SLOTS_H
#define SG_SLOTS_H

#include "look.h"
#include "plan.h"

typedef struct sg_slots
{
  const sg_plan *p;
  int *seen;                 /* by slot: 2 * number of the look + 1 if it is written */
  int turn;
  int nread, nwrite;
  int *read, *write;         /* slots, each once; what is written is not among what is read */
  int64_t read_bytes, write_bytes;
} sg_slots;

sg_status sg_slots_init (sg_slots *t, const sg_plan *p);
/* Fill in what S reads and writes.  */
void sg_slots_of (sg_slots *t, const sg_step *s);
void sg_slots_clear (sg_slots *t);

sg_work sg_step_work (const sg_step *s);

#endif
