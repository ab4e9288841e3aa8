/* Where the time goes, by kind of step and by line of the user's program.  */

#include <string.h>
#include <time.h>

#include "profile.h"

bool sg_profile_on;
void (*sg_progress) (int step, int nsteps);
static sg_profile_row *row;
static int nrow, room;
static struct { int count; double seconds, waited; } compiled;

double
sg_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

void
sg_profile_reset (void)
{
  sg_free (row);
  row = NULL;
  nrow = room = 0;
  memset (&compiled, 0, sizeof compiled);
}

int
sg_profile_count (void)
{
  return nrow;
}

const sg_profile_row *
sg_profile_get (int k)
{
  return &row[k];
}

static void
add (sg_work work, uint32_t origin, double seconds, int64_t bytes)
{
  int k = 0;
  while (k < nrow && ! (row[k].work == work && row[k].origin == origin))
    k++;
  if (k == room)
    {
      int more = 2 * room + 32;
      sg_profile_row *p = sg_realloc (row, more * sizeof *p);
      /* Without memory the report lacks a line.  */
      if (! p)
        return;
      row = p;
      room = more;
    }
  if (k == nrow)
    row[nrow++] = (sg_profile_row) { .work = work, .origin = origin };
  row[k].count++;
  row[k].seconds += seconds;
  row[k].bytes += bytes;
}

void
sg_profile_add (sg_work work, uint32_t origin, double start, int64_t bytes)
{
  if (sg_profile_on)
    add (work, origin, sg_now () - start, bytes);
}

void
sg_profile_compiled (double seconds, bool waited)
{
  compiled.count++;
  compiled.seconds += seconds;
  compiled.waited += waited ? seconds : 0;
}

/* What has been compiled since the last time.  */
static void
add_compiled (uint32_t origin)
{
  if (compiled.count > 0)
    add (SG_WORK_COMPILE, origin, compiled.seconds, 0);
  memset (&compiled, 0, sizeof compiled);
}

/* Its last result names the step; false: there is no memory to find it.  */
static bool
describe (const sg_plan *p, sg_node *const *order, const sg_step *s, uint32_t *origin,
          int64_t *bytes)
{
  sg_slots t;
  if (sg_slots_init (&t, p) != SG_OK)
    return false;
  sg_slots_of (&t, s);
  int node = p->slot[t.write[t.nwrite - 1]].node;
  *origin = node < 0 ? 0 : order[node]->origin;
  *bytes = t.read_bytes + t.write_bytes;
  sg_slots_clear (&t);
  return true;
}

void
sg_profile_step (const sg_plan *p, sg_node *const *order, const sg_step *s, sg_work work,
                 double start)
{
  uint32_t origin;
  int64_t bytes;
  if (! sg_profile_on || ! describe (p, order, s, &origin, &bytes))
    return;
  add (work, origin, sg_now () - start - compiled.waited, bytes);
  add_compiled (origin);
}

void
sg_profile_code (const sg_plan *p, sg_node *const *order, const sg_step *s)
{
  uint32_t origin;
  int64_t bytes;
  if (sg_profile_on && compiled.count > 0 && describe (p, order, s, &origin, &bytes))
    add_compiled (origin);
}
