/* bench_gpu: how fast the backend "cuda" is, each row against what the device gives in the same
   run: its own copies, its own products, its own transfers.

     bench_gpu [--numel N] [--order N] [--peers FILE] [--json FILE]

   N are elements of an array (1e8), and the order of a matrix (8192).  FILE of peers has lines
   "NAME <tab> ROW <tab> SECONDS", as gpu_peer.py prints them.  CUDA_PATH is where libraries are
   looked for first.  */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gpu_limits.h"
#include "gpu_report.h"

/* ---- the host ----------------------------------------------------------------------------- */

static char warned[500];

static void
free_value (sg_buf *b)
{
  sg_free (b->data);
}

static sg_status
value_new (sg_class cls, bool cplx, int nd, const int64_t *dim, sg_buf **out)
{
  size_t bytes = sg_class_bytes (cls) << cplx;
  for (int d = 0; d < nd; d++)
    bytes *= dim[d];
  void *p = sg_malloc (bytes);
  if (! p)
    return sg_fail (SG_NOMEM, "out of memory for a value of %zu bytes", bytes);
  sg_status s = sg_buf_new (cls, cplx, p, bytes, free_value, NULL, out);
  if (s != SG_OK)
    sg_free (p);
  return s;
}

static sg_status
foreign (sg_node *n, sg_buf *const *in, sg_buf **out)
{
  (void) in;
  (void) out;
  return sg_fail (SG_FOREIGN, "there is no Octave to do %s", sg_op_info (n->op)->name);
}

static bool
interrupted (void)
{
  return false;
}

/* What the backend warns of, the CPU has done.  */
static void
warn (const char *id, const char *text)
{
  snprintf (warned, sizeof warned, "%s: %s", id, text);
}

static const char *
place (uint32_t origin)
{
  (void) origin;
  return "";
}

static const sg_host host = { value_new, foreign, interrupted, warn, place };

/* ---- rows --------------------------------------------------------------------------------- */

/* A row with its inputs and, between runs, its results.  */
typedef struct job
{
  const row *r;
  sizes z;
  sg_node *in[4], *out[ROOTS_MAX];
  void *to;
} job;

static void
drop (int n, sg_node **node)
{
  for (int i = 0; i < n; i++)
    {
      sg_node_unref (node[i]);
      node[i] = NULL;
    }
}

static sg_status
inputs_new (job *j)
{
  void *data = j->r->cls == SG_F64 ? (void *) numbers.f64 : (void *) numbers.f32;
  for (int i = 0; i < j->r->nin; i++)
    {
      int64_t dim[2];
      sg_buf *b;
      input_size (j->r->shape, j->z, i, dim);
      SG_TRY (sg_buf_new (j->r->cls, false, data, dim[0] * dim[1] * sg_class_bytes (j->r->cls),
                          NULL, NULL, &b));
      sg_status s = sg_leaf_new (b, 2, dim, NULL, &j->in[i]);
      if (s != SG_OK)
        sg_buf_unref (b);
      SG_TRY (s);
    }
  return SG_OK;
}

static sg_status
write_row (void *arg)
{
  job *j = arg;
  drop (ROOTS_MAX, j->out);
  return row_new (j->r, j->in, j->out);
}

static sg_status
write_row_of_new_inputs (void *arg)
{
  job *j = arg;
  drop (4, j->in);
  SG_TRY (inputs_new (j));
  return write_row (j);
}

static sg_status
compute_row (void *arg)
{
  job *j = arg;
  return sg_compute (SG_CUDA, j->r->nout, j->out);
}

static sg_status
compute_many (void *arg)
{
  for (int i = 0; i < SMALL; i++)
    {
      SG_TRY (write_row (arg));
      SG_TRY (compute_row (arg));
    }
  return SG_OK;
}

static sg_status
read_row (void *arg)
{
  job *j = arg;
  return sg_buf_read (j->out[0]->val, j->to);
}

static void
job_end (job *j)
{
  drop (4, j->in);
  drop (ROOTS_MAX, j->out);
}

