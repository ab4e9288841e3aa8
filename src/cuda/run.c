/* The device runs a plan: kernels and products one after the other in its stream, what has no
   kernel by the CPU, what only Octave can do by Octave.  Guards report through flags, which are
   read before the host takes part and at the end.  */

#include <stdio.h>
#include <string.h>

#include "../core/node.h"
#include "../core/profile.h"
#include "../cpu/cpu.h"
#include "api.h"
#include "gemm.h"
#include "module.h"
#include "run.h"

/* ---- flags -------------------------------------------------------------------------------- */

static sg_status
clear_flags (sg_cuda_run *x)
{
  if (x->c->nflag == 0)
    return SG_OK;
  size_t bytes = x->c->nflag * sizeof *x->flag;
  memset (x->flag, 0, bytes);
  memset (x->known, 0, x->c->nflag);
  SG_TRY (sg_block_get (bytes, &x->flags));
  return sg_zero (x->flags->address, bytes);
}

static bool
has_reported (const sg_cuda_run *x, int i)
{
  return x->c->flag[i].kind == SG_FLAG_GUARD ? x->flag[i] != 0 : ! x->flag[i] && ! x->known[i];
}

/* What the steps before STEP have reported.  The first that has reported something decides: what
   comes after it was computed from values that are not right.  */
static sg_status
check_flags (sg_cuda_run *x, int step)
{
  const sg_code *c = x->c;
  int first = step;
  for (int i = 0; i < c->nflag; i++)
    if (c->flag_step[i] < first && has_reported (x, i))
      first = c->flag_step[i];
  if (first == step)
    return SG_OK;
  for (int i = 0; i < c->nflag; i++)
    if (c->flag_step[i] == first && c->flag[i].kind == SG_FLAG_GUARD && has_reported (x, i))
      {
        x->r.failed_node = c->flag[i].node;
        return SG_DELEGATE;
      }
  for (int i = 0; i < c->nflag; i++)
    if (c->flag_step[i] == first && has_reported (x, i))
      sg_run_narrow (&x->r, c->flag[i].node);
  return SG_DELEGATE;
}

/* ---- steps of the device ------------------------------------------------------------------ */

/* What is written for the first time is written; all else is read.  */
static sg_status
place_arguments (sg_cuda_run *x, const sg_rendered *r, int step)
{
  for (int pass = 0; pass < 2; pass++)
    for (int l = 0; l < r->nlaunch; l++)
      for (int i = 0; i < r->launch[l].narg; i++)
        {
          const sg_arg *a = &r->launch[l].arg[i];
          if (a->kind != SG_ARG_SLOT)
            continue;
          bool written = x->p->slot[a->value].first == step && ! x->where[a->value];
          if (pass == 0 && x->p->slot[a->value].first != step)
            SG_TRY (sg_place_on_device (x, a->value));
          if (pass == 1 && written)
            SG_TRY (sg_place_new_on_device (x, a->value));
        }
  return SG_OK;
}

static sg_status
argument (sg_cuda_run *x, const sg_kernels_of *k, const sg_arg *a, const sg_block *scratch,
          uint64_t *out)
{
  const sg_index *idx = a->node >= 0 ? x->g->order[a->node]->idx : NULL;
  switch (a->kind)
    {
    case SG_ARG_SLOT:
      *out = x->address[a->value];
      break;
    case SG_ARG_INT:
      *out = a->value;
      break;
    case SG_ARG_START:
      *out = idx[a->value].start;
      break;
    case SG_ARG_STEP:
      *out = idx[a->value].step;
      break;
    case SG_ARG_VECTOR:
      return sg_place_positions (x, &idx[a->value], out);
    case SG_ARG_SCRATCH:
      *out = scratch->address + a->value;
      break;
    case SG_ARG_FLAGS:
      *out = x->flags->address + k->flag * sizeof *x->flag;
      break;
    }
  return SG_OK;
}

sg_status
sg_cuda_launch (sg_cuda_run *x, const sg_kernels_of *k, int l, const sg_block *scratch)
{
  const sg_launch *q = &k->r.launch[l];
  uint64_t few[64];
  void *few_at[64];
  bool many = q->narg > 64;
  uint64_t *value = many ? sg_malloc (q->narg * (sizeof *value + sizeof (void *))) : few;
  if (! value)
    return sg_fail (SG_NOMEM, "out of memory for the arguments of a kernel");
  void **at = many ? (void **) (value + q->narg) : few_at;
  sg_status s = SG_OK;
  for (int i = 0; i < q->narg && s == SG_OK; i++)
    {
      s = argument (x, k, &q->arg[i], scratch, &value[i]);
      at[i] = &value[i];
    }
  if (s == SG_OK)
    s = sg_module_launch (k->function[l], q->blocks, q->threads, q->shared, at);
  if (many)
    sg_free (value);
  return s;
}

