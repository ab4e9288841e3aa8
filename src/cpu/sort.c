/* Sorting along one dimension.  The elements of a line become unsigned numbers in the wanted
   order, keys, which are sorted and become elements again.  Equal elements keep their order,
   so that there is one result, whatever the method and the number of threads.

   A short line is sorted by merging, a longer one by its digits, from the least on; of a very
   long one pieces are, which are then merged.  */

#include <string.h>

#include "cpu.h"
#include "threads.h"

#define RUN 12               /* so few are sorted by insertion */
#define DIGITS 1024          /* from so many on by digits */
#define PIECE (INT64_C (1) << 20)
#define MERGE (INT64_C (1) << 16)   /* elements of a unit of a merge */
#define KEY_NS 25.0          /* about */

/* A key and where its element stands.  */
typedef struct pair
{
  uint64_t key;
  int64_t at;
} pair;

/* ---- keys ------------------------------------------------------------------------------- */

/* Signed numbers count from the least on; of floats the order of the negative ones is turned.
   -0 and 0 are equal, and NaN is beyond everything.  */
#define KEY_FLOAT(id, T, U, I)                                                          \
  static inline U                                                                       \
  key_##id (T x)                                                                        \
  {                                                                                     \
    const U sign = (U) 1 << (8 * sizeof (U) - 1);                                       \
    U u;                                                                                \
    x = x == 0 ? 0 : x;                                                                 \
    memcpy (&u, &x, sizeof u);                                                          \
    return x != x ? (U) -1 : u ^ ((U) ((I) u >> (8 * sizeof (U) - 1)) | sign);          \
  }                                                                                     \
  static inline T                                                                       \
  element_##id (U k)                                                                    \
  {                                                                                     \
    const U sign = (U) 1 << (8 * sizeof (U) - 1);                                       \
    T x;                                                                                \
    k ^= ~(U) ((I) k >> (8 * sizeof (U) - 1)) | sign;                                   \
    memcpy (&x, &k, sizeof x);                                                          \
    return x;                                                                           \
  }

KEY_FLOAT (F64, double, uint64_t, int64_t)
KEY_FLOAT (F32, float, uint32_t, int32_t)

#define KEY_INT(id, T, bias)                                                            \
  static inline uint32_t                                                                \
  key_##id (T x)                                                                        \
  {                                                                                     \
    return (uint32_t) ((int64_t) x + (bias));                                           \
  }                                                                                     \
  static inline T                                                                       \
  element_##id (uint32_t k)                                                             \
  {                                                                                     \
    return (T) ((int64_t) k - (bias));                                                  \
  }

KEY_INT (BOOL, uint8_t, 0)
KEY_INT (I8, int8_t, INT64_C (128))
KEY_INT (I16, int16_t, INT64_C (32768))
KEY_INT (I32, int32_t, INT64_C (2147483648))
KEY_INT (U8, uint8_t, 0)
KEY_INT (U16, uint16_t, 0)
KEY_INT (U32, uint32_t, 0)

/* CLASSES (X): X (class, its C type, type of the keys) */
#define CLASSES(X)                                                                      \
  X (F64, double, uint64_t)                                                             \
  X (F32, float, uint32_t)                                                              \
  X (BOOL, uint8_t, uint32_t)                                                           \
  X (I8, int8_t, uint32_t)                                                              \
  X (I16, int16_t, uint32_t)                                                            \
  X (I32, int32_t, uint32_t)                                                            \
  X (U8, uint8_t, uint32_t)                                                             \
  X (U16, uint16_t, uint32_t)                                                           \
  X (U32, uint32_t, uint32_t)

/* Elements A to B - 1 of a line, which stand STRIDE apart.  FLIP is all ones for descending
   order, else 0.  What a key does not hold of its element, the sign of a zero and the kind of
   a NaN, is put back by restore.  */
