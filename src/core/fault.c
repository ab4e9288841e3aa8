/* The fault that tests plant, to see that it is found.  */

#include <string.h>

#include "fault.h"

/* True if the setting names operation OP on backend B; ERROR: it is to fail.  */
static bool
is_faulty (sg_backend b, sg_op op, bool *error)
{
  char name[80];
  int n = snprintf (name, sizeof name, "%s:%s", sg_backend_name (b), sg_op_info (op)->name);
  const char *rest = sg_cfg.fault + n;
  if (strncmp (sg_cfg.fault, name, n) != 0)
    return false;
  *error = strcmp (rest, ":error") == 0;
  return *error || *rest == '\0';
}

/* A copy of the value of N, a quarter larger in its first element.  */
static sg_status
spoil (sg_node *n)
{
  sg_buf *b;
  SG_TRY (sg_buf_pool (n->val->cls, n->val->cplx, n->val->bytes, &b));
  memcpy (b->data, n->val->data, n->val->bytes);
  if (n->numel > 0)
    switch (b->cls)
      {
      case SG_F64:
        *(double *) b->data = 1.25 * *(double *) b->data + 0x1p-40;
        break;
      case SG_F32:
        *(float *) b->data = 1.25f * *(float *) b->data + 0x1p-40f;
        break;
      default:
        *(unsigned char *) b->data ^= 1;
      }
  sg_buf_unref (n->val);
  n->val = b;
  return SG_OK;
}

sg_status
sg_fault_plant (sg_backend b, const sg_graph *g, sg_evaluator eval)
{
  for (int k = 0; k < g->n; k++)
    {
      sg_node *x = g->order[k];
      bool error;
      if (sg_node_is_leaf (x) || ! is_faulty (b, x->op, &error))
        continue;
      if (error)
        {
          sg_failed_origin = x->origin;
          return sg_fail (SG_INTERNAL, "%s on %s fails: a test has asked for it",
                          sg_op_info (x->op)->name, sg_backend_name (b));
        }
      SG_TRY (eval (b, 1, &x, SG_WANT_HOST));
      SG_TRY (sg_buf_host (x->val));
      SG_TRY (spoil (x));
    }
  return SG_OK;
}
