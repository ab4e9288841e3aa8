/* The table of kernels for one instruction set.  This file is compiled once for each, with
   SG_ISA as v2, v3, v4 (levels of x86-64) or generic and the compiler's options to match.  */

#include <math.h>
#include <string.h>

#include "../../src/cpu/cpu.h"
#include "../sg_block.h"
#include "../sg_cmath.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_ (a, b)

/* ---- the instruction set and its vectors -------------------------------------------------- */

#define ISA_v2 2
#define ISA_v3 3
#define ISA_v4 4
#define ISA_generic 0
#define ISA PASTE (ISA_, SG_ISA)
#define ISA_NAME_v2 "x86-64-v2"
#define ISA_NAME_v3 "x86-64-v3"
#define ISA_NAME_v4 "x86-64-v4"
#define ISA_NAME_generic "generic"

#define BYTES (ISA == 4 ? 64 : ISA == 3 ? 32 : 16)
typedef double V_64 __attribute__ ((vector_size (BYTES)));
typedef int64_t VI_64 __attribute__ ((vector_size (BYTES)));
typedef float V_32 __attribute__ ((vector_size (BYTES)));
typedef int32_t VI_32 __attribute__ ((vector_size (BYTES)));

#define WITH_SLEEF (SG_HAVE_SLEEF && ISA != ISA_generic)

#if WITH_SLEEF
#include <immintrin.h>
#include <sleef.h>
#if ISA == 4
#define SLEEF_64(f, u) Sleef_finz_##f##d8_##u##avx512f
#define SLEEF_32(f, u) Sleef_finz_##f##f16_##u##avx512f
#define VSQRT_64 _mm512_sqrt_pd
#define VFMA_64 _mm512_fmadd_pd
#define VSQRT_32 _mm512_sqrt_ps
#define ANY(m) (_mm512_test_epi64_mask ((__m512i) (m), (__m512i) (m)) != 0)
#elif ISA == 3
#define SLEEF_64(f, u) Sleef_finz_##f##d4_##u##avx2
#define SLEEF_32(f, u) Sleef_finz_##f##f8_##u##avx2
#define VSQRT_64 _mm256_sqrt_pd
#define VFMA_64 _mm256_fmadd_pd
#define VSQRT_32 _mm256_sqrt_ps
#define ANY(m) (! _mm256_testz_si256 ((__m256i) (m), (__m256i) (m)))
#else
#define SLEEF_64(f, u) Sleef_cinz_##f##d2_##u##sse4
#define SLEEF_32(f, u) Sleef_cinz_##f##f4_##u##sse4
#define VSQRT_64 _mm_sqrt_pd
#define VSQRT_32 _mm_sqrt_ps
#define ANY(m) (! _mm_testz_si128 ((__m128i) (m), (__m128i) (m)))
#endif
#define ALL(m) (! ANY (~(m)))
#define STR_(x) #x
#define STR(x) STR_ (x)
#define VECTOR_MATH "SLEEF " STR (SLEEF_VERSION_MAJOR) "." STR (SLEEF_VERSION_MINOR)
#else
#define VECTOR_MATH "libm"
#endif

/* ---- the kernels ------------------------------------------------------------------------- */

#define T double
#define I int64_t
#define S(f) f##_64
#define WITH_PAIRS (WITH_SLEEF && ISA >= 3)
#include "typed.h"
#undef WITH_PAIRS
#undef T
#undef I
#undef S

#define T float
#define I int32_t
#define S(f) f##_32
#define WITH_PAIRS 0
#include "typed.h"
#undef T
#undef I
#undef S

#include "conv.h"

/* ---- the table --------------------------------------------------------------------------- */

/* 1 if the expression is NATIVE, which puts its own 1 in front of the 0.  */
#define NATIVE ~, 1
#define SECOND(a, b, ...) b
#define IS_NATIVE(...) SECOND (__VA_ARGS__, 0, 0)
#define BOTH_TYPES(f) { f##_64, f##_32 }

/* Rows of vmath.def replace the same rows of op.def.  */
#pragma GCC diagnostic ignored "-Woverride-init"

