/* Plans as text.  */

#include <inttypes.h>

#include "build.h"

static void
emit_value (FILE *f, const sg_plan *p, sg_node *const *order, int k)
{
  static const char *const kind[] = { [SG_SLOT_LEAF] = "input", [SG_SLOT_ARENA] = "temporary",
                                      [SG_SLOT_POOL] = "kept",
                                      [SG_SLOT_HOST] = "value", [SG_SLOT_FOREIGN] = "Octave's",
                                      [SG_SLOT_ALIAS] = "the same as" };
  const sg_slot *s = &p->slot[k];
  char dims[200];
  sg_dims_text (dims, sizeof dims, s->nd, s->dim);
  fprintf (f, "  v%-4d %-8s%s %-14s %s", k, sg_class_name (s->cls), s->cplx ? " complex" : "",
           dims, kind[s->kind]);
  if (s->kind == SG_SLOT_ALIAS)
    fprintf (f, " v%d", s->alias);
  else if (s->kind == SG_SLOT_ARENA)
    fprintf (f, " at %" PRId64, s->offset);
  else if (s->kind == SG_SLOT_LEAF && order[s->node]->name)
    fprintf (f, " %s", order[s->node]->name);
  fputs (s->output ? ", result\n" : "\n", f);
}

static void
emit_reg (FILE *f, const sg_map *m, int r)
{
  if (r < 0)
    return;
  if (m->reg[r].slot >= 0)
    fprintf (f, " v%d", m->reg[r].slot);
  else
    fprintf (f, " r%d", r);
}

/* The operation of node K and the place where it was made.  */
static void
emit_node (FILE *f, sg_node *const *order, int k, bool places)
{
  if (! places || k < 0)
    return;
  const char *place = sg_host_place (order[k]->origin);
  fprintf (f, "    %% %s%s%s", sg_op_info (order[k]->op)->name, place[0] ? ", " : "", place);
}

static void
emit_ins (FILE *f, const sg_map *m, const sg_ins *x, sg_node *const *order, bool places)
{
  static const char *const word[] = { [SG_INS_LOAD] = "load", [SG_INS_OP] = "",
                                      [SG_INS_OP3] = "",
                                      [SG_INS_SAT] = "saturate", [SG_INS_CVT] = "convert",
                                      [SG_INS_GUARD] = "guard", [SG_INS_STORE] = "store",
                                      [SG_INS_SINK] = "reduce", [SG_INS_CPLX] = "",
                                      [SG_INS_NARROW] = "not all 0" };
  fputs ("       ", f);
  emit_reg (f, m, x->o);
  emit_reg (f, m, x->oi);
  if (x->kind == SG_INS_STORE)
    fprintf (f, " v%d", x->slot);
  if (x->kind == SG_INS_SINK)
    fprintf (f, " v%d", m->sink[x->sink].slot);
  fputs (x->kind == SG_INS_GUARD ? " guard of" : " =", f);
  if (x->kind == SG_INS_OP || x->kind == SG_INS_OP3 || x->kind == SG_INS_CPLX
      || x->kind == SG_INS_GUARD)
    fprintf (f, " %s%s", x->kind == SG_INS_CPLX ? "complex " : "", sg_op_info (x->op)->name);
  else
    fprintf (f, " %s", word[x->kind]);
  if (x->kind == SG_INS_SINK)
    fprintf (f, " %s%s", m->sink[x->sink].root ? "root of " : "",
             sg_op_info (m->sink[x->sink].op)->name);
  if (x->kind == SG_INS_SAT)
    fprintf (f, " %s", sg_class_name (x->cls));
  if (x->kind == SG_INS_LOAD)
    fprintf (f, " v%d%s%s", x->slot, x->part ? " (imaginary part)" : "",
             x->stride ? " (strided)" : "");
  if (x->view >= 0)
    fprintf (f, " at the subscripts of v%d", x->view);
  emit_reg (f, m, x->a);
  emit_reg (f, m, x->ai);
  emit_reg (f, m, x->b);
  emit_reg (f, m, x->bi);
  emit_reg (f, m, x->c);
  if (x->kind == SG_INS_OP || x->kind == SG_INS_OP3 || x->kind == SG_INS_CPLX
      || x->kind == SG_INS_SINK)
    emit_node (f, order, x->node, places);
  fputc ('\n', f);
}

static void
emit_map (FILE *f, const sg_map *m, sg_node *const *order, bool places)
{
  fprintf (f, "loop over %" PRId64 " elements, %d scratch blocks", m->numel, m->nscratch);
  if (m->nsink)
    fprintf (f, ", reductions of %" PRId64 " x %" PRId64 " x %" PRId64 " over the middle",
             m->pre, m->len, m->post);
  fputc ('\n', f);
  for (int i = 0; i < m->nins; i++)
    emit_ins (f, m, &m->ins[i], order, places);
  if (places && m->tier && m->tier->text)
    fprintf (f, "    compiled, but for what it calls, as\n%s", m->tier->text);
}

static void
emit_operands (FILE *f, int nin, const int *in)
{
  for (int i = 0; i < nin; i++)
    fprintf (f, " v%d", in[i]);
}

static void
emit_step (FILE *f, const sg_plan *p, const sg_step *s, sg_node *const *order, bool places)
{
  static const char *const flag[] = { "", ".'", "'" };
  int out;
  switch (s->kind)
    {
    case SG_STEP_MAP:
      emit_map (f, &s->u.map, order, places);
      return;
    case SG_STEP_SCAN:
      out = s->u.scan.out;
      fprintf (f, "v%d = %s v%d%s", out, sg_op_info (s->u.scan.op)->id, s->u.scan.in,
               s->u.scan.descend ? ", descending" : "");
      break;
    case SG_STEP_GEMM:
      out = s->u.gemm.out;
      fprintf (f, "v%d = v%d%s * v%d%s, %" PRId64 " x %" PRId64 " x %" PRId64,
               out, s->u.gemm.a, flag[s->u.gemm.ta], s->u.gemm.b,
               flag[s->u.gemm.tb], s->u.gemm.m, s->u.gemm.k, s->u.gemm.n);
      break;
    case SG_STEP_MOVE:
      out = s->u.move.out;
      fprintf (f, "v%d = %s", out, sg_op_info (s->u.move.op)->name);
      emit_operands (f, s->u.move.nin, s->u.move.in);
      break;
    default:
      out = s->u.foreign.out;
      fprintf (f, "v%d = Octave's %s", out, sg_op_info (order[s->u.foreign.node]->op)->name);
      emit_operands (f, s->u.foreign.nin, s->u.foreign.in);
      break;
    }
  emit_node (f, order, p->slot[out].node, places);
  fputc ('\n', f);
}

void
sg_plan_emit (FILE *f, const sg_plan *p, sg_node *const *order, bool places)
{
  fprintf (f, "plan of %d steps, %" PRId64 " bytes for temporary values\n", p->nsteps,
           p->arena_bytes);
  for (int k = 0; k < p->nslots; k++)
    if (p->slot[k].bytes > 0 || p->slot[k].kind == SG_SLOT_LEAF
        || p->slot[k].kind == SG_SLOT_ALIAS)
      emit_value (f, p, order, k);
  for (int k = 0; k < p->nsteps; k++)
    {
      fprintf (f, "  %3d: ", k + 1);
      emit_step (f, p, &p->step[k], order, places);
    }
}