static double
element (const sg_node *n, int64_t i)
{
  return n->cls == SG_F64 ? ((double *) n->val->data)[i] : ((float *) n->val->data)[i];
}

static sg_status
compare (const row *r, job *a, job *b)
{
  const double tolerance = r->cls == SG_F64 ? 1e-12 : 1e-5;
  for (int k = 0; k < r->nout; k++)
    {
      SG_TRY (sg_buf_host (a->out[k]->val));
      SG_TRY (sg_buf_host (b->out[k]->val));
      for (int64_t i = 0; i < a->out[k]->numel; i++)
        {
          double x = element (a->out[k], i), y = element (b->out[k], i);
          if (! (fabs (x - y) <= tolerance * (1 + fabs (x))))
            return sg_fail (SG_CUDA_ERROR, "element %lld of result %d is %.17g on the device and "
                            "%.17g on the CPU", (long long) i, k, y, x);
        }
    }
  return SG_OK;
}

/* On a few numbers the device and the CPU agree.  */
static sg_status
check_row (const row *r)
{
  sizes z = { numbers.n < 3000 ? numbers.n : 3000, 48 };
  if (z.order * z.order > numbers.n)
    z.order = 16;
  job a = { .r = r, .z = z }, b = { .r = r, .z = z };
  sg_status s = write_row_of_new_inputs (&a);
  if (s == SG_OK)
    s = write_row_of_new_inputs (&b);
  if (s == SG_OK)
    s = sg_compute (SG_CPU, r->nout, a.out);
  if (s == SG_OK)
    s = sg_compute (SG_CUDA, r->nout, b.out);
  if (s == SG_OK)
    s = compare (r, &a, &b);
  job_end (&a);
  job_end (&b);
  return s;
}

/* What went wrong, for the table; a warning says that it was not the device.  */
static void
note (result *x, sg_status s)
{
  if (s != SG_OK || *warned)
    snprintf (x->failed, sizeof x->failed, "%.290s", s != SG_OK ? sg_message () : warned);
  *warned = '\0';
}

static result
measure_row (const row *r, sizes z, const limits *l)
{
  result x = { .name = r->name, .text = r->text };
  job j = { .r = r, .z = z };
  int64_t dim[2];
  input_size (r->shape, z, 0, dim);
  sg_status s = check_row (r);
  if (s == SG_OK && r->moved > 0)
    {
      x.ceiling_is = "copy";
      x.bytes = r->moved * (double) (dim[0] * dim[1]) * (double) sg_class_bytes (r->cls);
      x.ceiling = x.bytes * l->copy;
    }
  else if (s == SG_OK)
    {
      x.ceiling_is = "cuBLAS";
      s = measure_products (r, z, &x.ceiling, &x.flops);
    }
  if (s == SG_OK)
    s = inputs_new (&j);
  if (s == SG_OK)
    s = time_of (write_row, compute_row, &j, &x.seconds);
  note (&x, s);
  job_end (&j);
  return x;
}

static const row *
row_named (const char *name)
{
  const row *r = rows;
  while (strcmp (r->name, name) != 0)
    r++;
  return r;
}

static result
measure_launches (const limits *l)
{
  result x = { .name = "launches", .text = "1,000 times a .* b + c of 1,000",
               .ceiling_is = "1,000 copies", .ceiling = l->launch };
  job j = { .r = row_named ("map"), .z = { numbers.n < SMALL ? numbers.n : SMALL, 16 } };
  sg_status s = inputs_new (&j);
  if (s == SG_OK)
    s = time_of (NULL, compute_many, &j, &x.seconds);
  note (&x, s);
  job_end (&j);
  return x;
}

static result
measure_upload (sizes z, const limits *l)
{
  result x = { .name = "upload", .text = "sum (a) of a new a", .ceiling_is = "pinned",
               .bytes = (double) z.numel * sizeof (double) };
  job j = { .r = row_named ("sum"), .z = z };
  x.ceiling = x.bytes * l->up;
  note (&x, time_of (write_row_of_new_inputs, compute_row, &j, &x.seconds));
  job_end (&j);
  return x;
}

