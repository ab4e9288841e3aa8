/* The interpreter of map programs.  */

#include <pthread.h>
#include <string.h>

#include "block.h"
#include "threads.h"

void
sg_splat (sg_rtype rt, int64_t n, void *x)
{
  if (rt == SG_R64)
    {
      double *p = x, v = p[0];
#pragma omp simd
      for (int64_t i = 1; i < n; i++)
        p[i] = v;
    }
  else
    {
      float *p = x, v = p[0];
#pragma omp simd
      for (int64_t i = 1; i < n; i++)
        p[i] = v;
    }
}

/* ---- loads with strides ---------------------------------------------------------------- */

/* Where a run along the first dimension starts.  */
typedef struct cursor
{
  const int64_t *dim, *stride;
  int nd;
  int64_t at[SG_MAXND];
  int64_t off;
} cursor;

static void
cursor_init (cursor *q, const sg_map *m, const int64_t *stride, int64_t i0)
{
  q->dim = m->dim;
  q->stride = stride;
  q->nd = m->nd;
  q->off = 0;
  for (int d = 0; d < m->nd; d++)
    {
      int64_t rest = i0 / m->dim[d];
      q->at[d] = i0 - rest * m->dim[d];
      q->off += q->at[d] * stride[d];
      i0 = rest;
    }
}

/* K positions on in dimension 1, to the start of a run.  */
static void
cursor_skip (cursor *q, int64_t k)
{
  q->off -= q->at[0] * q->stride[0];
  q->at[0] = 0;
  for (int d = 1; d < q->nd; d++, k = 1)
    {
      q->off += k * q->stride[d];
      q->at[d] += k;
      if (q->at[d] < q->dim[d])
        break;
      q->off -= q->dim[d] * q->stride[d];
      q->at[d] = 0;
    }
}

#define FILL(bits)                                                                      \
  static void                                                                           \
  fill_##bits (int64_t n, uint##bits##_t *o, uint##bits##_t v)                          \
  {                                                                                     \
    _Pragma ("omp simd") for (int64_t i = 0; i < n; i++)                                \
      o[i] = v;                                                                         \
  }

FILL (8)
FILL (16)
FILL (32)
FILL (64)

/* Whole short runs are copied in a loop of two levels, all else run by run.  */
#define GATHER(bits)                                                                    \
  static void                                                                           \
  gather_##bits (cursor *q, int64_t n, void *o, const void *a)                          \
  {                                                                                     \
    const int64_t len = q->dim[0], s = q->stride[0], s1 = q->nd > 1 ? q->stride[1] : 0; \
    uint##bits##_t *out = o;                                                            \
                                                                                        \
    while (n > 0)                                                                       \
      {                                                                                 \
        const uint##bits##_t *in = (const uint##bits##_t *) a + q->off;                 \
        int64_t run = sg_min64 (n, len - q->at[0]), k = 1;                              \
        if (q->nd > 1 && len < 32 && run == len)                                        \
          {                                                                             \
            k = sg_min64 (n / len, q->dim[1] - q->at[1]);                               \
            for (int64_t j = 0; j < k; j++, in += s1, out += len)                       \
              for (int64_t i = 0; i < len; i++)                                         \
                out[i] = in[i * s];                                                     \
            run *= k;                                                                   \
          }                                                                             \
        else                                                                            \
          {                                                                             \
            if (s == 1)                                                                 \
              memcpy (out, in, (size_t) run * sizeof *out);                             \
            else if (s == 0)                                                            \
              fill_##bits (run, out, *in);                                              \
            else if (s == 2)                                                            \
              for (int64_t i = 0; i < run; i++)                                         \
                out[i] = in[2 * i];                                                     \
            else                                                                        \
              for (int64_t i = 0; i < run; i++)                                         \
                out[i] = in[i * s];                                                     \
            out += run;                                                                 \
          }                                                                             \
        n -= run;                                                                       \
        cursor_skip (q, k);                                                             \
      }                                                                                 \
  }

GATHER (8)
GATHER (16)
GATHER (32)
GATHER (64)

