/* Kernels of a plan.  */

#include <string.h>

#include "../core/profile.h"
#include "code.h"
#include "device.h"
#include "module.h"

static void
code_free (void *x)
{
  sg_code *c = x;
  for (int i = 0; c->step && i < c->nsteps + c->nverify; i++)
    {
      sg_rendered_clear (&c->step[i].r);
      sg_free (c->step[i].function);
    }
  sg_free (c->step);
  sg_free (c->flag);
  sg_free (c->flag_step);
  sg_free (c);
}

sg_status
sg_code_blame (sg_status s, const sg_plan *p, sg_node *const *order, int k)
{
  if (s != SG_CUDA_ERROR)
    return s;
  for (int i = 0; i < p->nslots; i++)
    if (p->slot[i].first == k && p->slot[i].node >= 0)
      {
        const sg_node *n = order[p->slot[i].node];
        const char *place = sg_host_place (n->origin);
        sg_failed_origin = n->origin;
        return sg_fail (s, "the GPU cannot do %s%s%s: %s", sg_op_info (n->op)->name,
                        *place ? " of " : "", place, sg_message ());
      }
  return s;
}

static sg_status
add_flags (sg_code *c, sg_kernels_of *k, int step)
{
  int n = c->nflag + k->r.nflag;
  k->flag = c->nflag;
  if (k->r.nflag == 0)
    return SG_OK;
  sg_flag *f = sg_realloc (c->flag, n * sizeof *f);
  if (f)
    c->flag = f;
  int *s = sg_realloc (c->flag_step, n * sizeof *s);
  if (s)
    c->flag_step = s;
  if (! f || ! s)
    return sg_fail (SG_NOMEM, "out of memory for the kernels of a plan");
  memcpy (f + c->nflag, k->r.flag, k->r.nflag * sizeof *f);
  for (int i = c->nflag; i < n; i++)
    s[i] = step;
  c->nflag = n;
  return SG_OK;
}

/* The texts are not needed once there are functions.  */
static sg_status
load (sg_kernels_of *k)
{
  k->function = sg_malloc (k->r.nlaunch * sizeof *k->function);
  if (! k->function)
    return sg_fail (SG_NOMEM, "out of memory for the kernels of a plan");
  for (int i = 0; i < k->r.nlaunch; i++)
    {
      sg_launch *l = &k->r.launch[i];
      SG_TRY (sg_module_get (l->name, l->text, &k->function[i]));
      sg_free (l->text);
      l->text = NULL;
    }
  return SG_OK;
}

static sg_status
add (sg_code *c, sg_kernels_of *k, sg_status rendered, int step)
{
  k->none = rendered == SG_DELEGATE;
  if (k->none)
    return SG_OK;
  SG_TRY (rendered);
  SG_TRY (add_flags (c, k, step));
  return load (k);
}

/* Products are calls of cuBLAS.  */
static sg_status
fill (sg_code *c, const sg_plan *p, sg_node *const *order)
{
  for (int i = 0; i < p->nsteps; i++)
    {
      sg_stepkind kind = p->step[i].kind;
      sg_kernels_of *k = &c->step[i];
      sg_status s = kind == SG_STEP_GEMM ? SG_DELEGATE
                    : sg_render_cuda (p, &p->step[i], order, &k->r);
      s = add (c, k, s, i);
      sg_profile_code (p, order, &p->step[i]);
      if (s != SG_OK)
        return sg_code_blame (s, p, order, i);
      if (sg_is_interrupted ())
        return sg_fail (SG_INTERRUPTED, "the evaluation was interrupted");
    }
  for (int i = 0; i < p->nverify; i++)
    {
      sg_kernels_of *k = &c->step[p->nsteps + i];
      int step = p->slot[p->verify[i]].first;
      sg_status s = add (c, k, sg_render_cuda_verify (p, p->verify[i], &k->r), step);
      sg_profile_code (p, order, &p->step[step]);
      if (s != SG_OK)
        return sg_code_blame (s, p, order, step);
    }
  return SG_OK;
}

sg_status
sg_code_get (sg_plan *p, sg_node *const *order, sg_code **out)
{
  sg_code *c = p->compiled;
  if (c && c->generation == sg_dev.generation && c->fmad == sg_cfg.fmad)
    {
      *out = c;
      return SG_OK;
    }
  int n = p->nsteps + p->nverify;
  if (c)
    code_free (c);
  p->compiled = NULL;
  c = sg_malloc (sizeof *c);
  if (! c)
    return sg_fail (SG_NOMEM, "out of memory for the kernels of a plan");
  *c = (sg_code) { .generation = sg_dev.generation, .fmad = sg_cfg.fmad, .nsteps = p->nsteps,
                   .nverify = p->nverify, .step = sg_malloc (n * sizeof *c->step) };
  if (c->step)
    memset (c->step, 0, n * sizeof *c->step);
  sg_status s = c->step ? fill (c, p, order)
                : sg_fail (SG_NOMEM, "out of memory for the kernels of a plan");
  if (s != SG_OK)
    {
      code_free (c);
      return s;
    }
  p->compiled = c;
  p->compiled_free = code_free;
  *out = c;
  return SG_OK;
}