#define CONVERT(id, T, K)                                                               \
  static void                                                                           \
  keys_##id (const void *vx, int64_t stride, int64_t a, int64_t b, uint64_t flip,       \
             void *vk)                                                                  \
  {                                                                                     \
    const T *x = vx;                                                                    \
    K *k = vk;                                                                          \
    for (int64_t i = a; i < b; i++)                                                     \
      k[i] = key_##id (x[i * stride]) ^ (K) flip;                                       \
  }                                                                                     \
  static void                                                                           \
  pairs_##id (const void *vx, int64_t stride, int64_t a, int64_t b, uint64_t flip,      \
              void *vk)                                                                 \
  {                                                                                     \
    const T *x = vx;                                                                    \
    pair *k = vk;                                                                       \
    for (int64_t i = a; i < b; i++)                                                     \
      k[i] = (pair) { (K) (key_##id (x[i * stride]) ^ (K) flip), i };                   \
  }                                                                                     \
  static void                                                                           \
  elements_##id (const void *vk, int64_t stride, int64_t a, int64_t b, uint64_t flip,   \
                 void *vx)                                                              \
  {                                                                                     \
    const K *k = vk;                                                                    \
    T *x = vx;                                                                          \
    for (int64_t i = a; i < b; i++)                                                     \
      x[i * stride] = element_##id (k[i] ^ (K) flip);                                   \
  }

CLASSES (CONVERT)

static void
places (const void *vk, int64_t stride, int64_t a, int64_t b, uint64_t flip, void *vx)
{
  const pair *k = vk;
  double *x = vx;
  (void) flip;
  for (int64_t i = a; i < b; i++)
    x[i * stride] = (double) (k[i].at + 1);
}

/* Zeros and NaNs of line X to the places in Y that they have among sorted elements.  */
#define RESTORE(id, T, K)                                                               \
  static void                                                                           \
  restore_##id (const void *vx, int64_t stride, int64_t n, uint64_t flip, const void *vk, \
                void *vy)                                                               \
  {                                                                                     \
    const T *x = vx;                                                                    \
    const K *k = vk;                                                                    \
    T *y = vy;                                                                          \
    K zero = key_##id (0) ^ (K) flip;                                                   \
    int64_t z = 0, nan = 0, lost = 0;                                                   \
    for (int64_t i = 0; i < n; i++)                                                     \
      {                                                                                 \
        T e = x[i * stride];                                                            \
        lost += (e == 0) | (e != e);                                                    \
        nan += e != e;                                                                  \
      }                                                                                 \
    if (lost == 0)                                                                      \
      return;                                                                           \
    for (int64_t lo = n; lo > 0; lo /= 2)       /* the first key that is not below 0 */ \
      while (z + lo <= n && k[z + lo - 1] < zero)                                       \
        z += lo;                                                                        \
    nan = flip ? 0 : n - nan;                                                           \
    for (int64_t i = 0; i < n; i++)                                                     \
      {                                                                                 \
        T e = x[i * stride];                                                            \
        if (e != e)                                                                     \
          y[nan++ * stride] = e;                                                        \
        else if (e == 0)                                                                \
          y[z++ * stride] = e;                                                          \
      }                                                                                 \
  }

RESTORE (F64, double, uint64_t)
RESTORE (F32, float, uint32_t)

/* ---- sorting of keys -------------------------------------------------------------------- */

/* Sort N keys of type E at V, with room for as many at W; where they are then is returned.
   The merge takes elements A0 to A1 - 1 of A and B0 to B1 - 1 of B.  */
