/* Reductions, for one type: T with the suffix S; V is a vector of T, VI of integers as wide.  */

/* m ? x : y, lane by lane.  */
#define SELECT(m, x, y) ((V) (((VI) (m) & (VI) (x)) | (~(VI) (m) & (VI) (y))))
#define ALL_LANES(x) ((V) { 0 } + (T) (x))

/* Rows: what an accumulator starts from; what a becomes when it takes an element b, when it
   joins another accumulator b.  Taking the start changes nothing.  To ANY a NaN is not true, to
   ALL it is not false, as in Octave's columns.  */
#define FOLDS(X)                                                                            \
  X (SUM, 0, a + b, a + b)                                                                  \
  X (SUMSQ, 0, a + b * b, a + b)                                                            \
  X (ANY, 0, SELECT ((b < 0) | (b > 0), ALL_LANES (1), a), SELECT (b != 0, ALL_LANES (1), a)) \
  X (ALL, 1, SELECT (b != 0, a, ALL_LANES (0)), SELECT (b != 0, a, ALL_LANES (0)))

/* Rows: reduction to a value, to a place, which number is better than the other, the worst.
   Nothing is better than NaN, and NaN is not better than anything.  */
#define EXTREMES(X)                                                                         \
  X (MAX, IMAX, >, -SG_INF)                                                                 \
  X (MIN, IMIN, <, SG_INF)

/* A line is dealt out to LANES accumulators, one element each in turn, and these are joined
   by halves: the order depends on the number of elements alone, and is the same for every
   instruction set.  */
#define LANES (128 / (int) sizeof (T))

