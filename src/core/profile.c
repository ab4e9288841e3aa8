/* Where the time goes, by kind of step and by line of the user's program.  */

#include <string.h>
#include <time.h>

#include "profile.h"

bool sg_profile_on;
void (*sg_progress) (int step, int nsteps);
static sg_profile_row *row;
static int nrow, room;

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

void
sg_profile_add (sg_work work, uint32_t origin, double start, int64_t bytes)
{
  if (! sg_profile_on)
    return;
  double seconds = sg_now () - start;
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
sg_profile_step (const sg_plan *p, sg_node *const *order, const sg_step *s, double start)
{
  sg_slots t;
  if (! sg_profile_on || sg_slots_init (&t, p) != SG_OK)
    return;
  sg_slots_of (&t, s);
  int node = p->slot[t.write[t.nwrite - 1]].node;
  sg_profile_add (sg_step_work (s), node < 0 ? 0 : order[node]->origin, start,
                  t.read_bytes + t.write_bytes);
  sg_slots_clear (&t);
}
