/* What C loops over blocks have beside sg_math.h: memory of each class to registers and back,
   rounding to integer classes.  */

#ifndef SG_BLOCK_H_
#define SG_BLOCK_H_

#include <stdint.h>
#include "sg_math.h"

/* uint32 by way of int32, for which there are vector instructions.  */
#define SG_FROM_U32(a) ((int32_t) ((a) ^ 0x80000000u) + 2147483648.0)
#define SG_TO_U32(a) ((uint32_t) (int32_t) ((double) (a) - 2147483648.0) ^ 0x80000000u)

/* The classes that have conversions: X (id, C type, from memory, to memory).  The rows that
   are missing here, 64-bit integers, are never computed in registers.  */
#define SG_CONV_CLASSES(X)                                                                  \
  X (F64, double, a, a)                                                                     \
  X (F32, float, a, a)                                                                      \
  X (BOOL, uint8_t, a, a != 0)                                                              \
  X (I8, int8_t, a, (int8_t) (int32_t) a)                                                   \
  X (I16, int16_t, a, (int16_t) (int32_t) a)                                                \
  X (I32, int32_t, a, (int32_t) a)                                                          \
  X (U8, uint8_t, a, (uint8_t) (int32_t) a)                                                 \
  X (U16, uint16_t, a, (uint16_t) (int32_t) a)                                              \
  X (U32, uint32_t, SG_FROM_U32 (a), SG_TO_U32 (a))

/* Adding 0 turns -0 into 0.  */
static inline double
sg_saturate (double a, double lo, double hi)
{
  double r = sg_round (a);
  r = r < lo ? lo : r;
  r = r > hi ? hi : r;
  return (a != a ? 0.0 : r) + 0.0;
}
#define SG_SATURATE(a, lo, hi) sg_saturate (a, lo, hi)

#endif
