/* The body of a loop over the elements of a map program.  */

#include <string.h>

#include "body.h"
#include "views.h"

/* ---- expressions of the tables --------------------------------------------------------- */

/* The texts of cplx.def: of both parts, or of a complex number.  */
typedef struct cplx_row
{
  const char *re, *im, *z;
} cplx_row;

static const cplx_row cplx_text[SG_NOP][SG_NCX] = {
#define CX(form, id, out, re, im) [SG_##id][SG_CX_##form] = { #re, #im, NULL },
#define CZ(form, id, out, text) [SG_##id][SG_CX_##form] = { NULL, NULL, #text },
#include "../core/cplx.def"
};

static const char *const guard_text[] = {
#define GUARD(id, n, test) [SG_GUARD_##id] = #test,
#include "../core/guard.def"
};

/* How a number in range becomes an element; what SAT saturates to.  Of integers of 64 bits only
   those in registers of their own are stored, and nothing saturates to them.  */
static const struct
{
  const char *to, *range;
} conv_text[SG_NCLASS] = {
  [SG_F64] = { "(double) x", NULL },
  [SG_F32] = { "(float) x", NULL },
  [SG_BOOL] = { "x != 0", NULL },
  [SG_I8] = { "(int8_t) (int32_t) x", "-128.0, 127.0" },
  [SG_I16] = { "(int16_t) (int32_t) x", "-32768.0, 32767.0" },
  [SG_I32] = { "(int32_t) x", "-2147483648.0, 2147483647.0" },
  [SG_U8] = { "(uint8_t) (int32_t) x", "0.0, 255.0" },
  [SG_U16] = { "(uint16_t) (int32_t) x", "0.0, 65535.0" },
  [SG_U32] = { "(uint32_t) x", "0.0, 4294967295.0" },
  [SG_I64] = { "x", NULL },
  [SG_U64] = { "x", NULL }
};

static void
set_word (sg_word *w, const char *word, const char *with, int number)
{
  w->word = word;
  if (number < 0)
    snprintf (w->with, sizeof w->with, "%s", with);
  else
    snprintf (w->with, sizeof w->with, "%s%d", with, number);
}

/* EXPR with its operands put in.  */
static void
add_expr (sg_draft *k, const char *expr, const sg_ins *x, sg_rtype rt)
{
  sg_word w[8];
  int n = 0;
  const struct { const char *word; int reg; } part[] = {
    { "ar", x->a }, { "ai", x->ai }, { "br", x->b }, { "bi", x->bi }, { "a", x->a }, { "b", x->b },
    { "c", x->c }
  };
  set_word (&w[n++], "T", sg_rtype_ctype (rt), -1);
  for (int i = 0; i < 7; i++)
    if (part[i].reg >= 0)
      set_word (&w[n++], part[i].word, "r", part[i].reg);
  sg_text_expr (&k->text, expr, n, w);
  if (strstr (expr, "sg_") || strstr (expr, "SG_"))
    k->needs |= SG_NEEDS_MATH;
}

static void
add_indent (sg_draft *k)
{
  sg_text_add (&k->text, "%*s", k->indent, "");
}

static void
assign (sg_draft *k, int reg, sg_rtype rt, const char *expr, const sg_ins *x)
{
  add_indent (k);
  sg_text_add (&k->text, "const %s r%d = ", sg_rtype_ctype (rt), reg);
  add_expr (k, expr, x, rt);
  sg_text_add (&k->text, ";\n");
}

/* ---- sources --------------------------------------------------------------------------- */

static bool
is_cplx (const sg_body *b, int slot)
{
  return b->k->p->slot[slot].cplx;
}

/* The type of an element in memory.  */
static const char *
element_type (const sg_body *b, int slot)
{
  const sg_slot *s = &b->k->p->slot[slot];
  return s->cplx ? sg_pair_ctype (s->cls) : sg_class_ctype (s->cls);
}

static int
operand (sg_body *b, int slot)
{
  char type[40];
  snprintf (type, sizeof type, "const %s", element_type (b, slot));
  return sg_draft_slot (b->k, slot, type);
}

