/* Sorting: elements as unsigned numbers in their order, short runs of them, merges.  CUDA text.
   Equal elements keep their order everywhere, so that there is one result.  */

#ifndef SG_SORT_H
#define SG_SORT_H

#define SG_SORT static __device__ __forceinline__

/* ---- keys -------------------------------------------------------------------------------- */

/* Signed numbers count from the least on; of floats the order of the negative ones is turned.
   -0 and 0 are equal, and NaN is beyond everything.  */
SG_SORT unsigned long long
sg_key (double x)
{
  const long long s = __double_as_longlong (x == 0 ? 0 : x);
  return x != x ? ~0ull : (unsigned long long) (s ^ (s >> 63)) ^ (s < 0 ? 0 : 1ull << 63);
}
SG_SORT unsigned
sg_key (float x)
{
  const int s = __float_as_int (x == 0 ? 0 : x);
  return x != x ? ~0u : (unsigned) (s ^ (s >> 31)) ^ (s < 0 ? 0 : 1u << 31);
}
SG_SORT unsigned sg_key (int8_t x) { return (unsigned) x ^ 1u << 31; }
SG_SORT unsigned sg_key (int16_t x) { return (unsigned) x ^ 1u << 31; }
SG_SORT unsigned sg_key (int32_t x) { return (unsigned) x ^ 1u << 31; }
SG_SORT unsigned sg_key (uint8_t x) { return x; }
SG_SORT unsigned sg_key (uint16_t x) { return x; }
SG_SORT unsigned sg_key (uint32_t x) { return x; }
SG_SORT unsigned long long sg_key (long long x) { return (unsigned long long) x ^ 1ull << 63; }
SG_SORT unsigned long long sg_key (unsigned long long x) { return x; }

/* ---- runs and merges --------------------------------------------------------------------- */

/* Of neighbours the second goes first where its key is less, N times over.  */
template <int N, class K, class P> SG_SORT void
sg_sort_run (K (&key)[N], P (&at)[N])
{
#pragma unroll
  for (int turn = 0; turn < N; turn++)
    {
#pragma unroll
      for (int j = turn & 1; j + 1 < N; j += 2)
        {
          const bool swap = key[j + 1] < key[j];
          const K k = key[j];
          const P p = at[j];
          key[j] = swap ? key[j + 1] : k;
          at[j] = swap ? at[j + 1] : p;
          key[j + 1] = swap ? k : key[j + 1];
          at[j + 1] = swap ? p : at[j + 1];
        }
    }
}

/* How many of the first D keys of the merged runs A and B are of A; of equal keys those of A are
   first.  */
template <class K, class P> SG_SORT P
sg_merged_of_first (const K *a, P na, const K *b, P nb, P d)
{
  P lo = d > nb ? d - nb : 0, hi = d < na ? d : na;
  while (lo < hi)
    {
      const P mid = lo + (hi - lo) / 2;
      if (a[mid] <= b[d - 1 - mid])
        lo = mid + 1;
      else
        hi = mid;
    }
  return lo;
}

#endif
