/* Text that grows.  Failures are kept in the text itself, so that those who write look once, at
   the end.  */

#ifndef SG_TEXT_H
#define SG_TEXT_H

#include "../core/symgpu.h"

typedef struct sg_text
{
  char *s;                   /* ends with a 0; NULL: nothing yet */
  size_t n, room;
  bool failed;
} sg_text;

void sg_text_clear (sg_text *t);
void sg_text_add (sg_text *t, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));

/* A word of an expression and what stands for it.  */
typedef struct sg_word
{
  const char *word;
  char with[32];
} sg_word;

/* The expression EXPR with whole words replaced.  */
void sg_text_expr (sg_text *t, const char *expr, int n, const sg_word *word);

#endif