/* Where the elements are: in the scratch block O, or in the memory itself.  */
static void *
gather (const sg_code *c, const sg_map *m, int64_t i0, int64_t n, void *o)
{
  char raw[SG_BLOCK * 8];
  void *to = c->natural ? o : raw;
  cursor q;

  cursor_init (&q, m, c->stride, i0);
  if (q.at[0] + n <= q.dim[0] && c->stride[0] <= 1)
    {
      /* One run.  */
      char *in = c->mem + q.off * (int64_t) c->esize;
      int64_t k = c->stride[0] == 1 ? n : 1;
      if (k == n && c->natural)
        return in;
      c->fn.conv (k, o, in);
      if (k < n)
        sg_splat (c->rt, n, o);
      return o;
    }

  switch (c->esize)
    {
    case 1: gather_8 (&q, n, to, c->mem); break;
    case 2: gather_16 (&q, n, to, c->mem); break;
    case 4: gather_32 (&q, n, to, c->mem); break;
    default: gather_64 (&q, n, to, c->mem); break;
    }
  if (! c->natural)
    c->fn.conv (n, o, raw);
  return o;
}

/* The same for elements that subscripts name.  */
static void *
look (const sg_code *c, int64_t i0, int64_t n, void *o)
{
  char raw[SG_BLOCK * 8];
  int64_t run = sg_view_run (c->view, i0, n);
  char *in = run < 0 ? raw : c->mem + run * (int64_t) c->esize;

  if (run < 0)
    sg_view_copy (c->view, (int64_t) c->esize, i0, n, c->natural ? o : raw, c->mem);
  if (c->natural)
    return run < 0 ? o : in;
  c->fn.conv (n, o, in);
  return o;
}

/* ---- binding --------------------------------------------------------------------------- */

size_t
sg_program_bytes (const sg_map *m)
{
  return sg_align64 ((size_t) m->nins * sizeof (sg_code) + (size_t) m->nreg * sizeof (sg_memreg)
                     + (size_t) m->nview * sizeof (sg_view)
                     + (size_t) m->nviewdim * sizeof (sg_viewdim)
                     + (size_t) m->nreg + 1 + (size_t) m->nnarrow);
}

/* Elements that a register has room for: whole cache lines.  */
static int64_t
block_room (const sg_map *m)
{
  return (sg_min64 (m->numel, SG_BLOCK) + 15) & ~(int64_t) 15;
}

size_t
sg_worker_bytes (const sg_map *m, const sg_compiled *c)
{
  size_t blocks = (size_t) m->nscratch + (c ? (size_t) c->nearly : 0);
  return sg_align64 ((size_t) (m->nreg + 1) * sizeof (void *))
         + blocks * (size_t) block_room (m) * 8;
}

/* True if a load with these strides gives the same element everywhere.  */
static bool
is_uniform_load (const sg_map *m, const sg_ins *i)
{
  if (! i->stride || i->view >= 0)
    return m->numel == 1;
  for (int d = 0; d < m->nd; d++)
    if (i->stride[d] != 0 && m->dim[d] != 1)
      return false;
  return true;
}

/* UNIFORM has a flag for each register: all its elements come from scalars.  An array with a
   scalar exponent has products for powers, a scalar with a scalar exponent has not; whether
   the scalar exponent or base is computed in this program must not matter.  */
static sg_status
bind_op (const sg_program *p, sg_code *c, const sg_ins *i, const char *uniform)
{
  c->kind = SG_CODE_MAP;
  c->rt = p->m->reg[i->o].rt;
  c->fn.map = p->k->map[i->op][c->rt];
  if (! c->fn.map)
    return sg_fail (SG_INTERNAL, "no kernel for %s", sg_op_info (i->op)->name);
  if (i->op == SG_POWER && uniform[c->b] && ! uniform[c->a] && p->m->numel > 1)
    {
      c->kind = SG_CODE_POWER;
      if (sg_is_exponent (p, c->b, 2))
        {
          c->kind = SG_CODE_MAP;
          c->op = SG_TIMES;
          c->b = c->a;
          c->fn.map = p->k->map[SG_TIMES][c->rt];
        }
    }
  return SG_OK;
}

static sg_status
bind_op3 (const sg_program *p, sg_code *c, const sg_ins *i)
{
  c->kind = SG_CODE_MAP3;
  c->rt = p->m->reg[i->o].rt;
  c->fn.map3 = p->k->map3[i->op][c->rt];
  if (! c->fn.map3)
    return sg_fail (SG_INTERNAL, "no kernel for %s", sg_op_info (i->op)->name);
  return SG_OK;
}

