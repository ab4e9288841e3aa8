/* The complex kernels: every row of cplx.def gives the same on every instruction set, writes
   where it may and nowhere else; products and quotients are those of the compiler.  */

#include <complex.h>
#undef I

#include "kernel_tests.h"

#define GUARD_BYTES 64
static char in[4][MANY * 8], out[2][MANY * 8 + GUARD_BYTES];

static void
fill (int rt, int n, int turn)
{
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < n; i++)
      set (rt, in[k], i, turn < NSPECIAL ? special[rt][(i * (k + 1) + turn * (k % 2 ? 5 : 1)) % NSPECIAL]
                         : random_in (-9, 9));
}

/* Units in the last place that instruction sets may differ by: vector functions.  */
static double
allowance (sg_op op)
{
  return op == SG_ABS ? 1 : op == SG_ARG ? 2 : 0;
}

static void
call (sg_cplx_fn f, sg_cplx_form form, bool real, int n, char o[2][MANY * 8 + GUARD_BYTES])
{
  memset (o, 0x55, 2 * (MANY * 8 + GUARD_BYTES));
  f (n, o[0], real ? NULL : o[1], in[0], form == SG_CX_A || form == SG_CX_BOTH ? in[1] : NULL,
     in[2], form == SG_CX_B || form == SG_CX_BOTH ? in[3] : NULL);
}

static void
compare (const sg_kernels *k, sg_op op, sg_cplx_form form, int rt, int n)
{
  bool real = sg_op_cplx (op, form) == SG_CX_REAL;
  static char ref[2][MANY * 8 + GUARD_BYTES];
  call (sg_kernels_generic.cplx[op][form][rt], form, real, n, ref);
  call (k->cplx[op][form][rt], form, real, n, out);
  for (int p = 0; p < 2 - real; p++)
    for (int i = 0; i < n; i++)
      {
        double x = get (rt, out[p], i), y = get (rt, ref[p], i);
        if (! is_same (x, y) && distance (rt, x, y) > allowance (op))
          FAIL ("%s %s %s form %d: part %d is %.17g, not %.17g", k->isa, rt_name[rt],
                sg_op_info (op)->id, form, p, x, y);
      }
  for (int p = 0; p < 2; p++)
    for (int i = real && p ? 0 : n * size[rt]; i < MANY * 8 + GUARD_BYTES; i++)
      if (out[p][i] != 0x55)
        {
          FAIL ("%s %s form %d writes beyond %d elements", k->isa, sg_op_info (op)->id, form, n);
          break;
        }
}

static void
test_rows (const sg_kernels *k)
{
  for (int op = 0; op < SG_NOP; op++)
    for (int form = 0; form < SG_NCX; form++)
      for (int rt = 0; rt < 2; rt++)
        {
          bool is = sg_op_cplx (op, form) != SG_CX_NONE;
          if (is != (k->cplx[op][form][rt] != NULL))
            FAIL ("%s: a kernel and no row, or a row and no kernel", sg_op_info (op)->id);
          else if (is)
            for (int turn = 0; turn < NSPECIAL + 3; turn++)
              {
                int n = turn < NSPECIAL ? NSPECIAL : turn == NSPECIAL ? MANY : 5 * turn % 37 + 1;
                fill (rt, n, turn);
                compare (k, op, form, rt, n);
              }
          end_test ();
        }
}

/* Infinities in products, the ends of the range in quotients: as the compiler's own.  */
static void
test_product (const sg_kernels *k, sg_op op)
{
  for (int turn = 0; turn < NSPECIAL + 40; turn++)
    {
      fill (SG_R64, NSPECIAL, turn);
      call (k->cplx[op][SG_CX_BOTH][SG_R64], SG_CX_BOTH, false, NSPECIAL, out);
      for (int i = 0; i < NSPECIAL; i++)
        {
          double _Complex a = __builtin_complex (get (SG_R64, in[0], i), get (SG_R64, in[1], i));
          double _Complex b = __builtin_complex (get (SG_R64, in[2], i), get (SG_R64, in[3], i));
          double _Complex c = op == SG_TIMES ? a * b : a / b;
          if (! is_same (get (SG_R64, out[0], i), __real__ c)
              || ! is_same (get (SG_R64, out[1], i), __imag__ c))
            FAIL ("%s: %s %d", k->isa, sg_op_info (op)->name, i);
        }
    }
  end_test ();
}

static void
test_parts (const sg_kernels *k)
{
  for (int rt = 0; rt < 2; rt++)
    {
      fill (rt, 37, NSPECIAL);
      memcpy (bufa, in[0], sizeof in[0]);
      k->merge[rt] (37, bufo, bufa, in[1]);
      for (int i = 0; i < 37; i++)
        if (get (rt, bufo, 2 * i) != get (rt, bufa, i)
            || get (rt, bufo, 2 * i + 1) != get (rt, in[1], i))
          FAIL ("%s: merge", k->isa);
      k->merge[rt] (37, bufo, bufa, NULL);
      for (int i = 0; i < 37; i++)
        if (get (rt, bufo, 2 * i) != get (rt, bufa, i) || get (rt, bufo, 2 * i + 1) != 0)
          FAIL ("%s: merge with 0", k->isa);
      for (int i = 0; i < 37; i++)
        set (rt, bufa, i, i % 2 ? 0 : -0.0);
      if (k->nonzero[rt] (37, bufa))
        FAIL ("%s: zeros are not all 0", k->isa);
      for (int i = 0; i < 37; i++)
        {
          set (rt, bufa, i, i % 2 ? NAN : 1e-30);
          if (! k->nonzero[rt] (37, bufa))
            FAIL ("%s: element %d is not 0", k->isa, i);
          set (rt, bufa, i, 0);
        }
      end_test ();
    }
}

int
main (void)
{
  ok = true;
  find_tables ();
  for (int t = 0; t < ntables; t++)
    {
      test_rows (table[t]);
      test_product (table[t], SG_TIMES);
      test_product (table[t], SG_RDIVIDE);
      test_parts (table[t]);
    }
  printf ("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
