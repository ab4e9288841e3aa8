#!/bin/sh
# check-gpu.sh [NUMEL ORDER]: what can be seen on a machine with a GPU and perhaps no Octave.  Builds
# the core and the backend "cuda" in build/gpu, runs the C test of the backend on the GPU, and
# bench_gpu, with arrays of NUMEL elements and matrices of ORDER rows; less than 4 minutes.  The
# table is also written as JSON: bench_gpu.json in the folder $OUT, else in build.
#
# CUDA_PATH is where CUDA's libraries are looked for first.  Where there is no compiler, what has
# been built in build/gpu before is run.  REFBLAS=1: with the BLAS of tests/gpu, which needs no
# library.

cd "$(dirname "$0")/.." || exit 1
numel=${1:-100000000} order=${2:-8192}
build=$(pwd)/build/gpu
out=${OUT:-$(pwd)/build}
cc=${CC:-cc}
mkdir -p "$build" "$out" || exit 1

# links LIBRARIES: they have what a product needs.
links ()
{
  echo 'void dgemm_ (void); void zherk_ (void); int main (void) { dgemm_ (); zherk_ (); return 0; }' \
    > "$build/blas.c"
  "$cc" "$build/blas.c" -o "$build/blas" "$@" > /dev/null 2>&1
}

# The BLAS of the machine, with headers or without; else our own.
find_blas ()
{
  if [ "${REFBLAS:-0}" != 1 ]; then
    installed=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2> /dev/null \
      | sed -n 's/.*=> \(.*\/lib\(openblas\|blas\)\.so[.0-9]*\)$/\1/p')
    for l in -lopenblas -lblas $installed; do
      if links "$l"; then echo "$l"; return; fi
    done
  fi
  echo "$build/librefblas.a"
}

build_all ()
{
  blas=$(find_blas)
  echo "check-gpu: BLAS of the tests: ${blas##*/}"
  set -- make --no-print-directory -C src -s "-j$(nproc)" BUILD="$build" MKOCTFILE=false CC="$cc" \
    BLAS_LIBS="$blas"
  if [ "${REFBLAS:-0}" = 1 ]; then set -- "$@" SLEEF=no; fi
  if [ "$blas" = "$build/librefblas.a" ]; then "$@" "$blas" || return 1; fi
  "$@" gpu
}

# Our make is not that of the programs below.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES SYMGPU_FLAGS
if command -v make > /dev/null 2>&1 && command -v "$cc" > /dev/null 2>&1; then
  build_all > "$build/log" 2>&1 || { cat "$build/log"; echo "check-gpu: the build has failed"; exit 1; }
  grep '^check-gpu' "$build/log"
elif [ -x "$build/tests/test_cuda" ] && [ -x "$build/bench/bench_gpu" ]; then
  echo "check-gpu: no compiler here, what was built before is run"
else
  echo "check-gpu: there is no make or no $cc, and nothing in $build" >&2
  exit 1
fi

status=0
echo "the backend on the device, against the CPU:"
SYMGPU_TEST_GPU=1 timeout 80 "$build/tests/test_cuda" || status=1

: > "$build/peers"
case $CUDA_PATH in
  */cudaemu) echo "gpu_peer: not on the emulated driver" ;;
  *)
    if command -v python3 > /dev/null 2>&1; then
      timeout 50 python3 bench/gpu_peer.py "$numel" "$order" > "$build/peers"
    else
      echo "gpu_peer: there is no python3"
    fi ;;
esac
timeout 80 "$build/bench/bench_gpu" --numel "$numel" --order "$order" --peers "$build/peers" \
  --json "$out/bench_gpu.json" || status=1
[ $status -eq 0 ] || echo "check-gpu: something has failed"
exit $status