static sg_status
bind_cplx (const sg_program *p, sg_code *c, const sg_ins *i, const char *uniform)
{
  bool power = i->op == SG_POWER && i->form == SG_CX_A && uniform[c->b] && ! uniform[c->a];
  c->kind = power ? SG_CODE_CPLX_POWER : SG_CODE_CPLX;
  c->rt = p->m->reg[i->o].rt;
  c->fn.cplx = p->k->cplx[i->op][i->form][c->rt];
  if (! c->fn.cplx)
    return sg_fail (SG_INTERNAL, "no kernel for complex %s", sg_op_info (i->op)->name);
  return SG_OK;
}

static sg_status
no_conversion (sg_class c)
{
  return sg_fail (SG_INTERNAL, "no kernel to convert class %s", sg_class_name (c));
}

static sg_status
bind_slot (const sg_program *p, sg_code *c, const sg_ins *i, sg_codekind kind, int reg)
{
  static const sg_class of_rtype[2] = { SG_F64, SG_F32 };

  c->kind = kind;
  c->rt = p->m->reg[reg].rt;
  c->esize = sg_class_bytes (i->cls);
  c->apart = (int64_t) c->esize * (i->stride ? i->stride[0] : 1);
  c->mem = (char *) p->r->ptr[i->slot] + (size_t) i->part * c->esize;
  c->stride = i->stride;
  c->natural = i->cls == of_rtype[c->rt];
  c->fn.conv = kind == SG_CODE_STORE ? p->k->store[c->rt][i->cls] : p->k->load[i->cls][c->rt];
  return c->fn.conv ? SG_OK : no_conversion (i->cls);
}

static sg_status
bind_store (const sg_program *p, sg_code *c, const sg_ins *i)
{
  if (! p->r->plan->slot[i->slot].cplx)
    return bind_slot (p, c, i, SG_CODE_STORE, i->a);
  c->kind = SG_CODE_MERGE;
  c->rt = p->m->reg[i->a].rt;
  c->esize = 2 * sg_class_bytes (i->cls);
  c->apart = (int64_t) c->esize;
  c->mem = p->r->ptr[i->slot];
  c->fn.merge = p->k->merge[c->rt];
  return SG_OK;
}

static sg_status
bind_guard (const sg_program *p, sg_code *c, const sg_ins *i)
{
  if (sg_is_whole_power (p, i))
    {
      c->kind = SG_CODE_NOTHING;
      return SG_OK;
    }
  c->kind = SG_CODE_GUARD;
  c->node = i->node;
  c->fn.guard = p->k->guard[sg_op_info (i->op)->guard][p->m->reg[i->a].rt];
  if (! c->fn.guard)
    return sg_fail (SG_INTERNAL, "no guard for %s", sg_op_info (i->op)->name);
  return SG_OK;
}

static sg_status
bind_ins (const sg_program *p, sg_code *c, const sg_ins *i, char *uniform)
{
  const sg_map *m = p->m;
  bool u = m->numel == 1;

  c->op = i->op;
  c->o = i->o < 0 ? m->nreg : i->o;
  c->a = i->a < 0 ? m->nreg : i->a;
  c->b = i->b < 0 ? m->nreg : i->b;
  c->c = i->c < 0 ? m->nreg : i->c;
  c->oi = i->oi < 0 ? m->nreg : i->oi;
  c->ai = i->ai < 0 ? m->nreg : i->ai;
  c->bi = i->bi < 0 ? m->nreg : i->bi;
  switch (i->kind)
    {
    case SG_INS_LOAD:
      SG_TRY (bind_slot (p, c, i, i->view >= 0 ? SG_CODE_VIEW
                                  : i->stride ? SG_CODE_GATHER : SG_CODE_LOAD, i->o));
      c->scratch = m->reg[i->o].scratch * p->block * 8;
      u = is_uniform_load (m, i);
      break;
    case SG_INS_OP:
      SG_TRY (bind_op (p, c, i, uniform));
      u = uniform[c->a] && uniform[c->b];
      break;
    case SG_INS_OP3:
      SG_TRY (bind_op3 (p, c, i));
      u = uniform[c->a] && uniform[c->b] && uniform[c->c];
      break;
    case SG_INS_CPLX:
      SG_TRY (bind_cplx (p, c, i, uniform));
      u = uniform[c->a] && uniform[c->b];
      uniform[c->oi] = u;
      break;
    case SG_INS_SAT:
      c->kind = SG_CODE_CONV;
      c->fn.conv = p->k->sat[i->cls];
      if (! c->fn.conv)
        return no_conversion (i->cls);
      u = uniform[c->a];
      break;
    case SG_INS_CVT:
      c->kind = SG_CODE_CONV;
      c->fn.conv = p->k->load[m->reg[i->a].rt == SG_R64 ? SG_F64 : SG_F32][m->reg[i->o].rt];
      u = uniform[c->a];
      break;
    case SG_INS_GUARD:
      return bind_guard (p, c, i);
    case SG_INS_NARROW:
      c->kind = SG_CODE_NARROW;
      c->node = i->node;
      c->fn.nonzero = p->k->nonzero[m->reg[i->a].rt];
      return SG_OK;
    case SG_INS_STORE:
      return bind_store (p, c, i);
    case SG_INS_SINK:
      c->kind = SG_CODE_SINK;
      c->sink = i->sink;
      return SG_OK;
    }
  uniform[c->o] = u;
  return SG_OK;
}

