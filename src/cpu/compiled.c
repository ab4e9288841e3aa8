/* Map programs that run in part as compiled code.

   Instructions whose expressions are a few instructions of the processor follow each other in
   segments, each of which is one function of a block; in between are kernels of their own, such as
   those of exp, on the same blocks.  So a compiled program has the bits of the interpreted one, whose
   expressions and kernels it shares.  */

#include <string.h>

#include "block.h"
#include "compiled.h"

/* Elements times instructions after which a loop is looked for on disk, and is compiled: some
   milliseconds of work, of which a compiled loop saves more than half.  */
#define LOOK_WORK 2e6
#define COMPILE_WORK 3e7
/* Longer programs are rarely run often, and take long to compile.  */
#define MANY_INS 1000
/* Blocks of early loads: they are to stay in the cache.  */
#define MANY_EARLY 16

/* ---- which parts -------------------------------------------------------------------------- */

static sg_seghow
how_of (const sg_program *p, int k)
{
  const sg_ins *x = &p->m->ins[k];
  const sg_code *c = &p->code[k];
  if (c->kind == SG_CODE_NOTHING)
    return SG_SEG_NOTHING;
  if (x->kind == SG_INS_OP && x->op == SG_POWER)
    return c->kind == SG_CODE_MAP && c->op == SG_TIMES ? SG_SEG_SQUARE : SG_SEG_CALL;
  return sg_segment_how (p->r->plan, p->m, x);
}

static bool
is_text (const sg_compiled *c, int k)
{
  return c->how[k] == SG_SEG_TEXT || c->how[k] == SG_SEG_SQUARE;
}

static bool
check_now (const sg_program *p, const sg_ins *x)
{
  return x->kind == SG_INS_OP ? sg_is_exponent (p, x->b, 2) : sg_is_whole_power (p, x);
}

static void
find_hows (sg_compiled *c, const sg_program *p)
{
  const sg_map *m = p->m;
  int early = 0;
  for (int k = 0; k < m->nins; k++)
    {
      c->how[k] = (char) how_of (p, k);
      early += m->ins[k].kind == SG_INS_LOAD && c->how[k] == SG_SEG_CALL;
      if ((m->ins[k].kind == SG_INS_OP || m->ins[k].kind == SG_INS_GUARD)
          && m->ins[k].op == SG_POWER)
        c->check[c->ncheck++] = (sg_compiled_check) { k, check_now (p, &m->ins[k]) };
    }
  if (early > MANY_EARLY)
    return;
  for (int k = 0; k < m->nins; k++)
    if (m->ins[k].kind == SG_INS_LOAD && c->how[k] == SG_SEG_CALL)
      {
        c->how[k] = SG_SEG_EARLY;
        c->early[c->nearly++] = k;
        c->item[c->nitem++] = (sg_compiled_item) { -1, k };
      }
}

/* Instructions FROM to TO - 1 have no calls among them.  Of one alone its kernel is as good.  */
static sg_status
add_segment (sg_compiled *c, const sg_program *p, int from, int to, sg_text *text)
{
  while (from < to)
    {
      int n = 0;
      for (int k = from; k < to; k++)
        n += is_text (c, k);
      if (n < 2)
        {
          for (int k = from; k < to; k++)
            if (is_text (c, k))
              c->item[c->nitem++] = (sg_compiled_item) { -1, k };
          return SG_OK;
        }
      sg_segment *s = &c->segment[c->nsegment];
      *s = (sg_segment) { .from = from, .to = to };
      SG_TRY (sg_segment_render (p->r->plan, p->m, c->how, c->nsegment, s, text));
      c->item[c->nitem++] = (sg_compiled_item) { c->nsegment++, -1 };
      from = s->to;
    }
  return SG_OK;
}

static sg_status
find_segments (sg_compiled *c, const sg_program *p, sg_text *text)
{
  int from = 0;
  for (int k = 0; k <= p->m->nins; k++)
    if (k == p->m->nins || c->how[k] == SG_SEG_CALL)
      {
        SG_TRY (add_segment (c, p, from, k, text));
        if (k < p->m->nins)
          c->item[c->nitem++] = (sg_compiled_item) { -1, k };
        from = k + 1;
      }
  return SG_OK;
}

static void
clear (sg_compiled *c)
{
  sg_free (c->item);
  sg_free (c->segment);
  sg_free (c->check);
  sg_free (c->early);
  sg_free (c->how);
  c->item = NULL;
  c->segment = NULL;
  c->check = NULL;
  c->early = NULL;
  c->how = NULL;
}

static void
compiled_free (void *data)
{
  clear (data);
  sg_free (data);
}