static int
result (sg_body *b, int slot)
{
  return sg_draft_slot (b->k, slot, element_type (b, slot));
}

/* In elements of the slot; a complex one is two numbers.  */
static int64_t
stride_of (const sg_body *b, const sg_source *s, int d)
{
  return s->stride[d] / (is_cplx (b, s->slot) ? 2 : 1);
}

static bool
same_source (const sg_body *b, const sg_source *s, int slot, const int64_t *stride, int view)
{
  if (s->slot != slot || ! s->stride != ! stride || s->view != view)
    return false;
  return ! stride || memcmp (s->stride, stride, (size_t) b->m->nd * sizeof *stride) == 0;
}

static int
find_source (sg_body *b, int slot, const int64_t *stride, int view)
{
  for (int i = 0; i < b->nsrc; i++)
    if (same_source (b, &b->src[i], slot, stride, view))
      return i;
  sg_source *s = &b->src[b->nsrc];
  *s = (sg_source) { .slot = slot, .stride = stride, .view = view, .param = operand (b, slot) };
  for (int d = 0; stride && d < b->m->nd; d++)
    {
      int64_t st = stride_of (b, s, d);
      s->step[d] = st == 0 || st == 1 ? -1 : sg_draft_int (b->k, st);
    }
  return b->nsrc++;
}

/* A register is made by the program if an instruction has it as its result.  */
static bool
is_made (const sg_map *m, int reg)
{
  for (int i = 0; i < m->nins; i++)
    if (m->ins[i].o == reg || m->ins[i].oi == reg)
      return true;
  return false;
}

static void
find_sources (sg_body *b)
{
  const sg_map *m = b->m;
  bool spread = false;

  for (int r = 0; r < m->nreg; r++)
    b->from[r] = m->reg[r].kind == SG_REG_MEM && ! is_made (m, r)
                 ? find_source (b, m->reg[r].slot, NULL, -1) : -1;
  for (int i = 0; i < m->nins; i++)
    if (m->ins[i].kind == SG_INS_LOAD)
      b->from[m->ins[i].o] = find_source (b, m->ins[i].slot, m->ins[i].stride, m->ins[i].view);
  for (int i = 0; i < b->nsrc; i++)
    for (int d = 0; b->src[i].stride && d < m->nd; d++)
      spread |= b->src[i].stride[d] != 0;
  for (int d = 0; d < m->nd; d++)
    b->dim[d] = spread && d < m->nd - 1 ? sg_draft_int (b->k, m->dim[d]) : -1;
}

/* ---- what can be done ------------------------------------------------------------------ */

static bool
has_kernel (const sg_body *b, const sg_ins *x)
{
  switch (x->kind)
    {
    case SG_INS_LOAD:
    case SG_INS_STORE:
      return conv_text[x->cls].to != NULL;
    case SG_INS_SAT:
      return conv_text[x->cls].to != NULL;
    case SG_INS_OP:
      return ! sg_op_info (x->op)->native;
    case SG_INS_CPLX:
      return cplx_text[x->op][x->form].re || cplx_text[x->op][x->form].z;
    case SG_INS_GUARD:
      return guard_text[sg_op_info (x->op)->guard] != NULL;
    default:
      return true;
    }
  (void) b;
}

sg_status
sg_body_init (sg_body *b, sg_draft *k, const sg_map *m)
{
  *b = (sg_body) { .k = k, .m = m, .flags = -1 };
  if (m->nd > SG_MAXND)
    return SG_DELEGATE;
  bool flags = false;
  for (int r = 0; r < m->nreg; r++)
    if (m->reg[r].kind != SG_REG_SCRATCH && ! conv_text[k->p->slot[m->reg[r].slot].cls].to)
      return SG_DELEGATE;
  for (int i = 0; i < m->nins; i++)
    {
      if (! has_kernel (b, &m->ins[i]))
        return SG_DELEGATE;
      flags |= m->ins[i].kind == SG_INS_GUARD || m->ins[i].kind == SG_INS_NARROW;
    }
  for (int i = 0; i < m->nsink; i++)
    flags |= m->sink[i].root;
  b->src = sg_malloc ((size_t) (m->nreg + m->nins) * sizeof *b->src);
  b->from = sg_malloc ((size_t) m->nreg * sizeof *b->from);
  if (! b->src || ! b->from)
    return sg_fail (SG_NOMEM, "out of memory for the text of a kernel");
  find_sources (b);
  if (flags)
    b->flags = sg_draft_pointer (k, (sg_arg) { SG_ARG_FLAGS, -1, 0 }, "int");
  return SG_OK;
}

