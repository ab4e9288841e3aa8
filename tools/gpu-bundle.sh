#!/bin/sh
# gpu-bundle.sh [OUT]: packs this machine's Octave, what it is linked with and the built package into
# OUT (build/symgpu-gpu.tar.xz), for a Linux machine of the same processor that has a GPU and its driver
# but no Octave.  There:
#
#   tar xJf symgpu-gpu.tar.xz && symgpu-gpu/run            what is found of CUDA, and a self test
#   symgpu-gpu/run suite         the test blocks on backend "cuda"
#   symgpu-gpu/run demo          the demo: plain, native, cpu, cuda
#   symgpu-gpu/run octave ...    Octave with the package
#
# The libraries of CUDA are those of that machine, CUDA_PATH is where they are looked for first.  SYMGPU_FLAGS
# are settings beside backend=cuda.

set -eu
cd "$(dirname "$0")/.."
out=${1:-build/symgpu-gpu.tar.xz}
ask="${OCTAVE_CONFIG:-octave-config} -p"
[ -f src/symgpu.oct ] || { echo "gpu-bundle: there is no src/symgpu.oct: run make first" >&2; exit 1; }

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$dir/symgpu-gpu
home=$($ask OCTAVE_HOME)
version=$($ask VERSION)
program=$($ask BINDIR)/octave-cli-$version
[ -x "$program" ] || program=$($ask BINDIR)/octave-cli
mkdir -p "$root/lib" "$root/octave/bin" "$root/symgpu"
cp -L "$program" "$root/octave/bin/octave-cli"

# Octave finds its own files below OCTAVE_HOME.
functions=$($ask FCNFILEDIR)
for from in "$functions" "${functions%/m}/etc" "$($ask OCTFILEDIR)" "$($ask OCTDATADIR)"; do
  case $from in
    "$home"/*)
      if [ -d "$from" ]; then
        mkdir -p "$root/octave/${from#"$home"/}"
        cp -RL "$from/." "$root/octave/${from#"$home"/}"
      fi ;;
  esac
done

# All that the program and its oct-files are linked with, the loader as well.
find "$root/octave" src -name '*.oct' -exec ldd "$program" {} + 2> /dev/null \
  | sed -n -e 's/.*=> \(\/[^ ]*\) .*/\1/p' -e 's/^[[:blank:]]*\(\/[^ ]*ld-[^ ]*\) .*/\1/p' | sort -u > "$dir/libs"
while read -r lib; do cp -L "$lib" "$root/lib/"; done < "$dir/libs"
loader=$(sed -n 's/.*\/\(ld-[^/]*\)$/\1/p' "$dir/libs" | head -n 1)
[ -n "$loader" ] || { echo "gpu-bundle: the program has no loader: is it a shared one?" >&2; exit 1; }

git ls-files inst tests src/\*.cc src/core/\*.def doc README.md INDEX DESCRIPTION COPYING 2> /dev/null > "$dir/files" \
  || find inst tests doc src README.md INDEX DESCRIPTION COPYING -type f > "$dir/files"
tar cf - -T "$dir/files" src/symgpu.oct src/PKG_ADD | tar xf - -C "$root/symgpu"

cat > "$root/run" <<EOF
#!/bin/sh
# run [info | suite | demo | octave ARGUMENT...]: see tools/gpu-bundle.sh of symgpu.
here=\$(cd "\$(dirname "\$0")" && pwd) || exit 1
OCTAVE_HOME=\$here/octave OCTAVE_EXEC_HOME=\$here/octave
LC_ALL=C SYMGPU_FLAGS=backend=cuda\${CUDA_PATH:+,cuda_path=\$CUDA_PATH}\${SYMGPU_FLAGS:+,\$SYMGPU_FLAGS}
export OCTAVE_HOME OCTAVE_EXEC_HOME LC_ALL SYMGPU_FLAGS
cd "\$here/symgpu" || exit 1
octave ()
{
  "\$here/lib/$loader" --library-path "\$here/lib" "\$here/octave/bin/octave-cli" --no-gui --norc \\
    --silent --no-history --path "\$here/symgpu/src" --path "\$here/symgpu/inst" --path "\$here/symgpu/tests" "\$@"
}
what=\${1:-info}
[ \$# -eq 0 ] || shift
case \$what in
  info)   octave --eval 'symgpu_info, symgpu_info ("selftest")' ;;
  demo)   octave --eval symgpu_demo ;;
  octave) octave "\$@" ;;
  suite)
    dir=\$(mktemp -d) || exit 1
    trap 'rm -rf "\$dir"' EXIT
    # Those that ask for it start an Octave of the machine, which has none.
    grep -l '^%!' inst/*.m inst/@*/*.m src/*.cc tests/*.tst \\
      | xargs grep -L OCTAVE_HOME > "\$dir/todo"
    TABLE_SAMPLE=\${TABLE_SAMPLE:-31} octave tests/runtests.m "\$dir/todo" "\$dir/result" "\$dir/blocks"
    awk '\$3 > 0 { print \$1 ": " \$3 " failed"; while ((getline line < \$5) > 0) print line }
         { p += \$2; f += \$3; s += \$4 } END { printf "%d passed, %d failed, %d skipped\\n", p, f, s; exit f > 0 }' \\
      "\$dir/result" ;;
  *) echo "run: info, suite, demo or octave, not \$what" >&2; exit 2 ;;
esac
EOF
chmod +x "$root/run"
mkdir -p "$(dirname "$out")"
tar cJf "$out" -C "$dir" symgpu-gpu
du -h "$out" | awk -v out="$out" '{ print out ", " $1 }'
