/* Powers with small whole and half exponents, for doubles on machines with fma: products of pairs
   of numbers, whose sums have about a hundred bits, so that the result is all but always the
   nearest number.  A fraction of the price of a logarithm.  */

#define MOST_TWICE 32        /* twice the largest exponent */

typedef struct pair { V hi, lo; } pair;

static inline pair
pair_times (pair x, pair y)
{
  V p = x.hi * y.hi;
  V e = VFMA_64 (x.hi, y.hi, -p) + (x.hi * y.lo + x.lo * y.hi);
  V hi = p + e;
  return (pair) { hi, (p - hi) + e };
}

static inline pair
pair_root (V a)
{
  V s = VSQRT_64 (a);
  return (pair) { s, VFMA_64 (-s, s, a) / (s + s) };
}

static inline V
pair_inverse (pair x)
{
  V y = 1 / x.hi;
  return y + y * (VFMA_64 (-y, x.hi, (V) { 0 } + 1) - y * x.lo);
}

/* A .^ (TWICE / 2) */
static inline V
power_of_pairs (V a, int twice)
{
  unsigned n = (unsigned) (twice < 0 ? -twice : twice);
  pair q = { a, { 0 } }, r = { (V) { 0 } + 1, { 0 } };

  if (n % 2)
    r = pair_root (a);
  for (n /= 2; n > 0; n /= 2)
    {
      if (n % 2)
        r = pair_times (r, q);
      if (n > 1)
        q = pair_times (q, q);
    }
  return twice < 0 ? pair_inverse (r) : r.hi;
}

/* Lanes that this is for: nothing leaves the range on the way, and the exponent is not one of those
   that v_POWER does itself.  Powers of ten are the C library's.  */
static inline VI
is_power_of_pairs (V a, V b)
{
  const T big = 0x1.8p52;
  V twice = b + b, size = (V) ((VI) a & INT64_MAX), n = (V) ((VI) twice & INT64_MAX);
  VI whole = (VI) ((b + big) - big == b);
  return (VI) ((twice + big) - big == twice) & (VI) (n >= 3) & (VI) (n <= MOST_TWICE)
         & (VI) (size > 0x1p-40) & (VI) (size < 0x1p40) & (whole | (VI) (a > 0))
         & (VI) (b != 2) & (VI) (b != 3) & ~((VI) (a == 10) & whole);
}

/* Y, but with these powers where they are.  A lane must not depend on the lanes beside it.  */
static inline V
put_powers_of_pairs (V y, V a, V b, VI here)
{
  if (ALL ((VI) (b == b[0])))
    {
      V p = power_of_pairs (a, (int) (2 * b[0]));
      return (V) ((here & (VI) p) | (~here & (VI) y));
    }
  for (int j = 0; j < VN; j++)
    if (here[j])
      y[j] = power_of_pairs (a[j] + (V) { 0 }, (int) (2 * b[j]))[j];
  return y;
}
