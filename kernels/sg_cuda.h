/* What the kernels of the CUDA backend begin with: names for what C has otherwise.  */

#ifndef SG_CUDA_H
#define SG_CUDA_H

/* Not everything that is loaded or counted is used.  */
#ifdef __CUDACC_RTC__
#pragma nv_diag_suppress 177, 550
#endif

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;

/* A complex number in memory, read and written in one go.  */
template <class T> struct alignas (2 * sizeof (T)) sg_pair
{
  T re, im;
};
#define SG_PAIR(T, re, im) (sg_pair<T> { re, im })

/* Elements that are moved as they are.  */
struct alignas (16) sg_word16
{
  unsigned long long a, b;
};

/* B at position Q is above A at position P: of equal ones the first, NaN below all numbers.  A
   position is taken for none if it is the last that its type has.  */
template <class T, class P> static __device__ __forceinline__ bool
sg_above (T a, P p, T b, P q)
{
  const bool equal = (b == a) | ((a != a) & (b != b));
  return (b > a) | ((a != a) & (b == b)) | (equal & (q < p));
}

template <class T, class P> static __device__ __forceinline__ bool
sg_below (T a, P p, T b, P q)
{
  const bool equal = (b == a) | ((a != a) & (b != b));
  return (b < a) | ((a != a) & (b == b)) | (equal & (q < p));
}

/* Rounded and saturated; NaN gives 0.  Adding 0 turns -0 into 0.  */
#define SG_SATURATE(a, lo, hi)                                                              \
  ((a) != (a) ? 0.0 : sg_clamp (sg_round (a), lo, hi) + 0.0)

static __device__ __forceinline__ double
sg_clamp (double r, double lo, double hi)
{
  r = r < lo ? lo : r;
  return r > hi ? hi : r;
}

#endif
