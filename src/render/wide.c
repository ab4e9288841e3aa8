/* Operations on integers of 64 bits, which plans leave to Octave: a kernel for each node.  The
   functions are those of sg_wide.h; sums, products and scans of them are those of doubles, as in
   Octave.  */

#include "../core/build.h"
#include "body.h"

bool sg_wide_by_cases = true;

/* Expressions in operands that are integers of 64 bits or doubles.  */
static const char *const wide_text[SG_NOP] = {
  [SG_PLUS] = "sg_plus (a, b)", [SG_MINUS] = "sg_minus (a, b)", [SG_TIMES] = "sg_times (a, b)",
  [SG_RDIVIDE] = "sg_over (a, b)", [SG_LDIVIDE] = "sg_over (b, a)",
  [SG_LT] = "sg_compare (a, b) == -1", [SG_LE] = "sg_compare (a, b) <= 0",
  [SG_EQ] = "sg_compare (a, b) == 0", [SG_GE] = "sg_is_at_least (sg_compare (a, b))",
  [SG_GT] = "sg_compare (a, b) == 1", [SG_NE] = "sg_compare (a, b) != 0",
  [SG_AND] = "a != 0 && b != 0", [SG_OR] = "a != 0 || b != 0", [SG_NOT] = "a == 0",
  [SG_MAX2] = "a >= b ? a : b", [SG_MIN2] = "a <= b ? a : b",
  [SG_UMINUS] = "sg_opposite (a)", [SG_UPLUS] = "a", [SG_ABS] = "sg_size_of (a)",
  [SG_SIGN] = "sg_sign_of (a)", [SG_FIX] = "a", [SG_FLOOR] = "a", [SG_CEIL] = "a",
  [SG_ROUND] = "a", [SG_REAL] = "a", [SG_IMAG] = "0", [SG_CONJ] = "a", [SG_ISNAN] = "0",
  [SG_ISINF] = "0", [SG_ISFINITE] = "1", [SG_SELECT] = "a ? b : c"
};

/* Classes of fewer bits: their ends.  */
static const char *const ends[SG_NCLASS] = {
  [SG_I8] = "-128, 127", [SG_I16] = "-32768, 32767", [SG_I32] = "-2147483647 - 1, 2147483647",
  [SG_U8] = "0, 255", [SG_U16] = "0, 65535", [SG_U32] = "0, 4294967295ll"
};

#define OPERANDS 3

/* A map program that only loads, or that ends in a reduction.  */
typedef struct program
{
  sg_map m;
  sg_reg reg[OPERANDS];
  sg_ins ins[OPERANDS];
  int64_t stride[OPERANDS][SG_MAXND];
} program;

/* ---- what can be done ------------------------------------------------------------------ */

static bool
is_float (sg_class c)
{
  return sg_class_kind (c) == SG_KIND_FLOAT;
}

/* Conversions are an expression of their own.  */
static bool
has_text (const sg_node *n)
{
  const sg_opinfo *row = sg_op_info (n->op);
  return row->family == SG_FAM_EW
         && (wide_text[n->op] || row->in == SG_IN_CASTS);
}

static bool
has_lines (const sg_node *n)
{
  sg_family f = sg_op_info (n->op)->family;
  return f == SG_FAM_SCAN || (f == SG_FAM_RED && n->op != SG_DOT && n->op != SG_NORM);
}

/* What Octave makes of floats may be complex; of integers it makes real values.  */
static bool
is_real (const sg_plan *p, sg_node *const *order, int slot)
{
  const sg_slot *s = &p->slot[slot];
  const sg_node *n = s->node >= 0 ? order[s->node] : NULL;
  if (! is_float (s->cls))
    return true;
  if (s->kind == SG_SLOT_LEAF && n->wide)
    return false;
  if (s->kind == SG_SLOT_FOREIGN)
    return sg_is_wide (n->in[0]->cls) && (has_text (n) || has_lines (n));
  return ! s->cplx;
}

/* Where classes meet: Octave takes the truth of NaN here and there, and goes by cases unless it
   was built to use "long double".  */
