/* Plans that were made, by the key of their graph.  The whole key is compared, so that two
   graphs never share a plan by accident.  */

#include <string.h>

#include "build.h"

#define NBUCKETS 1024

static sg_plan *bucket[NBUCKETS];
static uint64_t clock_;

static void
drop (sg_plan **p)
{
  sg_plan *dead = *p;
  *p = dead->next;
  sg_plan_free (dead);
  sg_count.plans--;
}

static void
drop_oldest (void)
{
  sg_plan **oldest = NULL;
  for (int i = 0; i < NBUCKETS; i++)
    for (sg_plan **p = &bucket[i]; *p; p = &(*p)->next)
      if (! oldest || (*p)->used < (*oldest)->used)
        oldest = p;
  drop (oldest);
}

void
sg_plan_cache_clear (void)
{
  for (int i = 0; i < NBUCKETS; i++)
    while (bucket[i])
      drop (&bucket[i]);
}

sg_status
sg_plan_get (sg_graph *g, sg_plan **out)
{
  sg_plan **head = &bucket[g->hash % NBUCKETS];
  for (sg_plan *p = *head; p; p = p->next)
    if (p->hash == g->hash && p->nkey == g->nkey
        && memcmp (p->key, g->key, g->nkey * sizeof *g->key) == 0)
      {
        p->used = ++clock_;
        sg_count.plan_hits++;
        *out = p;
        return SG_OK;
      }
  sg_count.plan_misses++;
  SG_TRY (sg_plan_build (g, out));
  while (sg_count.plans > 0 && sg_count.plans >= sg_cfg.plans)
    drop_oldest ();
  (*out)->used = ++clock_;
  (*out)->next = *head;
  *head = *out;
  sg_count.plans++;
  return SG_OK;
}
