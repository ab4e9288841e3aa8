/* Straight pieces of map programs as C.  */

#include <string.h>

#include "../../kernels/sg_block.h"
#include "body.h"
#include "segments.h"

/* ---- what can be text -------------------------------------------------------------------- */

static const struct
{
  const char *ctype, *load, *store;
} conv_text[SG_NCLASS] = {
#define X(id, ctype, from, to) [SG_##id] = { #ctype, #from, #to },
  SG_CONV_CLASSES (X)
#undef X
};

/* The functions of sg_math.h that are a few instructions without branches; what else there is has
   better code in a kernel of its own.  */
static const char *const plain_functions[] = {
  "sg_fabs", "sg_trunc", "sg_floor", "sg_ceil", "sg_copysign", "sg_sqrt", "sg_max", "sg_min", "sg_mod",
  "sg_rem", "sg_nint", "sg_sign", "sg_round", "sg_arg", "sg_isinf", "sg_isfinite"
};

static bool
is_plain_name (const char *name, size_t n)
{
  for (size_t k = 0; k < sizeof plain_functions / sizeof *plain_functions; k++)
    if (strlen (plain_functions[k]) == n && memcmp (plain_functions[k], name, n) == 0)
      return true;
  return false;
}

static bool
is_plain (const char *expr)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
  for (const char *s = expr; (s = strstr (s, "sg_")); )
    {
      size_t n = strspn (s, letters);
      if (! is_plain_name (s, n))
        return false;
      s += n;
    }
  return true;
}

static bool
is_plain_complex (const sg_ins *x)
{
  const char *re = sg_body_part_text (x, 0), *im = sg_body_part_text (x, 1);
  return re && is_plain (re) && (x->oi < 0 || is_plain (im));
}

int
sg_segment_step (const sg_plan *p, const sg_map *m, const sg_ins *x)
{
  if (! conv_text[x->cls].ctype)
    return 0;
  if (x->kind == SG_INS_STORE)
    return p->slot[x->slot].cplx ? 2 : 1;
  if (x->view >= 0)
    return 0;
  if (! x->stride)
    return 1;
  return m->nd == 1 && (x->stride[0] == 1 || x->stride[0] == 2) ? (int) x->stride[0] : 0;
}

sg_seghow
sg_segment_how (const sg_plan *p, const sg_map *m, const sg_ins *x)
{
  bool text = false;
  switch (x->kind)
    {
    case SG_INS_LOAD:
    case SG_INS_STORE:
      text = sg_segment_step (p, m, x) > 0;
      break;
    case SG_INS_OP:
    case SG_INS_OP3:
      text = ! sg_op_info (x->op)->native && is_plain (sg_op_info (x->op)->text);
      break;
    case SG_INS_CPLX:
      text = is_plain_complex (x);
      break;
    case SG_INS_SAT:
      text = conv_text[x->cls].ctype != NULL;
      break;
    case SG_INS_CVT:
    case SG_INS_GUARD:
    case SG_INS_NARROW:
      text = true;
      break;
    case SG_INS_SINK:
      break;
    }
  return text ? SG_SEG_TEXT : SG_SEG_CALL;
}

/* ---- writing ----------------------------------------------------------------------------- */

typedef struct writer
{
  sg_draft k;
  const sg_map *m;
  const char *how;
  sg_segment *s;
  int *name;                 /* by register: its number in the text, -1: none yet */
  int *last;                 /* by register: the last instruction of the program that takes it */
  int nname;
  sg_text param;             /* declarations of the arguments */
} writer;

static int
add_arg (writer *w, bool mem, int index, const char *type)
{
  sg_segment *s = w->s;
  for (int i = 0; i < s->narg; i++)
    if (s->arg[i].mem == mem && s->arg[i].index == index)
      return i;
  sg_text_add (&w->param, "  %s *p%d = p[%d];\n", type, s->narg, s->narg);
  s->arg[s->narg] = (sg_segarg) { mem, index };
  return s->narg++;
}

/* A register that comes from outside gets a line that reads it: before the loop if it is the same
   for all elements, for which OUTSIDE stands, else in it.  */
static void
take_register (writer *w, int r, bool outside)
{
  const sg_reg *g = &w->m->reg[r];
  bool scalar = g->kind == SG_REG_SCALAR;
  if (w->name[r] >= 0 || scalar != outside)
    return;
  const char *type = sg_rtype_ctype (g->rt);
  int p = add_arg (w, false, r, g->rt == SG_R64 ? "const double" : "const float");
  w->name[r] = w->nname++;
  sg_line (&w->k, "const %s r%d = p%d[%s];", type, w->name[r], p, scalar ? "0" : "i");
}

