/* The core of symgpu as its callers see it: values, nodes of expression trees, their
   evaluation.  The core knows neither Octave nor a device; what only Octave can do
   reaches it through the callbacks of struct sg_host.

   Names: _new returns an object that the caller owns, _ref and _unref count owners,
   _get borrows, is_ asks, _find gives an index or -1, _check verifies, _emit appends.
   Functions that can fail return sg_status and their result in the last argument.
   The graph is used by one thread at a time.  */

#ifndef SYMGPU_H
#define SYMGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status --------------------------------------------------------------------- */

typedef enum sg_status
{
#define STATUS(id, octid, text) SG_##id,
#include "status.def"
  SG_NSTATUS
} sg_status;

/* Keep a whole sentence about a failure, return S.  */
sg_status sg_fail (sg_status s, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3)));
const char * sg_message (void);
const char * sg_status_identifier (sg_status s);

#define SG_TRY(e) do { sg_status s_ = (e); if (s_ != SG_OK) return s_; } while (0)

/* ---- memory ----------------------------------------------------------------------- */

/* Every allocation of the core; tests make the k-th one fail (k from 1, 0: none).  */
void * sg_malloc (size_t n);
void * sg_realloc (void *p, size_t n);
void sg_free (void *p);
void sg_fail_allocation (long k);

/* Memory for what is small and short-lived; N is the same for both.  */
void * sg_cell_get (size_t n);
void sg_cell_put (void *p, size_t n);

/* Large blocks, aligned to 64 bytes, kept for reuse when given back.  */
void * sg_pool_get (size_t bytes);
void sg_pool_put (void *p);
void sg_pool_trim (void);

/* ---- classes ---------------------------------------------------------------------- */

typedef enum sg_class
{
#define TYPE(id, name, ctype, bytes, kind) SG_##id,
#include "type.def"
  SG_NCLASS
} sg_class;

typedef enum sg_kind { SG_KIND_FLOAT, SG_KIND_INT, SG_KIND_UINT, SG_KIND_LOGICAL } sg_kind;

const char * sg_class_name (sg_class c);
size_t sg_class_bytes (sg_class c);
sg_kind sg_class_kind (sg_class c);
static inline bool
sg_class_is_integer (sg_class c)
{
  return sg_class_kind (c) == SG_KIND_INT || sg_class_kind (c) == SG_KIND_UINT;
}

/* ---- operations ------------------------------------------------------------------- */

typedef enum sg_op
{
  SG_LEAF,
#define EW(id, name, n, in, out, guard, ulp, lo, hi, expr) SG_##id,
#define EW3(id, name, expr) SG_##id,
#include "op.def"
#define RED(id, name, out, ints, ulp) SG_##id,
#define SCAN(id, name, out, ints, ulp) SG_##id,
#include "red.def"
#define MOVE(id, name, comment) SG_##id,
#include "move.def"
  SG_NOP
} sg_op;

typedef enum sg_family { SG_FAM_LEAF, SG_FAM_EW, SG_FAM_RED, SG_FAM_SCAN, SG_FAM_MOVE } sg_family;
typedef enum sg_in { SG_IN_ARITH, SG_IN_COMP, SG_IN_LOGIC, SG_IN_MINMAX, SG_IN_FLT, SG_IN_KEEP,
                     SG_IN_FLT2, SG_IN_CASTS, SG_IN_NONE } sg_in;
typedef enum sg_guard { SG_GUARD_NONE, SG_GUARD_NEG, SG_GUARD_SIGN, SG_GUARD_LT1, SG_GUARD_ABS1, SG_GUARD_LTM1,
                        SG_GUARD_NANL, SG_GUARD_NANL2, SG_GUARD_POW } sg_guard;

/* What operands of an elementwise operation are complex.  LEAVES: none, but the result is.  */
typedef enum sg_cplx_form { SG_CX_LEAVES, SG_CX_A, SG_CX_B, SG_CX_BOTH, SG_NCX } sg_cplx_form;
/* What there is for it: nothing, so that Octave does it; a real or a complex result.  */
typedef enum sg_cplx_out { SG_CX_NONE, SG_CX_REAL, SG_CX_CPLX } sg_cplx_out;

