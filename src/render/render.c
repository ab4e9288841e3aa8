/* What a step needs: which file renders it.  */

#include <string.h>

#include "../core/engine.h"
#include "../core/store.h"
#include "draft.h"

/* What takes longer to compile than the CPU takes to do it: a long program, a concatenation of
   many pieces, each of which is a kernel.  */
#define MANY_INSTRUCTIONS 2000
#define MANY_PIECES 200

static bool
is_long (const sg_step *s)
{
  return (s->kind == SG_STEP_MAP && s->u.map.nins > MANY_INSTRUCTIONS)
         || (s->kind == SG_STEP_MOVE && s->u.move.nin > MANY_PIECES);
}

static sg_status
render (const sg_plan *p, const sg_step *s, sg_node *const *order, sg_rendered *out)
{
  switch (s->kind)
    {
    case SG_STEP_MAP:
      if (s->u.map.numel == 0)
        return SG_OK;
      return (s->u.map.nsink > 0 ? sg_render_reduction : sg_render_map)
             (p, &s->u.map, order, out);
    case SG_STEP_SCAN:
      return sg_render_scan (p, &s->u.scan, out);
    case SG_STEP_MOVE:
      return sg_render_move (p, &s->u.move, order, out);
    case SG_STEP_FOREIGN:
      return sg_render_wide (p, &s->u.foreign, order, out);
    default:
      return SG_DELEGATE;
    }
}

sg_status
sg_render_cuda (const sg_plan *p, const sg_step *s, sg_node *const *order, sg_rendered *out)
{
  *out = (sg_rendered) { 0 };
  if (is_long (s))
    return SG_DELEGATE;
  sg_status st = render (p, s, order, out);
  if (st != SG_OK)
    sg_rendered_clear (out);
  return st;
}

sg_status
sg_cuda_has_kernel (const sg_plan *p, const sg_step *s, sg_node *const *order, bool *out)
{
  sg_rendered r;
  sg_status st = sg_render_cuda (p, s, order, &r);
  *out = st == SG_OK;
  sg_rendered_clear (&r);
  return st == SG_DELEGATE ? SG_OK : st;
}

static sg_status
verify (sg_draft *k, int slot)
{
  const sg_slot *s = &k->p->slot[slot];
  char type[40];
  snprintf (type, sizeof type, "const %s", sg_pair_ctype (s->cls));
  int p = sg_draft_slot (k, slot, type), n = sg_draft_int (k, s->numel);
  int fl = sg_draft_pointer (k, (sg_arg) { SG_ARG_FLAGS, -1, 0 }, "int");
  int f = sg_draft_flag (k, SG_FLAG_NARROW, s->node);
  sg_line (k, "const P i = (P) blockIdx.x * %d + threadIdx.x;", SG_THREADS);
  sg_line (k, "if (i < (P) n%d && p%d[i].im != 0 && ! fl%d[%d])", n, p, fl, f);
  sg_line (k, "  fl%d[%d] = 1;", fl, f);
  return sg_draft_finish (k, sg_draft_div (s->numel, SG_THREADS));
}

sg_status
sg_render_cuda_verify (const sg_plan *p, int slot, sg_rendered *out)
{
  sg_draft k;
  *out = (sg_rendered) { 0 };
  if (p->slot[slot].numel == 0)
    return SG_OK;
  sg_draft_init (&k, p, NULL, out, p->slot[slot].numel);
  sg_status s = verify (&k, slot);
  sg_draft_clear (&k);
  if (s != SG_OK)
    sg_rendered_clear (out);
  return s;
}

uint64_t
sg_render_headers_hash (void)
{
  uint64_t h = SG_HASH_START;
  for (const sg_header *x = sg_render_headers; x->name; x++)
    h = sg_store_hash (sg_store_hash (h, x->name, strlen (x->name)), x->text, strlen (x->text));
  return h;
}