#define SORT(name, E, BYTES, KEY)                                                       \
  static void                                                                           \
  merge_##name (const E *a, int64_t na, const E *b, int64_t nb, E *o)                   \
  {                                                                                     \
    const E *ae = a + na, *be = b + nb;                                                 \
    while (a < ae && b < be)                                                            \
      {                                                                                 \
        bool second = KEY (*b) < KEY (*a);                                              \
        *o++ = second ? *b : *a;                                                        \
        b += second;                                                                    \
        a += ! second;                                                                  \
      }                                                                                 \
    memcpy (o, a, (size_t) (ae - a) * sizeof (E));                                      \
    memcpy (o + (ae - a), b, (size_t) (be - b) * sizeof (E));                           \
  }                                                                                     \
                                                                                        \
  static void                                                                           \
  insert_##name (E *v, int64_t n)                                                       \
  {                                                                                     \
    for (int64_t i = 1; i < n; i++)                                                     \
      {                                                                                 \
        E x = v[i];                                                                     \
        int64_t k = i;                                                                  \
        for (; k > 0 && KEY (x) < KEY (v[k - 1]); k--)                                  \
          v[k] = v[k - 1];                                                              \
        v[k] = x;                                                                       \
      }                                                                                 \
  }                                                                                     \
                                                                                        \
  static void *                                                                         \
  sort_by_merging_##name (E *v, E *w, int64_t n)                                        \
  {                                                                                     \
    for (int64_t i = 0; i < n; i += RUN)                                                \
      insert_##name (v + i, sg_min64 (RUN, n - i));                                     \
    for (int64_t run = RUN; run < n; run *= 2)                                          \
      {                                                                                 \
        for (int64_t i = 0; i < n; i += 2 * run)                                        \
          {                                                                             \
            int64_t na = sg_min64 (run, n - i), nb = sg_min64 (run, n - i - na);        \
            merge_##name (v + i, na, v + i + na, nb, w + i);                            \
          }                                                                             \
        E *t = v;                                                                       \
        v = w;                                                                          \
        w = t;                                                                          \
      }                                                                                 \
    return v;                                                                           \
  }                                                                                     \
                                                                                        \
  static void *                                                                         \
  sort_by_digits_##name (E *v, E *w, int64_t n)                                         \
  {                                                                                     \
    int64_t count[BYTES][256];                                                          \
    memset (count, 0, sizeof count);                                                    \
    for (int64_t i = 0; i < n; i++)                                                     \
      for (int d = 0; d < BYTES; d++)                                                   \
        count[d][KEY (v[i]) >> 8 * d & 255]++;                                          \
    for (int d = 0; d < BYTES; d++)                                                     \
      {                                                                                 \
        int64_t *c = count[d], at = 0;                                                  \
        if (c[KEY (v[0]) >> 8 * d & 255] == n)                                          \
          continue;                                                                     \
        for (int b = 0; b < 256; b++)                                                   \
          {                                                                             \
            int64_t k = c[b];                                                           \
            c[b] = at;                                                                  \
            at += k;                                                                    \
          }                                                                             \
        for (int64_t i = 0; i < n; i++)                                                 \
          w[c[KEY (v[i]) >> 8 * d & 255]++] = v[i];                                     \
        E *t = v;                                                                       \
        v = w;                                                                          \
        w = t;                                                                          \
      }                                                                                 \
    return v;                                                                           \
  }                                                                                     \
                                                                                        \
  static void *                                                                         \
  sort_##name (void *vv, void *vw, int64_t n)                                           \
  {                                                                                     \
    const E *v = vv;                                                                    \
    int64_t i = 1;                                                                      \
    while (i < n && ! (KEY (v[i]) < KEY (v[i - 1])))                                    \
      i++;                                                                              \
    return i >= n ? vv : n < DIGITS ? sort_by_merging_##name (vv, vw, n)                \
           : sort_by_digits_##name (vv, vw, n);                                         \
  }                                                                                     \
                                                                                        \
  /* How many of the first M of two runs merged come from the first.  */                \
  static int64_t                                                                        \
  share_##name (const E *a, int64_t na, const E *b, int64_t nb, int64_t m)              \
  {                                                                                     \
    int64_t lo = sg_max64 (0, m - nb), hi = sg_min64 (m, na);                           \
    while (lo < hi)                                                                     \
      {                                                                                 \
        int64_t i = lo + (hi - lo) / 2;                                                 \
        if (KEY (b[m - i - 1]) < KEY (a[i]))                                            \
          hi = i;                                                                       \
        else                                                                            \
          lo = i + 1;                                                                   \
      }                                                                                 \
    return lo;                                                                          \
  }                                                                                     \
                                                                                        \
  /* Elements M0 to M1 - 1 of two runs merged.  */                                      \
  static void                                                                           \
  part_##name (const void *va, int64_t na, int64_t nb, void *vo, int64_t m0, int64_t m1) \
  {                                                                                     \
    const E *a = va, *b = a + na;                                                       \
    int64_t i0 = share_##name (a, na, b, nb, m0), i1 = share_##name (a, na, b, nb, m1); \
    merge_##name (a + i0, i1 - i0, b + m0 - i0, (m1 - i1) - (m0 - i0), (E *) vo + m0);  \
  }