/* True if instruction K, which lies in the range of the segment, is part of it.  */
static bool
is_part (const writer *w, int k)
{
  return w->how[k] == SG_SEG_TEXT || w->how[k] == SG_SEG_SQUARE;
}

/* True if an instruction of the segment before K makes register R.  */
static bool
is_made (const writer *w, int r, int k)
{
  for (int i = w->s->from; i < k; i++)
    if (is_part (w, i) && (w->m->ins[i].o == r || w->m->ins[i].oi == r))
      return true;
  return false;
}

/* The registers that instruction K takes from outside of the segment: their number.  */
static int
from_outside (const writer *w, int k, int reg[SG_NOPERAND])
{
  const int use[SG_NUSED] = SG_USED (&w->m->ins[k]);
  int n = 0;
  for (int u = 0; u < SG_NOPERAND && is_part (w, k); u++)
    if (use[u] >= 0 && ! is_made (w, use[u], k))
      reg[n++] = use[u];
  return n;
}

static void
take_operands (writer *w, bool outside)
{
  for (int k = w->s->from; k < w->s->to; k++)
    {
      int reg[SG_NOPERAND], n = from_outside (w, k, reg);
      for (int i = 0; i < n; i++)
        take_register (w, reg[i], outside);
    }
}

static void
load (writer *w, int k)
{
  const sg_ins *x = &w->m->ins[k];
  const char *type = sg_rtype_ctype (w->m->reg[x->o].rt);
  char at[80];
  sg_word word = { "a", "" };

  snprintf (at, sizeof at, "const %s", conv_text[x->cls].ctype);
  int p = add_arg (w, true, k, at);
  w->name[x->o] = w->nname++;
  int step = sg_segment_step (w->k.p, w->m, x);
  snprintf (word.with, sizeof word.with, step == 2 ? "p%d[2 * i]" : "p%d[i]", p);
  sg_text_add (&w->k.text, "%*sconst %s r%d = (%s) (", w->k.indent, "", type, w->name[x->o], type);
  sg_text_expr (&w->k.text, conv_text[x->cls].load, 1, &word);
  sg_text_add (&w->k.text, ");\n");
}

/* All that is read comes before the first store: a result may lie where an operand was.  */
static void
take_memory (writer *w)
{
  for (int k = w->s->from; k < w->s->to; k++)
    if (w->how[k] == SG_SEG_TEXT && w->m->ins[k].kind == SG_INS_LOAD)
      load (w, k);
}

static void
store (writer *w, int k)
{
  const sg_ins *x = &w->m->ins[k];
  const char *ctype = conv_text[x->cls].ctype;
  sg_word word = { "a", "" };
  int p = add_arg (w, true, k, ctype);

  if (w->k.p->slot[x->slot].cplx)
    {
      sg_line (&w->k, "p%d[2 * i] = r%d;", p, w->name[x->a]);
      if (x->ai < 0)
        sg_line (&w->k, "p%d[2 * i + 1] = 0;", p);
      else
        sg_line (&w->k, "p%d[2 * i + 1] = r%d;", p, w->name[x->ai]);
      return;
    }
  snprintf (word.with, sizeof word.with, "r%d", w->name[x->a]);
  sg_text_add (&w->k.text, "%*sp%d[i] = (%s) (", w->k.indent, "", p, ctype);
  sg_text_expr (&w->k.text, conv_text[x->cls].store, 1, &word);
  sg_text_add (&w->k.text, ");\n");
}

static int
named (const writer *w, int r)
{
  return r < 0 ? -1 : w->name[r];
}

/* X in the registers of the text; what it makes gets new ones.  */
static sg_ins
renamed (writer *w, const sg_ins *x)
{
  sg_ins y = *x;
  y.a = named (w, x->a);
  y.ai = named (w, x->ai);
  y.b = named (w, x->b);
  y.bi = named (w, x->bi);
  y.c = named (w, x->c);
  if (x->o >= 0)
    y.o = w->name[x->o] = w->nname++;
  if (x->oi >= 0)
    y.oi = w->name[x->oi] = w->nname++;
  return y;
}

static void
write_ins (writer *w, int k)
{
  const sg_ins *x = &w->m->ins[k];

  if (! is_part (w, k) || x->kind == SG_INS_LOAD)
    return;
  if (x->kind == SG_INS_STORE)
    {
      store (w, k);
      return;
    }
  sg_ins y = renamed (w, x);
  if (w->how[k] == SG_SEG_SQUARE)
    {
      y.op = SG_TIMES;
      y.b = y.a;
    }
  if (x->kind == SG_INS_GUARD || x->kind == SG_INS_NARROW)
    {
      int f = w->s->nflag;
      w->s->flag[w->s->nflag++] = k;
      if (x->kind == SG_INS_GUARD)
        sg_body_guard (&w->k, &y, w->m->reg[x->a].rt, f);
      else
        sg_line (&w->k, "f%d |= r%d != 0;", f, y.a);
      return;
    }
  sg_body_value (&w->k, &y, w->m->reg[x->o].rt);
}

