/* Integers of 64 bits, as Octave computes with them where it has no use for "long double": CUDA
   text.  With a double it goes by cases and through pieces of the product, and what that loses on
   the way is lost here as well.  Every step is of whole numbers or of doubles, with the same bits
   everywhere.  */

#ifndef SG_WIDE_H
#define SG_WIDE_H

#define SG_WIDE static __device__ __forceinline__
typedef long long sg_i64;
typedef unsigned long long sg_u64;

/* ---- ends, conversions ------------------------------------------------------------------- */

SG_WIDE sg_i64 sg_lowest (sg_i64) { return -0x7fffffffffffffffll - 1; }
SG_WIDE sg_u64 sg_lowest (sg_u64) { return 0; }
SG_WIDE sg_i64 sg_highest (sg_i64) { return 0x7fffffffffffffffll; }
SG_WIDE sg_u64 sg_highest (sg_u64) { return ~0ull; }

/* One more than the highest.  */
SG_WIDE double sg_beyond (sg_i64) { return 0x1p63; }
SG_WIDE double sg_beyond (sg_u64) { return 0x1p64; }

/* Rounded and saturated; NaN gives 0.  LIKE says to what.  */
template <class T> SG_WIDE T
sg_integer (T like, double x)
{
  if (x != x)
    return 0;
  if (x >= sg_beyond (like))
    return sg_highest (like);
  if (x <= (double) sg_lowest (like))
    return sg_lowest (like);
  return (T) sg_round (x);
}
SG_WIDE sg_i64 sg_integer (sg_i64, sg_i64 x) { return x; }
SG_WIDE sg_u64 sg_integer (sg_u64, sg_u64 x) { return x; }
SG_WIDE sg_u64 sg_integer (sg_u64, sg_i64 x) { return x < 0 ? 0 : (sg_u64) x; }
SG_WIDE sg_i64
sg_integer (sg_i64 like, sg_u64 x)
{
  return x > (sg_u64) sg_highest (like) ? sg_highest (like) : (sg_i64) x;
}

/* For classes of fewer bits; LO is 0 or less.  */
SG_WIDE sg_i64
sg_within (sg_i64 x, sg_i64 lo, sg_i64 hi)
{
  return x < lo ? lo : x > hi ? hi : x;
}
SG_WIDE sg_i64
sg_within (sg_u64 x, sg_i64, sg_i64 hi)
{
  return x > (sg_u64) hi ? hi : (sg_i64) x;
}

/* ---- one operand ------------------------------------------------------------------------- */

SG_WIDE sg_i64 sg_opposite (sg_i64 x) { return x == sg_lowest (x) ? sg_highest (x) : -x; }
SG_WIDE sg_u64 sg_opposite (sg_u64) { return 0; }
SG_WIDE sg_i64 sg_size_of (sg_i64 x) { return x < 0 ? sg_opposite (x) : x; }
SG_WIDE sg_u64 sg_size_of (sg_u64 x) { return x; }
SG_WIDE sg_i64 sg_sign_of (sg_i64 x) { return (x > 0) - (x < 0); }
SG_WIDE sg_u64 sg_sign_of (sg_u64 x) { return x > 0; }

/* ---- two integers ------------------------------------------------------------------------ */

SG_WIDE sg_u64
sg_plus (sg_u64 x, sg_u64 y)
{
  const sg_u64 r = x + y;
  return r < x ? sg_highest (x) : r;
}
SG_WIDE sg_i64
sg_plus (sg_i64 x, sg_i64 y)
{
  const sg_i64 r = (sg_i64) ((sg_u64) x + (sg_u64) y);
  return ((x ^ r) & (y ^ r)) < 0 ? (x < 0 ? sg_lowest (x) : sg_highest (x)) : r;
}

SG_WIDE sg_u64
sg_minus (sg_u64 x, sg_u64 y)
{
  return x < y ? 0 : x - y;
}
SG_WIDE sg_i64
sg_minus (sg_i64 x, sg_i64 y)
{
  const sg_i64 r = (sg_i64) ((sg_u64) x - (sg_u64) y);
  return ((x ^ y) & (x ^ r)) < 0 ? (x < 0 ? sg_lowest (x) : sg_highest (x)) : r;
}

SG_WIDE sg_u64
sg_times (sg_u64 x, sg_u64 y)
{
  return __umul64hi (x, y) != 0 ? sg_highest (x) : x * y;
}

/* Without the sign, which the lowest number has no opposite for.  */
SG_WIDE sg_u64
sg_magnitude (sg_i64 x)
{
  return x < 0 ? 0 - (sg_u64) x : (sg_u64) x;
}

SG_WIDE sg_i64
sg_times (sg_i64 x, sg_i64 y)
{
  const bool negative = (x < 0) != (y < 0);
  const sg_u64 r = sg_times (sg_magnitude (x), sg_magnitude (y)), most = sg_highest (x);
  if (negative)
    return r > most ? sg_lowest (x) : -(sg_i64) r;
  return r > most ? sg_highest (x) : (sg_i64) r;
}

/* Halves away from zero; of a quotient by 0 the sign decides.  */
SG_WIDE sg_u64
sg_over (sg_u64 x, sg_u64 y)
{
  if (y == 0)
    return x != 0 ? sg_highest (x) : 0;
  const sg_u64 r = x / y, rest = x % y;
  return r + (rest >= y - rest);
}
SG_WIDE sg_i64
sg_over (sg_i64 x, sg_i64 y)
{
  if (y == 0)
    return x < 0 ? sg_lowest (x) : x > 0 ? sg_highest (x) : 0;
  const sg_u64 r = sg_over (sg_magnitude (x), sg_magnitude (y)), most = sg_highest (x);
  if ((x < 0) != (y < 0))
    return r > most ? sg_lowest (x) : -(sg_i64) r;
  return r > most ? sg_highest (x) : (sg_i64) r;
}