#define OWN(e) (e)
#define OF_PAIR(e) ((e).key)
SORT (32, uint32_t, 4, OWN)
SORT (64, uint64_t, 8, OWN)
SORT (pairs, pair, 8, OF_PAIR)

/* ---- lines ------------------------------------------------------------------------------ */

typedef void (*convert_fn) (const void *from, int64_t stride, int64_t a, int64_t b,
                            uint64_t flip, void *to);

typedef struct method
{
  convert_fn to_keys, from_keys;
  void (*restore) (const void *x, int64_t stride, int64_t n, uint64_t flip, const void *k,
                   void *y);
  void * (*sort) (void *v, void *w, int64_t n);
  void (*part) (const void *a, int64_t na, int64_t nb, void *o, int64_t m0, int64_t m1);
  int64_t ksize;             /* bytes of a key */
} method;

#define restore_BOOL NULL
#define restore_I8 NULL
#define restore_I16 NULL
#define restore_I32 NULL
#define restore_U8 NULL
#define restore_U16 NULL
#define restore_U32 NULL
#define BITS_uint32_t(f) f##_32
#define BITS_uint64_t(f) f##_64
#define VALUES(id, T, K)                                                                \
  [SG_##id] = { keys_##id, elements_##id, restore_##id, BITS_##K (sort), BITS_##K (part), \
                sizeof (K) },
