#!/bin/sh
# Looks over the sources with what is installed of shellcheck, cppcheck, clang, clang-tidy and a
# few rules of the house.  Fails on any finding.

cd "$(dirname "$0")/.." || exit 1
status=0

have () { command -v "$1" > /dev/null 2>&1; }

# Folders of C that exist, from the lowest level up.
levels="src/core src/render src/cpu src/cuda"
dirs=$(for d in $levels; do ls "$d"/*.c > /dev/null 2>&1 && echo "$d"; done)
c_files=$(for d in $dirs; do ls "$d"/*.c; done)

if have shellcheck; then
  shellcheck tools/*.sh tests/run .ci/run || status=1
else
  echo "lint: no shellcheck"
fi

if have cppcheck; then
  # Casts of bytes to numbers are what an array language does; the values behind pointers that
  # are set in another function are beyond what it follows.
  # shellcheck disable=SC2086 # words
  cppcheck --quiet --enable=warning,portability,performance --inline-suppr --error-exitcode=1 \
    --std=c11 --suppress=invalidPointerCast --suppress=uninitvar --suppress=shiftTooManyBitsSigned -Isrc/core -Ikernels $c_files \
    || status=1
else
  echo "lint: no cppcheck"
fi

if have clang; then
  # shellcheck disable=SC2086 # words
  clang -fsyntax-only -std=gnu11 -Wall -Wextra -Werror -Isrc/core -Ikernels -fopenmp $c_files \
    || status=1
else
  echo "lint: no clang"
fi

if have clang-tidy; then
  for f in $c_files; do
    # clang before version 18 does not know the names of the levels of x86-64.
    # Not the analyzer's checks of null and undefined values: it does not know that sg_fail never
    # returns SG_OK.
    clang-tidy --quiet --warnings-as-errors='*' \
      --checks='-*,clang-analyzer-unix.*,clang-analyzer-deadcode.*,misc-redundant-expression,bugprone-infinite-loop,bugprone-suspicious-mem*,bugprone-suspicious-semicolon,bugprone-posix-return' \
      "$f" -- '-D__builtin_cpu_supports(x)=(sizeof x > 1)' -std=gnu11 -Isrc/core -Ikernels -fopenmp 2> /dev/null || status=1
  done
else
  echo "lint: no clang-tidy"
fi

files=$(find src kernels inst tests bench tools -type f \( -name '*.[chm]' -o -name '*.cc' \
  -o -name '*.def' -o -name '*.tst' -o -name '*.sh' \) | sort)
# shellcheck disable=SC2086 # words
{
  grep -nE '[[:blank:]]+$' $files && { echo "lint: blanks at the end of a line"; status=1; }
  grep -nP '\t' $files && { echo "lint: tabs"; status=1; }
  # A text after two values is a tolerance, its characters taken as numbers: that cannot fail.
  grep -nE 'assert \(.*, (true|false|[0-9]+|[a-z]+ \([a-z]\)), (sprintf|func2str|out\)|where)' $files \
    && { echo "lint: assert with a text as its tolerance"; status=1; }
  wc -l $files | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines: more than 600"; bad = 1 }
                      END { exit bad }' || status=1
}
# Nothing below the glue knows Octave, and no level includes what is above it.
for d in $dirs; do
  if grep -nE '#include *[<"](octave|oct|ov)[-/.]?' "$d"/*; then
    echo "lint: an Octave header below the glue"
    status=1
  fi
done
if grep -nE '#include *"\.\./(render|cpu|cuda)/' src/core/*; then
  echo "lint: src/core includes what is above it"
  status=1
fi
if [ -d src/render ] && grep -nE '#include *"\.\./(cpu|cuda)/' src/render/*; then
  echo "lint: src/render includes what is above it"
  status=1
fi
if [ -d src/cuda ] && grep -nE '#include *"\.\./cuda/' src/cpu/*; then
  echo "lint: src/cpu includes what is above it"
  status=1
fi
exit $status
