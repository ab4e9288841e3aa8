/* The same program with the first, second, third ... allocation failing: each time an error
   with a sentence or the right result, nothing lost, and afterwards it runs.  */

#include "host.h"

static double
fill (int64_t i)
{
  return 0.25 * (double) (i % 17) - 1;
}

typedef struct program
{
  sg_node *node[32];
  int n;
} program;

static sg_status
keep (program *p, sg_status s, sg_node *n)
{
  if (s == SG_OK)
    p->node[p->n++] = n;
  return s;
}

#define MAKE(call) do { sg_status e_ = call; SG_TRY (keep (p, e_, x)); } while (0)
#define N(i) p->node[i]

static sg_status
source (program *p, sg_class cls, int64_t rows, int64_t cols)
{
  sg_node *x = leaf (cls, 2, (int64_t[]) { rows, cols }, fill);
  return keep (p, x ? SG_OK : SG_NOMEM, x);
}

/* Every kind of step, several values that are held, a guard that is hit, subscripts.  */
static sg_status
build (program *p)
{
  sg_node *x = NULL;
  SG_TRY (source (p, SG_F64, 40, 30));                               /* 0 */
  SG_TRY (source (p, SG_F64, 1, 30));                                /* 1 */
  SG_TRY (source (p, SG_I8, 40, 30));                                /* 2 */
  SG_TRY (source (p, SG_F32, 40, 30));                               /* 3 */
  MAKE (sg_ew_new (SG_PLUS, 2, (sg_node *[]) { N (0), N (1) }, &x)); /* 4 */
  MAKE (sg_ew_new (SG_EXP, 1, &N (4), &x));                          /* 5 */
  MAKE (sg_ew_new (SG_TIMES, 2, (sg_node *[]) { N (2), N (5) }, &x));/* 6 */
  MAKE (sg_reduce_new (SG_SUM, N (5), 0, &x));                       /* 7 */
  MAKE (sg_reduce_new (SG_IMAX, N (5), 1, &x));                      /* 8 */
  MAKE (sg_mtimes_new (N (5), 1, N (3), 0, &x));                     /* 9 */
  MAKE (sg_scan_new (SG_CUMSUM, N (4), 0, &x));                      /* 10 */
  MAKE (sg_cat_new (1, 2, (sg_node *[]) { N (10), N (3) }, &x));     /* 11 */
  MAKE (sg_permute_new (N (11), 3, (int64_t[]) { 1, 2, 0 }, &x));    /* 12 */
  MAKE (sg_repmat_new (N (7), 2, (int64_t[]) { 3, 2 }, &x));         /* 13 */
  MAKE (sg_ew_new (SG_SQRT, 1, &N (0), &x));                         /* 14 */
  int64_t *vec = sg_malloc (3 * sizeof *vec);
  if (! vec)
    return sg_fail (SG_NOMEM, "out of memory for subscripts");
  memcpy (vec, (int64_t[]) { 3, 0, 39 }, 3 * sizeof *vec);
  sg_index idx[2] = { { .kind = SG_IDX_VECTOR, .n = 3, .vec = vec },
                      { .kind = SG_IDX_RANGE, .start = 2, .step = 4, .n = 5 } };
  sg_status s = sg_index_new (N (4), 2, idx, 2, (int64_t[]) { 3, 5 }, &x);
  if (s != SG_OK)
    sg_free (vec);
  SG_TRY (keep (p, s, x));                                           /* 15 */
  MAKE (sg_sort_new (SG_SORT, N (4), 0, false, &x));                 /* 16 */
  MAKE (sg_sort_new (SG_ISORT, N (4), 1, true, &x));                 /* 17 */
  MAKE (sg_trilu_new (SG_TRIL, N (4), 0, &x));                       /* 18 */
  MAKE (sg_dot_new (N (4), N (3), 0, &x));                           /* 19 */
  return SG_OK;
}

static sg_status
run (program *p)
{
  SG_TRY (build (p));
  return sg_eval (SG_CPU, p->n - 4, p->node + 4);
}

static void
drop (program *p)
{
  for (int i = 0; i < p->n; i++)
    sg_node_unref (p->node[i]);
  p->n = 0;
}

int
main (void)
{
  sg_set_host (&test_host);
  sg_cfg.threads = 2;
  program p = { .n = 0 };
  long k = 0;
  for (bool done = false; ! done; )
    {
      sg_release_caches ();
      sg_fail_allocation (++k);
      sg_status s = run (&p);
      /* A failure that is left over means that the program needs fewer than K allocations.  */
      void *left = sg_malloc (1);
      done = left == NULL;
      sg_free (left);
      sg_fail_allocation (0);
      if (done)
        CHECK (s == SG_OK, "allocation %ld: %s", k, sg_message ());
      else
        CHECK (s == SG_OK || (s == SG_NOMEM && strncmp (sg_message (), "out of memory", 13) == 0),
               "allocation %ld: status %d, %s", k, s, sg_message ());
      drop (&p);
      CHECK (sg_count.nodes == 0 && sg_count.buffers == 0 && sg_count.pool_bytes == 0,
             "allocation %ld: %lld nodes, %lld buffers, %lld bytes of the pool left", k,
             (long long) sg_count.nodes, (long long) sg_count.buffers,
             (long long) sg_count.pool_bytes);
      s = run (&p);
      CHECK (s == SG_OK, "allocation %ld, again: %s", k, sg_message ());
      drop (&p);
    }
  CHECK (k > 50, "the program has few allocations: %ld", k);
  sg_release_caches ();
  return finish ();
}
