/* Programs of map steps, written by hand for the tests of the CPU backend.  */

#ifndef TEST_MAP_PROG_H
#define TEST_MAP_PROG_H

#include "cpu_data.h"

typedef struct prog
{
  sg_map m;
  sg_tier tier;
  sg_plan plan;
  sg_slot slot[24];
  void *ptr[24];
  sg_reg reg[32];
  sg_ins ins[32];
  sg_sink sink[12];
} prog;

static inline void
prog_init (prog *p, int64_t numel)
{
  memset (p, 0, sizeof *p);
  p->m.reg = p->reg;
  p->m.ins = p->ins;
  p->m.sink = p->sink;
  p->m.numel = numel;
  p->m.nd = 1;
  p->m.dim = &p->m.numel;
  p->m.cost = 16000;         /* so that even small spaces are shared out */
  p->plan.slot = p->slot;
}

static inline int
slot (prog *p, sg_class c, void *mem)
{
  int k = p->plan.nslots++;
  p->slot[k].cls = c;
  p->ptr[k] = mem;
  return k;
}

static inline int
reg (prog *p, sg_regkind kind, sg_rtype rt, int s)
{
  int k = p->m.nreg++;
  p->reg[k] = (sg_reg) { .kind = kind, .rt = rt, .slot = s,
                         .scratch = kind == SG_REG_MEM ? -1 : p->m.nscratch++ };
  return k;
}

static inline sg_ins *
ins (prog *p, sg_inskind kind, sg_op op, int o, int a, int b)
{
  sg_ins *i = &p->ins[p->m.nins++];
  *i = (sg_ins) { .kind = kind, .op = op, .cls = SG_F64, .o = o, .a = a, .b = b, .c = -1, .oi = -1,
                  .ai = -1, .bi = -1, .slot = -1, .view = -1, .sink = -1 };
  return i;
}

static inline int
load (prog *p, sg_rtype rt, int s, int64_t *stride)
{
  int o = reg (p, SG_REG_SCRATCH, rt, -1);
  sg_ins *i = ins (p, SG_INS_LOAD, SG_LEAF, o, -1, -1);
  i->slot = s;
  i->cls = p->slot[s].cls;
  i->stride = stride;
  return o;
}

static inline int
op (prog *p, sg_op f, sg_rtype rt, int a, int b)
{
  int o = reg (p, SG_REG_SCRATCH, rt, -1);
  ins (p, SG_INS_OP, f, o, a, b);
  return o;
}

static inline void
store (prog *p, int a, int s)
{
  sg_ins *i = ins (p, SG_INS_STORE, SG_LEAF, -1, a, -1);
  i->slot = s;
  i->cls = p->slot[s].cls;
}

static inline void
sink (prog *p, sg_op f, int a, int s)
{
  int k = p->m.nsink++;
  p->sink[k] = (sg_sink) { f, p->reg[a].rt, s, p->slot[s].cls, -1, false, -1 };
  ins (p, SG_INS_SINK, f, -1, a, -1)->sink = k;
}

static inline sg_run
make_run (prog *p, int threads)
{
  return (sg_run) { &p->plan, NULL, p->ptr, threads, -1 };
}

/* As the setting jit says, and never later than that.  */
static inline sg_status
run_map (prog *p, int threads)
{
  sg_run r = make_run (p, threads);
  p->m.tier = sg_cfg.jit == SG_JIT_SYNC ? &p->tier : NULL;
  sg_status s = sg_cpu_map (&p->m, &r);
  if (p->tier.data)
    p->tier.data_free (p->tier.data);
  p->tier.data = NULL;
  return s;
}

#endif