void
sg_body_clear (sg_body *b)
{
  sg_free (b->src);
  sg_free (b->from);
}

int
sg_body_unroll (const sg_body *b)
{
  const sg_map *m = b->m;
  int64_t bytes = 0;

  for (int i = 0; i < m->nins; i++)
    {
      const sg_ins *x = &m->ins[i];
      if ((x->kind == SG_INS_OP && sg_op_info (x->op)->ulp > 0)
          || (x->kind == SG_INS_CPLX && cplx_text[x->op][x->form].z))
        return 1;
    }
  for (int i = 0; i < b->nsrc; i++)
    bytes += (int64_t) sg_class_bytes (b->k->p->slot[b->src[i].slot].cls);
  return bytes <= 8 ? 4 : bytes <= 32 ? 2 : 1;
}

/* ---- before and after the loop --------------------------------------------------------- */

static int
flag_of (sg_body *b, const sg_ins *x)
{
  return sg_draft_flag (b->k, x->kind == SG_INS_GUARD ? SG_FLAG_GUARD : SG_FLAG_NARROW, x->node);
}

static bool
has_flag (const sg_ins *x)
{
  return x->kind == SG_INS_GUARD || x->kind == SG_INS_NARROW;
}

void
sg_body_begin (sg_body *b)
{
  const sg_map *m = b->m;

  for (int r = 0; r < m->nreg; r++)
    if (m->reg[r].kind == SG_REG_SCALAR)
      {
        const char *type = sg_rtype_ctype (m->reg[r].rt);
        const char *part = ! is_cplx (b, m->reg[r].slot) ? "" : m->reg[r].part ? ".im" : ".re";
        sg_line (b->k, "const %s r%d = (%s) p%d[0]%s;", type, r, type,
                 operand (b, m->reg[r].slot), part);
      }
  for (int i = 0; i < m->nins; i++)
    if (has_flag (&m->ins[i]))
      sg_line (b->k, "int f%d = 0;", flag_of (b, &m->ins[i]));
}

/* Most threads find the flag set: then it is only read.  */
void
sg_body_end (sg_body *b)
{
  for (int i = 0; i < b->m->nins; i++)
    if (has_flag (&b->m->ins[i]))
      {
        int f = flag_of (b, &b->m->ins[i]);
        sg_line (b->k, "if (f%d && ! fl%d[%d])", f, b->flags, f);
        sg_line (b->k, "  fl%d[%d] = 1;", b->flags, f);
      }
}

/* ---- loads ----------------------------------------------------------------------------- */

void
sg_body_declare (sg_body *b, int n)
{
  for (int i = 0; i < b->nsrc; i++)
    sg_line (b->k, "%s l%d[%d];", element_type (b, b->src[i].slot), i, n);
}

static bool
needs_coordinate (const sg_body *b, int d)
{
  for (int i = 0; i < b->nsrc; i++)
    if (b->src[i].stride && b->src[i].stride[d] != 0)
      return true;
  return false;
}

/* The coordinates of element i: c0, c1 ...  */
static void
add_coordinates (sg_body *b)
{
  int last = b->m->nd - 1;
  char rest[16] = "i";

  while (last >= 0 && ! needs_coordinate (b, last))
    last--;
  for (int d = 0; d <= last; d++)
    {
      bool whole = d == b->m->nd - 1;
      if (whole)
        sg_line (b->k, "const P c%d = %s;", d, rest);
      else if (needs_coordinate (b, d))
        sg_line (b->k, "const P c%d = %s %% (P) n%d;", d, rest, b->dim[d]);
      if (d < last)
        {
          sg_line (b->k, "const P q%d = %s / (P) n%d;", d, rest, b->dim[d]);
          snprintf (rest, sizeof rest, "q%d", d);
        }
    }
}

