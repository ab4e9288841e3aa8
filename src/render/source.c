/* The kernels of a plan as text, for those who look at them.  */

#include <inttypes.h>

#include "../core/build.h"
#include "../core/look.h"
#include "../core/slots.h"
#include "render.h"

/* The operations of step K and where they were made.  */
static void
emit_nodes (FILE *f, const sg_plan *p, sg_node *const *order, int k)
{
  for (int i = 0; i < p->nnodes; i++)
    if (p->step_of[i] == k)
      {
        const char *place = sg_host_place (order[i]->origin);
        fprintf (f, "//   v%d = %s%s%s\n", i, sg_op_info (order[i]->op)->name, place[0] ? ", " : "",
                 place);
      }
}

static void
emit_launch (FILE *f, const sg_launch *l)
{
  static const char *const word[] = {
    [SG_ARG_SLOT] = "v%" PRId64, [SG_ARG_INT] = "%" PRId64, [SG_ARG_START] = "start %" PRId64,
    [SG_ARG_STEP] = "step %" PRId64, [SG_ARG_VECTOR] = "positions %" PRId64,
    [SG_ARG_SCRATCH] = "scratch %" PRId64, [SG_ARG_FLAGS] = "flags %" PRId64 };
  fprintf (f, "// %" PRId64 " blocks of %d threads; arguments:", l->blocks, l->threads);
  for (int i = 0; i < l->narg; i++)
    {
      fputs (i ? ", " : " ", f);
      fprintf (f, word[l->arg[i].kind], l->arg[i].value);
    }
  fprintf (f, "\n%s\n", l->text);
}

static sg_status
emit_step (FILE *f, const sg_plan *p, sg_node *const *order, int k)
{
  sg_rendered r;
  fprintf (f, "// step %d, %s\n", k + 1, sg_work_name (sg_step_work (&p->step[k])));
  emit_nodes (f, p, order, k);
  sg_status s = sg_render_cuda (p, &p->step[k], order, &r);
  if (s == SG_DELEGATE)
    {
      fputs ("// no kernel: a library or the CPU does it\n\n", f);
      return SG_OK;
    }
  SG_TRY (s);
  for (int i = 0; i < r.nlaunch; i++)
    emit_launch (f, &r.launch[i]);
  sg_rendered_clear (&r);
  return SG_OK;
}

sg_status
sg_look_cuda (FILE *f, int n, sg_node *const *roots)
{
  sg_graph g;
  sg_plan *p;
  sg_status s = sg_plan_of (&g, n, roots, SG_WANT_HOST, &p);
  for (int k = 0; s == SG_OK && k < p->nsteps; k++)
    s = emit_step (f, p, g.order, k);
  sg_graph_clear (&g);
  return s;
}
