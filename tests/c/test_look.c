/* Tests of what a person can look at: plans as numbers, the profile, the planted fault, rates;
   looking with every allocation failing once.  */

#include "host.h"
#include "../../src/core/look.h"

static double
fill (int64_t i)
{
  return 0.25 * (double) (i % 7);
}

/* exp (a * a') + 1, and its sums; the exponential is held, the rest is the caller's.  */
typedef struct program { sg_node *a, *product, *exp, *sum, *one, *root; } program;

static sg_status
build (program *p)
{
  *p = (program) { .a = leaf (SG_F64, 2, (int64_t[]) { 20, 30 }, fill),
                   .one = leaf (SG_F64, 2, (int64_t[]) { 1, 1 }, fill) };
  SG_TRY (sg_mtimes_new (p->a, 0, p->a, 2, &p->product));
  SG_TRY (sg_ew_new (SG_EXP, 1, &p->product, &p->exp));
  SG_TRY (sg_reduce_new (SG_SUM, p->exp, 0, &p->sum));
  return sg_ew_new (SG_PLUS, 2, (sg_node *[]) { p->sum, p->one }, &p->root);
}

static void
drop (program *p)
{
  sg_node_unref (p->root);
  sg_node_unref (p->sum);
  sg_node_unref (p->exp);
  sg_node_unref (p->product);
  sg_node_unref (p->one);
  sg_node_unref (p->a);
}

static void
plans (void)
{
  program p;
  sg_look *l = NULL;
  CHECK (build (&p) == SG_OK, "%s", sg_message ());
  CHECK (sg_look_new (1, &p.root, &l) == SG_OK, "%s", sg_message ());
  CHECK (l->nstep == 3, "%d steps", l->nstep);
  const sg_look_step *s = l->step;
  CHECK (s[0].work == SG_WORK_PRODUCT && s[0].same && s[0].tb == 2, "kind %d", s[0].work);
  CHECK (s[0].flops == 2.0 * 20 * 30 * 20, "%g", s[0].flops);
  CHECK (s[0].read == 20 * 30 * 8 && s[0].written == 20 * 20 * 8, "%lld, %lld",
         (long long) s[0].read, (long long) s[0].written);
  CHECK (s[1].work == SG_WORK_LOOP && s[1].nnode == 2, "%d nodes", s[1].nnode);
  CHECK (s[2].work == SG_WORK_LOOP && s[2].elements == 20, "%lld", (long long) s[2].elements);
  CHECK (s[0].value[0].cut == SG_CUT_MADE && s[0].value[0].step == 1, "%d", s[0].value[0].cut);
  CHECK (s[2].value[0].cut == SG_CUT_RESULT, "%d", s[2].value[0].cut);
  CHECK (l->inputs == 8 * (600 + 1), "%lld", (long long) l->inputs);
  CHECK (! l->cached && l->runs == 0, "%lld", (long long) l->runs);
  sg_look_free (l);
  CHECK (sg_eval (SG_CPU, 1, &p.root) == SG_OK, "%s", sg_message ());
  CHECK (sg_look_new (1, &p.root, &l) == SG_OK && l->nstep == 0, "%s", sg_message ());
  sg_look_free (l);
  drop (&p);
}

static void
failing_allocations (void)
{
  program p;
  CHECK (build (&p) == SG_OK, "%s", sg_message ());
  sg_status s = SG_NOMEM;
  int k = 0;
  while (s == SG_NOMEM && k < 1000)
    {
      sg_look *l = NULL;
      sg_release_caches ();
      sg_fail_allocation (++k);
      s = sg_look_new (1, &p.root, &l);
      sg_fail_allocation (0);
      CHECK (s == SG_OK || s == SG_NOMEM, "%d: %s", k, sg_message ());
      sg_look_free (l);
    }
  CHECK (s == SG_OK && k > 20, "%d", k);
  drop (&p);
}

static void
profile (void)
{
  program p;
  CHECK (build (&p) == SG_OK, "%s", sg_message ());
  sg_profile_reset ();
  sg_profile_on = true;
  CHECK (sg_eval (SG_CPU, 1, &p.root) == SG_OK, "%s", sg_message ());
  sg_profile_on = false;
  int64_t steps = 0;
  for (int k = 0; k < sg_profile_count (); k++)
    {
      const sg_profile_row *r = sg_profile_get (k);
      CHECK (r->seconds >= 0, "%g", r->seconds);
      steps += r->work == SG_WORK_PLAN ? 0 : r->count;
    }
  CHECK (steps == 3, "%lld", (long long) steps);
  sg_profile_reset ();
  CHECK (sg_profile_count () == 0, "%d", sg_profile_count ());
  drop (&p);
}

static void
set_fault (const char *text)
{
  for (int k = 0; k < sg_config_count (); k++)
    if (strcmp (sg_config_name (k), "fault") == 0)
      CHECK (sg_config_set_string (k, text) == SG_OK, "%s", sg_message ());
}

static void
fault (void)
{
  program p, q;
  CHECK (build (&p) == SG_OK && build (&q) == SG_OK, "%s", sg_message ());
  CHECK (sg_eval (SG_CPU, 1, &q.root) == SG_OK, "%s", sg_message ());
  p.exp->origin = 7;
  set_fault ("cpu:exp:error");
  CHECK (sg_eval (SG_CPU, 1, &p.root) == SG_INTERNAL, "%s", sg_message ());
  CHECK (sg_failed_origin == 7, "%u", sg_failed_origin);
  set_fault ("cpu:exp");
  CHECK (sg_eval (SG_CPU, 1, &p.root) == SG_OK, "%s", sg_message ());
  const double *right = q.root->val->data, *wrong = p.root->val->data;
  CHECK (wrong[0] > right[0] && wrong[1] == right[1], "%g, %g", wrong[0], right[0]);
  set_fault ("");
  drop (&p);
  drop (&q);
}

static void
rates (void)
{
  program p;
  sg_look *l = NULL;
  const sg_rates *r = NULL;
  CHECK (sg_rates_get (SG_CPU, &r) == SG_OK, "%s", sg_message ());
  CHECK (r->bytes > 1e6 && r->flops64 > 1e6 && r->unit > 0, "%g, %g", r->bytes, r->flops64);
  CHECK (build (&p) == SG_OK && sg_look_new (1, &p.root, &l) == SG_OK, "%s", sg_message ());
  for (int k = 0; k < l->nstep; k++)
    {
      double t = 0;
      CHECK (sg_look_seconds (l, k, SG_CPU, &t) == SG_OK && t > 0, "%g", t);
    }
  sg_look_free (l);
  drop (&p);
}

int
main (void)
{
  sg_set_host (&test_host);
  int64_t nodes = sg_count.nodes;
  plans ();
  failing_allocations ();
  profile ();
  fault ();
  rates ();
  CHECK (sg_count.nodes == nodes, "%lld nodes left", (long long) sg_count.nodes);
  return finish ();
}
