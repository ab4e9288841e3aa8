/* Stands in for the renderer where there is none: the CPU does every step.  */

#include "../render/render.h"

__attribute__ ((weak)) const sg_header sg_render_headers[] = { { NULL, NULL } };

__attribute__ ((weak)) sg_status
sg_render_cuda (const sg_plan *p, const sg_step *s, sg_node *const *order, sg_rendered *out)
{
  (void) p, (void) s, (void) order, (void) out;
  return SG_DELEGATE;
}

__attribute__ ((weak)) sg_status
sg_render_cuda_verify (const sg_plan *p, int slot, sg_rendered *out)
{
  (void) p, (void) slot, (void) out;
  return SG_DELEGATE;
}

__attribute__ ((weak)) void
sg_rendered_clear (sg_rendered *r)
{
  (void) r;
}