/* Blocks end where a multiple of p->run ends, which is worth it for long runs alone.  */
static void
bind_run (sg_program *p, int64_t n)
{
  if (n >= SG_BLOCK / 4 && n < p->run)
    p->run = n;
}

/* The views of all loads, at VIEW, and behind them the dimensions of all of them.  Returns what is
   behind that.  */
static char *
bind_views (sg_program *p, sg_view *view)
{
  const sg_map *m = p->m;
  sg_viewdim *dim = (sg_viewdim *) (view + m->nview);

  for (int k = 0; k < m->nins; k++)
    if (m->ins[k].view >= 0)
      {
        const sg_node *n = p->r->order[m->ins[k].view];
        sg_view_make (view, n, dim);
        p->code[k].view = view++;
        dim += n->npar;
        bind_run (p, p->code[k].view->dim[0].n);
      }
  return (char *) dim;
}

sg_status
sg_program_bind (sg_program *p, const sg_map *m, const sg_run *r, const sg_compiled *c, char *area)
{
  p->m = m;
  p->r = r;
  p->compiled = c;
  p->k = sg_kernels_get ();
  p->block = block_room (m);
  p->hit_unit = INT64_MAX;
  p->hit_node = -1;
  p->take = NULL;
  p->code = (sg_code *) area;
  p->mem = (sg_memreg *) (p->code + m->nins);
  p->nmem = 0;
  p->run = m->numel;
  bind_run (p, m->dim[0]);
  char *uniform = bind_views (p, (sg_view *) (p->mem + m->nreg));

  uniform[m->nreg] = true;
  for (int k = 0; k < m->nreg; k++)
    {
      const sg_reg *g = &m->reg[k];
      uniform[k] = g->kind == SG_REG_SCALAR || m->numel == 1;
      if (g->kind == SG_REG_SCALAR && ! p->k->load[r->plan->slot[g->slot].cls][g->rt])
        return no_conversion (r->plan->slot[g->slot].cls);
      if (g->kind == SG_REG_MEM)
        p->mem[p->nmem++] = (sg_memreg) { k, g->rt == SG_R64 ? 8 : 4, r->ptr[g->slot] };
    }
  char *wide = uniform + m->nreg + 1;
  for (int k = 0; k < m->nins; k++)
    {
      SG_TRY (bind_ins (p, &p->code[k], &m->ins[k], uniform));
      uniform[m->nreg] = true;
      if (m->ins[k].kind == SG_INS_NARROW)
        {
          p->code[k].wide = wide;
          *wide++ = 0;
        }
    }
  for (int k = 0; c && k < c->nearly; k++)
    p->code[c->early[k]].scratch = (m->nscratch + k) * p->block * 8;
  if (! c && m->numel > SG_FEW)
    sg_program_pair (p, uniform);
  return SG_OK;
}