/* A row of the tables.  */
typedef struct sg_opinfo
{
  const char *id;
  const char *name;
  sg_family family;
  int n;                    /* operands; 0: any number */
  sg_in in;
  int out;                  /* an sg_class, or one of the SG_OUT_ values */
  sg_guard guard;
  bool native;              /* no kernel */
  bool ints;                /* RED, SCAN: integers keep their class; else they become double */
  int ulp;                  /* on the CPU; see sg_op_ulp */
  double lo, hi;
  const char *text;         /* the expression, or a comment */
} sg_opinfo;

enum { SG_OUT_SAME = -1, SG_OUT_FLT = -2, SG_OUT_KEEP = -3, SG_OUT_IDX = -4 };

const sg_opinfo * sg_op_info (sg_op op);
/* The operation of a family with this name, -1 if there is none.  */
int sg_op_find (sg_family f, const char *name, int n);
sg_cplx_out sg_op_cplx (sg_op op, sg_cplx_form form);
/* True of reductions and scans that take complex numbers as a whole.  */
bool sg_op_has_cplx_lines (sg_op op);

/* ---- buffers ---------------------------------------------------------------------- */

/* What a device holds of a value; the device's own record begins with this.  */
typedef struct sg_remote sg_remote;
struct sg_remote
{
  sg_status (*read) (sg_remote *r, void *to);
  void (*drop) (sg_remote *r);
};

/* A value in memory, in Octave's column-major order, complex parts interleaved.
   FREE_FN disposes of DATA (and OWNER) when the last reference goes.  */
typedef struct sg_buf sg_buf;
struct sg_buf
{
  int refs;
  sg_class cls;
  bool cplx;
  void *data;               /* NULL: the value is on a device only, see sg_buf_host */
  sg_remote *remote;        /* the same value on a device, owned; NULL: it is on none */
  size_t bytes;
  void (*free_fn) (sg_buf *b);
  void *owner;
};

/* FREE_FN NULL: DATA is borrowed for the life of the buffer.  */
sg_status sg_buf_new (sg_class cls, bool cplx, void *data, size_t bytes,
                      void (*free_fn) (sg_buf *), void *owner, sg_buf **out);
/* A scalar that the buffer itself stores.  */
sg_status sg_buf_scalar (sg_class cls, bool cplx, const void *value, sg_buf **out);
/* Memory of the pool.  */
sg_status sg_buf_pool (sg_class cls, bool cplx, size_t bytes, sg_buf **out);
/* A value that a device holds, takes R.  */
sg_status sg_buf_remote (sg_class cls, bool cplx, size_t bytes, sg_remote *r, sg_buf **out);
/* Bring the value into memory of the host, if it is not there: who reads DATA calls this first.  */
sg_status sg_buf_host (sg_buf *b);
/* Copy the value to TO.  */
sg_status sg_buf_read (sg_buf *b, void *to);
sg_buf * sg_buf_ref (sg_buf *b);
void sg_buf_unref (sg_buf *b);

/* ---- subscripts ------------------------------------------------------------------- */

typedef enum sg_index_kind { SG_IDX_COLON, SG_IDX_RANGE, SG_IDX_VECTOR } sg_index_kind;

/* One subscript, positions from 0.  VECTOR owns VEC, which DROP gives back; NULL: sg_free does.  */
typedef struct sg_index sg_index;
struct sg_index
{
  sg_index_kind kind;
  int64_t start, step;
  int64_t n;                /* number of positions; COLON: the extent */
  int64_t *vec;
  void *owner;              /* of DROP */
  void (*drop) (sg_index *);
};

static inline sg_index
sg_index_colon (int64_t extent)
{
  sg_index x = { SG_IDX_COLON, 0, 1, extent, NULL, NULL, NULL };
  return x;
}

static inline sg_index
sg_index_range (int64_t start, int64_t step, int64_t n)
{
  sg_index x = { SG_IDX_RANGE, start, step, n, NULL, NULL, NULL };
  return x;
}

/* Owns VEC, memory of sg_malloc.  */
static inline sg_index
sg_index_vector (int64_t n, int64_t *vec)
{
  sg_index x = { SG_IDX_VECTOR, 0, 0, n, vec, NULL, NULL };
  return x;
}

