/* The elements that subscripts name, in their order, without bringing them together.  */

#ifndef SG_VIEW_H
#define SG_VIEW_H

#include "cpu.h"

#define SG_PIECES 4          /* runs of neighbours in a vector of positions, at most, that are worth knowing */

typedef struct sg_viewdim
{
  int64_t n;
  const int64_t *vec;        /* positions, from 0; NULL: evenly spaced */
  int64_t step;              /* elements between two; VEC: for each number of a position */
} sg_viewdim;

typedef struct sg_view
{
  int64_t base;              /* the element from which all is counted */
  int nd;
  sg_viewdim *dim;           /* extents of 1 are gone, even neighbours are one dimension */
  int npiece;                /* VEC of dimension 0: positions that are neighbours; 0: too many runs */
  int64_t end[SG_PIECES];    /* where each run ends */
} sg_view;

/* What the subscripts of INDEX node N name; DIM has room for as many as N has subscripts, at least
   one.  */
void sg_view_make (sg_view *v, const sg_node *n, sg_viewdim *dim);

/* Where elements I to I + N - 1 are, if they are neighbours: the first, counted from that of the
   operand; -1: they are not.  */
int64_t sg_view_run (const sg_view *v, int64_t i, int64_t n);

/* Bring elements I to I + N - 1 of ESIZE bytes to OUT; IN is the operand.  */
void sg_view_copy (const sg_view *v, int64_t esize, int64_t i, int64_t n, void *out,
                   const void *in);

#endif