static sg_status
run_kernels (sg_cuda_run *x, const sg_kernels_of *k, int step)
{
  sg_block *scratch = NULL;
  SG_TRY (place_arguments (x, &k->r, step));
  if (k->r.scratch > 0)
    SG_TRY (sg_block_get (k->r.scratch, &scratch));
  sg_status s = SG_OK;
  for (int l = 0; l < k->r.nlaunch && s == SG_OK; l++)
    s = sg_cuda_launch (x, k, l, scratch);
  /* The stream uses it before whatever it does next.  */
  sg_block_unref (scratch);
  return s;
}

static sg_status
run_product (sg_cuda_run *x, const sg_gemm *g)
{
  SG_TRY (sg_place_on_device (x, g->a));
  SG_TRY (sg_place_on_device (x, g->b));
  SG_TRY (sg_place_new_on_device (x, g->out));
  return sg_cuda_gemm (g, x->address[g->a], x->address[g->b], x->address[g->out]);
}

/* ---- steps of the host -------------------------------------------------------------------- */

static sg_status
run_foreign (sg_cuda_run *x, const sg_foreign *f)
{
  sg_buf *out;
  SG_TRY (sg_engine_foreign (x->g, f, x->buf, &out));
  sg_place_foreign (x, f->out, out);
  return SG_OK;
}

