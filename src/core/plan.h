/* Plans: what a backend runs.  Made from a graph by plan.c, checked by plan_check, run by
   run.c through the step functions of a backend (cpu/cpu.h).  A plan holds no pointers to
   nodes or data: the same plan serves every graph of the same structure.  */

#ifndef SG_PLAN_H
#define SG_PLAN_H

#include "symgpu.h"

#define SG_MAXND 32          /* dimensions that the kernels accept; more are delegated */
#define SG_BLOCK 512         /* elements that a map program handles at a time */

/* A value in a plan.  */
typedef enum sg_slotkind
{
  SG_SLOT_LEAF,              /* a value that exists: bound when the plan runs */
  SG_SLOT_ARENA,             /* in the plan's own block of memory, at OFFSET */
  SG_SLOT_POOL,              /* memory of its own: values that are kept */
  SG_SLOT_HOST,              /* memory of the host: values it looks at, operands of foreign steps */
  SG_SLOT_FOREIGN,           /* what Octave returns: class known, complexity not */
  SG_SLOT_ALIAS              /* the same data as slot ALIAS, with other dimensions */
} sg_slotkind;

typedef struct sg_slot
{
  sg_slotkind kind;
  sg_class cls;
  bool cplx;                 /* not FOREIGN: its value is complex */
  bool verify;               /* the step that writes it may make a value that has no imaginary part */
  int nd;
  int64_t *dim;
  int64_t numel;
  int64_t bytes;
  int64_t offset;            /* ARENA */
  int alias;                 /* ALIAS */
  int node;                  /* the node of the graph, as position in its order */
  int first, last;           /* the steps that write it and read it last; outputs: last = nsteps */
  bool output;               /* outlives the plan */
  bool to_host;              /* and the host will look at it */
} sg_slot;

/* The types that map programs compute in.  Integers up to 32 bits and logicals are computed
   as doubles: every sum, product and quotient of two is then exact or saturates.  Those of 64
   bits are only among what a device does of its own.  */
typedef enum sg_rtype { SG_R64, SG_R32, SG_RI64, SG_RU64 } sg_rtype;

/* A complex value is two registers, its real and its imaginary part.  */

typedef enum sg_regkind
{
  SG_REG_SCRATCH,            /* a block in the cache */
  SG_REG_MEM,                /* element i of the slot is element i of the iteration; used in place */
  SG_REG_SCALAR              /* one value, spread over a scratch block before the loop */
} sg_regkind;

typedef struct sg_reg
{
  sg_regkind kind;
  sg_rtype rt;
  int scratch;               /* SCRATCH, SCALAR: which block; else -1 */
  int slot;                  /* MEM, SCALAR: the value; else -1 */
  int part;                  /* SCALAR: which part of a complex value, 0 or 1 */
} sg_reg;

typedef enum sg_inskind
{
  SG_INS_LOAD,               /* o = elements of SLOT from iteration position on, converted; if
                                STRIDE is not NULL with these strides (0: broadcast), of a
                                complex value PART; if VIEW is not -1 those that the subscripts
                                of that node name */
  SG_INS_OP,                 /* o = op (a, b), in rtype of o; b -1 if there is none */
  SG_INS_OP3,                /* o = op (a, b, c), in rtype of all four */
  SG_INS_CPLX,               /* the same for complex values: o, oi = op (a, ai, b, bi) in the
                                FORM, which says what of that there is */
  SG_INS_SAT,                /* o = a rounded and saturated to CLS; both R64 */
  SG_INS_CVT,                /* o = a, from one rtype to the other */
  SG_INS_GUARD,              /* fail the step with NODE if the guard of OP is hit by a (, b) */
  SG_INS_NARROW,             /* fail the step with NODE if a is 0 everywhere: the value is real */
  SG_INS_STORE,              /* elements of SLOT from iteration position on = a, converted; of a
                                complex value a, ai (-1: 0) */
  SG_INS_SINK                /* reduction number SINK takes a */
} sg_inskind;

typedef struct sg_ins
{
  sg_inskind kind;
  sg_op op;
  sg_cplx_form form;         /* CPLX */
  sg_class cls;              /* SAT: the class; LOAD, STORE: class of the slot */
  int o, a, b;               /* registers, -1: none */
  int c;                     /* OP3, else -1 */
  int oi, ai, bi;            /* and those of imaginary parts */
  int slot;                  /* LOAD, STORE */
  int part;                  /* LOAD: of a complex value; else 0 */
  int view;                  /* LOAD: position of an INDEX node of the slot's value, or -1 */
  int sink;
  int node;                  /* position of the node that it belongs to, -1: none */
  int64_t *stride;           /* LOAD: ND strides in elements, or NULL: linear */
} sg_ins;

/* The registers of instruction X, -1: none; the operands first.  */
#define SG_NOPERAND 5
#define SG_NUSED 7
#define SG_USED(x) { (x)->a, (x)->ai, (x)->b, (x)->bi, (x)->c, (x)->o, (x)->oi }

/* A reduction of what the program computes: input seen as PRE x LEN x POST, output PRE x POST.
   All reductions of a step have the same PRE, LEN, POST, and all are ordered (prod) or none.  */
typedef struct sg_sink
{
  sg_op op;
  sg_rtype rt;               /* of the register that it takes */
  int slot;                  /* output, of class CLS */
  sg_class cls;
  int part;                  /* of a complex output; -1: a real one */
  bool root;                 /* the output is its root; fail the step with NODE if that is not safe */
  int node;
} sg_sink;

