/* What bench_gpu prints: a table, and the same as JSON.  */

#ifndef BENCH_GPU_REPORT_H
#define BENCH_GPU_REPORT_H

#include <stdio.h>
#include <string.h>

#include "gpu_rows.h"

typedef struct result
{
  const char *name, *text, *ceiling_is;
  double seconds, ceiling, bytes, flops;
  char failed[300];          /* "" if it has not */
} result;

/* What other programs have measured, in the same minutes.  */
#define PEERS_MAX 4
#define TIMES_MAX 100

typedef struct peers
{
  int n, ntimes;
  char name[PEERS_MAX][20];
  struct { int peer; char row[40]; double seconds; } time[TIMES_MAX];
} peers;

static int
peer_number (peers *p, const char *name)
{
  int k = 0;
  while (k < p->n && strcmp (p->name[k], name) != 0)
    k++;
  if (k == p->n && p->n < PEERS_MAX)
    snprintf (p->name[p->n++], sizeof p->name[0], "%s", name);
  return k;
}

static void
peers_read (peers *p, const char *file)
{
  FILE *f = file ? fopen (file, "r") : NULL;
  char name[20], row[40];
  double t;
  while (f && p->ntimes < TIMES_MAX && fscanf (f, " %19[^\t]\t%39[^\t]\t%lf", name, row, &t) == 3)
    {
      int k = peer_number (p, name);
      if (k == PEERS_MAX)
        continue;
      p->time[p->ntimes].peer = k;
      p->time[p->ntimes].seconds = t;
      strcpy (p->time[p->ntimes++].row, row);
    }
  if (f)
    fclose (f);
}

/* 0: it has not this row.  */
static double
peer_time (const peers *p, int k, const char *row)
{
  for (int i = 0; i < p->ntimes; i++)
    if (p->time[i].peer == k && strcmp (p->time[i].row, row) == 0)
      return p->time[i].seconds;
  return 0;
}

static bool
is_emulated (const sg_device_info *d)
{
  return strncmp (d->name, "emulated", 8) == 0;
}

static void
print_rate (const result *x)
{
  if (x->flops > 0)
    printf (" %8.2f TFLOP/s", 1e-12 * x->flops / x->seconds);
  else if (x->bytes > 0)
    printf (" %8.1f GB/s   ", 1e-9 * x->bytes / x->seconds);
  else
    printf (" %16s", "");
}

static void
print_row (const result *x, const peers *p)
{
  printf ("%-13s %-32s", x->name, x->text);
  if (*x->failed)
    {
      printf (" FAILED: %s\n", x->failed);
      return;
    }
  printf (" %9.3f", 1e3 * x->seconds);
  print_rate (x);
  printf (" %5.0f %% of %-12s", 100 * x->ceiling / x->seconds, x->ceiling_is);
  for (int k = 0; k < p->n; k++)
    {
      double t = peer_time (p, k, x->name);
      if (t > 0)
        printf (" %9.3f (%.2f)", 1e3 * t, t / x->seconds);
      else
        printf (" %16s", "");
    }
  printf ("\n");
}

/* How many rows have failed.  */
static int
report (const sg_device_info *d, int n, const result *x, const peers *p)
{
  int failed = 0;
  printf ("%s, compute capability %d.%d, driver %d, compiler %d\n", d->name, d->major, d->minor,
          d->driver, d->toolkit);
  if (is_emulated (d))
    printf ("emulated: the figures mean nothing\n");
  printf ("%-13s %-32s %9s %16s %s", "row", "", "ms", "", "  of what the device gives");
  for (int k = 0; k < p->n; k++)
    printf (" %s: ms (times ours)", p->name[k]);
  printf ("\n");
  for (int i = 0; i < n; i++)
    {
      print_row (&x[i], p);
      failed += *x[i].failed != '\0';
    }
  printf ("%d passed, %d failed\n", n - failed, failed);
  return failed;
}

static void
write_text (FILE *f, const char *text)
{
  fputc ('"', f);
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf (f, "\\%c", *text);
    else
      fputc (*text < ' ' ? ' ' : *text, f);
  fputc ('"', f);
}

static void
write_row_json (FILE *f, const result *x, const peers *p)
{
  fprintf (f, "    {\"name\": \"%s\", \"text\": \"%s\", ", x->name, x->text);
  if (*x->failed)
    {
      fprintf (f, "\"failed\": ");
      write_text (f, x->failed);
    }
  else
    {
      fprintf (f, "\"seconds\": %.6g, \"ceiling\": %.6g, \"ceiling_is\": \"%s\", "
               "\"bytes\": %.6g, \"flops\": %.6g", x->seconds, x->ceiling, x->ceiling_is,
               x->bytes, x->flops);
      for (int k = 0; k < p->n; k++)
        if (peer_time (p, k, x->name) > 0)
          fprintf (f, ", \"%s\": %.6g", p->name[k], peer_time (p, k, x->name));
    }
  fprintf (f, "}");
}

static bool
report_json (const char *file, const sg_device_info *d, sizes z, int n, const result *x,
             const peers *p)
{
  FILE *f = fopen (file, "w");
  if (! f)
    {
      printf ("bench_gpu: cannot write %s\n", file);
      return false;
    }
  fprintf (f, "{\n  \"device\": ");
  write_text (f, d->name);
  fprintf (f, ",\n  \"emulated\": %s,\n  \"driver\": %d,\n  \"compiler\": %d,\n"
           "  \"numel\": %lld,\n  \"order\": %lld,\n  \"rows\": [\n",
           is_emulated (d) ? "true" : "false", d->driver, d->toolkit, (long long) z.numel,
           (long long) z.order);
  for (int i = 0; i < n; i++)
    {
      write_row_json (f, &x[i], p);
      fprintf (f, i + 1 < n ? ",\n" : "\n");
    }
  fprintf (f, "  ]\n}\n");
  return fclose (f) == 0;
}

#endif