const sg_kernels PASTE (sg_kernels_, SG_ISA) = {
  .isa = PASTE (ISA_NAME_, SG_ISA),
  .vector_math = VECTOR_MATH,
  .map = {
#define EW(id, name, n, in, out, guard, ulp, lo, hi, expr)                                  \
  [SG_##id] = { IS_NATIVE (expr) ? NULL : map_##id##_64,                             \
                IS_NATIVE (expr) ? NULL : map_##id##_32 },
#include "op.def"
#if WITH_SLEEF
#define V1(id, f, err) [SG_##id] = BOTH_TYPES (vmap_##id),
#define V2(id, f, err) [SG_##id] = BOTH_TYPES (vmap_##id),
#define VP(id) [SG_##id] = BOTH_TYPES (vmap_##id),
#include "vmath.def"
#endif
  },
  .map3 = {
#define EW(id, name, n, in, out, guard, ulp, lo, hi, expr)
#define EW3(id, name, expr) [SG_##id] = BOTH_TYPES (map_##id),
#include "op.def"
  },
#define PAIR(first, second) { BOTH_TYPES (pair_##first##_##second), BOTH_TYPES (pair_##first##_RIGHT_##second) }
#define PAIRS(first) { PAIR (first, PLUS), PAIR (first, MINUS), PAIR (first, TIMES) }
  .pair = { PAIRS (PLUS), PAIRS (MINUS), PAIRS (TIMES) },
  .cplx = {
#define CX(form, id, out, re, im) [SG_##id][SG_CX_##form] = BOTH_TYPES (cplx_##form##_##id),
#define CZ(form, id, out, text) CX (form, id, out, text, 0)
#include "cplx.def"
    [SG_TIMES][SG_CX_BOTH] = BOTH_TYPES (cplx_product),
#ifdef __x86_64__
    [SG_RDIVIDE][SG_CX_BOTH] = { cplx_quotient_64, cplx_BOTH_RDIVIDE_32 },
#endif
#if WITH_SLEEF
    [SG_ABS][SG_CX_A] = BOTH_TYPES (cplx_abs),
    [SG_ARG][SG_CX_A] = BOTH_TYPES (cplx_arg),
#endif
  },
  .merge = BOTH_TYPES (merge),
  .nonzero = BOTH_TYPES (nonzero),
  .guard = {
#define GUARD(id) [SG_GUARD_##id] = BOTH_TYPES (guard_##id)
    GUARD (NEG), GUARD (SIGN), GUARD (LT1), GUARD (ABS1), GUARD (LTM1), GUARD (NANL),
    GUARD (NANL2),
    GUARD (POW)
  },
#define X(id, ctype, from, to) [SG_##id] = BOTH_TYPES (load_##id),
  .load = { SG_CONV_CLASSES (X) },
#undef X
#define X(id, ctype, from, to) [SG_##id] = store_64_##id,
  .store[SG_R64] = { SG_CONV_CLASSES (X) },
#undef X
#define X(id, ctype, from, to) [SG_##id] = store_32_##id,
  .store[SG_R32] = { SG_CONV_CLASSES (X) },
#undef X
#define X(id, lo, hi) [SG_##id] = sat_##id,
  .sat = { SAT_CLASSES (X)
           [SG_F64] = sat_F64, [SG_F32] = sat_F32, [SG_BOOL] = sat_BOOL },
#undef X
#define VALUES(f)                                                                           \
  { [SG_SUM] = BOTH_TYPES (f##_SUM), [SG_PROD] = BOTH_TYPES (f##_PROD), [SG_SUMSQ] = BOTH_TYPES (f##_SUMSQ),  \
    [SG_ANY] = BOTH_TYPES (f##_ANY), [SG_ALL] = BOTH_TYPES (f##_ALL), [SG_MAX] = BOTH_TYPES (f##_MAX),        \
    [SG_MIN] = BOTH_TYPES (f##_MIN) }
#define PLACES(f) { [SG_IMAX] = BOTH_TYPES (f##_IMAX), [SG_IMIN] = BOTH_TYPES (f##_IMIN) }
  .line = VALUES (line),
  .elem = VALUES (elem),
  .join = VALUES (join),
  .iline = PLACES (iline),
  .ielem = PLACES (ielem)
};
