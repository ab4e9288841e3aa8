/* Between move.c and index.c: moves cut in lines.  */

#ifndef SG_LINES_H
#define SG_LINES_H

#include "cpu.h"
#include "view.h"

/* A move cut in lines of INNER elements; the function does elements I0 to I1 - 1 of line O.  */
typedef struct sg_lines sg_lines;
struct sg_lines
{
  void (*line) (const sg_lines *j, int64_t o, int64_t i0, int64_t i1);
  int64_t outer, inner;
  int64_t weight;            /* bytes moved for an element of a line */
  int64_t round;             /* pieces of lines are multiples of this */
  int64_t piece, group;      /* a unit is GROUP lines, or a PIECE of one */

  const sg_move *v;
  char *out;
  const char *in;
  int64_t esize;
  int nd;                    /* of the dimensions below, as each move uses them */
  int64_t dim[SG_MAXND];
  int64_t istr[SG_MAXND], ostr[SG_MAXND];   /* in elements */
  int64_t reps[SG_MAXND];
  sg_view view;              /* INDEX */
  sg_viewdim viewdim[SG_MAXND];
};

/* Do all lines.  */
sg_status sg_lines_run (sg_lines *j, const sg_run *r);
/* The move of an INDEX.  */
sg_status sg_lines_index (sg_lines *j, const sg_run *r);

/* N runs of BYTES bytes, DS and SS bytes apart.  */
void sg_copy_runs (int64_t n, int64_t bytes, char *d, int64_t ds, const char *s, int64_t ss);

typedef struct { uint64_t v[2]; } sg_uint128;

#endif