void sg_index_free (sg_index *x);

/* ---- nodes ------------------------------------------------------------------------ */

/* An immutable node of the graph.  Only VAL, DYN and the scratch fields change.  */
typedef struct sg_node sg_node;
struct sg_node
{
  int refs;                 /* owners: nodes above, values that the user holds */
  uint16_t op;              /* sg_op */
  uint8_t cls;              /* sg_class of the value */
  bool cplx;                /* LEAF and computed: is complex.  Else: may be complex */
  bool wide;                /* LEAF and computed: is complex, but no element is */
  bool spec;                /* real unless a guard below says otherwise */
  bool dyn;                 /* Octave itself computes this node */
  bool leaves;              /* a guard has said so: complex, of real operands */
  bool narrow;              /* a run has said so: real, though its operands are complex */
  bool cut;                 /* LEAF: was an expression once */
  uint8_t ctype;            /* EW: class that is computed in */
  int nd;
  int nin;
  int npar;
  int64_t *dim;             /* ND extents, at least 2 */
  int64_t numel;
  sg_node **in;             /* operands, owned */
  int64_t *par;             /* NPAR parameters of the operation */
  sg_index *idx;            /* INDEX: NPAR subscripts */
  sg_buf *val;              /* the value once computed */
  char *name;               /* LEAF: the user's name, may be NULL */
  uint32_t origin;          /* where the user made it; 0: unknown */
  uint32_t weight;          /* nodes in the tree, shared ones counted again, saturating */
  uint64_t pinned;          /* bytes of leaves in the tree, likewise */
  uint32_t mark;            /* scratch of traversals */
  int32_t slot;
  sg_node *next;
  sg_node *older, *newer;   /* computed nodes that keep their expressions */
  uint64_t history;         /* what they are counted with, bytes; 0: not among them */
  int64_t dim0[2];          /* room for DIM of a matrix */
  sg_node *in0[2];          /* room for IN */
  int64_t par0[2];          /* room for PAR */
};

/* Origin that new nodes get; the glue sets it before it makes a node.  */
extern uint32_t sg_origin;

sg_node * sg_node_ref (sg_node *n);
void sg_node_unref (sg_node *n);

/* Octave's max and min of two operands take the first of 0 and -0, as since Octave 11; else that
   depends on the dimensions.  To be set before anything is computed.  */
extern bool sg_first_extreme;

/* Octave does arithmetic and comparisons of integers of 64 bits with doubles by cases, as
   kernels/sg_wide.h does, not in "long double".  To be set likewise.  */
extern bool sg_wide_by_cases;

/* LEAF takes the reference to B.  NAME is copied, may be NULL.  */
sg_status sg_leaf_new (sg_buf *b, int nd, const int64_t *dim, const char *name, sg_node **out);

/* The makers below infer class and shape.  SG_DELEGATE: these operands have no lazy form,
   call Octave; SG_NONCONFORMANT: Octave would say so too, sg_message has the sizes.  They
   borrow their operands.  */
sg_status sg_ew_new (sg_op op, int nin, sg_node *const *in, sg_node **out);
/* YES where MASK, logical, is true, NO elsewhere, as class CLS.  YES and NO have one element or
   the dimensions of MASK.  ASSIGN: it is what NO(MASK) = YES makes of NO.  */
sg_status sg_select_new (sg_node *mask, sg_node *yes, sg_node *no, sg_class cls, bool assign,
                         sg_node **out);
