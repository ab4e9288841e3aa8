/* How long things take: rates of each backend on this machine, measured when they are first
   asked for, and estimates from them.  */

#include "build.h"
#include "look.h"

#define ELEMENTS ((int64_t) 1 << 19)   /* of an array beyond the caches nearest to a core */
#define ORDER 256                      /* of the matrices of a product */
#define ROUNDS 3                       /* the best counts */

static sg_rates rates[SG_NBACKEND];

static sg_status
filled_leaf (sg_class cls, int64_t rows, int64_t columns, sg_node **out)
{
  const int64_t n = rows * columns;
  sg_buf *b;
  SG_TRY (sg_buf_pool (cls, false, n * sg_class_bytes (cls), &b));
  for (int64_t i = 0; i < n; i++)
    if (cls == SG_F64)
      ((double *) b->data)[i] = 1.5;
    else
      ((float *) b->data)[i] = 1.5f;
  sg_status s = sg_leaf_new (b, 2, (int64_t[]) { rows, columns }, NULL, out);
  if (s != SG_OK)
    sg_buf_unref (b);
  return s;
}

/* The seconds that OP of A, and of A once more, takes.  */
static sg_status
time_of (sg_backend backend, sg_op op, sg_node *a, double *out)
{
  sg_node *in[2] = { a, a };
  *out = 1e9;
  for (int i = 0; i < ROUNDS; i++)
    {
      sg_node *n;
      SG_TRY (op == SG_MTIMES ? sg_mtimes_new (a, 0, a, 0, &n)
              : sg_ew_new (op, sg_op_info (op)->n, in, &n));
      double start = sg_now ();
      sg_status s = sg_compute (backend, 1, &n);
      double t = sg_now () - start;
      sg_node_unref (n);
      SG_TRY (s);
      *out = t < *out ? t : *out;
    }
  return SG_OK;
}

static sg_status
time_on_leaf (sg_backend b, sg_op op, sg_class cls, int64_t rows, int64_t columns, double *out)
{
  sg_node *a;
  SG_TRY (filled_leaf (cls, rows, columns, &a));
  sg_status s = time_of (b, op, a, out);
  sg_node_unref (a);
  return s;
}

static sg_status
measure (sg_backend b, sg_rates *r)
{
  const double flops = 2.0 * ORDER * ORDER * ORDER;
  double t;
  SG_TRY (time_on_leaf (b, SG_PLUS, SG_F64, 1, 1, &r->step));
  SG_TRY (time_on_leaf (b, SG_PLUS, SG_F64, ELEMENTS, 1, &t));
  r->bytes = 2 * sizeof (double) * ELEMENTS / t;
  SG_TRY (time_on_leaf (b, SG_EXP, SG_F64, ELEMENTS, 1, &t));
  r->unit = t / (1e-9 * ELEMENTS * sg_op_cost (sg_op_info (SG_EXP)) / 16);
  SG_TRY (time_on_leaf (b, SG_MTIMES, SG_F64, ORDER, ORDER, &t));
  r->flops64 = flops / t;
  SG_TRY (time_on_leaf (b, SG_MTIMES, SG_F32, ORDER, ORDER, &t));
  r->flops32 = flops / t;
  r->known = true;
  return SG_OK;
}

sg_status
sg_rates_get (sg_backend b, const sg_rates **out)
{
  *out = &rates[b];
  if (rates[b].known)
    return SG_OK;
  bool profile = sg_profile_on;
  const char *fault = sg_cfg.fault;
  sg_profile_on = false;
  sg_cfg.fault = "";
  sg_status s = measure (b, &rates[b]);
  sg_profile_on = profile;
  sg_cfg.fault = fault;
  return s;
}

/* ---- estimates -------------------------------------------------------------------------- */

static double
larger (double a, double b)
{
  return a > b ? a : b;
}

static double
product_seconds (const sg_look_step *s, const sg_rates *r)
{
  return larger (s->flops / (s->single ? r->flops32 : r->flops64),
                 (s->read + s->written) / r->bytes);
}

/* One operation by Octave.  */
static double
node_seconds (const sg_node *n, const sg_rates *r)
{
  double bytes = (double) n->numel * sg_class_bytes (n->cls);
  for (int i = 0; i < n->nin; i++)
    bytes += (double) n->in[i]->numel * sg_class_bytes (n->in[i]->cls);
  double ns = (double) n->numel * sg_op_cost (sg_op_info (n->op)) / 16;
  return r->step + larger (bytes / r->bytes, 1e-9 * ns * r->unit);
}

sg_status
sg_look_seconds (const sg_look *l, int k, sg_backend b, double *out)
{
  const sg_look_step *s = &l->step[k];
  const sg_rates *r;
  bool octave = s->work == SG_WORK_OCTAVE && ! (b == SG_CUDA && s->kernel);
  SG_TRY (sg_rates_get (octave ? SG_NATIVE : b, &r));
  double t = r->step;
  if (s->work == SG_WORK_PRODUCT)
    t += product_seconds (s, r);
  else if (b == SG_NATIVE || octave)
    for (int i = 0; i < s->nnode; i++)
      t += node_seconds (l->order[s->node[i]], r);
  else
    t += larger ((s->read + s->written) / r->bytes, 1e-9 * s->ns * r->unit);
  *out = t;
  return SG_OK;
}