static void
add_offset (sg_body *b, const sg_source *s)
{
  sg_text *t = &b->k->text;
  const char *plus = "";

  if (! s->stride)
    sg_text_add (t, "i");
  for (int d = 0; s->stride && d < b->m->nd; d++)
    if (s->stride[d] != 0)
      {
        sg_text_add (t, s->step[d] < 0 ? "%sc%d" : "%sc%d * (P) n%d", plus, d, s->step[d]);
        plus = " + ";
      }
  if (s->stride && ! *plus)
    sg_text_add (t, "0");
}

void
sg_body_load (sg_body *b, const char *sub)
{
  add_coordinates (b);
  for (int i = 0; i < b->nsrc; i++)
    {
      if (b->src[i].view >= 0)
        sg_view_declare (b->k, b->src[i].view, i);
      add_indent (b->k);
      if (! *sub)
        sg_text_add (&b->k->text, "const %s ", element_type (b, b->src[i].slot));
      sg_text_add (&b->k->text, "l%d%s = p%d[", i, sub, b->src[i].param);
      if (b->src[i].view >= 0)
        sg_text_add (&b->k->text, "v%d", i);
      else
        add_offset (b, &b->src[i]);
      sg_text_add (&b->k->text, "];\n");
    }
}

/* ---- instructions ---------------------------------------------------------------------- */

/* Register REG is (part PART of) its source.  */
static void
fetch (sg_body *b, int reg, int part, const char *sub)
{
  const char *type = sg_rtype_ctype (b->m->reg[reg].rt);
  int s = b->from[reg];
  const char *member = ! is_cplx (b, b->src[s].slot) ? "" : part ? ".im" : ".re";
  sg_line (b->k, "const %s r%d = (%s) l%d%s%s;", type, reg, type, s, sub, member);
}

static void
complex_operand (sg_draft *k, const char *type, char name, int reg, int im)
{
  char x[2][16] = { "0", "0" };
  if (reg >= 0)
    snprintf (x[0], sizeof x[0], "r%d", reg);
  if (im >= 0)
    snprintf (x[1], sizeof x[1], "r%d", im);
  sg_line (k, "const sg_cplx_%s %c = SG_CPLX (%s, %s, %s);", type, name, type, x[0], x[1]);
}

/* Through complex numbers.  */
static void
add_complex (sg_draft *k, const sg_ins *x, sg_rtype rt, const char *expr)
{
  const char *type = sg_rtype_ctype (rt);
  sg_word w = { "T", "" };

  set_word (&w, "T", type, -1);
  k->needs |= SG_NEEDS_MATH | SG_NEEDS_CMATH;
  sg_line (k, "%s r%d;", type, x->o);
  if (x->oi >= 0)
    sg_line (k, "%s r%d;", type, x->oi);
  sg_open (k);
  complex_operand (k, type, 'a', x->a, x->ai);
  if (x->b >= 0)
    complex_operand (k, type, 'b', x->b, x->bi);
  add_indent (k);
  if (x->oi >= 0)
    sg_text_add (&k->text, "const sg_cplx_%s z = ", type);
  else
    sg_text_add (&k->text, "r%d = ", x->o);
  sg_text_expr (&k->text, expr, 1, &w);
  sg_text_add (&k->text, ";\n");
  if (x->oi >= 0)
    {
      sg_line (k, "r%d = sg_creal (z);", x->o);
      sg_line (k, "r%d = sg_cimag (z);", x->oi);
    }
  sg_close (k);
}

static void
add_parts (sg_draft *k, const sg_ins *x, sg_rtype rt)
{
  const cplx_row *row = &cplx_text[x->op][x->form];
  if (row->z)
    add_complex (k, x, rt, row->z);
  else
    {
      assign (k, x->o, rt, row->re, x);
      if (x->oi >= 0)
        assign (k, x->oi, rt, row->im, x);
    }
}