void
sg_worker_init (const sg_program *p, sg_worker *w, char *area)
{
  const sg_map *m = p->m;
  char *scratch = area + sg_align64 ((size_t) (m->nreg + 1) * sizeof (void *));

  w->reg = (void **) area;
  w->scratch = scratch;
  w->ctx = NULL;
  w->reg[m->nreg] = NULL;
  for (int k = 0; k < m->nreg; k++)
    {
      const sg_reg *g = &m->reg[k];
      if (g->kind == SG_REG_MEM)
        continue;
      w->reg[k] = scratch + g->scratch * p->block * 8;
      if (g->kind == SG_REG_SCALAR)
        {
          sg_class cls = p->r->plan->slot[g->slot].cls;
          const char *v = p->r->ptr[g->slot];
          p->k->load[cls][g->rt] (1, w->reg[k], v + (size_t) g->part * sg_class_bytes (cls));
          sg_splat (g->rt, sg_min64 (m->numel, SG_BLOCK), w->reg[k]);
        }
    }
}

/* ---- running --------------------------------------------------------------------------- */

static inline int
run_code (const sg_program *p, const sg_worker *w, const sg_code *c, int64_t i0, int64_t n)
{
  void **reg = w->reg;

  switch (c->kind)
    {
    case SG_CODE_MAP:
      c->fn.map (n, reg[c->o], reg[c->a], reg[c->b]);
      break;
    case SG_CODE_MAP3:
      c->fn.map3 (n, reg[c->o], reg[c->a], reg[c->b], reg[c->c]);
      break;
    case SG_CODE_POWER:
      sg_power (p, c, n, reg);
      break;
    case SG_CODE_CPLX:
      c->fn.cplx (n, reg[c->o], reg[c->oi], reg[c->a], reg[c->ai], reg[c->b], reg[c->bi]);
      break;
    case SG_CODE_CPLX_POWER:
      sg_cplx_power (p, c, n, reg);
      break;
    case SG_CODE_NOTHING:
      break;
    case SG_CODE_CONV:
      c->fn.conv (n, reg[c->o], reg[c->a]);
      break;
    case SG_CODE_LOAD:
      c->fn.conv (n, reg[c->o], c->mem + i0 * (int64_t) c->esize);
      break;
    case SG_CODE_GATHER:
      reg[c->o] = gather (c, p->m, i0, n, w->scratch + c->scratch);
      break;
    case SG_CODE_VIEW:
      reg[c->o] = look (c, i0, n, w->scratch + c->scratch);
      break;
    case SG_CODE_STORE:
      c->fn.conv (n, c->mem + i0 * (int64_t) c->esize, reg[c->a]);
      break;
    case SG_CODE_MERGE:
      c->fn.merge (n, c->mem + i0 * (int64_t) c->esize, reg[c->a], reg[c->ai]);
      break;
    case SG_CODE_NARROW:
      if (! __atomic_load_n (c->wide, __ATOMIC_RELAXED) && c->fn.nonzero (n, reg[c->a]))
        __atomic_store_n (c->wide, 1, __ATOMIC_RELAXED);
      break;
    case SG_CODE_GUARD:
      return c->fn.guard (n, reg[c->a], reg[c->b]) ? c->node : -1;
    case SG_CODE_SINK:
      p->take (w->ctx, c->sink, n, reg[c->a]);
      break;
    }
  return -1;
}

int
sg_code_run (const sg_program *p, const sg_worker *w, const sg_code *c, int64_t i0, int64_t n)
{
  return run_code (p, w, c, i0, n);
}

int
sg_block_run (const sg_program *p, const sg_worker *w, int64_t i0, int64_t n)
{
  const sg_code *end = p->code + p->m->nins;

  for (int k = 0; k < p->nmem; k++)
    w->reg[p->mem[k].reg] = p->mem[k].base + i0 * (int64_t) p->mem[k].esize;
  if (p->compiled)
    return sg_compiled_run (p, w, i0, n);
  for (const sg_code *c = p->code; c < end; c++)
    {
      int node = run_code (p, w, c, i0, n);
      if (node >= 0)
        return node;
    }
  return -1;
}

bool
sg_program_narrow (const sg_program *p, sg_run *r)
{
  bool any = false;
  for (int k = 0; k < p->m->nins; k++)
    if (p->code[k].kind == SG_CODE_NARROW && ! *p->code[k].wide)
      {
        sg_run_narrow (r, p->code[k].node);
        any = true;
      }
  return any;
}

void
sg_program_hit (sg_program *p, int64_t u, int node)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

  pthread_mutex_lock (&lock);
  if (u < p->hit_unit)
    {
      p->hit_unit = u;
      p->hit_node = node;
    }
  pthread_mutex_unlock (&lock);
}