static bool
classes_agree (const sg_node *n)
{
  sg_in in = sg_op_info (n->op)->in;
  bool mixed = false, wide = sg_is_wide (n->cls), floats = false;
  for (int i = 0; i < n->nin; i++)
    {
      mixed |= ! sg_is_wide (n->in[i]->cls);
      wide |= sg_is_wide (n->in[i]->cls);
      floats |= is_float (n->in[i]->cls);
    }
  if (in == SG_IN_LOGIC && floats)
    return false;
  if ((in == SG_IN_ARITH || in == SG_IN_COMP) && mixed && ! sg_wide_by_cases)
    return false;
  return wide && (n->op != SG_SELECT || sg_is_wide (n->cls));
}

static bool
has_kernel (const sg_plan *p, const sg_foreign *f, sg_node *const *order)
{
  const sg_node *n = order[f->node];
  if (n->dyn || n->narrow || n->numel == 0 || n->nd > SG_MAXND || f->nin > OPERANDS)
    return false;
  for (int i = 0; i < f->nin; i++)
    if (n->in[i]->numel == 0 || ! is_real (p, order, f->in[i]))
      return false;
  return classes_agree (n) && (has_text (n) || has_lines (n));
}

/* ---- elementwise ------------------------------------------------------------------------- */

static void
add_load (program *q, int slot, const sg_node *a, const sg_node *n, sg_class cls)
{
  int k = q->m.nins++;
  q->ins[k] = (sg_ins) { .kind = SG_INS_LOAD, .cls = cls, .o = k, .a = -1, .b = -1, .c = -1,
                         .oi = -1, .ai = -1, .bi = -1, .slot = slot, .view = -1, .node = -1 };
  q->reg[k] = (sg_reg) { .kind = SG_REG_SCRATCH, .scratch = -1, .slot = -1 };
  q->m.nreg++;
  if (sg_same_dims (a, n))
    return;
  int64_t step = 1;
  for (int d = 0; d < n->nd; d++)
    {
      q->stride[k][d] = sg_extent (a, d) == 1 ? 0 : step;
      step *= sg_extent (a, d);
    }
  q->ins[k].stride = q->stride[k];
}

/* X, of class FROM, as class TO.  */
static void
convert (char *text, size_t size, sg_class to, sg_class from, const char *x)
{
  if (sg_is_wide (to))
    snprintf (text, size, sg_is_wide (from) ? "sg_integer ((%s) 0, %s)"
              : "sg_integer ((%s) 0, (double) %s)", sg_class_ctype (to), x);
  else if (ends[to])
    snprintf (text, size, "(%s) sg_within (%s, %s)", sg_class_ctype (to), x, ends[to]);
  else if (to == SG_BOOL)
    snprintf (text, size, "%s != 0", x);
  else
    snprintf (text, size, "(%s) %s", sg_class_ctype (to), x);
}

/* What stands for operand I of node N, which is source number SOURCE.  */
static void
operand (char *text, size_t size, const sg_node *n, int i, int source)
{
  sg_class cls = n->in[i]->cls;
  sg_in in = sg_op_info (n->op)->in;
  char x[16];
  snprintf (x, sizeof x, "l%d", source);
  if (in == SG_IN_CASTS || in == SG_IN_MINMAX || (n->op == SG_SELECT && i > 0))
    convert (text, size, n->cls, cls, x);
  else
    snprintf (text, size, sg_is_wide (cls) ? "%s" : "(double) %s", x);
}