static void
add_saturated (sg_draft *k, const sg_ins *x)
{
  const char *range = conv_text[x->cls].range;
  if (range)
    {
      k->needs |= SG_NEEDS_MATH;
      sg_line (k, "const double r%d = SG_SATURATE (r%d, %s);", x->o, x->a, range);
    }
  else if (x->cls == SG_F32)
    sg_line (k, "const double r%d = (double) (float) r%d;", x->o, x->a);
  else
    sg_line (k, "const double r%d = r%d%s;", x->o, x->a, x->cls == SG_BOOL ? " != 0" : "");
}

bool
sg_body_value (sg_draft *k, const sg_ins *x, sg_rtype rt)
{
  switch (x->kind)
    {
    case SG_INS_OP:
    case SG_INS_OP3:
      assign (k, x->o, rt, sg_op_info (x->op)->text, x);
      return true;
    case SG_INS_CPLX:
      add_parts (k, x, rt);
      return true;
    case SG_INS_SAT:
      add_saturated (k, x);
      return true;
    case SG_INS_CVT:
      assign (k, x->o, rt, "(T) a", x);
      return true;
    default:
      return false;
    }
}

void
sg_body_guard (sg_draft *k, const sg_ins *x, sg_rtype rt, int flag)
{
  add_indent (k);
  sg_text_add (&k->text, "f%d |= ", flag);
  add_expr (k, guard_text[sg_op_info (x->op)->guard], x, rt);
  sg_text_add (&k->text, ";\n");
}

const char *
sg_body_part_text (const sg_ins *x, int part)
{
  const cplx_row *row = &cplx_text[x->op][x->form];
  return part ? row->im : row->re;
}

void
sg_body_store (sg_draft *k, int param, const char *at, sg_class cls, sg_rtype rt, const char *x)
{
  sg_word w = { "x", "" };
  set_word (&w, "x", x, -1);
  bool natural = cls == (rt == SG_R64 ? SG_F64 : SG_F32);
  sg_text_add (&k->text, "%*sp%d[%s] = ", k->indent, "", param, at);
  sg_text_expr (&k->text, natural ? "x" : conv_text[cls].to, 1, &w);
  sg_text_add (&k->text, ";\n");
}

static void
run_store (sg_body *b, const sg_ins *x)
{
  char name[16];
  int p = result (b, x->slot);

  if (is_cplx (b, x->slot))
    {
      snprintf (name, sizeof name, x->ai < 0 ? "0" : "r%d", x->ai);
      sg_line (b->k, "p%d[i] = SG_PAIR (%s, r%d, %s);", p, sg_class_ctype (x->cls), x->a, name);
      return;
    }
  snprintf (name, sizeof name, "r%d", x->a);
  sg_body_store (b->k, p, "i", x->cls, b->m->reg[x->a].rt, name);
}

static void
run_ins (sg_body *b, const sg_ins *x, const char *sub)
{
  if (x->o >= 0 && sg_body_value (b->k, x, b->m->reg[x->o].rt))
    return;
  switch (x->kind)
    {
    case SG_INS_LOAD:
      fetch (b, x->o, x->part, sub);
      break;
    case SG_INS_GUARD:
      sg_body_guard (b->k, x, b->m->reg[x->a].rt, flag_of (b, x));
      break;
    case SG_INS_NARROW:
      sg_line (b->k, "f%d |= r%d != 0;", flag_of (b, x), x->a);
      break;
    case SG_INS_STORE:
      run_store (b, x);
      break;
    default:
      b->take (b, x->sink, x->a);
      break;
    }
}

void
sg_body_run (sg_body *b, const char *sub)
{
  const sg_map *m = b->m;

  for (int r = 0; r < m->nreg; r++)
    if (m->reg[r].kind == SG_REG_MEM && b->from[r] >= 0)
      fetch (b, r, 0, sub);
  for (int i = 0; i < m->nins; i++)
    {
      const sg_ins *x = &m->ins[i];
      run_ins (b, x, sub);
      const int made[2] = { x->o, x->oi };
      for (int j = 0; j < 2; j++)
        if (made[j] >= 0 && m->reg[made[j]].kind == SG_REG_MEM)
          sg_line (b->k, "p%d[i] = r%d;", result (b, m->reg[made[j]].slot), made[j]);
    }
}
