/* What CUDA C++ has and C++ has not, for kernels that run on the CPU.  Compiled beforehand and
   included before the text of each kernel.  */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <utility>

#include "kernel.h"

#pragma GCC visibility push(hidden)
extern "C" emu_env emu_now;
extern "C" char emu_dynamic[];
#pragma GCC visibility pop

/* ---- words ------------------------------------------------------------------------------- */

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__ ((always_inline))
#define __noinline__ __attribute__ ((noinline))
#define __align__(n) __attribute__ ((aligned (n)))
/* "extern __shared__" is replaced before the compiler sees it.  */
#define __shared__ static __attribute__ ((section ("emu_shared")))
#define __builtin_assume(x) ((void) 0)

#define threadIdx (emu_now.thread)
#define blockIdx (emu_now.block)
#define blockDim (emu_now.block_dim)
#define gridDim (emu_now.grid_dim)
#define warpSize 32

#undef assert
#define assert(x) ((x) ? (void) 0 : emu_now.trap ("assertion failed: " #x))
#define __trap() emu_now.trap ("trap")

/* ---- barriers ---------------------------------------------------------------------------- */

#define EMU_HERE __FILE__, __LINE__
#define __syncthreads() ((void) emu_now.barrier (EMU_HERE, EMU_VOTE_NONE, 0))
#define __syncthreads_count(x) emu_now.barrier (EMU_HERE, EMU_VOTE_COUNT, (x) != 0)
#define __syncthreads_and(x) emu_now.barrier (EMU_HERE, EMU_VOTE_AND, (x) != 0)
#define __syncthreads_or(x) emu_now.barrier (EMU_HERE, EMU_VOTE_OR, (x) != 0)
#define __syncwarp(...) emu_syncwarp (EMU_HERE, ##__VA_ARGS__)
#define __shfl_sync(...) emu_shfl (EMU_HERE, __VA_ARGS__)
#define __shfl_up_sync(...) emu_shfl_up (EMU_HERE, __VA_ARGS__)
#define __shfl_down_sync(...) emu_shfl_down (EMU_HERE, __VA_ARGS__)
#define __shfl_xor_sync(...) emu_shfl_xor (EMU_HERE, __VA_ARGS__)
#define __ballot_sync(m, x) ((unsigned) emu_now.warp (EMU_HERE, EMU_WARP_BALLOT, m, (x) != 0, 0))
#define __any_sync(m, x) (__ballot_sync (m, x) != 0)
#define __all_sync(m, x) (__ballot_sync (m, ! (x)) == 0)
#define __match_any_sync(m, x) \
  ((unsigned) emu_now.warp (EMU_HERE, EMU_WARP_MATCH, m, emu_bits (x), 0))

static inline void __threadfence () {}
static inline void __threadfence_block () {}
static inline void __threadfence_system () {}
static inline void __nanosleep (unsigned) {}

static inline void
emu_syncwarp (const char *file, int line, unsigned mask = 0xffffffff)
{
  /* Without a mask the threads that have ended do not count.  */
  emu_now.warp (file, line, EMU_WARP_SYNC, mask, 0, 0);
}

template <class T>
static inline uint64_t
emu_bits (T value)
{
  static_assert (std::is_arithmetic<T>::value && (sizeof (T) == 4 || sizeof (T) == 8),
                 "warps exchange int, long long, float, double");
  uint64_t bits = 0;
  memcpy (&bits, &value, sizeof value);
  return bits;
}

template <class T>
static inline T
emu_shfl_from (const char *file, int line, unsigned mask, T value, unsigned lane)
{
  uint64_t bits = emu_now.warp (file, line, EMU_WARP_SHFL, mask, emu_bits (value), lane);
  memcpy (&value, &bits, sizeof value);
  return value;
}

template <class T>
static inline T
emu_shfl (const char *file, int line, unsigned mask, T value, int from, int width = 32)
{
  unsigned me = emu_now.lane;
  return emu_shfl_from (file, line, mask, value, (from & (width - 1)) | (me & ~(width - 1)));
}

