/* Graphs with holes, and small values, without Octave.  */

#include "host.h"

#include "../../src/core/function.h"

static double
fill (int64_t i)
{
  return 0.5 * (double) (i % 7) - 1;
}

#define DIMS(...) (int) (sizeof ((int64_t[]) { __VA_ARGS__ }) / sizeof (int64_t)), \
                  (int64_t[]) { __VA_ARGS__ }

static sg_node *
hole (int nd, const int64_t *dim)
{
  sg_node *n = NULL;
  sg_hole_new (SG_F64, false, false, nd, dim, &n);
  return n;
}

/* (x + C) .* y and its column sums; C = 2 * ones.  */
typedef struct program
{
  sg_node *in[2], *out[2], *part[3];
  sg_function *f;
} program;

static sg_status
build (program *p, double (*constant) (int64_t), sg_node *const *value)
{
  sg_node *two = leaf (SG_F64, DIMS (1, 1), constant), *x = NULL;
  if (! two)
    return SG_NOMEM;
  p->part[0] = two;
  SG_TRY (sg_ew_new (SG_TIMES, 2, (sg_node *[]) { two, two }, &x));
  p->part[1] = x;
  SG_TRY (sg_ew_new (SG_PLUS, 2, (sg_node *[]) { p->in[0], x }, &x));
  p->part[2] = x;
  SG_TRY (sg_ew_new (SG_TIMES, 2, (sg_node *[]) { x, p->in[1] }, &x));
  p->out[0] = x;
  SG_TRY (sg_reduce_new (SG_SUM, x, 0, &x));
  p->out[1] = x;
  return sg_function_new (2, p->in, (sg_buf *[]) { value[0]->val, value[1]->val }, 2, p->out, &p->f);
}

static void
drop (program *p)
{
  sg_function_free (p->f);
  for (int i = 0; i < 2; i++)
    {
      sg_node_unref (p->in[i]);
      sg_node_unref (p->out[i]);
    }
  for (int i = 0; i < 3; i++)
    sg_node_unref (p->part[i]);
  *p = (program) { 0 };
}

static double
two (int64_t i)
{
  (void) i;
  return 2;
}

static double
three (int64_t i)
{
  (void) i;
  return 3;
}

static program
program_of (double (*constant) (int64_t), sg_node *const *value)
{
  program p = { .in = { hole (DIMS (3, 4)), hole (DIMS (3, 4)) } };
  CHECK (p.in[0] && p.in[1], "%s", sg_message ());
  sg_status s = build (&p, constant, value);
  CHECK (s == SG_OK, "%s", sg_message ());
  return p;
}

static void
test_runs (void)
{
  sg_node *a[3];
  for (int i = 0; i < 3; i++)
    a[i] = leaf (SG_F64, DIMS (3, 4), i == 1 ? two : fill);
  program p = program_of (two, a);
  bool has = false;
  CHECK (sg_node_has_holes (p.out[1], &has) == SG_OK && has, "no hole found");
  CHECK (sg_node_has_holes (p.part[1], &has) == SG_OK && ! has, "a constant has a hole");
  for (int run = 0; run < 4; run++)
    {
      sg_buf *in[2] = { a[run % 2]->val, a[2 - run % 2]->val }, *out[2];
      const double *x = in[0]->data, *y = in[1]->data;
      sg_status s = sg_function_run (p.f, SG_CPU, in, out);
      CHECK (s == SG_OK, "%s", sg_message ());
      double sum = 0;
      for (int i = 0; i < 12; i++)
        {
          double want = (x[i] + 4) * y[i], got = ((double *) out[0]->data)[i];
          CHECK (got == want, "run %d, element %d: %g, not %g", run, i, got, want);
          sum += i < 3 ? want : 0;
        }
      CHECK (*(double *) out[1]->data == sum, "run %d: sum %g", run, *(double *) out[1]->data);
      sg_buf_unref (out[0]);
      sg_buf_unref (out[1]);
    }
  drop (&p);
  for (int i = 0; i < 3; i++)
    sg_node_unref (a[i]);
}

static void
test_same (void)
{
  sg_node *a[2] = { leaf (SG_F64, DIMS (3, 4), fill), leaf (SG_F64, DIMS (3, 4), two) };
  program p = program_of (two, a), q = program_of (two, a), r = program_of (three, a);
  CHECK (sg_function_same (p.f, q.f), "equal functions differ");
  CHECK (! sg_function_same (p.f, r.f), "functions with other constants are the same");
  drop (&p);
  drop (&q);
  drop (&r);
  sg_node_unref (a[0]);
  sg_node_unref (a[1]);
}