static result
measure_download (sizes z, const limits *l)
{
  result x = { .name = "download", .text = "gather (a)", .ceiling_is = "pinned",
               .bytes = (double) z.numel * sizeof (double) };
  job j = { .r = row_named ("map"), .z = z, .to = calloc (z.numel, sizeof (double)) };
  x.ceiling = x.bytes * l->down;
  sg_status s = j.to ? write_row_of_new_inputs (&j)
                : sg_fail (SG_NOMEM, "out of memory for %lld numbers", (long long) z.numel);
  if (s == SG_OK)
    s = compute_row (&j);
  if (s == SG_OK)
    s = time_of (NULL, read_row, &j, &x.seconds);
  note (&x, s);
  job_end (&j);
  free (j.to);
  return x;
}

/* ---- the program -------------------------------------------------------------------------- */

typedef struct options
{
  sizes z;
  const char *peers, *json;
} options;

static bool
read_options (int argc, char **argv, options *o)
{
  for (int i = 1; i + 1 < argc; i += 2)
    if (strcmp (argv[i], "--numel") == 0)
      o->z.numel = atoll (argv[i + 1]);
    else if (strcmp (argv[i], "--order") == 0)
      o->z.order = atoll (argv[i + 1]);
    else if (strcmp (argv[i], "--peers") == 0)
      o->peers = argv[i + 1];
    else if (strcmp (argv[i], "--json") == 0)
      o->json = argv[i + 1];
    else
      return false;
  return argc % 2 == 1 && o->z.numel >= 256 && o->z.order >= 16
         && o->z.order * o->z.order <= o->z.numel;
}

static void
set_string (const char *name, const char *value)
{
  for (int k = 0; k < sg_config_count (); k++)
    if (strcmp (sg_config_name (k), name) == 0 && sg_config_set_string (k, value) != SG_OK)
      fprintf (stderr, "bench_gpu: %s\n", sg_message ());
}

static int
measure_all (sizes z, result *x)
{
  limits l;
  int n = 0;
  sg_status s = measure_limits (&l);
  if (s != SG_OK)
    {
      printf ("bench_gpu: %s\n", sg_message ());
      return 0;
    }
  for (int i = 0; i < NROWS; i++)
    x[n++] = measure_row (&rows[i], z, &l);
  x[n++] = measure_launches (&l);
  x[n++] = measure_upload (z, &l);
  x[n++] = measure_download (z, &l);
  return n;
}

int
main (int argc, char **argv)
{
  options o = { { 100000000, 8192 }, NULL, NULL };
  result x[NROWS + 3];
  peers p = { .n = 0 };
  if (! read_options (argc, argv, &o))
    {
      fprintf (stderr, "usage: bench_gpu [--numel N] [--order N] [--peers FILE] [--json FILE], "
               "N from 256 and 16, no more numbers in a matrix than in an array\n");
      return 2;
    }
  sg_set_host (&host);
  set_string ("cache", "off");
  set_string ("cuda_path", getenv ("CUDA_PATH") ? getenv ("CUDA_PATH") : "");
  if (sg_cuda_open () != SG_OK || ! fill_numbers (o.z.numel))
    {
      printf ("bench_gpu: %s\n", sg_cuda_is_open () ? "out of memory" : sg_message ());
      return 1;
    }
  int n = measure_all (o.z, x);
  peers_read (&p, o.peers);
  sg_device_info device;
  if (n == 0 || sg_cuda_device_info (sg_cfg.device, &device) != SG_OK)
    return 1;
  sg_release_caches ();
  if (sg_cuda_close () != SG_OK)
    printf ("bench_gpu: %s\n", sg_message ());
  bool written = ! o.json || report_json (o.json, &device, o.z, n, x, &p);
  return report (&device, n, x, &p) > 0 || ! written;
}