template <class T>
static inline T
emu_shfl_up (const char *file, int line, unsigned mask, T value, unsigned delta, int width = 32)
{
  unsigned me = emu_now.lane;
  return emu_shfl_from (file, line, mask, value, (me & (width - 1)) < delta ? me : me - delta);
}

template <class T>
static inline T
emu_shfl_down (const char *file, int line, unsigned mask, T value, unsigned delta, int width = 32)
{
  unsigned me = emu_now.lane;
  return emu_shfl_from (file, line, mask, value,
                        (me & (width - 1)) + delta >= (unsigned) width ? me : me + delta);
}

template <class T>
static inline T
emu_shfl_xor (const char *file, int line, unsigned mask, T value, int bits, int width = 32)
{
  unsigned me = emu_now.lane, from = me ^ bits;
  return emu_shfl_from (file, line, mask, value, from > (me | (width - 1)) ? me : from);
}

/* ---- atomic operations: threads change only at barriers ---------------------------------- */

template <class T> struct emu_same { typedef T type; };

template <class T, class... L>
constexpr bool
emu_one_of ()
{
  bool r = false;
  for (bool b : { std::is_same<T, L>::value... })
    r |= b;
  return r;
}

#define EMU_ATOMIC(name, result, ...)                                                         \
  template <class T>                                                                          \
  static inline T                                                                             \
  name (T *p, typename emu_same<T>::type v)                                                   \
  {                                                                                           \
    static_assert (emu_one_of<T, __VA_ARGS__> (), #name " is not there for this type");       \
    T old = *p;                                                                               \
    *p = result;                                                                              \
    return old;                                                                               \
  }

typedef unsigned long long emu_ull;

EMU_ATOMIC (atomicAdd, old + v, int, unsigned, emu_ull, float, double)
EMU_ATOMIC (atomicSub, old - v, int, unsigned)
EMU_ATOMIC (atomicExch, v, int, unsigned, emu_ull, float)
EMU_ATOMIC (atomicMin, v < old ? v : old, int, unsigned, emu_ull, long long)
EMU_ATOMIC (atomicMax, v > old ? v : old, int, unsigned, emu_ull, long long)
EMU_ATOMIC (atomicAnd, old & v, int, unsigned, emu_ull)
EMU_ATOMIC (atomicOr, old | v, int, unsigned, emu_ull)
EMU_ATOMIC (atomicXor, old ^ v, int, unsigned, emu_ull)
EMU_ATOMIC (atomicInc, old >= v ? 0 : old + 1, unsigned)
EMU_ATOMIC (atomicDec, old == 0 || old > v ? v : old - 1, unsigned)

template <class T>
static inline T
atomicCAS (T *p, typename emu_same<T>::type expected, typename emu_same<T>::type v)
{
  static_assert (emu_one_of<T, int, unsigned, emu_ull, unsigned short> (),
                 "atomicCAS is not there for this type");
  T old = *p;
  if (old == expected)
    *p = v;
  return old;
}

/* ---- types ------------------------------------------------------------------------------- */

#define EMU_VECTOR(name, T)                                                                     \
  struct __align__ (2 * sizeof (T)) name##2 { T x, y; };                                        \
  struct name##3 { T x, y, z; };                                                                \
  struct __align__ (4 * sizeof (T) > 16 ? 16 : 4 * sizeof (T)) name##4 { T x, y, z, w; };       \
  static inline name##2 make_##name##2 (T x, T y) { return { x, y }; }                          \
  static inline name##3 make_##name##3 (T x, T y, T z) { return { x, y, z }; }                  \
  static inline name##4 make_##name##4 (T x, T y, T z, T w) { return { x, y, z, w }; }

EMU_VECTOR (char, signed char)
EMU_VECTOR (uchar, unsigned char)
EMU_VECTOR (short, short)
EMU_VECTOR (ushort, unsigned short)
EMU_VECTOR (int, int)
EMU_VECTOR (uint, unsigned int)
EMU_VECTOR (longlong, long long)
EMU_VECTOR (ulonglong, unsigned long long)
EMU_VECTOR (float, float)
EMU_VECTOR (double, double)

struct dim3
{
  unsigned x, y, z;
  dim3 (unsigned a = 1, unsigned b = 1, unsigned c = 1) : x (a), y (b), z (c) {}
};

/* ---- functions --------------------------------------------------------------------------- */

#define EMU_CAST(name, from, to)                                                \
  static inline to                                                              \
  name (from a)                                                                 \
  {                                                                             \
    to r;                                                                       \
    memcpy (&r, &a, sizeof r);                                                  \
    return r;                                                                   \
  }

EMU_CAST (__int_as_float, int, float)
EMU_CAST (__float_as_int, float, int)
EMU_CAST (__uint_as_float, unsigned, float)
EMU_CAST (__float_as_uint, float, unsigned)
EMU_CAST (__longlong_as_double, long long, double)
EMU_CAST (__double_as_longlong, double, long long)

static inline double
__hiloint2double (int hi, int lo)
{
  return __longlong_as_double ((long long) hi << 32 | (unsigned) lo);
}
static inline int __double2hiint (double a) { return __double_as_longlong (a) >> 32; }
static inline int __double2loint (double a) { return (int) __double_as_longlong (a); }

/* Conversions saturate, and a NaN is 0 (the smallest number for 64 bits).  */
#define EMU_TO_INT(suffix, round)                                                             \
  static inline int                                                                           \
  __double2int_##suffix (double a)                                                            \
  {                                                                                           \
    a = round (a);                                                                            \
    return a != a ? 0 : a >= 2147483647.0 ? 2147483647 : a <= -2147483648.0 ? -2147483647 - 1 \
           : (int) a;                                                                         \
  }                                                                                           \
  static inline long long                                                                     \
  __double2ll_##suffix (double a)                                                             \
  {                                                                                           \
    a = round (a);                                                                            \
    return a != a ? INT64_MIN : a >= 9223372036854775808.0 ? INT64_MAX                        \
           : a <= -9223372036854775808.0 ? INT64_MIN : (long long) a;                         \
  }                                                                                           \
  static inline unsigned long long                                                            \
  __double2ull_##suffix (double a)                                                            \
  {                                                                                           \
    a = round (a);                                                                            \
    return a != a ? (emu_ull) INT64_MIN : a >= 18446744073709551616.0 ? UINT64_MAX            \
           : a <= 0 ? 0 : (emu_ull) a;                                                        \
  }                                                                                           \
  static inline int __float2int_##suffix (float a) { return __double2int_##suffix (a); }      \
  static inline long long __float2ll_##suffix (float a) { return __double2ll_##suffix (a); }  \
  static inline emu_ull __float2ull_##suffix (float a) { return __double2ull_##suffix (a); }

EMU_TO_INT (rn, rint)
EMU_TO_INT (rz, trunc)
EMU_TO_INT (rd, floor)
EMU_TO_INT (ru, ceil)

static inline double __dadd_rn (double a, double b) { return a + b; }
static inline double __dsub_rn (double a, double b) { return a - b; }
static inline double __dmul_rn (double a, double b) { return a * b; }
static inline double __ddiv_rn (double a, double b) { return a / b; }
static inline double __dsqrt_rn (double a) { return sqrt (a); }
static inline double __drcp_rn (double a) { return 1 / a; }
static inline double __fma_rn (double a, double b, double c) { return fma (a, b, c); }
static inline float __fadd_rn (float a, float b) { return a + b; }
static inline float __fsub_rn (float a, float b) { return a - b; }
static inline float __fmul_rn (float a, float b) { return a * b; }
static inline float __fdiv_rn (float a, float b) { return a / b; }
static inline float __fsqrt_rn (float a) { return sqrtf (a); }
static inline float __frcp_rn (float a) { return 1 / a; }
static inline float __fmaf_rn (float a, float b, float c) { return fmaf (a, b, c); }
static inline float __double2float_rn (double a) { return a; }
static inline double __ll2double_rn (long long a) { return a; }
static inline double __ull2double_rn (emu_ull a) { return a; }
static inline float __ll2float_rn (long long a) { return a; }
static inline float __ull2float_rn (emu_ull a) { return a; }

/* Newer C libraries have functions of these names.  */
#define rsqrt emu_rsqrt
#define rsqrtf emu_rsqrtf
#define sinpi emu_sinpi
#define cospi emu_cospi
#define sinpif emu_sinpif
#define cospif emu_cospif
static inline double rsqrt (double a) { return 1 / sqrt (a); }
static inline float rsqrt (float a) { return 1 / sqrtf (a); }
static inline float rsqrtf (float a) { return 1 / sqrtf (a); }
static inline double rcbrt (double a) { return 1 / cbrt (a); }
static inline float rcbrt (float a) { return 1 / cbrtf (a); }
static inline double rhypot (double a, double b) { return 1 / hypot (a, b); }
static inline float rhypot (float a, float b) { return 1 / hypotf (a, b); }
static inline double sinpi (double a) { return sin (M_PI * fmod (a, 2)); }
static inline double cospi (double a) { return cos (M_PI * fmod (a, 2)); }
static inline float sinpif (float a) { return sinpi ((double) a); }
static inline float cospif (float a) { return cospi ((double) a); }

static inline int __popc (unsigned a) { return __builtin_popcount (a); }
static inline int __popcll (emu_ull a) { return __builtin_popcountll (a); }
static inline int __clz (int a) { return a ? __builtin_clz (a) : 32; }
static inline int __clzll (long long a) { return a ? __builtin_clzll (a) : 64; }
static inline int __ffs (int a) { return __builtin_ffs (a); }
static inline int __ffsll (long long a) { return __builtin_ffsll (a); }
static inline int __mulhi (int a, int b) { return (long long) a * b >> 32; }
static inline unsigned __umulhi (unsigned a, unsigned b) { return (emu_ull) a * b >> 32; }
static inline long long __mul64hi (long long a, long long b) { return (__int128) a * b >> 64; }
static inline emu_ull
__umul64hi (emu_ull a, emu_ull b)
{
  return (unsigned __int128) a * b >> 64;
}

template <class T> static inline T __ldg (const T *p) { return *p; }
template <class T> static inline T __ldcs (const T *p) { return *p; }
template <class T> static inline T __ldcg (const T *p) { return *p; }
template <class T> static inline void __stcs (T *p, T v) { *p = v; }

/* Of two numbers of any classes, in the class that arithmetic would give them.  */
template <class A, class B>
static inline typename std::common_type<A, B>::type
max (A a, B b)
{
  typedef typename std::common_type<A, B>::type T;
  if (std::is_floating_point<T>::value)
    return (T) fmax ((T) a, (T) b);
  return (T) a < (T) b ? (T) b : (T) a;
}

template <class A, class B>
static inline typename std::common_type<A, B>::type
min (A a, B b)
{
  typedef typename std::common_type<A, B>::type T;
  if (std::is_floating_point<T>::value)
    return (T) fmin ((T) a, (T) b);
  return (T) b < (T) a ? (T) b : (T) a;
}

/* ---- entries: how the driver calls a kernel ---------------------------------------------- */

template <class... P>
struct emu_parameters
{
  static constexpr unsigned short size[] = { sizeof (P)..., 0 };
  static constexpr unsigned short align[] = { alignof (P)..., 0 };

  template <size_t... I>
  static void
  call (void (*f) (P...), void **arg, std::index_sequence<I...>)
  {
    (void) arg;
    f (*(P *) arg[I]...);
  }
};

template <class... P>
static inline void
emu_call (void (*f) (P...), void **arg)
{
  emu_parameters<P...>::call (f, arg, std::index_sequence_for<P...> ());
}

template <class... P>
constexpr emu_entry
emu_entry_of (void (*) (P...), void (*call) (void **))
{
  return { call, sizeof... (P), emu_parameters<P...>::size, emu_parameters<P...>::align };
}

#define EMU_ENTRY(name)                                                               \
  static void emu_call_##name (void **arg) { emu_call (name, arg); }                  \
  extern "C" __attribute__ ((visibility ("default"))) const emu_entry emu_entry_##name \
    = emu_entry_of (name, emu_call_##name);