/* A plan for roots of positive numbers does not fit others, and then fits again.  */
static void
test_domain (void)
{
  sg_node *h = hole (DIMS (2, 2)), *root = NULL;
  sg_node *good = leaf (SG_F64, DIMS (2, 2), two), *bad = leaf (SG_F64, DIMS (2, 2), fill);
  sg_function *f = NULL;
  sg_status s = sg_ew_new (SG_SQRT, 1, &h, &root);
  if (s == SG_OK)
    s = sg_function_new (1, &h, &good->val, 1, &root, &f);
  CHECK (s == SG_OK, "%s", sg_message ());
  for (int i = 0; i < 4; i++)
    {
      sg_buf *out = NULL;
      s = sg_function_run (f, SG_CPU, i % 2 ? &bad->val : &good->val, &out);
      CHECK (s == (i % 2 ? SG_DELEGATE : SG_OK), "run %d: status %d", i, s);
      sg_buf_unref (out);
    }
  sg_function_free (f);
  sg_node_unref (root);
  sg_node_unref (h);
  sg_node_unref (good);
  sg_node_unref (bad);
}

/* Each allocation fails once.  */
static void
test_faults (void)
{
  sg_node *a[2] = { leaf (SG_F64, DIMS (3, 4), fill), leaf (SG_F64, DIMS (3, 4), two) };
  int64_t nodes = sg_count.nodes, buffers = sg_count.buffers;
  long k = 0;
  for (bool done = false; ! done; )
    {
      sg_release_caches ();
      program p = { .in = { hole (DIMS (3, 4)), hole (DIMS (3, 4)) } };
      sg_fail_allocation (++k);
      sg_status s = build (&p, two, a);
      sg_buf *out[2] = { NULL, NULL };
      if (s == SG_OK)
        s = sg_function_run (p.f, SG_CPU, (sg_buf *[]) { a[0]->val, a[1]->val }, out);
      void *left = sg_malloc (1);
      done = left == NULL;
      sg_free (left);
      sg_fail_allocation (0);
      CHECK (done ? s == SG_OK : s == SG_OK || s == SG_NOMEM, "allocation %ld: status %d, %s", k, s,
             sg_message ());
      if (s == SG_OK)
        {
          sg_buf_unref (out[0]);
          sg_buf_unref (out[1]);
        }
      drop (&p);
      CHECK (sg_count.nodes == nodes && sg_count.buffers == buffers,
             "allocation %ld: %lld nodes, %lld buffers left", k,
             (long long) (sg_count.nodes - nodes), (long long) (sg_count.buffers - buffers));
    }
  CHECK (k > 20, "few allocations: %ld", k);
  sg_node_unref (a[0]);
  sg_node_unref (a[1]);
}

/* A small value has the bits that a plan gives it.  */
static void
test_small (void)
{
  static const sg_op ops[] = { SG_PLUS, SG_MINUS, SG_TIMES, SG_RDIVIDE, SG_LT, SG_POWER, SG_MTIMES };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    {
      sg_node *in[2] = { leaf (SG_F64, DIMS (4, 4), two), leaf (SG_F64, DIMS (4, 4), fill) };
      sg_node *now = NULL, *later = NULL;
      sg_status s = SG_OK;
      for (int k = 0; k < 2 && s == SG_OK; k++)
        s = ops[i] == SG_MTIMES ? sg_mtimes_new (in[0], 1, in[1], 0, k ? &later : &now)
            : sg_ew_new (ops[i], 2, in, k ? &later : &now);
      CHECK (s == SG_OK && sg_compute_small (now), "%s", sg_op_info (ops[i])->name);
      s = sg_eval (SG_CPU, 1, &later);
      CHECK (s == SG_OK && now->val && now->val->bytes == later->val->bytes
             && memcmp (now->val->data, later->val->data, now->val->bytes) == 0,
             "%s differs", sg_op_info (ops[i])->name);
      sg_node_unref (now);
      sg_node_unref (later);
      sg_node_unref (in[0]);
      sg_node_unref (in[1]);
    }
}

int
main (void)
{
  sg_set_host (&test_host);
  test_runs ();
  test_same ();
  test_domain ();
  test_faults ();
  test_small ();
  sg_release_caches ();
  CHECK (sg_count.nodes == 0 && sg_count.buffers == 0, "%lld nodes, %lld buffers left",
         (long long) sg_count.nodes, (long long) sg_count.buffers);
  return finish ();
}
