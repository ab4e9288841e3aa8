/* For run.c: what the profile is told.  */

#ifndef SG_PROFILE_H
#define SG_PROFILE_H

#include "slots.h"

/* The time before something that is then added; 0 if the profile is off.  */
static inline double
sg_profile_start (void)
{
  return sg_profile_on ? sg_now () : 0;
}

/* What has been done since START.  */
void sg_profile_add (sg_work work, uint32_t origin, double start, int64_t bytes);
void sg_profile_step (const sg_plan *p, sg_node *const *order, const sg_step *s, sg_work work,
                      double start);

/* A compiler has run for SECONDS; WAITED: while a step ran, which waited for it.  It was for the step that is
   told of next, by sg_profile_step or by sg_profile_code, which tells of nothing else.  */
void sg_profile_compiled (double seconds, bool waited);
void sg_profile_code (const sg_plan *p, sg_node *const *order, const sg_step *s);

static inline void
sg_progress_show (int step, int nsteps)
{
  if (sg_progress)
    sg_progress (step, nsteps);
}

#endif
