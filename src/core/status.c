/* The sentence that goes with a failure.  */

#include <stdarg.h>
#include <string.h>

#include "symgpu.h"

static char message[1024];

sg_status
sg_fail (sg_status s, const char *fmt, ...)
{
  /* An argument may be the message itself.  */
  char text[sizeof message];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (text, sizeof text, fmt, ap);
  va_end (ap);
  memcpy (message, text, sizeof message);
  return s;
}

const char *
sg_message (void)
{
  return message;
}