#define LINE(id, init, take, join)                                                          \
  static T                                                                                  \
  S (fold_##id) (int64_t n, const T *x)                                                     \
  {                                                                                         \
    V lane[LANES / VN];                                                                     \
    for (int j = 0; j < LANES / VN; j++)                                                    \
      lane[j] = ALL_LANES (init);                                                           \
    int64_t k = 0;                                                                          \
    for (; k + LANES <= n; k += LANES)                                                      \
      _Pragma ("GCC unroll 8") for (int j = 0; j < LANES / VN; j++)                         \
        {                                                                                   \
          V a = lane[j], b = S (vload) (x + k + j * VN);                                    \
          lane[j] = take;                                                                   \
        }                                                                                   \
    T room[LANES + VN];                                                                     \
    for (int j = 0; j < LANES + VN; j++)                                                    \
      room[j] = init;                                                                       \
    for (int j = 0; k + j < n; j++)                                                         \
      room[j] = x[k + j];                                                                   \
    for (int j = 0; j < LANES / VN; j++)                                                    \
      {                                                                                     \
        V a = lane[j], b = S (vload) (room + j * VN);                                       \
        S (vstore) (room + j * VN, take);                                                   \
      }                                                                                     \
    for (int h = LANES / 2; h > 0; h /= 2)                                                  \
      for (int j = 0; j < h; j += VN)                                                       \
        {                                                                                   \
          V a = S (vload) (room + j), b = S (vload) (room + j + h);                         \
          S (vstore) (room + j, join);                                                      \
        }                                                                                   \
    return room[0];                                                                         \
  }
FOLDS (LINE)
#define X(id, place, OP, worst)                                                             \
  LINE (id, worst, SELECT (b OP a, b, a), SELECT (b OP a, b, a))
EXTREMES (X)

/* acc[i] takes x[i].  */
#define EACH(f, expr)                                                                       \
  static void                                                                               \
  S (f) (int64_t n, const void *xp, void *accp)                                             \
  {                                                                                         \
    const T *x = xp;                                                                        \
    T *acc = accp;                                                                          \
    int64_t i = 0;                                                                          \
    for (; i + VN <= n; i += VN)                                                            \
      {                                                                                     \
        V a = S (vload) (acc + i), b = S (vload) (x + i);                                   \
        S (vstore) (acc + i, expr);                                                         \
      }                                                                                     \
    if (i < n)                                                                              \
      {                                                                                     \
        V a = { 0 }, b = { 0 };                                                             \
        memcpy (&a, acc + i, (size_t) (n - i) * sizeof (T));                                \
        memcpy (&b, x + i, (size_t) (n - i) * sizeof (T));                                  \
        a = expr;                                                                           \
        memcpy (acc + i, &a, (size_t) (n - i) * sizeof (T));                                \
      }                                                                                     \
  }

/* ---- values ------------------------------------------------------------------------------ */

#define VALUE(id, init, take, join)                                                         \
  static void                                                                               \
  S (line_##id) (int64_t n, const void *xp, void *accp)                                     \
  {                                                                                         \
    T *acc = accp;                                                                          \
    V a = { *acc }, b = { S (fold_##id) (n, xp) };                                          \
    a = join;                                                                               \
    *acc = a[0];                                                                            \
  }                                                                                         \
  EACH (elem_##id, take)                                                                    \
  EACH (join_##id, join)
FOLDS (VALUE)

/* In Octave's order: another one may meet infinities and zeros that this one does not.  */
static void
S (line_PROD) (int64_t n, const void *xp, void *accp)
{
  const T *x = xp;
  T a = *(T *) accp;
  for (int64_t i = 0; i < n; i++)
    a *= x[i];
  *(T *) accp = a;
}
EACH (elem_PROD, a * b)
EACH (join_PROD, a * b)

/* ---- extremes and their places ----------------------------------------------------------- */

/* The place of the extreme is the first element that equals it; it is looked for only where it
   matters: for the place, for the sign of 0, and where the worst value may mean that there is
   nothing but NaN.  */
#define EXTREME(id, place, OP, worst)                                                       \
  static void                                                                               \
  S (line_##id) (int64_t n, const void *xp, void *accp)                                     \
  {                                                                                         \
    const T *x = xp;                                                                        \
    T *acc = accp, m = S (fold_##id) (n, x);                                                \
    if (n == 0 || ! (m OP *acc || *acc != *acc))                                            \
      return;                                                                               \
    int64_t k = 0;                                                                          \
    if (m == 0 || m == worst)                                                               \
      {                                                                                     \
        while (k < n && x[k] != m)                                                          \
          k++;                                                                              \
        m = x[k < n ? k : 0];   /* x[0]: a NaN, perhaps NA */                               \
      }                                                                                     \
    *acc = m;                                                                               \
  }                                                                                         \
  static void                                                                               \
  S (iline_##place) (int64_t n, const void *xp, int64_t at, void *accp, int64_t *pos)       \
  {                                                                                         \
    const T *x = xp;                                                                        \
    T *acc = accp, m = S (fold_##id) (n, x);                                                \
    if (! (m OP *acc || *acc != *acc))                                                      \
      return;                                                                               \
    int64_t k = 0;                                                                          \
    while (k < n && x[k] != m)                                                              \
      k++;                                                                                  \
    if (k == n)                                                                             \
      return;                                                                               \
    *acc = x[k];                                                                            \
    *pos = at + k;                                                                          \
  }                                                                                         \
  EACH (elem_##id, SELECT ((VI) (b OP a) | (VI) (a != a), b, a))                            \
  EACH (join_##id, SELECT ((VI) (b OP a) | (VI) (a != a), b, a))                            \
  static void                                                                               \
  S (ielem_##place) (int64_t n, const void *xp, int64_t at, void *accp, int64_t *pos)       \
  {                                                                                         \
    const T *x = xp;                                                                        \
    T *acc = accp;                                                                          \
    _Pragma ("GCC ivdep") for (int64_t i = 0; i < n; i++)                                   \
      {                                                                                     \
        T a = acc[i], b = x[i];                                                             \
        int better = (b OP a) | ((a != a) & (b == b));                                      \
        acc[i] = better ? b : a;                                                            \
        pos[i] = better ? at : pos[i];                                                      \
      }                                                                                     \
  }
EXTREMES (EXTREME)

#undef SELECT
#undef ALL_LANES
#undef FOLDS
#undef EXTREMES
#undef LANES
#undef LINE
#undef EACH
#undef VALUE
#undef X
#undef EXTREME
