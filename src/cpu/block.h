/* Map programs made ready to run, and the interpreter that runs them on one block.  */

#ifndef SG_BLOCK_H
#define SG_BLOCK_H

#include "compiled.h"
#include "cpu.h"
#include "view.h"

/* Elements in a unit of work.  Partial results of reductions are joined at its multiples, so
   that this number is part of the meaning of a sum.  */
#define SG_UNIT (64 * SG_BLOCK)

/* Of no more elements a pass costs less than to look how it could be done better.  */
#define SG_FEW 64

typedef enum sg_codekind
{
  SG_CODE_MAP, SG_CODE_MAP3, SG_CODE_POWER, SG_CODE_CPLX, SG_CODE_CPLX_POWER, SG_CODE_NOTHING, SG_CODE_CONV, SG_CODE_LOAD,
  SG_CODE_GATHER, SG_CODE_VIEW, SG_CODE_STORE, SG_CODE_MERGE, SG_CODE_GUARD, SG_CODE_NARROW, SG_CODE_SINK
} sg_codekind;

/* An instruction with everything looked up.  */
typedef struct sg_code
{
  sg_codekind kind;
  sg_op op;
  int o, a, b, c;            /* registers; a missing one is register NREG, which is NULL */
  int oi, ai, bi;
  int node;                  /* GUARD, NARROW */
  char *wide;                /* NARROW: becomes 1 when the value is found to be complex */
  int sink;                  /* SINK */
  sg_rtype rt;
  size_t esize;              /* bytes of an element of the slot */
  int64_t apart;             /* bytes from an element to the next, if the walk is plain */
  char *mem;                 /* its data */
  const int64_t *stride;     /* GATHER */
  const sg_view *view;       /* VIEW */
  bool natural;              /* GATHER, VIEW: needs no conversion */
  int64_t scratch;           /* GATHER, VIEW: where its block is, in bytes */
  union
  {
    sg_map_fn map;
    sg_map3_fn map3;
    sg_cplx_fn cplx;
    sg_conv_fn conv;
    sg_merge_fn merge;
    sg_guard_fn guard;
    sg_nonzero_fn nonzero;
  } fn;
} sg_code;

/* A register that is memory.  */
typedef struct sg_memreg
{
  int reg;
  size_t esize;
  char *base;
} sg_memreg;

/* What one thread needs.  */
typedef struct sg_worker
{
  void **reg;
  char *scratch;             /* the blocks */
  void *ctx;                 /* of TAKE below */
} sg_worker;

typedef struct sg_program
{
  const sg_map *m;
  const sg_run *r;
  const sg_kernels *k;
  sg_code *code;
  sg_memreg *mem;
  int nmem;
  int64_t block;             /* elements that a register has room for */
  int64_t run;               /* a block that is part of so many elements is quick to load */
  const sg_compiled *compiled;   /* runs instead of the instructions one by one, NULL: there is none */
  /* A reduction takes N elements.  */
  void (*take) (void *ctx, int sink, int64_t n, const void *x);
  int64_t hit_unit;          /* the first unit in which a guard was hit, and its node */
  int hit_node;
} sg_program;

/* Memory that a program needs beside its struct, and each of its workers.  C may be NULL.  */
size_t sg_program_bytes (const sg_map *m);
size_t sg_worker_bytes (const sg_map *m, const sg_compiled *c);

/* P is M bound to the data of R, to run in the form C if that is not NULL; AREA has
   sg_program_bytes.  */
sg_status sg_program_bind (sg_program *p, const sg_map *m, const sg_run *r, const sg_compiled *c,
                           char *area);
/* AREA has sg_worker_bytes, aligned to 64.  */
void sg_worker_init (const sg_program *p, sg_worker *w, char *area);

/* Run the program on elements I0 to I0 + N - 1, at most SG_BLOCK.  The node whose guard was
   hit, or -1.  */
int sg_block_run (const sg_program *p, const sg_worker *w, int64_t i0, int64_t n);

/* The same for one instruction, and for a program that has a compiled form.  */
int sg_code_run (const sg_program *p, const sg_worker *w, const sg_code *c, int64_t i0, int64_t n);
int sg_compiled_run (const sg_program *p, const sg_worker *w, int64_t i0, int64_t n);

/* After a run: mark the values that proved to be real.  True if there are any.  */
bool sg_program_narrow (const sg_program *p, sg_run *r);

/* A guard was hit in unit U, at NODE.  Of several hits the one in the first unit counts,
   whatever the order of the threads.  */
void sg_program_hit (sg_program *p, int64_t u, int node);

/* X[0 .. N-1] = the value at X.  */
void sg_splat (sg_rtype rt, int64_t n, void *x);

/* A power of N numbers with the exponent E, by products and quotients, in Octave's order; false: E is not 2, 3
   or -1.  ROOM is for N numbers, and may be where O is not.  */
bool sg_simple_power (const sg_kernels *k, sg_rtype rt, int64_t n, double e, const void *a, void *o,
                      void *room);
/* The instructions POWER and CPLX_POWER on a block.  */
void sg_power (const sg_program *p, const sg_code *c, int64_t n, void *const *reg);
void sg_cplx_power (const sg_program *p, const sg_code *c, int64_t n, void *const *reg);
/* True if B, the exponent of a power, is one number that is known to be E.  */
bool sg_is_exponent (const sg_program *p, int b, double e);
/* True if the guard I of a power cannot be hit: a power with a whole exponent is real.  */
bool sg_is_whole_power (const sg_program *p, const sg_ins *i);

/* Join operations that one pass can do; USES has a byte for each register and one more.  */
void sg_program_pair (sg_program *p, char *uses);

static inline size_t
sg_align64 (size_t n)
{
  return (n + 63) & ~(size_t) 63;
}

/* How the space PRE x LEN x POST of reductions is cut, in reduce.c.  */
typedef struct sg_cut
{
  int64_t slices, lens, rows;   /* a unit has this many of POST, of LEN, of PRE */
  int64_t ns, nl, nr;           /* and there are so many of them */
  int64_t pack;                 /* a block holds so many whole slices; 0: parts of one */
  int64_t block;                /* elements in a block */
  int64_t wide;                 /* accumulators that a reduction needs in a worker */
} sg_cut;

/* For THREADS threads; what depends on them does not matter to the results.  */
void sg_cut_make (sg_cut *c, const sg_map *m, int threads);
/* Memory that a worker needs for accumulators.  */
size_t sg_reduce_bytes (const sg_cut *c, const sg_map *m);
/* Run a program that has reductions; worker T has sg_reduce_bytes at CTX.  */
sg_status sg_reduce_run (sg_program *p, const sg_cut *c, sg_worker *w, int threads);

#endif