static sg_status
write_elements (sg_body *b, const sg_node *n, int out)
{
  static const char *const word[OPERANDS] = { "a", "b", "c" };
  sg_draft *k = b->k;
  sg_text text = { 0 };
  sg_word w[OPERANDS];
  int count = sg_draft_int (k, n->numel), p = sg_draft_slot (k, out, sg_class_ctype (n->cls));

  k->needs |= SG_NEEDS_MATH | SG_NEEDS_WIDE;
  sg_line (k, "const P i = (P) blockIdx.x * %d + threadIdx.x;", SG_THREADS);
  sg_line (k, "if (i < (P) n%d)", count);
  sg_open (k);
  sg_body_load (b, "");
  for (int i = 0; i < n->nin; i++)
    {
      char x[80];
      operand (x, sizeof x, n, i, b->from[i]);
      sg_line (k, "const auto r%d = %s;", i, x);
      w[i].word = word[i];
      snprintf (w[i].with, sizeof w[i].with, "r%d", i);
    }
  sg_text_expr (&text, wide_text[n->op] ? wide_text[n->op] : "a", n->nin, w);
  k->failed |= text.failed;
  sg_line (k, "p%d[i] = %s;", p, text.s ? text.s : "");
  sg_text_clear (&text);
  sg_close (k);
  return sg_draft_finish (k, sg_draft_div (n->numel, SG_THREADS));
}

static sg_status
render_elements (const sg_plan *p, const sg_foreign *f, sg_node *const *order, sg_rendered *out)
{
  const sg_node *n = order[f->node];
  program q = { .m = { .numel = n->numel, .reg = q.reg, .ins = q.ins } };
  sg_draft k;
  sg_body b = { 0 };

  for (int i = 0; i < n->nin; i++)
    add_load (&q, f->in[i], n->in[i], n, n->in[i]->cls);
  SG_TRY (sg_build_dims (&q.m, &p->slot[f->out]));
  sg_draft_init (&k, p, order, out, n->numel);
  sg_status s = sg_body_init (&b, &k, &q.m);
  if (s == SG_OK)
    s = write_elements (&b, n, f->out);
  sg_body_clear (&b);
  sg_draft_clear (&k);
  sg_free (q.m.dim);
  return s;
}

/* ---- lines ------------------------------------------------------------------------------- */

static bool
is_extreme (sg_op op)
{
  return op == SG_MAX || op == SG_MIN || op == SG_IMAX || op == SG_IMIN;
}

static sg_status
render_reduction (const sg_plan *p, const sg_foreign *f, sg_node *const *order, sg_rendered *out)
{
  const sg_node *n = order[f->node], *a = n->in[0];
  sg_rtype rt = ! is_extreme (n->op) ? SG_R64 : a->cls == SG_I64 ? SG_RI64 : SG_RU64;
  sg_sink sink = { .op = n->op, .rt = rt, .slot = f->out, .cls = n->cls, .part = -1,
                   .node = f->node };
  int64_t numel = a->numel;
  program q = { .m = { .numel = numel, .nd = 1, .dim = &numel, .reg = q.reg, .ins = q.ins,
                       .nsink = 1, .sink = &sink } };

  sg_line_shape (a, (int) n->par[0], &q.m.pre, &q.m.len, &q.m.post);
  add_load (&q, f->in[0], a, a, a->cls);
  q.reg[0].rt = rt;
  q.ins[q.m.nins++] = (sg_ins) { .kind = SG_INS_SINK, .o = -1, .a = 0, .b = -1, .c = -1,
                                 .oi = -1, .ai = -1, .bi = -1, .slot = -1, .view = -1,
                                 .node = f->node };
  return sg_render_reduction (p, &q.m, order, out);
}

static sg_status
render_scan (const sg_plan *p, const sg_foreign *f, sg_node *const *order, sg_rendered *out)
{
  const sg_node *n = order[f->node], *a = n->in[0];
  bool place = sg_op_is_place (n->op);
  sg_scan s = { .op = n->op, .cls = place ? a->cls : n->cls, .in = f->in[0], .out = f->out,
                .descend = n->npar > 1 && n->par[1] };

  sg_line_shape (n, (int) n->par[0], &s.pre, &s.len, &s.post);
  return sg_render_scan (p, &s, out);
}

sg_status
sg_render_wide (const sg_plan *p, const sg_foreign *f, sg_node *const *order, sg_rendered *out)
{
  if (! has_kernel (p, f, order))
    return SG_DELEGATE;
  switch (sg_op_info (order[f->node]->op)->family)
    {
    case SG_FAM_RED:
      return render_reduction (p, f, order, out);
    case SG_FAM_SCAN:
      return render_scan (p, f, order, out);
    default:
      return render_elements (p, f, order, out);
    }
}
