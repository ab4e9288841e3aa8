/* Text that grows.  */

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "text.h"

void
sg_text_clear (sg_text *t)
{
  sg_free (t->s);
  *t = (sg_text) { 0 };
}

static bool
reserve (sg_text *t, size_t more)
{
  if (t->n + more + 1 <= t->room)
    return true;
  size_t room = 2 * t->room + more + 256;
  char *p = t->failed ? NULL : sg_realloc (t->s, room);
  if (! p)
    {
      t->failed = true;
      return false;
    }
  t->s = p;
  t->room = room;
  return true;
}

void
sg_text_add (sg_text *t, const char *fmt, ...)
{
  va_list ap;
  va_start (ap, fmt);
  int more = vsnprintf (NULL, 0, fmt, ap);
  va_end (ap);
  if (! reserve (t, (size_t) more))
    return;
  va_start (ap, fmt);
  vsnprintf (t->s + t->n, t->room - t->n, fmt, ap);
  va_end (ap);
  t->n += (size_t) more;
}

static bool
is_letter (char c)
{
  return isalnum ((unsigned char) c) || c == '_';
}

void
sg_text_expr (sg_text *t, const char *expr, int n, const sg_word *word)
{
  while (*expr)
    {
      size_t k = 0;
      while (is_letter (expr[k]))
        k++;
      int w = 0;
      while (w < n && ! (strlen (word[w].word) == k && strncmp (word[w].word, expr, k) == 0))
        w++;
      if (k > 0 && w < n)
        sg_text_add (t, "%s", word[w].with);
      else
        sg_text_add (t, "%.*s", (int) (k > 0 ? k : 1), expr);
      expr += k > 0 ? k : 1;
    }
}
