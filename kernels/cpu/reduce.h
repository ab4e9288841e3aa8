/* Reductions, for one type: T with the suffix S.  */

/* A line is dealt out to LANES accumulators, one element each in turn, and these are joined
   pairwise: the order depends on the number of elements alone, and is the same for every
   instruction set.  */
#define LANES (128 / (int) sizeof (T))

#define DEAL(lane, take)                                                                    \
  {                                                                                         \
    int64_t k = 0;                                                                          \
    for (; k + LANES <= n; k += LANES)                                                      \
      for (int j = 0; j < LANES; j++)                                                       \
        {                                                                                   \
          T a = lane[j], b = x[k + j];                                                      \
          lane[j] = take;                                                                   \
        }                                                                                   \
    for (int j = 0; k + j < n; j++)                                                         \
      {                                                                                     \
        T a = lane[j], b = x[k + j];                                                        \
        lane[j] = take;                                                                     \
      }                                                                                     \
  }

#define JOIN(lane, join)                                                                    \
  for (int h = LANES / 2; h > 0; h /= 2)                                                    \
    for (int j = 0; j < h; j++)                                                             \
      {                                                                                     \
        T a = lane[j], b = lane[j + h];                                                     \
        lane[j] = join;                                                                     \
      }

#define ELEM(f, take)                                                                       \
  static void                                                                               \
  S (f) (int64_t n, const void *xp, void *accp)                                             \
  {                                                                                         \
    const T *x = xp;                                                                        \
    T *acc = accp;                                                                          \
    _Pragma ("GCC ivdep") for (int64_t i = 0; i < n; i++)                                   \
      {                                                                                     \
        T a = acc[i], b = x[i];                                                             \
        acc[i] = take;                                                                      \
      }                                                                                     \
  }

/* a takes an element b, a joins another accumulator b; INIT is what a starts from.  */
#define FOLD(id, init, take, join)                                                          \
  static void                                                                               \
  S (line_##id) (int64_t n, const void *xp, void *accp)                                     \
  {                                                                                         \
    const T *x = xp;                                                                        \
    T *acc = accp, lane[LANES];                                                             \
    for (int j = 0; j < LANES; j++)                                                         \
      lane[j] = init;                                                                       \
    DEAL (lane, take)                                                                       \
    JOIN (lane, join)                                                                       \
    T a = *acc, b = lane[0];                                                                \
    *acc = join;                                                                            \
  }                                                                                         \
  ELEM (elem_##id, take)                                                                    \
  ELEM (join_##id, join)

FOLD (SUM, 0, a + b, a + b)
FOLD (PROD, 1, a * b, a * b)
FOLD (SUMSQ, 0, a + b * b, a + b)
/* Accumulators are 0 or 1, but one that another program left may be any true value.  */
FOLD (ANY, 0, ((a != 0) | (b != 0)) ? (T) 1 : (T) 0, ((a != 0) | (b != 0)) ? (T) 1 : (T) 0)
FOLD (ALL, 1, ((a != 0) & (b != 0)) ? (T) 1 : (T) 0, ((a != 0) & (b != 0)) ? (T) 1 : (T) 0)

/* The extreme of a line.  A lane starts from the worst value, and a comparison with NaN is
   false.  The place of the extreme is the first element that equals it; it is looked for only
   where it matters: for the position, for the sign of 0, and where the worst value may mean
   that there is nothing but NaN.  */
#define EXTREME(id, pos_id, OP, worst)                                                      \
  static T                                                                                  \
  S (best_##id) (int64_t n, const T *x)                                                     \
  {                                                                                         \
    T lane[LANES];                                                                          \
    for (int j = 0; j < LANES; j++)                                                         \
      lane[j] = worst;                                                                      \
    DEAL (lane, b OP a ? b : a)                                                             \
    JOIN (lane, b OP a ? b : a)                                                             \
    return lane[0];                                                                         \
  }                                                                                         \
  static void                                                                               \
  S (line_##id) (int64_t n, const void *xp, void *accp)                                     \
  {                                                                                         \
    const T *x = xp;                                                                        \
    T *acc = accp, m = S (best_##id) (n, x);                                                \
    if (n == 0 || ! (m OP *acc || *acc != *acc))                                            \
      return;                                                                               \
    int64_t k = 0;                                                                          \
    if (m == 0 || m == worst)                                                               \
      while (k < n && x[k] != m)                                                            \
        k++;                                                                                \
    else                                                                                    \
      k = -1;                                                                               \
    *acc = k < 0 ? m : k < n ? x[k] : x[0];     /* x[0]: a NaN, perhaps NA */               \
  }                                                                                         \
  static void                                                                               \
  S (iline_##pos_id) (int64_t n, const void *xp, int64_t at, void *accp, int64_t *pos)      \
  {                                                                                         \
    const T *x = xp;                                                                        \
    T *acc = accp, m = S (best_##id) (n, x);                                                \
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
  ELEM (elem_##id, ((b OP a) | (a != a)) ? b : a)                                           \
  ELEM (join_##id, ((b OP a) | (a != a)) ? b : a)                                           \
  static void                                                                               \
  S (ielem_##pos_id) (int64_t n, const void *xp, int64_t at, void *accp, int64_t *pos)      \
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

EXTREME (MAX, IMAX, >, -SG_INF)
EXTREME (MIN, IMIN, <, SG_INF)

#undef LANES
#undef DEAL
#undef JOIN
#undef ELEM
#undef FOLD
#undef EXTREME
