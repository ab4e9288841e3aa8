/* Elements that subscripts name: where element i is.  */

#include "../core/build.h"
#include "views.h"

typedef struct dims
{
  int nd;
  int which[SG_MAXND];       /* the subscript */
  int64_t dim[SG_MAXND];
  int64_t step[SG_MAXND];    /* distance in the operand */
} dims;

/* Colons that lead are one dimension, as the dimensions below them.  */
static void
make_dims (const sg_node *n, dims *q)
{
  const sg_node *a = n->in[0];
  int64_t s = 1;

  q->nd = 0;
  for (int d = 0; d < n->npar; d++)
    {
      bool colon = n->idx[d].kind == SG_IDX_COLON;
      if (q->nd == 1 && colon && n->idx[q->which[0]].kind == SG_IDX_COLON)
        q->dim[0] *= n->idx[d].n;
      else
        {
          q->dim[q->nd] = n->idx[d].n;
          q->step[q->nd] = s;
          q->which[q->nd++] = d;
        }
      s *= d < a->nd ? a->dim[d] : 1;
    }
}

/* Position xD of coordinate cD in dimension D; PREFIX stands before both names.  */
static void
add_position (sg_draft *k, int node, const dims *q, int d, const char *prefix)
{
  const sg_index *x = &k->order[node]->idx[q->which[d]];
  sg_arg a = { SG_ARG_VECTOR, node, q->which[d] };

  if (x->kind == SG_IDX_COLON)
    sg_line (k, "const long long %sx%d = %sc%d;", prefix, d, prefix, d);
  else if (x->kind == SG_IDX_VECTOR)
    {
      int p = sg_draft_pointer (k, a, "const long long");
      sg_line (k, "const long long %sx%d = p%d[%sc%d];", prefix, d, p, prefix, d);
    }
  else
    {
      a.kind = SG_ARG_START;
      int start = sg_draft_arg (k, a);
      a.kind = SG_ARG_STEP;
      int step = sg_draft_arg (k, a);
      sg_line (k, "const long long %sx%d = n%d + (long long) %sc%d * n%d;", prefix, d, start, prefix,
               d, step);
    }
}

void
sg_view_declare (sg_draft *k, int node, int name)
{
  dims q;
  char prefix[16], rest[32] = "i";

  make_dims (k->order[node], &q);
  snprintf (prefix, sizeof prefix, "v%d", name);
  for (int d = 0; d < q.nd; d++)
    {
      if (d == q.nd - 1)
        sg_line (k, "const P %sc%d = %s;", prefix, d, rest);
      else
        {
          int n = sg_draft_int (k, q.dim[d]);
          sg_line (k, "const P %sc%d = %s %% (P) n%d, %sq%d = %s / (P) n%d;", prefix, d, rest, n,
                   prefix, d, rest, n);
          snprintf (rest, sizeof rest, "%sq%d", prefix, d);
        }
      add_position (k, node, &q, d, prefix);
    }
  sg_text_add (&k->text, "%*sconst long long %s = %sx0", k->indent, "", prefix, prefix);
  for (int d = 1; d < q.nd; d++)
    sg_text_add (&k->text, " + %sx%d * n%d", prefix, d, sg_draft_int (k, q.step[d]));
  sg_text_add (&k->text, ";\n");
}
