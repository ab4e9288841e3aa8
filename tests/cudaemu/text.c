/* The text of a kernel as the host's compiler can take it.  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "nvrtc.h"

static bool
is_word (char c)
{
  return isalnum ((unsigned char) c) || c == '_';
}

/* The text with blanks for comments and what is quoted.  */
static char *
bare (const char *text)
{
  char *s = strdup (text);
  for (char *p = s; p && *p; )
    {
      char *from = p;
      if (p[0] == '/' && p[1] == '/')
        p += strcspn (p, "\n");
      else if (p[0] == '/' && p[1] == '*')
        {
          char *end = strstr (p + 2, "*/");
          p = end ? end + 2 : p + strlen (p);
        }
      else if (*p == '"' || *p == '\'')
        {
          for (p++; *p && *p != *from; p++)
            if (*p == '\\' && p[1])
              p++;
          p += *p != 0;
        }
      else
        {
          p++;
          continue;
        }
      for (; from < p; from++)
        if (*from != '\n')
          *from = ' ';
    }
  return s;
}

/* The next place from AT on where the word stands, or NULL.  */
static char *
find_word (char *s, char *at, const char *word)
{
  size_t n = strlen (word);
  while ((at = strstr (at, word)))
    {
      if ((at == s || ! is_word (at[-1])) && ! is_word (at[n]))
        return at;
      at += n;
    }
  return NULL;
}

static char *
skip_blanks (char *p)
{
  return p + strspn (p, " \t\n");
}

/* "extern __shared__ T x[];" becomes "T *const x = (T *) emu_dynamic;".  */
static bool
shared_memory (char *s, char *text, emu_text *out)
{
  char *done = s, *at = s;
  while ((at = find_word (s, at, "__shared__")))
    {
      char *ext = at;
      while (ext > s && isspace ((unsigned char) ext[-1]))
        ext--;
      at += strlen ("__shared__");
      if (ext - s < 6 || strncmp (ext - 6, "extern", 6) != 0)
        continue;
      char *end = strchr (at, ';'), *bracket = end;
      while (bracket > at && *bracket != '[')
        bracket--;
      char *last = bracket;
      while (last > at && isspace ((unsigned char) last[-1]))
        last--;
      char *name = last;
      while (name > at && is_word (name[-1]))
        name--;
      if (! end || name == last || bracket == at)
        return false;
      emu_add (out, text + (done - s), ext - 6 - done);
      emu_add (out, text + (at - s), name - at);
      emu_add (out, "*const ", 7);
      emu_add (out, name, last - name);
      emu_add (out, " = (", 4);
      emu_add (out, text + (at - s), name - at);
      emu_add (out, "*) emu_dynamic", 14);
      done = at = end;
    }
  emu_add (out, text + (done - s), strlen (done));
  return true;
}

/* An entry for every kernel.  */
static void
entries (char *s, emu_text *out)
{
  char *at = s;
  emu_add (out, "\n", 1);
  while ((at = find_word (s, at, "__global__")))
    {
      at = skip_blanks (at + strlen ("__global__"));
      while (is_word (*at))
        {
          char *name = at;
          while (is_word (*at))
            at++;
          char *end = at;
          at = skip_blanks (at);
          if (*at != '(')
            continue;
          if (strncmp (name, "__", 2) != 0)
            {
              emu_add (out, "EMU_ENTRY (", 11);
              emu_add (out, name, end - name);
              emu_add (out, ")\n", 2);
              break;
            }
          /* Of an attribute.  */
          int depth = 0;
          do
            depth += (*at == '(') - (*at == ')');
          while (*at++ && depth);
          at = skip_blanks (at);
        }
    }
}

char *
emu_translate (const char *text, bool with_entries)
{
  emu_text out = { NULL, 0, 0, true };
  char *s = bare (text);
  bool ok = s && shared_memory (s, (char *) text, &out);
  if (ok && with_entries)
    entries (s, &out);
  free (s);
  emu_add (&out, "", 1);
  if (ok && out.ok)
    return out.data;
  free (out.data);
  return NULL;
}

void
emu_add (emu_text *t, const char *s, size_t n)
{
  if (t->n + n > t->room)
    {
      size_t room = 2 * (t->n + n) + 1024;
      char *p = realloc (t->data, room);
      if (! p)
        {
          t->ok = false;
          return;
        }
      t->data = p;
      t->room = room;
    }
  memcpy (t->data + t->n, s, n);
  t->n += n;
}
