/* The frame of every call: failures on demand, counts, complaints, the report at the end.  */

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu.h"

#define COUNTS_BYTES 2048

emu_counts_type emu_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUresult broken;
static char complaints[16384];
static bool ended;

/* ---- settings ---------------------------------------------------------------------------- */

int64_t
emu_setting (const char *name, int64_t otherwise)
{
  const char *text = getenv (name);
  return text && *text ? strtoll (text, NULL, 0) : otherwise;
}

/* ---- what is wrong ----------------------------------------------------------------------- */

static void
complain (const char *fmt, va_list ap)
{
  size_t used = strlen (complaints);
  emu_count.complaints++;
  vsnprintf (complaints + used, sizeof complaints - used, fmt, ap);
  if (! emu_setting ("SYMGPU_EMU_QUIET", 0))
    fprintf (stderr, "emulated device: %s\n", complaints + used);
  used = strlen (complaints);
  snprintf (complaints + used, sizeof complaints - used, "\n");
}

void
emu_complain (const char *fmt, ...)
{
  va_list ap;
  va_start (ap, fmt);
  complain (fmt, ap);
  va_end (ap);
}

void
emu_break (CUresult r, const char *fmt, ...)
{
  va_list ap;
  va_start (ap, fmt);
  complain (fmt, ap);
  va_end (ap);
  broken = r;
}

CUresult
emu_state (void)
{
  return broken;
}

void
emu_mend (void)
{
  broken = CUDA_SUCCESS;
}

void
emu_trace (const char *fmt, ...)
{
  const char *file = getenv ("SYMGPU_EMU_TRACE");
  FILE *f = file && *file ? fopen (file, "a") : NULL;
  if (! f)
    return;
  va_list ap;
  va_start (ap, fmt);
  vfprintf (f, fmt, ap);
  va_end (ap);
  fputc ('\n', f);
  fclose (f);
}

/* ---- failures on demand ------------------------------------------------------------------ */

static const char *const kind_name[] = {
#define FAULT(id, name) name,
#include "fault.def"
};

static struct { int kind; int64_t left; CUresult code; } plan[32];
static int nplan;
static char plan_text[512];

static void
read_plan (void)
{
  const char *text = getenv ("SYMGPU_EMU_FAIL");
  if (! text)
    text = "";
  if (strncmp (text, plan_text, sizeof plan_text - 1) == 0)
    return;
  snprintf (plan_text, sizeof plan_text, "%s", text);
  nplan = 0;
  char kind[32];
  long long k;
  int code, len;
  while (nplan < 32 && sscanf (text, " %31[a-z_]:%lld:%d%n", kind, &k, &code, &len) == 3)
    {
      for (int i = 0; i < EMU_NKINDS; i++)
        if (strcmp (kind, kind_name[i]) == 0)
          {
            plan[nplan].kind = i;
            plan[nplan].left = k;
            plan[nplan++].code = code;
          }
      text += len;
      text += strspn (text, ", ");
    }
  if (*text)
    emu_complain ("SYMGPU_EMU_FAIL is not understood from '%s' on", text);
}

static CUresult
demanded (emu_kind kind)
{
  read_plan ();
  CUresult r = CUDA_SUCCESS;
  for (int i = 0; i < nplan; i++)
    if (plan[i].kind == (int) kind && plan[i].left > 0 && --plan[i].left == 0)
      r = plan[i].code;
  if (r != CUDA_SUCCESS)
    {
      emu_count.injected++;
      emu_trace ("%s fails with %d on demand", kind_name[kind], r);
    }
  return r;
}

/* ---- counts and report ------------------------------------------------------------------- */

const char *
emu_counts (void)
{
  static char text[COUNTS_BYTES];
  int n = 0;
#define COUNT(name, meaning) \
  n += snprintf (text + n, sizeof text - n, "%-15s %15lld\n", #name, (long long) emu_count.name);
#include "count.def"
  return text;
}

/* Mapped once; as the text always has the same length, it is never seen in between.  */
static void
show_counts (void)
{
  static char *map;
  static bool tried;
  if (! tried)
    {
      tried = true;
      const char *file = getenv ("SYMGPU_EMU_COUNTS");
      int fd = file && *file ? open (file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
      size_t n = strlen (emu_counts ());
      if (fd >= 0 && ftruncate (fd, n) == 0)
        map = mmap (NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (map == MAP_FAILED)
        map = NULL;
      if (fd >= 0)
        close (fd);
    }
  if (map)
    {
      const char *text = emu_counts ();
      memcpy (map, text, strlen (text));
    }
}

/* Whoever frees after the end of the driver changes the report.  */
static void
report (void)
{
  const char *file = getenv ("SYMGPU_EMU_REPORT");
  if (! file || ! *file)
    return;
  char name[4096];
  const char *pid = strstr (file, "%p");
  if (pid)
    snprintf (name, sizeof name, "%.*s%ld%s", (int) (pid - file), file, (long) getpid (), pid + 2);
  FILE *f = fopen (pid ? name : file, "w");
  if (! f)
    return;
  fputs (emu_counts (), f);
  fputs (complaints, f);
  emu_memory_list (f);
  fclose (f);
}

__attribute__ ((destructor)) static void
end (void)
{
  pthread_mutex_lock (&lock);
  ended = true;
  emu_memory_unlock ();
  emu_flush ();
  emu_memory_check ();
  emu_memory_lock ();
  report ();
  show_counts ();
  pthread_mutex_unlock (&lock);
}

/* ---- calls ------------------------------------------------------------------------------- */

CUresult
emu_enter (emu_kind kind)
{
  pthread_mutex_lock (&lock);
  CUresult r = demanded (kind);
  /* A lost device still gives back what it was given.  */
  bool own = kind == EMU_COMPILE || kind == EMU_NVRTC || kind == EMU_FREE || kind == EMU_OTHER;
  if (r == CUDA_SUCCESS && broken != CUDA_SUCCESS && ! own)
    r = broken;
  if (r != CUDA_SUCCESS)
    {
      show_counts ();
      pthread_mutex_unlock (&lock);
      return r;
    }
  emu_memory_unlock ();
  return CUDA_SUCCESS;
}

CUresult
emu_leave (CUresult r)
{
  emu_memory_lock ();
  show_counts ();
  if (ended)
    report ();
  pthread_mutex_unlock (&lock);
  return r;
}