#define PLACES(id, T, K)                                                                \
  [SG_##id] = { pairs_##id, places, NULL, sort_pairs, part_pairs, sizeof (pair) },
static const method of_values[SG_NCLASS] = { CLASSES (VALUES) };
static const method of_places[SG_NCLASS] = { CLASSES (PLACES) };

typedef struct job
{
  const sg_scan *s;
  const method *m;
  const char *in;
  char *out;
  int64_t isize, osize;      /* bytes of elements */
  uint64_t flip;
  char *room;                /* for each thread keys of a line, twice */
  int64_t group;             /* lines of a unit */
  /* of one long line */
  int64_t at;                /* its first element */
  int64_t run;               /* sorted runs are so long */
  char *v, *w;
} job;

static void
take_keys (const job *j, const char *x, int64_t a, int64_t b, void *k)
{
  j->m->to_keys (x, j->s->pre, a, b, j->flip, k);
}

static bool
lines_unit (void *ctx, int64_t u, int t)
{
  const job *j = ctx;
  const sg_scan *s = j->s;
  int64_t n = s->len, end = sg_min64 (s->pre * s->post, (u + 1) * j->group);
  char *v = j->room + t * 2 * n * j->m->ksize, *w = v + n * j->m->ksize;

  for (int64_t l = u * j->group; l < end; l++)
    {
      int64_t at = l / s->pre * n * s->pre + l % s->pre;
      const char *x = j->in + at * j->isize;
      char *y = j->out + at * j->osize;
      take_keys (j, x, 0, n, v);
      const void *k = j->m->sort (v, w, n);
      j->m->from_keys (k, s->pre, 0, n, j->flip, y);
      if (j->m->restore)
        j->m->restore (x, s->pre, n, j->flip, k, y);
    }
  return true;
}

static bool
piece_unit (void *ctx, int64_t u, int t)
{
  const job *j = ctx;
  int64_t a = u * j->run, b = sg_min64 (j->s->len, a + j->run), e = j->m->ksize;
  (void) t;

  take_keys (j, j->in + j->at * j->isize, a, b, j->v);
  char *k = j->m->sort (j->v + a * e, j->w + a * e, b - a);
  if (k != j->v + a * e)
    memcpy (j->v + a * e, k, (size_t) ((b - a) * e));
  return true;
}

static bool
merge_unit (void *ctx, int64_t u, int t)
{
  const job *j = ctx;
  int64_t n = j->s->len, e = j->m->ksize, m0 = u * MERGE, m1 = sg_min64 (n, m0 + MERGE);
  int64_t a = m0 / (2 * j->run) * 2 * j->run;
  (void) t;

  int64_t na = sg_min64 (j->run, n - a), nb = sg_min64 (j->run, n - a - na);
  j->m->part (j->v + a * e, na, nb, j->w + a * e, m0 - a, m1 - a);
  return true;
}

static bool
store_unit (void *ctx, int64_t u, int t)
{
  const job *j = ctx;
  int64_t a = u * MERGE, b = sg_min64 (j->s->len, a + MERGE);
  (void) t;

  j->m->from_keys (j->v, j->s->pre, a, b, j->flip, j->out + j->at * j->osize);
  return true;
}

/* A line in pieces.  Runs are multiples of MERGE, so that no unit of a merge has part of two
   pairs of them.  */
static sg_status
long_line (job *j, int threads)
{
  int64_t n = j->s->len, units = sg_ceil_div (n, MERGE);

  SG_TRY (sg_units_run (threads, sg_ceil_div (n, j->run), piece_unit, j));
  for (; j->run < n; j->run *= 2)
    {
      SG_TRY (sg_units_run (threads, units, merge_unit, j));
      char *t = j->v;
      j->v = j->w;
      j->w = t;
    }
  SG_TRY (sg_units_run (threads, units, store_unit, j));
  if (j->m->restore)
    j->m->restore (j->in + j->at * j->isize, j->s->pre, n, j->flip, j->v,
                   j->out + j->at * j->osize);
  return SG_OK;
}

static sg_status
run_in (job *j, int threads, bool in_pieces)
{
  const sg_scan *s = j->s;
  int64_t lines = s->pre * s->post;

  if (! in_pieces)
    return sg_units_run (threads, sg_ceil_div (lines, j->group), lines_unit, j);
  for (int64_t l = 0; l < lines; l++)
    {
      j->at = l / s->pre * s->len * s->pre + l % s->pre;
      j->run = PIECE;
      while (j->run > MERGE && sg_ceil_div (s->len, j->run) < threads)
        j->run /= 2;
      j->v = j->room;
      j->w = j->room + s->len * j->m->ksize;
      SG_TRY (long_line (j, threads));
    }
  return SG_OK;
}

sg_status
sg_cpu_sort (const sg_scan *s, sg_run *r)
{
  bool place = s->op == SG_ISORT;
  job j = { .s = s, .m = place ? &of_places[s->cls] : &of_values[s->cls],
            .in = r->ptr[s->in], .out = r->ptr[s->out],
            .isize = (int64_t) sg_class_bytes (s->cls), .flip = s->descend ? UINT64_MAX : 0 };
  int64_t lines = s->pre * s->post;

  if (lines * s->len == 0)
    return SG_OK;
  if (! j.m->sort)
    return sg_fail (SG_INTERNAL, "no kernel for sort of class %s", sg_class_name (s->cls));
  j.osize = place ? (int64_t) sizeof (double) : j.isize;
  j.group = sg_max64 (1, MERGE / s->len);
  double ns = (double) lines * (double) s->len * KEY_NS;
  /* Lines side by side, unless they are too few, or one takes so long that the user might want
     to stop.  */
  bool in_pieces = s->len > PIECE || (s->len > 2 * MERGE && lines < r->threads);
  int64_t units = in_pieces ? sg_ceil_div (s->len, MERGE) : sg_ceil_div (lines, j.group);
  int threads = sg_threads_for (r->threads, ns, units);
  int64_t rooms = in_pieces ? 1 : threads;
  size_t bytes = (size_t) (rooms * 2 * s->len * j.m->ksize);
  j.room = sg_pool_get (bytes);
  if (! j.room)
    return sg_fail (SG_NOMEM, "out of memory: %zu bytes to sort in", bytes);
  sg_status st = run_in (&j, threads, in_pieces);
  sg_pool_put (j.room);
  return st;
}