/* True for reductions whose elements are taken in Octave's order.  */
static inline bool
sg_op_is_ordered (sg_op op)
{
  return op == SG_PROD;
}

/* Steps name the slots that own data: aliases have been followed.  */

/* What a backend remembers of a loop from one run to the next.  */
typedef struct sg_tier
{
  void *data;                /* NULL: nothing yet */
  void (*data_free) (void *data);
  const char *text;          /* C, borrowed: it runs, at least in part, as code compiled from this; or NULL */
} sg_tier;

/* A fused elementwise program over a contiguous iteration space, run block by block.  */
typedef struct sg_map
{
  int64_t numel;
  int nd;                    /* the space, dimensions joined where every operand allows */
  int64_t *dim;
  int nreg, nscratch, nins, nsink, nnarrow;
  int nview, nviewdim;       /* instructions with a view, and the subscripts of them all */
  sg_reg *reg;
  sg_ins *ins;
  sg_sink *sink;
  int64_t pre, len, post;    /* of the reductions */
  int cost;                  /* about nanoseconds per element on one core, times 16 */
  sg_tier *tier;             /* NULL: the program is of no plan */
} sg_map;

typedef struct sg_scan
{
  sg_op op;
  sg_class cls;              /* of the input, and of the output unless those are positions */
  int in, out;               /* slots */
  int64_t pre, len, post;
  bool cplx;                 /* complex numbers, and reductions of them: CLS is that of the input */
  bool descend;              /* SORT, ISORT */
} sg_scan;

/* C = op (A) * op (B), op: as it is, transposed, conjugate transposed.  M x K by K x N after
   the flags.  */
typedef struct sg_gemm
{
  sg_class cls;              /* F64 or F32 */
  int a, b, out;             /* slots; a == b where the operands are the same value */
  int ta, tb;
  int64_t m, k, n;
  bool cplx;                 /* all three are complex */
} sg_gemm;

/* Moves of elements of ESIZE bytes.  */
typedef struct sg_move
{
  sg_op op;                  /* PERMUTE, REPMAT, CAT, TRIL, TRIU or INDEX */
  int64_t esize;
  bool conj;                 /* PERMUTE: imaginary parts change their sign */
  int out;                   /* slot */
  int nin;
  int *in;                   /* slots */
  int nd;                    /* PERMUTE: of input, with PERM; REPMAT: of output; INDEX: number of subscripts */
  int64_t *dim;              /* PERMUTE, REPMAT, TRIL, TRIU: extents of the input; INDEX: of the input, seen with ND dimensions */
  int64_t *perm;             /* PERMUTE: output dimension j is input dimension perm[j] */
  int64_t k;                 /* TRIL, TRIU: the diagonal */
  int64_t *reps;             /* REPMAT */
  int64_t pre;               /* CAT: product of the extents before the dimension */
  int64_t *len;              /* CAT: extent of each input in it */
  int64_t post;              /* CAT: product of the extents after it */
  int inode;                 /* INDEX: position of the node that holds the subscripts */
} sg_move;

typedef struct sg_foreign
{
  int node;                  /* position of the node */
  int out;                   /* slot */
  int nin;
  int *in;                   /* slots */
} sg_foreign;

typedef enum sg_stepkind { SG_STEP_MAP, SG_STEP_SCAN, SG_STEP_GEMM, SG_STEP_MOVE, SG_STEP_FOREIGN } sg_stepkind;

typedef struct sg_step
{
  sg_stepkind kind;
  union { sg_map map; sg_scan scan; sg_gemm gemm; sg_move move; sg_foreign foreign; } u;
} sg_step;

typedef struct sg_plan sg_plan;
struct sg_plan
{
  uint64_t *key;             /* what it was made for */
  int nkey;
  uint64_t hash;
  int nslots, nsteps;
  sg_slot *slot;
  sg_step *step;
  int nnodes;
  int *step_of;              /* by position of a node: the step that completes it, -1: none */
  int64_t arena_bytes;
  int *born, nborn;          /* POOL and HOST slots in the order of the steps that write them first */
  int *dead, ndead;          /* such and FOREIGN slots, not outputs, by the steps that use them last */
  int *verify, nverify;      /* slots to verify, in the order of the steps that write them */
  void *compiled;            /* what a device has made of it */
  void (*compiled_free) (void *compiled);
  sg_plan *next;             /* in the cache */
  uint64_t used;             /* when last used */
  int64_t runs;
};

/* The slot that has the data of SLOT: itself, unless it is an alias.  */
int sg_plan_resolve (const sg_plan *p, int slot);

/* A run of a plan.  */
typedef struct sg_run
{
  const sg_plan *plan;
  sg_node *const *order;     /* the graph, operands before results */
  void **ptr;                /* data of each slot */
  int threads;
  int failed_node;           /* set by a guard, else -1 */
} sg_run;

/* Values of complex type that have no imaginary part become real, in Octave, with every
   operation.  A value that is found to be such is marked in its node, and the run ends with
   SG_DELEGATE: the graph is planned again.  */
void sg_run_narrow (sg_run *r, int node);

/* True if the user has asked to stop.  */
bool sg_is_interrupted (void);
/* The other callbacks of the host.  */
sg_status sg_host_value_new (const sg_slot *s, sg_buf **out);
void sg_host_warn (const char *id, const char *text);
const char * sg_host_place (uint32_t origin);

#endif
