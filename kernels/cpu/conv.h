/* Conversions: memory of each class to registers and back, rounding to integer classes.  */

#define CONV(f, TO, FROM, expr)                                                             \
  static void                                                                               \
  f (int64_t n, void *op, const void *ap)                                                   \
  {                                                                                         \
    TO *o = op;                                                                             \
    const FROM *pa = ap;                                                                    \
    _Pragma ("GCC ivdep") for (int64_t i = 0; i < n; i++)                                   \
      {                                                                                     \
        FROM a = pa[i];                                                                     \
        o[i] = expr;                                                                        \
      }                                                                                     \
  }

#define X(id, ctype, from, to)                                                              \
  CONV (load_##id##_64, double, ctype, (double) (from))                                     \
  CONV (load_##id##_32, float, ctype, (float) (from))                                       \
  CONV (store_64_##id, ctype, double, (ctype) (to))                                         \
  CONV (store_32_##id, ctype, float, (ctype) (to))
SG_CONV_CLASSES (X)
#undef X

#define SAT_CLASSES(X)                                                                      \
  X (I8, INT8_MIN, INT8_MAX)                                                                \
  X (I16, INT16_MIN, INT16_MAX)                                                             \
  X (I32, INT32_MIN, INT32_MAX)                                                             \
  X (U8, 0, UINT8_MAX)                                                                      \
  X (U16, 0, UINT16_MAX)                                                                    \
  X (U32, 0, UINT32_MAX)

#define X(id, lo, hi) CONV (sat_##id, double, double, sg_saturate (a, lo, hi))
SAT_CLASSES (X)
#undef X
CONV (sat_F64, double, double, a)
CONV (sat_F32, double, double, (double) (float) a)
CONV (sat_BOOL, double, double, (a != 0 ? 1.0 : 0.0))
