#!/bin/sh
# Cross-compiles everything but the glue for aarch64 and runs its C tests under qemu-user.  On
# Debian the tools are gcc-aarch64-linux-gnu and qemu-user, and of the architecture arm64
# libblas-dev, libsleef-dev and libgomp1.

cd "$(dirname "$0")/.." || exit 1
cc=${CROSS_CC:-aarch64-linux-gnu-gcc}
qemu=${QEMU:-qemu-aarch64}
build=$(pwd)/build/aarch64

for tool in "$cc" "$qemu"; do
  command -v "$tool" > /dev/null 2>&1 || { echo "check-aarch64: there is no $tool" >&2; exit 1; }
done
make --no-print-directory -C src -j"$(nproc)" lib ctests WERROR=1 BUILD="$build" CC="$cc" \
  BLAS_LIBS=-lblas MKOCTFILE=false || exit 1

passed=0 failed=0
for t in "$build"/tests/test_*; do
  case $t in *.d) continue ;; esac
  log=$build/$(basename "$t").log
  QEMU_LD_PREFIX=${QEMU_LD_PREFIX:-/} "$qemu" "$t" > "$log" 2>&1
  status=$?
  line=$(tail -n 1 "$log")
  p=${line%% passed*} f=${line#*passed, } f=${f%% failed*}
  case $p$f in *[!0-9]*|'') p=0 f=1 ;; esac
  [ $status -eq 0 ] || [ "$f" -gt 0 ] || f=1
  [ "$f" -eq 0 ] || cat "$log"
  echo "  $(basename "$t"): $line"
  passed=$((passed + p)) failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