/* DIM from 0, beyond the dimensions perhaps; -1: Octave's default.  */
sg_status sg_reduce_new (sg_op op, sg_node *a, int dim, sg_node **out);
/* Over all elements, whatever the dimensions.  */
sg_status sg_reduce_all_new (sg_op op, sg_node *a, sg_node **out);
/* Two operands of the same dimensions.  */
sg_status sg_dot_new (sg_node *a, sg_node *b, int dim, sg_node **out);
sg_status sg_scan_new (sg_op op, sg_node *a, int dim, sg_node **out);
/* OP is SORT or ISORT.  */
sg_status sg_sort_new (sg_op op, sg_node *a, int dim, bool descend, sg_node **out);
/* Flags: 0 as it is, 1 transposed, 2 conjugate transposed.  */
sg_status sg_mtimes_new (sg_node *a, int ta, sg_node *b, int tb, sg_node **out);
sg_status sg_transpose_new (sg_node *a, bool conj, sg_node **out);
sg_status sg_permute_new (sg_node *a, int n, const int64_t *perm, sg_node **out);
sg_status sg_reshape_new (sg_node *a, int nd, const int64_t *dim, sg_node **out);
sg_status sg_repmat_new (sg_node *a, int n, const int64_t *reps, sg_node **out);
/* OP is TRIL or TRIU.  */
sg_status sg_trilu_new (sg_op op, sg_node *a, int64_t k, sg_node **out);
/* Octave's class rules for concatenation hold; operands of other classes are converted.  */
sg_status sg_cat_new (int dim, int nin, sg_node *const *in, sg_node **out);
/* One or more subscripts, already in range of the operand seen with NIDX dimensions; the
   shape of the result is given.  On success the node owns the vectors of IDX.  */
sg_status sg_index_new (sg_node *a, int nidx, const sg_index *idx, int nd, const int64_t *dim,
                        sg_node **out);

/* An operation that Octave's own function does in the plan, of real operands.  */
sg_status sg_foreign_new (sg_op op, int nin, sg_node *const *in, sg_class cls, int nd,
                          const int64_t *dim, int npar, const int64_t *par, sg_node **out);

/* Give a computed value to a node that has none (class, size must be those of the node; it
   takes the reference to B) and let go of its tree where that is large.  */
void sg_node_set_value (sg_node *n, sg_buf *b);
/* Let go of the tree of a computed node: it becomes a leaf.  */
void sg_node_cut (sg_node *n);
/* Let go of trees of computed nodes that hold N, the newest first, until nobody but the caller has a
   reference to it.  Gives up after looking at BUDGET nodes.  */
void sg_node_release (sg_node *n, int64_t budget);
/* True if the graph below has passed its bound, so that it must be evaluated now.  */
bool sg_node_is_over_bound (const sg_node *n);

/* ---- evaluation ------------------------------------------------------------------- */

/* What only the host, Octave, can do.  */
typedef struct sg_host
{
  /* Fresh memory of the host for a value of this class and size.  */
  sg_status (*value_new) (sg_class cls, bool cplx, int nd, const int64_t *dim, sg_buf **out);
  /* Do node N with the host's own function on these values of its operands.  */
  sg_status (*foreign) (sg_node *n, sg_buf *const *in, sg_buf **out);
  /* True if the user wants to stop; called often, by one thread.  */
  bool (*interrupted) (void);
  /* Warn the user, under an identifier.  */
  void (*warn) (const char *id, const char *text);
  /* The place in the user's program behind an origin, "train.m:5"; "" if it is not known.  */
  const char * (*place) (uint32_t origin);
} sg_host;

void sg_set_host (const sg_host *h);

typedef enum sg_backend { SG_NATIVE, SG_CPU, SG_CUDA, SG_NBACKEND } sg_backend;
const char * sg_backend_name (sg_backend b);
int sg_backend_find (const char *name);

/* How far results of OP may be from Octave's, and from the exact value (0: nothing is said), in units in
   the last place.  */
int sg_op_ulp (sg_op op, sg_backend b, bool single);
double sg_op_exact (sg_op op, sg_backend b, bool single);

/* Evaluate the roots in one plan.  Afterwards each has a value, and so has every node below
   that the user or another expression holds and that had to be computed.  On failure nothing has changed but nodes
   that were already complete.  */
sg_status sg_eval (sg_backend b, int n, sg_node *const *roots);
/* As sg_eval, for values that nobody looks at yet: they stay in memory of the core.  */
sg_status sg_compute (sg_backend b, int n, sg_node *const *roots);
/* After a failed evaluation: origin of the node that failed, as far as that is known, else of
   the first root.  */
extern uint32_t sg_failed_origin;

/* Compute a node of few elements at once, on the CPU, if its operands have been computed.  False: it
   stays as it is.  */
bool sg_compute_small (sg_node *n);
/* The same for a small part of a large value, whatever the backend: it becomes a value of its own, and
   nothing of the whole is held.  */
