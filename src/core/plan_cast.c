/* Map programs of the plan's own: conversions, the parts of complex values.  */

#include "plan_write.h"

static sg_status
write_cast (sg_writer *w, int from, int to)
{
  sg_parts a;
  sg_class cls = w->b->p->slot[to].cls;
  SG_TRY (sg_write_fetch (w, from, &a));
  SG_TRY (sg_write_convert (w, a.re, cls, &a.re));
  if (a.im >= 0)
    SG_TRY (sg_write_convert (w, a.im, cls, &a.im));
  SG_TRY (sg_write_deliver (w, to, a));
  return sg_write_end (w);
}

sg_status
sg_build_cast (sg_builder *b, int from, sg_class cls, bool cplx, int *out)
{
  SG_TRY (sg_build_slot (b, &b->p->slot[from], cls, cplx, out));
  sg_writer w;
  SG_TRY (sg_write_begin (b, &w, from));
  sg_status s = write_cast (&w, from, *out);
  sg_free (w.other);
  return s;
}

static sg_status
write_part (sg_writer *w, int from, int part, int to)
{
  sg_parts a;
  SG_TRY (sg_write_fetch (w, from, &a));
  a.re = part ? a.im : a.re;
  a.im = -1;
  SG_TRY (sg_write_convert (w, a.re, w->b->p->slot[to].cls, &a.re));
  SG_TRY (sg_write_deliver (w, to, a));
  return sg_write_end (w);
}

sg_status
sg_build_part (sg_builder *b, int from, int part, sg_class cls, int *out)
{
  SG_TRY (sg_build_slot (b, &b->p->slot[from], cls, false, out));
  sg_writer w;
  SG_TRY (sg_write_begin (b, &w, from));
  sg_status s = write_part (&w, from, part, *out);
  sg_free (w.other);
  return s;
}

static sg_status
write_join (sg_writer *w, int re, int im, bool conj, int to)
{
  sg_parts x, y;
  SG_TRY (sg_write_fetch (w, re, &x));
  SG_TRY (sg_write_fetch (w, im, &y));
  if (conj)
    SG_TRY (sg_write_op (w, SG_UMINUS, sg_rtype_of (w->b->p->slot[to].cls), y.re, -1, &y.re));
  SG_TRY (sg_write_deliver (w, to, (sg_parts) { x.re, y.re }));
  return sg_write_end (w);
}

sg_status
sg_build_join (sg_builder *b, int re, int im, bool conj, int to)
{
  sg_writer w;
  SG_TRY (sg_write_begin (b, &w, to));
  sg_status s = write_join (&w, re, im, conj, to);
  sg_free (w.other);
  return s;
}