/* What is taken after the segment, or is a result, goes to memory.  */
static void
leave_registers (writer *w)
{
  for (int k = w->s->from; k < w->s->to; k++)
    {
      const int made[2] = { w->m->ins[k].o, w->m->ins[k].oi };
      for (int j = 0; j < 2 && is_part (w, k); j++)
        {
          int r = made[j];
          if (r < 0 || (w->m->reg[r].kind != SG_REG_MEM && w->last[r] < w->s->to))
            continue;
          int p = add_arg (w, false, r, sg_rtype_ctype (w->m->reg[r].rt));
          sg_line (&w->k, "p%d[i] = r%d;", p, w->name[r]);
        }
    }
}

/* Flags are as wide as what they come from, so that a vector holds as many of them.  */
static void
declare_flags (writer *w, sg_text *t)
{
  for (int f = 0; f < w->s->nflag; f++)
    {
      const sg_ins *x = &w->m->ins[w->s->flag[f]];
      sg_text_add (t, "  %s f%d = 0;\n",
                   w->m->reg[x->a].rt == SG_R64 ? "int64_t" : "int32_t", f);
    }
}

static void
write_function (writer *w, int number, sg_text *t)
{
  take_operands (w, true);
  sg_text before = w->k.text;
  w->k.text = (sg_text) { 0 };
  w->k.indent = 4;
  take_memory (w);
  take_operands (w, false);
  for (int k = w->s->from; k < w->s->to; k++)
    write_ins (w, k);
  leave_registers (w);

  if (number == 0)
    sg_text_add (t, "#include \"sg_block.h\"\n\n");
  sg_text_add (t, "int\nsg_s%d (long n, void *const *p)\n{\n%s%s", number,
               w->param.s ? w->param.s : "", before.s ? before.s : "");
  declare_flags (w, t);
  sg_text_add (t, "#pragma GCC ivdep\n  for (long i = 0; i < n; i++)\n  {\n%s  }\n  return 0",
               w->k.text.s ? w->k.text.s : "");
  for (int f = 0; f < w->s->nflag; f++)
    sg_text_add (t, " | (f%d != 0) << %d", f, f);
  sg_text_add (t, ";\n}\n\n");
  t->failed |= w->k.failed | w->k.text.failed | w->param.failed | before.failed;
  sg_text_clear (&before);
}

/* Instructions that one function can take: an instruction has at most 7 registers or one place in
   memory and a register.  */
static void
limit (writer *w)
{
  int args = 0, flags = 0;
  for (int k = w->s->from; k < w->s->to; k++)
    {
      const sg_ins *x = &w->m->ins[k];
      int reg[SG_NOPERAND];
      if (! is_part (w, k))
        continue;
      args += from_outside (w, k, reg) + (x->o >= 0) + (x->oi >= 0) + (x->kind == SG_INS_LOAD || x->kind == SG_INS_STORE);
      flags += x->kind == SG_INS_GUARD || x->kind == SG_INS_NARROW;
      if (args > SG_SEGMENT_ARGS || flags > SG_SEGMENT_FLAGS)
        {
          w->s->to = k;
          return;
        }
    }
}

static void
find_last (writer *w)
{
  for (int r = 0; r < w->m->nreg; r++)
    w->name[r] = w->last[r] = -1;
  for (int k = 0; k < w->m->nins; k++)
    {
      const int use[SG_NUSED] = SG_USED (&w->m->ins[k]);
      for (int u = 0; u < SG_NOPERAND; u++)
        if (use[u] >= 0)
          w->last[use[u]] = k;
    }
}

sg_status
sg_segment_render (const sg_plan *p, const sg_map *m, const char *how, int number, sg_segment *s,
                   sg_text *text)
{
  writer w = { .k = { .p = p, .indent = 2 }, .m = m, .how = how, .s = s };

  s->narg = s->nflag = 0;
  w.name = sg_malloc (2 * (size_t) m->nreg * sizeof *w.name);
  if (! w.name)
    return sg_fail (SG_NOMEM, "out of memory for the text of a loop");
  w.last = w.name + m->nreg;
  find_last (&w);
  limit (&w);
  write_function (&w, number, text);
  sg_draft_clear (&w.k);
  sg_text_clear (&w.param);
  sg_free (w.name);
  return text->failed ? sg_fail (SG_NOMEM, "out of memory for the text of a loop") : SG_OK;
}
