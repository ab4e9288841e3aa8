/* INDEX: the lines of a move that takes the elements which subscripts name.  */

#include "lines.h"
#include "view.h"

static void
line_index (const sg_lines *j, int64_t o, int64_t i0, int64_t i1)
{
  int64_t at = o * j->inner + i0, n = i1 - i0;
  char *out = j->out + at * j->esize;
  int64_t run = sg_view_run (&j->view, at, n);

  if (run >= 0)
    sg_copy_runs (1, n * j->esize, out, 0, j->in + run * j->esize, 0);
  else
    sg_view_copy (&j->view, j->esize, at, n, out, j->in);
}

sg_status
sg_lines_index (sg_lines *j, const sg_run *r)
{
  sg_view_make (&j->view, r->order[j->v->inode], j->viewdim);
  j->line = line_index;
  j->inner = j->view.dim[0].n;
  j->outer = 1;
  for (int d = 1; d < j->view.nd; d++)
    j->outer *= j->view.dim[d].n;
  j->weight = j->esize;
  j->round = 1;
  return sg_lines_run (j, r);
}