bool sg_compute_part (sg_node *n);
/* True if N is made on a line of a loop: so many values have been computed there that nobody will look
   at the expressions of all.  */
bool sg_line_is_loop (const sg_node *n);
/* Of what has no node yet: true from the 20th time on that the line that runs now asks this of an operation
   and a magnitude.  */
bool sg_line_again (sg_op op, int64_t numel);
/* The same of two numbers, or one, without any nodes.  Logical results are 0 or 1.  */
bool sg_number_op (sg_op op, double a, double b, double *out);
/* The leaf of a number.  */
sg_status sg_number_new (double x, sg_node **out);

/* Print the plan that the CPU would run for these roots.  */
sg_status sg_plan_print (FILE *f, int n, sg_node *const *roots);

/* ---- configuration and counters ---------------------------------------------------- */

/* Settings; names, ranges and meaning are rows of config.def.  */
typedef struct sg_config
{
#define CONFIG(name, lo, hi, def, text) int64_t name;
#define CONFIG_STRING(name, def, text) const char *name;
#define CONFIG_WORD(name, words, def, text) int64_t name;
#include "config.def"
} sg_config;
extern sg_config sg_cfg;

/* Values of the setting jit.  */
enum { SG_JIT_OFF, SG_JIT_ON, SG_JIT_SYNC };

int sg_config_count (void);
const char * sg_config_name (int k);
const char * sg_config_text (int k);
int64_t sg_config_get (int k);
sg_status sg_config_set (int k, int64_t value);
/* Some settings are texts, of which VALUE is copied, or one of some words; words that are numbers can
   be set as such, too.  */
bool sg_config_is_string (int k);
const char * sg_config_words (int k);     /* separated by spaces; NULL: it is no word */
const char * sg_config_get_string (int k);
sg_status sg_config_set_string (int k, const char *value);

typedef struct sg_counters
{
#define COUNTER(name, text) int64_t name;
#include "counter.def"
} sg_counters;
extern sg_counters sg_count;
int sg_counter_count (void);
const char * sg_counter_name (int k);
const char * sg_counter_text (int k);
int64_t sg_counter_get (int k);

/* How this CPU backend was built and what it runs on: "x86-64-v3", "SLEEF" or "libm".  */
const char * sg_cpu_isa (void);
/* What compiles loops: a path, or why nothing does.  */
const char * sg_cpu_compiler (void);
const char * sg_cpu_vector_math (void);
int sg_cpu_threads (void);

/* ---- CUDA --------------------------------------------------------------------------- */

/* What it takes to use a GPU, step by step; the first that fails says what to do.  */
typedef enum sg_rung
{
#define RUNG(id, name, advice) SG_RUNG_##id,
#include "ladder.def"
  SG_NRUNG
} sg_rung;

typedef enum sg_rung_state { SG_RUNG_UNTRIED, SG_RUNG_OK, SG_RUNG_FAILED } sg_rung_state;

/* Get a GPU ready, if none is; SG_NO_CUDA: sg_message says which step failed and what helps.  */
sg_status sg_cuda_open (void);
bool sg_cuda_is_open (void);
/* What the last try found; TEXT: what is there, or what failed.  */
const char * sg_cuda_rung (sg_rung r, sg_rung_state *state, const char **text);

typedef struct sg_device_info
{
  char name[256];
  int index;                 /* from 0 */
  int major, minor;          /* compute capability */
  int processors;            /* multiprocessors */
  int clock_khz;
  int threads, shared;       /* most threads, bytes of shared memory, of a block */
  int warp;
  uint64_t total, available; /* bytes; AVAILABLE only of the device in use */
  int driver, toolkit;       /* versions, 13000 for 13.0 */
} sg_device_info;

/* Devices of the machine; 0 if there is no driver.  */
int sg_cuda_device_count (void);
sg_status sg_cuda_device_info (int device, sg_device_info *out);
/* Wait until the device has done all its work.  */
sg_status sg_cuda_wait (void);
/* Bring values that are only on the device to the host, and give the device back.  */
sg_status sg_cuda_close (void);

/* Let go of caches and pooled memory.  */
void sg_release_caches (void);

#ifdef __cplusplus
}
#endif
#endif
