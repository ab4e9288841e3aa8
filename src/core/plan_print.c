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

static void
emit_ins (FILE *f, const sg_map *m, const sg_ins *x)
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
  emit_reg (f, m, x->a);
  emit_reg (f, m, x->ai);
  emit_reg (f, m, x->b);
  emit_reg (f, m, x->bi);
  emit_reg (f, m, x->c);
  fputc ('\n', f);
}

static void
emit_map (FILE *f, const sg_map *m)
{
  fprintf (f, "loop over %" PRId64 " elements, %d scratch blocks", m->numel, m->nscratch);
  if (m->nsink)
    fprintf (f, ", reductions of %" PRId64 " x %" PRId64 " x %" PRId64 " over the middle",
             m->pre, m->len, m->post);
  fputc ('\n', f);
  for (int i = 0; i < m->nins; i++)
    emit_ins (f, m, &m->ins[i]);
}

static void
emit_step (FILE *f, const sg_step *s, sg_node *const *order)
{
  static const char *const flag[] = { "", ".'", "'" };
  switch (s->kind)
    {
    case SG_STEP_MAP:
      emit_map (f, &s->u.map);
      break;
    case SG_STEP_SCAN:
      fprintf (f, "v%d = %s v%d%s\n", s->u.scan.out, sg_op_info (s->u.scan.op)->id, s->u.scan.in,
               s->u.scan.descend ? ", descending" : "");
      break;
    case SG_STEP_GEMM:
      fprintf (f, "v%d = v%d%s * v%d%s, %" PRId64 " x %" PRId64 " x %" PRId64 "\n",
               s->u.gemm.out, s->u.gemm.a, flag[s->u.gemm.ta], s->u.gemm.b,
               flag[s->u.gemm.tb], s->u.gemm.m, s->u.gemm.k, s->u.gemm.n);
      break;
    case SG_STEP_MOVE:
      fprintf (f, "v%d = %s", s->u.move.out, sg_op_info (s->u.move.op)->name);
      for (int i = 0; i < s->u.move.nin; i++)
        fprintf (f, " v%d", s->u.move.in[i]);
      fputc ('\n', f);
      break;
    case SG_STEP_FOREIGN:
      fprintf (f, "v%d = Octave's %s", s->u.foreign.out,
               sg_op_info (order[s->u.foreign.node]->op)->name);
      for (int i = 0; i < s->u.foreign.nin; i++)
        fprintf (f, " v%d", s->u.foreign.in[i]);
      fputc ('\n', f);
      break;
    }
}

void
sg_plan_emit (FILE *f, const sg_plan *p, sg_node *const *order)
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
      emit_step (f, &p->step[k], order);
    }
}
