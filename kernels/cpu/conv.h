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

/* uint32 by way of int32, for which there are vector instructions.  */
#define FROM_U32(a) ((int32_t) ((a) ^ 0x80000000u) + 2147483648.0)
#define TO_U32(a) ((uint32_t) (int32_t) ((double) (a) - 2147483648.0) ^ 0x80000000u)

/* The classes that have conversions: X (id, C type, from memory, to memory).  The rows that
   are missing here, 64-bit integers, are never computed in registers.  */
#define CONV_CLASSES(X)                                                                     \
  X (F64, double, a, a)                                                                     \
  X (F32, float, a, a)                                                                      \
  X (BOOL, uint8_t, a, a != 0)                                                              \
  X (I8, int8_t, a, (int8_t) (int32_t) a)                                                   \
  X (I16, int16_t, a, (int16_t) (int32_t) a)                                                \
  X (I32, int32_t, a, (int32_t) a)                                                          \
  X (U8, uint8_t, a, (uint8_t) (int32_t) a)                                                 \
  X (U16, uint16_t, a, (uint16_t) (int32_t) a)                                              \
  X (U32, uint32_t, FROM_U32 (a), TO_U32 (a))

#define X(id, ctype, from, to)                                                              \
  CONV (load_##id##_64, double, ctype, (double) (from))                                     \
  CONV (load_##id##_32, float, ctype, (float) (from))                                       \
  CONV (store_64_##id, ctype, double, (ctype) (to))                                         \
  CONV (store_32_##id, ctype, float, (ctype) (to))
CONV_CLASSES (X)
#undef X

/* Adding 0 turns -0 into 0.  */
static inline double
saturate (double a, double lo, double hi)
{
  double r = sg_round (a);
  r = r < lo ? lo : r;
  r = r > hi ? hi : r;
  return (a != a ? 0.0 : r) + 0.0;
}

#define SAT_CLASSES(X)                                                                      \
  X (I8, INT8_MIN, INT8_MAX)                                                                \
  X (I16, INT16_MIN, INT16_MAX)                                                             \
  X (I32, INT32_MIN, INT32_MAX)                                                             \
  X (U8, 0, UINT8_MAX)                                                                      \
  X (U16, 0, UINT16_MAX)                                                                    \
  X (U32, 0, UINT32_MAX)

#define X(id, lo, hi) CONV (sat_##id, double, double, saturate (a, lo, hi))
SAT_CLASSES (X)
#undef X
CONV (sat_F64, double, double, a)
CONV (sat_F32, double, double, (double) (float) a)
CONV (sat_BOOL, double, double, (a != 0 ? 1.0 : 0.0))
