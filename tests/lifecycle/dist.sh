#!/bin/sh
# dist.sh DIR: makes the tarball twice, looks at it, leaves it as DIR/symgpu.tar.gz.

cd "$(dirname "$0")/../.." || exit 1
dir=$1
passed=0 failed=0

# expect TEXT COMMAND...: the command succeeds.
expect ()
{
  text=$1; shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $text"
  fi
}

in_tarball () { grep -qx "symgpu-[0-9.]*/$1" "$dir/list"; }

expect "make dist" tools/dist.sh "$dir/symgpu.tar.gz"
# Another umask must not show.
umask 077
mkdir "$dir/again"
expect "make dist again" tools/dist.sh "$dir/again/symgpu.tar.gz"
expect "both tarballs have the same bytes" cmp "$dir/symgpu.tar.gz" "$dir/again/symgpu.tar.gz"
tar -tzf "$dir/symgpu.tar.gz" > "$dir/list"
for f in DESCRIPTION COPYING INDEX NEWS CITATION README.md Makefile MANIFEST src/Makefile \
         src/core/symgpu.h kernels/cpu/kernels.mk inst/symgpu_demo.m inst/data/digits.csv.gz; do
  expect "$f is in the tarball" in_tarball "$f"
done
for f in 'build/.*' '.*\.oct' '.*\.o' '\..*' 'src/fwd.inc' 'src/PKG_ADD'; do
  expect "$f is not in the tarball" sh -c "! grep -qx 'symgpu-[0-9.]*/$f' '$dir/list'"
done

# The tarball makes itself.
mkdir "$dir/unpacked"
tar -xzf "$dir/symgpu.tar.gz" -C "$dir/unpacked"
expect "make dist in the unpacked tarball" sh -c "'$dir'/unpacked/*/tools/dist.sh '$dir/again/2.tar.gz'"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