static bool
make_room (sg_compiled *c, const sg_map *m)
{
  size_t n = (size_t) m->nins;
  c->item = sg_malloc (2 * n * sizeof *c->item);
  c->segment = sg_malloc ((n / 2 + 1) * sizeof *c->segment);
  c->check = sg_malloc (n * sizeof *c->check);
  c->early = sg_malloc (n * sizeof *c->early);
  c->how = sg_malloc (n);
  return c->item && c->segment && c->check && c->early && c->how;
}

/* C is empty: a form without segments.  Failures are not the caller's: the interpreter goes on.  */
static void
analyse (sg_compiled *c, const sg_map *m, const sg_run *r)
{
  sg_program p;
  sg_text text = { 0 };
  char *area = sg_malloc (sg_program_bytes (m));
  c->analysed = true;
  if (area && make_room (c, m) && sg_program_bind (&p, m, r, c, area) == SG_OK)
    {
      find_hows (c, &p);
      if (find_segments (c, &p, &text) == SG_OK && c->nsegment > 0)
        c->object = sg_object_of (text.s, c->nsegment);
    }
  if (! c->object)
    clear (c);
  sg_text_clear (&text);
  sg_free (area);
}

/* ---- when ------------------------------------------------------------------------------- */

static sg_compiled *
data_of (sg_tier *t)
{
  if (! t->data)
    {
      sg_compiled *c = sg_malloc (sizeof *c);
      if (! c)
        return NULL;
      *c = (sg_compiled) { 0 };
      t->data = c;
      t->data_free = compiled_free;
    }
  return t->data;
}

/* The interpreter runs until the functions are there.  */
static bool
is_ready (sg_compiled *c)
{
  if (! c->fn)
    c->fn = sg_object_functions (c->object);
  if (! c->fn)
    {
      bool sync = sg_cfg.jit == SG_JIT_SYNC;
      sg_object_ask (c->object, sync || c->work >= COMPILE_WORK, sync);
      c->fn = sg_object_functions (c->object);
    }
  return c->fn != NULL;
}

static bool
checks_hold (const sg_compiled *c, const sg_map *m, const sg_run *r)
{
  const sg_program p = { .m = m, .r = r, .k = sg_kernels_get () };
  for (int i = 0; i < c->ncheck; i++)
    if (check_now (&p, &m->ins[c->check[i].ins]) != c->check[i].holds)
      return false;
  return true;
}

const sg_compiled *
sg_compiled_get (const sg_map *m, const sg_run *r)
{
  bool sync = sg_cfg.jit == SG_JIT_SYNC;
  if (sg_cfg.jit == SG_JIT_OFF || ! m->tier || (m->numel <= SG_FEW && ! sync) || m->nins < 2
      || m->nins > MANY_INS)
    return NULL;
  sg_compiled *c = data_of (m->tier);
  if (! c)
    return NULL;
  c->work += (double) m->numel * m->nins;
  if (! c->analysed && (c->work >= LOOK_WORK || sync))
    analyse (c, m, r);
  m->tier->text = c->object && is_ready (c) ? sg_object_text (c->object) : NULL;
  return m->tier->text && checks_hold (c, m, r) ? c : NULL;
}

/* ---- running ---------------------------------------------------------------------------- */

static void *
address (const sg_program *p, const sg_worker *w, sg_segarg a, int64_t i0)
{
  if (! a.mem)
    return w->reg[a.index];
  const sg_code *c = &p->code[a.index];
  return c->mem + i0 * c->apart;
}

/* The flags that are set, in the order of the program: a guard ends it.  */
static int
look_at_flags (const sg_program *p, const sg_segment *s, unsigned set)
{
  for (; set; set &= set - 1)
    {
      const sg_code *c = &p->code[s->flag[__builtin_ctz (set)]];
      if (c->kind == SG_CODE_GUARD)
        return c->node;
      __atomic_store_n (c->wide, 1, __ATOMIC_RELAXED);
    }
  return -1;
}

int
sg_compiled_run (const sg_program *p, const sg_worker *w, int64_t i0, int64_t n)
{
  const sg_compiled *q = p->compiled;
  void *arg[SG_SEGMENT_ARGS];

  for (int i = 0; i < q->nitem; i++)
    {
      int k = q->item[i].segment, node;
      if (k >= 0)
        {
          const sg_segment *s = &q->segment[k];
          for (int j = 0; j < s->narg; j++)
            arg[j] = address (p, w, s->arg[j], i0);
          node = look_at_flags (p, s, (unsigned) q->fn[k] ((long) n, arg));
        }
      else
        node = sg_code_run (p, w, &p->code[q->item[i].ins], i0, n);
      if (node >= 0)
        return node;
    }
  return -1;
}