/* ---- an integer and a double ------------------------------------------------------------- */

SG_WIDE sg_u64
sg_plus (sg_u64 x, double y)
{
  return y < 0 ? sg_minus (x, sg_integer (x, -y)) : sg_plus (x, sg_integer (x, y));
}

/* In two halves if y alone is no integer of 64 bits; the sum may be one.  */
SG_WIDE sg_i64
sg_plus (sg_i64 x, double y)
{
  if (! (fabs (y) >= 0x1p63))
    return sg_plus (x, sg_integer (x, y));
  const sg_i64 half = sg_integer (x, y / 2);
  return sg_plus (sg_plus (x, half), half);
}

template <class T> SG_WIDE T
sg_plus (double x, T y)
{
  return sg_plus (y, x);
}

template <class T> SG_WIDE T
sg_minus (T x, double y)
{
  return sg_plus (x, -y);
}

SG_WIDE sg_u64
sg_minus (double x, sg_u64 y)
{
  if (x < 0x1p64)
    return sg_minus (sg_integer (y, x), y);
  return y == 0 ? sg_highest (y) : sg_plus (sg_integer (y, x - 0x1p64), 0 - y);
}
SG_WIDE sg_i64
sg_minus (double x, sg_i64 y)
{
  return y == sg_lowest (y) ? sg_integer (y, x + 0x1p63) : sg_plus (-y, x);
}

/* The product of MAGNITUDE with Y, of the sign NEGATIVE: 52 bits of the mantissa of Y give a
   product of four words, each of which is rounded for itself.  */
template <class T> SG_WIDE T
sg_pieces (T like, sg_u64 magnitude, double y, bool negative)
{
  int e;
  const sg_u64 m = (sg_u64) ldexp (frexp (fabs (y), &e), 52);
  const sg_u64 word[2] = { magnitude * m, __umul64hi (magnitude, m) };
  T sum = 0;
  e -= 52;
  for (int i = 0; i < 4; i++, e += 32)
    {
      const double piece = ldexp ((double) (unsigned) (word[i / 2] >> i % 2 * 32), e);
      sum = sg_plus (sum, sg_integer (like, negative ? -piece : piece));
    }
  return sum;
}

SG_WIDE bool
sg_is_whole (double y)
{
  return y == sg_round (y);
}

SG_WIDE bool
sg_is_finite (double y)
{
  return y - y == 0;
}

SG_WIDE sg_u64
sg_times (sg_u64 x, double y)
{
  if (y >= 0 && y < 0x1p64 && sg_is_whole (y))
    return sg_times (x, (sg_u64) y);
  if (y == 0.5)
    return sg_over (x, 2ull);
  if (y < 0 || ! sg_is_finite (y))
    return sg_integer (x, (double) x * y);
  return sg_pieces (x, x, y, false);
}

/* For -1/2 Octave divides by -2 taken as an unsigned number, which saturates.  */
SG_WIDE sg_i64
sg_times (sg_i64 x, double y)
{
  if (fabs (y) < 0x1p63 && sg_is_whole (y))
    return sg_times (x, (sg_i64) y);
  if (fabs (y) == 0.5)
    return sg_over (x, y > 0 ? 2ll : sg_highest (x));
  if (! sg_is_finite (y))
    return sg_integer (x, (double) x * y);
  return sg_pieces (x, sg_magnitude (x), y, (y < 0) != (x < 0));
}

template <class T> SG_WIDE T
sg_times (double x, T y)
{
  return sg_times (y, x);
}

template <class T> SG_WIDE T
sg_over (double x, T y)
{
  return sg_integer (y, x / (double) y);
}
SG_WIDE sg_u64
sg_over (sg_u64 x, double y)
{
  return y >= 0 && y < 0x1p64 && sg_is_whole (y) ? sg_over (x, (sg_u64) y)
         : sg_times (x, 1 / y);
}
SG_WIDE sg_i64
sg_over (sg_i64 x, double y)
{
  return fabs (y) < 0x1p63 && sg_is_whole (y) ? sg_over (x, (sg_i64) y) : sg_times (x, 1 / y);
}

/* ---- order: -1, 0, 1, and 2 where there is none ------------------------------------------ */

template <class T> SG_WIDE int
sg_compare (T x, T y)
{
  return (x > y) - (x < y);
}
SG_WIDE int
sg_compare (sg_i64 x, sg_u64 y)
{
  return x < 0 ? -1 : sg_compare ((sg_u64) x, y);
}
SG_WIDE int
sg_compare (sg_u64 x, sg_i64 y)
{
  return -sg_compare (y, x);
}

/* To Octave the numbers that become the one beyond the highest, as doubles, are greater than it, and
   those that become the lowest less than that.  */
template <class T> SG_WIDE int
sg_compare (T x, double y)
{
  const double as_double = (double) x;
  if (as_double != y)
    return y != y ? 2 : as_double < y ? -1 : 1;
  if (as_double == sg_beyond (x))
    return 1;
  return as_double == -sg_beyond (x) ? -1 : sg_compare (x, (T) as_double);
}
template <class T> SG_WIDE int
sg_compare (double x, T y)
{
  const int order = sg_compare (y, x);
  return order == 2 ? 2 : -order;
}

SG_WIDE bool
sg_is_at_least (int order)
{
  return order == 0 || order == 1;
}

#endif
