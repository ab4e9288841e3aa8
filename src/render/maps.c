/* Map steps without reductions: a thread does a few elements, a block's width apart.  */

#include "body.h"

static void
write_one (sg_body *b, int n)
{
  sg_draft *k = b->k;

  sg_line (k, "const P i = (P) blockIdx.x * %d + threadIdx.x;", SG_THREADS);
  sg_line (k, "if (i < (P) n%d)", n);
  sg_open (k);
  sg_body_load (b, "");
  sg_body_run (b, "");
  sg_close (k);
}

/* All loads come before the first store, so that they are on their way together: nothing says
   that an operand and a result are apart.  */
static void
write_several (sg_body *b, int n, int unroll)
{
  sg_draft *k = b->k;

  sg_line (k, "const P i0 = (P) blockIdx.x * %d + threadIdx.x;", SG_THREADS * unroll);
  sg_body_declare (b, unroll);
  for (int pass = 0; pass < 2; pass++)
    {
      sg_line (k, "#pragma unroll");
      sg_line (k, "for (int u = 0; u < %d; u++)", unroll);
      sg_open (k);
      sg_line (k, "const P i = i0 + u * %d;", SG_THREADS);
      sg_line (k, "if (i < (P) n%d)", n);
      sg_open (k);
      if (pass == 0)
        sg_body_load (b, "[u]");
      else
        sg_body_run (b, "[u]");
      sg_close (k);
      sg_close (k);
    }
}

static sg_status
write (sg_body *b)
{
  int64_t numel = b->m->numel;
  int unroll = sg_body_unroll (b), n = sg_draft_int (b->k, numel);

  sg_body_begin (b);
  if (unroll == 1 || b->nsrc == 0)
    {
      unroll = 1;
      write_one (b, n);
    }
  else
    write_several (b, n, unroll);
  sg_body_end (b);
  return sg_draft_finish (b->k, sg_draft_div (numel, SG_THREADS * unroll));
}

sg_status
sg_render_map (const sg_plan *p, const sg_map *m, sg_node *const *order, sg_rendered *out)
{
  sg_draft k;
  sg_body b;

  sg_draft_init (&k, p, order, out, m->numel);
  sg_status s = sg_body_init (&b, &k, m);
  if (s == SG_OK)
    s = write (&b);
  sg_body_clear (&b);
  sg_draft_clear (&k);
  return s;
}
