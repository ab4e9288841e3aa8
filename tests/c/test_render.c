/* The renderer: the text of some expressions as it stands in tests/golden ("test_render write"
   writes it anew), what must hold for every kernel, and lack of memory.  */

#include <inttypes.h>

#include "../../src/core/build.h"
#include "../../src/render/render.h"
#include "render_cases.h"

/* ---- plans and their kernels ------------------------------------------------------------ */

/* Calls STEP for each step of the plan of some roots.  */
typedef sg_status step_fn (void *ctx, const sg_plan *p, const sg_step *s, sg_node *const *order);

static sg_status
each_step (int n, sg_node **root, step_fn *step, void *ctx)
{
  sg_graph g;
  sg_plan *p;
  sg_status s = sg_graph_init (&g, n, root, SG_WANT_HOST);
  if (s == SG_OK)
    s = sg_graph_make_key (&g);
  if (s == SG_OK)
    s = sg_plan_get (&g, &p);
  for (int k = 0; s == SG_OK && k < p->nsteps; k++)
    s = step (ctx, p, &p->step[k], g.order);
  sg_graph_clear (&g);
  return s;
}

static int
count_roots (sg_node **root)
{
  int n = 0;
  while (n < ROOTS && root[n])
    n++;
  return n;
}

/* ---- golden texts ----------------------------------------------------------------------- */

static void
emit_arg (FILE *f, const sg_arg *a)
{
  static const char *const word[] = {
    [SG_ARG_SLOT] = "value v", [SG_ARG_INT] = "", [SG_ARG_START] = "start of subscript ",
    [SG_ARG_STEP] = "step of subscript ", [SG_ARG_VECTOR] = "subscript ",
    [SG_ARG_SCRATCH] = "scratch ", [SG_ARG_FLAGS] = "flags "
  };
  fprintf (f, " %s%" PRId64, word[a->kind], a->value);
}

static sg_status
emit_step (void *ctx, const sg_plan *p, const sg_step *s, sg_node *const *order)
{
  static const char *const flag[] = { [SG_FLAG_GUARD] = "guard of",
                                      [SG_FLAG_NARROW] = "not real:" };
  FILE *f = ctx;
  sg_rendered out;
  sg_status st = sg_render_cuda (p, s, order, &out);
  if (st == SG_DELEGATE)
    fputs ("\nno kernel\n", f);
  if (st != SG_OK)
    return st == SG_DELEGATE ? SG_OK : st;
  for (int i = 0; i < out.nlaunch; i++)
    {
      const sg_launch *l = &out.launch[i];
      fprintf (f, "\n%" PRId64 " blocks of %d:", l->blocks, l->threads);
      for (int a = 0; a < l->narg; a++)
        {
          emit_arg (f, &l->arg[a]);
          if (a + 1 < l->narg)
            fputc (',', f);
        }
      fprintf (f, "\n%s", l->text);
    }
  for (int i = 0; i < out.nflag; i++)
    fprintf (f, "flag %d: %s v%d\n", i, flag[out.flag[i].kind], out.flag[i].node);
  if (out.scratch > 0)
    fprintf (f, "%" PRId64 " bytes of scratch memory\n", out.scratch);
  sg_rendered_clear (&out);
  return SG_OK;
}

static char *
text_of (const sg_case *c)
{
  sg_node *root[ROOTS] = { NULL };
  char *text = NULL;
  size_t bytes;
  FILE *f = open_memstream (&text, &bytes);
  c->make (root);
  int n = count_roots (root);
  sg_status s = n > 0 ? sg_plan_print (f, n, root) : SG_INTERNAL;
  if (s == SG_OK)
    s = each_step (n, root, emit_step, f);
  fclose (f);
  CHECK (s == SG_OK, "%s: %s", c->name, sg_message ());
  pool_clear ();
  return text;
}

static char *
file_text (const char *name)
{
  char *text = calloc (1, 1 << 16);
  FILE *f = fopen (name, "r");
  if (f && text)
    {
      size_t n = fread (text, 1, (1 << 16) - 1, f);
      text[n] = 0;
    }
  if (f)
    fclose (f);
  return text;
}

static void
golden (const sg_case *c, bool anew)
{
  char name[200];
  snprintf (name, sizeof name, "tests/golden/%s.txt", c->name);
  char *text = text_of (c);
  if (anew)
    {
      FILE *f = fopen (name, "w");
      CHECK (f && fputs (text, f) >= 0 && fclose (f) == 0, "%s cannot be written", name);
    }
  else
    {
      char *old = file_text (name);
      CHECK (strcmp (old, text) == 0, "%s is another text; if it is right: make golden\n%s",
             name, text);
      free (old);
    }
  free (text);
}

/* ---- what holds for all ----------------------------------------------------------------- */

static bool
is_sound (const sg_launch *l)
{
  int params = 0;
  const char *open = strstr (l->text, "\nsg_k (");
  for (const char *p = open; p && *p != ')'; p++)
    params += *p == ',';
  return open && strcmp (l->name, "sg_k") == 0 && params == l->narg - 1 && l->blocks >= 1
         && l->blocks <= INT32_MAX && l->threads >= 1 && l->threads <= 1024;
}

static int rendered, of_octave;

