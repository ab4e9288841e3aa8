/* Map programs that run in part as compiled code: which parts, and when it pays.  */

#ifndef SG_CPU_COMPILED_H
#define SG_CPU_COMPILED_H

#include "../render/segments.h"
#include "compiler.h"
#include "cpu.h"

/* What is done next: a segment, or an instruction by its kernel.  */
typedef struct sg_compiled_item
{
  int segment;               /* -1: none */
  int ins;
} sg_compiled_item;

/* What is known of an exponent when the code is made must hold when it runs.  */
typedef struct sg_compiled_check
{
  int ins;
  bool holds;                /* a power: the exponent is 2; its guard: it is a whole number */
} sg_compiled_check;

/* Data of the tier of a map.  */
typedef struct sg_compiled
{
  double work;               /* elements times instructions that have been done */
  bool analysed;
  sg_object *object;         /* NULL: there is nothing to gain */
  const sg_object_fn *fn;    /* by segment */
  int nitem, nsegment, nearly, ncheck;
  sg_compiled_item *item;
  sg_segment *segment;
  sg_compiled_check *check;
  int *early;                /* loads that come before all else, each to a block of its own */
  char *how;                 /* sg_seghow by instruction */
} sg_compiled;

/* The form of M that is to run now, NULL: none.  Counts the work that M does, and has it compiled when
   it has done enough of it.  */
const sg_compiled * sg_compiled_get (const sg_map *m, const sg_run *r);

#endif
