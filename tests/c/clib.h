/* The complex functions of the kernels' headers: as C++ they have these names.  */

#ifndef TEST_CLIB_H
#define TEST_CLIB_H

typedef struct pair64 { double re, im; } pair64;
typedef struct pair32 { float re, im; } pair32;

/* X (function) */
#define FUNCTIONS(X)                                                                        \
  X (csqrt) X (cexp) X (clog) X (csin) X (ccos) X (ctan) X (catan) X (csinh) X (ccosh)      \
  X (ctanh) X (casinh) X (cacosh) X (catanh) X (casin) X (cacos) X (clog2) X (clog10)       \
  X (clog1p) X (csign)

#ifdef __cplusplus
extern "C" {
#endif
#define X(f) pair64 cxx64_##f (double x, double y); pair32 cxx32_##f (float x, float y);
FUNCTIONS (X)
#undef X
pair64 cxx64_product (double a, double b, double c, double d);
pair64 cxx64_quotient (double a, double b, double c, double d);
pair32 cxx32_product (float a, float b, float c, float d);
pair32 cxx32_quotient (float a, float b, float c, float d);
#ifdef __cplusplus
}
#endif
#endif