/* What the CPU can do has a kernel, and some of what it leaves to Octave.  */
static sg_status
check_step (void *ctx, const sg_plan *p, const sg_step *s, sg_node *const *order)
{
  const char *name = ctx;
  sg_rendered out;
  sg_status st = sg_render_cuda (p, s, order, &out);
  rendered += out.nlaunch;
  of_octave += st == SG_OK && s->kind == SG_STEP_FOREIGN;
  CHECK (st == SG_OK || (st == SG_DELEGATE && s->kind == SG_STEP_FOREIGN),
         "%s: a step of kind %d: %d", name, s->kind, st);
  for (int i = 0; i < out.nlaunch; i++)
    CHECK (is_sound (&out.launch[i]), "%s: %s", name, out.launch[i].text);
  sg_rendered_clear (&out);
  return SG_OK;
}

static void
check_roots (const char *name, int n, sg_node **root)
{
  sg_status s = each_step (n, root, check_step, (void *) name);
  CHECK (s == SG_OK, "%s: %s", name, sg_message ());
}

static void
test_sweep (void)
{
  sweep (check_roots);
  CHECK (rendered > 500, "only %d kernels", rendered);
  CHECK (of_octave > 150, "only %d operations of 64 bits have kernels", of_octave);
}

/* ---- sizes are arguments ---------------------------------------------------------------- */

static sg_status
copy_text (void *ctx, const sg_plan *p, const sg_step *s, sg_node *const *order)
{
  char *to = ctx;
  sg_rendered out;
  SG_TRY (sg_render_cuda (p, s, order, &out));
  for (int i = 0; i < out.nlaunch; i++)
    strncat (to, out.launch[i].text, 20000 - strlen (to) - 1);
  sg_rendered_clear (&out);
  return SG_OK;
}

static void
test_sizes (void)
{
  static char text[2][20000];
  for (int i = 0; i < 2; i++)
    {
      int64_t r = i ? 3000 : 100, c = i ? 17 : 80;
      sg_node *a = REAL (F64, r, c), *b = REAL (F64, 1, c);
      sg_node *x = op2 (SG_PLUS, a, b);
      sg_node *root[] = { x, transpose (a, false), scan (SG_CUMSUM, a, 0) };
      text[i][0] = 0;
      sg_status s = each_step (3, root, copy_text, text[i]);
      CHECK (s == SG_OK, "%s", sg_message ());
      pool_clear ();
    }
  CHECK (strcmp (text[0], text[1]) == 0 && text[0][0], "sizes change the text:\n%s\n%s", text[0],
         text[1]);
}

/* Values of many elements are not there: only their dimensions are looked at.  */
static void
test_large (void)
{
  int64_t numel = INT64_C (3000000000);
  sg_slot slot[2] = { { .cls = SG_F64, .numel = numel }, { .cls = SG_F64, .numel = numel } };
  sg_plan p = { .slot = slot, .nslots = 2 };
  sg_reg reg[2] = { { .kind = SG_REG_MEM, .rt = SG_R64, .slot = 0 },
                    { .kind = SG_REG_MEM, .rt = SG_R64, .slot = 1 } };
  sg_ins ins = { .kind = SG_INS_OP, .op = SG_UMINUS, .o = 1, .a = 0, .b = -1, .oi = -1, .ai = -1,
                 .bi = -1 };
  sg_step s = { .kind = SG_STEP_MAP };
  s.u.map = (sg_map) { .numel = numel, .nd = 1, .dim = &numel, .nreg = 2, .reg = reg, .nins = 1,
                       .ins = &ins };
  sg_rendered out;
  sg_status st = sg_render_cuda (&p, &s, NULL, &out);
  CHECK (st == SG_OK && strstr (out.launch[0].text, "typedef unsigned long long P;"),
         "positions of %" PRId64 " elements do not fit", numel);
  CHECK (st == SG_OK && is_sound (&out.launch[0]) && out.launch[0].blocks * 1024 >= numel,
         "too few blocks");
  sg_rendered_clear (&out);
  numel = 0;
  s.u.map.numel = 0;
  st = sg_render_cuda (&p, &s, NULL, &out);
  CHECK (st == SG_OK && out.nlaunch == 0, "nothing to do is no kernel");
  sg_rendered_clear (&out);
}

/* ---- lack of memory --------------------------------------------------------------------- */

static sg_status
render_failing (void *ctx, const sg_plan *p, const sg_step *s, sg_node *const *order)
{
  const char *name = ctx;
  for (long k = 1; ; k++)
    {
      sg_rendered out;
      sg_fail_allocation (k);
      sg_status st = sg_render_cuda (p, s, order, &out);
      void *left = sg_malloc (1);
      bool done = left == NULL;
      sg_free (left);
      sg_fail_allocation (0);
      CHECK (done ? st == SG_OK
             : st == SG_NOMEM && strncmp (sg_message (), "out of memory", 13) == 0,
             "%s: allocation %ld: status %d, %s", name, k, st, sg_message ());
      CHECK (st == SG_OK || (out.nlaunch == 0 && ! out.launch && ! out.flag),
             "%s: allocation %ld leaves something", name, k);
      sg_rendered_clear (&out);
      if (done)
        return SG_OK;
    }
}

static void
test_memory (const sg_case *c)
{
  sg_node *root[ROOTS] = { NULL };
  c->make (root);
  sg_status s = each_step (count_roots (root), root, render_failing, (void *) c->name);
  CHECK (s == SG_OK, "%s: %s", c->name, sg_message ());
  pool_clear ();
}

int
main (int argc, char **argv)
{
  sg_set_host (&test_host);
  bool anew = argc > 1 && strcmp (argv[1], "write") == 0;
  for (int i = 0; i < NCASES; i++)
    golden (&cases[i], anew);
  for (int i = 0; i < NCASES; i++)
    test_memory (&cases[i]);
  test_sweep ();
  test_sizes ();
  test_large ();
  sg_release_caches ();
  return finish ();
}
