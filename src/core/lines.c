/* Lines of loops: those whose values are evaluated again and again.  */

#include "look.h"
#include "node.h"

/* How many values have been evaluated, by line, operation and magnitude of the size, and from how many
   on the line is one of a loop; how many have been computed when they were made although they are
   larger than others of which that is true.  Texts that are evaluated share their lines, therefore
   the operation.  */
#define SLOTS 65536
#define LOOP 20
static uint8_t seen[SLOTS];
static uint16_t computed[SLOTS];

static unsigned
slot (uint32_t origin, unsigned op, int64_t numel)
{
  unsigned magnitude = 64 - (unsigned) __builtin_clzll ((uint64_t) numel | 1);
  return (origin * 2654435761u ^ (op * 64u + magnitude) * 2246822519u) >> 16;
}

static unsigned
slot_of (const sg_node *n)
{
  return slot (n->origin, n->op, n->numel);
}

static bool
is_loop (uint32_t origin, unsigned k)
{
  return origin > 0 && seen[k] == LOOP && sg_cfg.loop_small > 0 && sg_cfg.small > 0;
}

void
sg_line_seen (const sg_node *n)
{
  unsigned k = slot_of (n);
  seen[k] += seen[k] < LOOP;
}

void
sg_line_computed (const sg_node *n)
{
  unsigned k = slot_of (n);
  sg_line_seen (n);
  if (n->numel > sg_cfg.small && computed[k] < SG_REPEATED && ++computed[k] == SG_REPEATED)
    sg_repeated = n->origin;
}

bool
sg_line_is_loop (const sg_node *n)
{
  return is_loop (n->origin, slot_of (n));
}

bool
sg_line_again (sg_op op, int64_t numel)
{
  /* Apart from what nodes count.  */
  unsigned k = slot (sg_origin, SG_NOP + op, numel);
  if (is_loop (sg_origin, k))
    return true;
  seen[k] += seen[k] < LOOP;
  return false;
}