/* The values that the step reads are brought to the host first.  */
static sg_status
run_on_host (sg_cuda_run *x, int step)
{
  const sg_step *s = &x->p->step[step];
  sg_slots *l = &x->slots;

  if (! l->seen)
    SG_TRY (sg_slots_init (l, x->p));
  sg_slots_of (l, s);
  SG_TRY (sg_place_on_host (x, l->nread, l->read));
  SG_TRY (check_flags (x, step));
  for (int i = 0; i < l->nwrite; i++)
    SG_TRY (sg_place_new_on_host (x, l->write[i]));
  return s->kind == SG_STEP_FOREIGN ? run_foreign (x, &s->u.foreign) : sg_cpu_step (s, &x->r);
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* Look at the values that step K has made where they are.  */
static sg_status
verify_values (sg_cuda_run *x, int k)
{
  const sg_plan *p = x->p;
  sg_status st = SG_OK;
  for (; x->verified < p->nverify && p->slot[p->verify[x->verified]].first == k; x->verified++)
    {
      int slot = p->verify[x->verified];
      const sg_slot *s = &p->slot[slot];
      const sg_kernels_of *q = &x->c->step[p->nsteps + x->verified];
      if (! (x->where[slot] & SG_ON_HOST || q->none))
        {
          SG_TRY (run_kernels (x, q, -2));
          continue;
        }
      SG_TRY (sg_place_on_host (x, 1, &slot));
      memset (x->known + q->flag, 1, q->r.nflag);
      if (sg_has_no_imag (s->cls, s->numel, x->r.ptr[slot]))
        {
          sg_run_narrow (&x->r, s->node);
          st = SG_DELEGATE;
        }
    }
  return st;
}

static sg_status
run_step (sg_cuda_run *x, int k)
{
  const sg_step *s = &x->p->step[k];
  sg_count.steps++;
  if (s->kind == SG_STEP_GEMM && sg_cuda_has_gemm (&s->u.gemm))
    return run_product (x, &s->u.gemm);
  if (x->c->step[k].none)
    return run_on_host (x, k);
  sg_status st = run_kernels (x, &x->c->step[k], k);
  return st == SG_DEVICE_MEMORY && s->kind == SG_STEP_MAP ? sg_cuda_run_slices (x, k) : st;
}

static sg_status
run_steps (sg_cuda_run *x)
{
  const sg_plan *p = x->p;
  for (int k = 0; k < p->nsteps; k++)
    {
      sg_failed_origin = 0;
      if (sg_is_interrupted ())
        return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
      sg_progress_show (k, p->nsteps);
      double start = sg_profile_start ();
      sg_status s = run_step (x, k);
      /* Kernels run behind: who measures waits.  */
      if (s == SG_OK && sg_profile_on)
        s = sg_cuda_wait ();
      /* A kernel does what the plan leaves to Octave.  */
      bool own = p->step[k].kind == SG_STEP_FOREIGN && ! x->c->step[k].none;
      sg_profile_step (p, x->g->order, &p->step[k],
                       own ? SG_WORK_LOOP : sg_step_work (&p->step[k]), start);
      if (s == SG_OK)
        s = verify_values (x, k);
      if (s != SG_OK)
        return sg_code_blame (s, p, x->g->order, k);
      sg_engine_bury (p, x->buf, &x->dead, k);
    }
  return SG_OK;
}

/* Large results come when the flags are known to be good, small ones with the flags.  */
#define SMALL_RESULT 65536

static sg_status
bring_results (sg_cuda_run *x)
{
  const sg_plan *p = x->p;
  int *list = sg_malloc (p->nslots * sizeof *list);
  sg_status s = list ? SG_OK : sg_fail (SG_NOMEM, "out of memory for the results");
  for (int large = 0; large < 2 && s == SG_OK; large++)
    {
      int n = 0;
      for (int i = 0; i < p->nslots; i++)
        if (sg_place_is_for_host (&p->slot[i]) && p->slot[i].last == p->nsteps
            && (p->slot[i].bytes > SMALL_RESULT) == large && ! (x->where[i] & SG_ON_HOST))
          list[n++] = i;
      if (n > 0 || (! large && x->flags))
        s = sg_place_on_host (x, n, list);
      if (s == SG_OK && ! large)
        s = check_flags (x, p->nsteps);
    }
  sg_free (list);
  return s;
}

static sg_status
run_all (sg_cuda_run *x)
{
  SG_TRY (clear_flags (x));
  SG_TRY (run_steps (x));
  return sg_code_blame (bring_results (x), x->p, x->g->order, x->p->nsteps - 1);
}

static sg_status
run_on_device (const sg_graph *g, sg_plan *p, int *failed_node)
{
  sg_code *c;
  SG_TRY (sg_code_get (p, g->order, &c));
  size_t n = p->nslots, nflag = c->nflag;
  void **mem = sg_malloc (n * (3 * sizeof *mem + 1) + nflag * (sizeof (int) + 1) + 8);
  if (! mem)
    return sg_fail (SG_NOMEM, "out of memory for the values of a plan");
  sg_cuda_run x = { .r = { .plan = p, .order = g->order, .ptr = mem,
                           .threads = sg_cpu_threads (), .failed_node = -1 },
                    .g = g, .p = p, .c = c, .buf = (sg_buf **) (mem + n),
                    .address = (uint64_t *) (mem + 2 * n) };
  x.flag = (int *) (mem + 3 * n);
  x.known = (uint8_t *) (x.flag + nflag);
  x.where = x.known + nflag;
  sg_place_bind (&x);
  sg_status s = run_all (&x);
  sg_place_clear (&x);
  sg_slots_clear (&x.slots);
  sg_engine_finish (g, p, x.buf, s == SG_OK);
  *failed_node = x.r.failed_node;
  sg_free (mem);
  return s;
}

/* After some errors every other call fails too, until the device is opened anew.  */
static bool
is_lost (void)
{
  int e = sg_cu.cuStreamQuery (sg_dev.stream);
  return e != 0 && e != CU_NOT_READY;
}

/* A forked process has the values that are on the host, and the CPU.  */
static sg_status
open_device (void)
{
  static bool warned;
  if (! sg_device_forked)
    return sg_cuda_open ();
  if (! warned)
    sg_host_warn (sg_status_identifier (SG_NO_CUDA), "a process made by fork cannot use the GPU of"
                  " the one it was made from: the CPU evaluates");
  warned = true;
  return SG_OK;
}

/* What the device has no room for, not even by slices, is done by the CPU; the user hears of it when
   it begins.  */
static sg_status
run_plan (const sg_graph *g, sg_plan *p, int *failed_node)
{
  static bool warned;
  if (sg_device_forked)
    return sg_cpu_engine.run (g, p, failed_node);
  sg_status s = run_on_device (g, p, failed_node);
  if (s != SG_DEVICE_MEMORY)
    {
      warned &= s != SG_OK;
      if (s == SG_CUDA_ERROR && is_lost ())
        sg_cuda_abandon ();
      return s;
    }
  if (! warned)
    {
      char text[1024], largest[400];
      sg_resident_largest (largest, sizeof largest);
      snprintf (text, sizeof text, "%s; the CPU does this evaluation.  The largest values on the"
                " GPU: %s", sg_message (), *largest ? largest : "none");
      sg_host_warn (sg_status_identifier (SG_DEVICE_MEMORY), text);
    }
  warned = true;
  return sg_cpu_engine.run (g, p, failed_node);
}

static void
trim (void)
{
  sg_block_trim ();
}

const sg_engine sg_cuda_engine = { .open = open_device, .run = run_plan, .trim = trim };
