/* The reductions of every instruction set that this machine has, row by row of red.def.  */

#include "kernel_tests.h"

/* One element after the other, as Octave does it.  */
static double
naive (sg_op op, int rt, double acc, double x)
{
  double y = (op == SG_SUM ? acc + x : op == SG_PROD ? acc * x
              : op == SG_SUMSQ ? acc + (rt == SG_R32 ? (double) ((float) x * (float) x) : x * x)
              : op == SG_ANY ? acc != 0 || (x != 0 && ! isnan (x))
              : op == SG_ALL ? acc != 0 && x != 0
              : op == SG_MAX || op == SG_IMAX ? (x > acc || isnan (acc) ? x : acc)
              : (x < acc || isnan (acc) ? x : acc));
  return rt == SG_R32 ? (double) (float) y : y;
}

static void
check_reduced (const sg_kernels *k, sg_op op, int rt, double got, double want, double scale, int n)
{
  double eps = rt == SG_R32 ? (double) FLT_EPSILON : DBL_EPSILON;
  double tol = sg_op_info (op)->ulp * eps * scale * (1 + n / 64.0);
  if (! is_same (got, want) && ! (fabs (got - want) <= tol))
    FAIL ("%s %s %s of %d elements = %.17g, not %.17g", k->isa, rt_name[rt], sg_op_info (op)->id, n,
          got, want);
}

/* Elements of a line: KIND 0 numbers, 1 with NaN, 2 zeros of both signs, 3 only NaN, 4 with
   infinities, 5 few values.  */
static void
fill (int rt, int n, int kind)
{
  for (int i = 0; i < n; i++)
    {
      double v = random_in (0.5, 1.5) * (random_bits () & 64 ? -1 : 1);
      bool some = (random_bits () & 24) == 0;
      set (rt, bufa, i, kind == 1 && some ? NAN : kind == 2 ? (random_bits () & 32 ? 0.0 : -0.0)
           : kind == 3 ? NAN : kind == 4 && some ? (v < 0 ? -INFINITY : INFINITY)
           : kind == 5 ? floor (2 * v) : v);
    }
}

static void
test_line (const sg_kernels *k, sg_op op, int rt)
{
  for (int n = 0; n <= 300; n += n < 80 ? 1 : 31)
    for (int kind = 0; kind < 6; kind++)
      {
        fill (rt, n, kind);
        double acc = sg_red_init (op), want = acc, scale = 0, first;
        int64_t pos = 0, wpos = 0, m = n / 3;
        set (rt, bufo, 0, acc);
        for (int i = 0; i < n; i++)
          {
            double x = get (rt, bufa, i), old = want;
            want = naive (op, rt, want, x);
            if (! isnan (want) && ! is_same (old, want))
              wpos = i;
            scale += op == SG_PROD ? fabs (want) : fabs (x * x) + fabs (x);
          }
        /* in two calls, the second from where the first has left off */
        const char *rest = bufa + m * size[rt];
        if (k->iline[op][rt])
          {
            k->iline[op][rt] (m, bufa, 0, bufo, &pos);
            k->iline[op][rt] (n - m, rest, m, bufo, &pos);
            if (pos != wpos)
              FAIL ("%s %s %s of %d elements at %d, not %d", k->isa, rt_name[rt],
                    sg_op_info (op)->id, n, (int) pos, (int) wpos);
          }
        else
          {
            k->line[op][rt] (m, bufa, bufo);
            k->line[op][rt] (n - m, rest, bufo);
          }
        check_reduced (k, op, rt, get (rt, bufo, 0), want, scale, n);
        /* the same for every instruction set */
        first = get (rt, bufo, 0);
        if (k->line[op][rt])
          {
            set (rt, bufo, 0, sg_red_init (op));
            table[0]->line[op][rt] (m, bufa, bufo);
            table[0]->line[op][rt] (n - m, rest, bufo);
            if (! is_same (first, get (rt, bufo, 0)))
              FAIL ("%s and %s differ in %s", k->isa, table[0]->isa, sg_op_info (op)->id);
          }
      }
  end_test ();
}

static void
test_elem (const sg_kernels *k, sg_op op, int rt)
{
  for (int n = 1; n <= 40; n++)
    {
      double want[40];
      int64_t pos[40] = { 0 }, wpos[40] = { 0 };
      for (int i = 0; i < n; i++)
        {
          want[i] = sg_red_init (op);
          set (rt, bufo, i, want[i]);
        }
      for (int row = 0; row < 9; row++)
        {
          fill (rt, n, row % 6);
          for (int i = 0; i < n; i++)
            {
              double old = want[i];
              want[i] = naive (op, rt, old, get (rt, bufa, i));
              if (! isnan (want[i]) && ! is_same (old, want[i]))
                wpos[i] = row;
            }
          if (k->ielem[op][rt])
            k->ielem[op][rt] (n, bufa, row, bufo, pos);
          else
            k->elem[op][rt] (n, bufa, bufo);
          for (int i = 0; i < n; i++)
            {
              check_reduced (k, op, rt, get (rt, bufo, i), want[i], 0, row);
              if (pos[i] != (k->ielem[op][rt] ? wpos[i] : 0))
                FAIL ("%s %s %s position of elements", k->isa, rt_name[rt], sg_op_info (op)->id);
            }
        }
      if (! k->join[op][rt])
        continue;
      for (int i = 0; i < n; i++)
        {
          set (rt, bufa, i, i % 4 == 3 ? sg_red_init (op) : 1);
          want[i] = naive (op == SG_SUMSQ ? SG_SUM : op, rt, want[i], get (rt, bufa, i));
        }
      k->join[op][rt] (n, bufa, bufo);
      for (int i = 0; i < n; i++)
        check_reduced (k, op, rt, get (rt, bufo, i), want[i], 0, 1);
    }
  end_test ();
}

static void
test_reductions (const sg_kernels *k)
{
  for (int id = 0; id < SG_NOP; id++)
    for (int rt = 0; rt < 2 && sg_op_info (id)->family == SG_FAM_RED; rt++)
      {
        /* These use the kernels of other rows.  */
        if (id == SG_DOT || id == SG_NORM)
          continue;
        bool place = sg_op_info (id)->out == SG_OUT_IDX;
        if (place ? ! (k->iline[id][rt] && k->ielem[id][rt])
            : ! (k->line[id][rt] && k->elem[id][rt] && k->join[id][rt]))
          {
            FAIL ("%s %s %s: a kernel is missing", k->isa, rt_name[rt], sg_op_info (id)->id);
            end_test ();
            continue;
          }
        test_line (k, id, rt);
        test_elem (k, id, rt);
      }
}

int
main (void)
{
  ok = true;
  find_tables ();
  for (int t = 0; t < ntables; t++)
    test_reductions (table[t]);
  printf ("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
