/* Kernels while they are written, and the list of those that are finished.  */

#include <stdarg.h>
#include <string.h>

#include "draft.h"

/* Room for what a thread adds to its position.  */
#define MARGIN 65536
#define PER_LINE 5           /* parameters */

/* Every GPU takes 4096 bytes of arguments.  */
#define MAX_ARGS 512

void
sg_draft_init (sg_draft *k, const sg_plan *p, sg_node *const *order, sg_rendered *out,
               int64_t numel)
{
  *k = (sg_draft) { .p = p, .order = order, .out = out, .wide = numel > INT32_MAX - MARGIN,
                    .indent = 2 };
}

void
sg_draft_clear (sg_draft *k)
{
  sg_text_clear (&k->param);
  sg_text_clear (&k->text);
  sg_free (k->arg);
}

/* ---- lists that grow by one ------------------------------------------------------------ */

static bool
grow (void **list, int n, size_t each)
{
  if (n & (n - 1))
    return true;
  void *p = sg_realloc (*list, (size_t) (n > 0 ? 2 * n : 1) * each);
  if (p)
    *list = p;
  return p != NULL;
}

/* ---- parameters ------------------------------------------------------------------------ */

static bool
same_arg (const sg_arg *a, const sg_arg *b)
{
  return a->kind == b->kind && a->node == b->node && a->value == b->value;
}

static int
add_arg (sg_draft *k, sg_arg a)
{
  void *list = k->arg;
  if (k->failed || ! grow (&list, k->narg, sizeof *k->arg))
    {
      k->failed = true;
      return 0;
    }
  k->arg = list;
  k->arg[k->narg] = a;
  if (k->narg > 0)
    sg_text_add (&k->param, k->narg % PER_LINE ? ", " : ",\n      ");
  return k->narg++;
}

int
sg_draft_pointer (sg_draft *k, sg_arg a, const char *type)
{
  for (int i = 0; i < k->narg; i++)
    if (same_arg (&k->arg[i], &a))
      return i;
  int i = add_arg (k, a);
  sg_text_add (&k->param, "%s *%s%d", type, a.kind == SG_ARG_FLAGS ? "fl" : "p", i);
  return i;
}

int
sg_draft_slot (sg_draft *k, int slot, const char *type)
{
  return sg_draft_pointer (k, (sg_arg) { SG_ARG_SLOT, -1, slot }, type);
}

int
sg_draft_arg (sg_draft *k, sg_arg a)
{
  int i = add_arg (k, a);
  sg_text_add (&k->param, "long long n%d", i);
  return i;
}

int
sg_draft_int (sg_draft *k, int64_t value)
{
  return sg_draft_arg (k, (sg_arg) { SG_ARG_INT, -1, value });
}

int
sg_draft_flag (sg_draft *k, sg_flagkind kind, int node)
{
  sg_rendered *r = k->out;
  for (int i = 0; i < r->nflag; i++)
    if (r->flag[i].kind == kind && r->flag[i].node == node)
      return i;
  void *list = r->flag;
  if (! grow (&list, r->nflag, sizeof *r->flag))
    {
      k->failed = true;
      return 0;
    }
  r->flag = list;
  r->flag[r->nflag] = (sg_flag) { kind, node };
  return r->nflag++;
}

/* ---- text ------------------------------------------------------------------------------ */

void
sg_line (sg_draft *k, const char *fmt, ...)
{
  char line[512];
  va_list ap;
  va_start (ap, fmt);
  int n = vsnprintf (line, sizeof line, fmt, ap);
  va_end (ap);
  k->failed |= n >= (int) sizeof line;
  sg_text_add (&k->text, "%*s%s\n", k->indent, "", line);
}

void
sg_open (sg_draft *k)
{
  k->indent += 2;
  sg_line (k, "{");
  k->indent += 2;
}

void
sg_close (sg_draft *k)
{
  k->indent -= 2;
  sg_line (k, "}");
  k->indent -= 2;
}

static const char *const class_ctype[SG_NCLASS] = {
#define TYPE(id, name, ctype, bytes, kind) [SG_##id] = #ctype,
#include "../core/type.def"
};

/* What CUDA calls the integers of 64 bits its functions are for.  */
const char *
sg_class_ctype (sg_class c)
{
  return c == SG_I64 ? "long long" : c == SG_U64 ? "unsigned long long" : class_ctype[c];
}

const char *
sg_rtype_ctype (sg_rtype rt)
{
  static const sg_class like[] = { [SG_R64] = SG_F64, [SG_R32] = SG_F32, [SG_RI64] = SG_I64,
                                   [SG_RU64] = SG_U64 };
  return sg_class_ctype (like[rt]);
}

const char *
sg_pair_ctype (sg_class c)
{
  return c == SG_F64 ? "sg_pair<double>" : "sg_pair<float>";
}

/* ---- finished kernels ------------------------------------------------------------------ */

static sg_status
no_room (void)
{
  return sg_fail (SG_NOMEM, "out of memory for the text of a kernel");
}

static void
whole_text (const sg_draft *k, sg_text *t)
{
  sg_text_add (t, "#include \"sg_cuda.h\"\n");
  if (k->needs & SG_NEEDS_MATH)
    sg_text_add (t, "#include \"sg_math.h\"\n");
  if (k->needs & SG_NEEDS_CMATH)
    sg_text_add (t, "#include \"sg_cmath.h\"\n");
  if (k->needs & SG_NEEDS_WIDE)
    sg_text_add (t, "#include \"sg_wide.h\"\n");
  if (k->needs & SG_NEEDS_SORT)
    sg_text_add (t, "#include \"sg_sort.h\"\n");
  sg_text_add (t, "typedef %s P;\n\nextern \"C\" __global__ void\nsg_k (%s)\n{\n%s}\n",
               k->wide ? "unsigned long long" : "unsigned", k->param.s, k->text.s);
}

sg_status
sg_draft_finish (sg_draft *k, int64_t blocks)
{
  sg_rendered *r = k->out;
  sg_text t = { 0 };
  void *list = r->launch;

  if (blocks > INT32_MAX || k->narg > MAX_ARGS)
    return SG_DELEGATE;
  if (k->failed || k->param.failed || k->text.failed
      || ! grow (&list, r->nlaunch, sizeof *r->launch))
    return no_room ();
  r->launch = list;
  whole_text (k, &t);
  if (t.failed)
    {
      sg_text_clear (&t);
      return no_room ();
    }
  r->launch[r->nlaunch++] = (sg_launch) { .text = t.s, .name = "sg_k", .narg = k->narg,
                                          .arg = k->arg, .blocks = blocks,
                                          .threads = SG_THREADS };
  k->arg = NULL;
  return SG_OK;
}

void
sg_rendered_clear (sg_rendered *r)
{
  for (int i = 0; i < r->nlaunch; i++)
    {
      sg_free (r->launch[i].text);
      sg_free (r->launch[i].arg);
    }
  sg_free (r->launch);
  sg_free (r->flag);
  *r = (sg_rendered) { 0 };
}
