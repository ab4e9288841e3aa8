#!/bin/sh
# Looks over the sources with what is installed of shellcheck, clang-tidy and a few rules of
# the house.  Fails on any finding.

cd "$(dirname "$0")/.." || exit 1
status=0

have () { command -v "$1" > /dev/null 2>&1; }

if have shellcheck; then
  shellcheck tools/*.sh tests/run .ci/run || status=1
else
  echo "lint: no shellcheck"
fi

if have clang-tidy; then
  for f in src/core/*.c src/cpu/*.c; do
    [ -f "$f" ] || continue
    # clang before version 18 does not know the names of the levels of x86-64.
    # Not the analyzer's checks of null and undefined values: it does not know that sg_fail never
    # returns SG_OK.
    clang-tidy --quiet --warnings-as-errors='*' \
      --checks='-*,clang-analyzer-unix.*,clang-analyzer-deadcode.*,misc-redundant-expression,bugprone-infinite-loop,bugprone-suspicious-mem*,bugprone-suspicious-semicolon,bugprone-posix-return' \
      "$f" -- '-D__builtin_cpu_supports(x)=0' -std=gnu11 -Isrc/core -Ikernels -fopenmp 2> /dev/null || status=1
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
  wc -l $files | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines: more than 600"; bad = 1 }
                      END { exit bad }' || status=1
}
# The core knows no Octave.
if grep -nE '#include *[<"]octave' src/core/* src/cpu/* kernels/*/*; then
  echo "lint: an Octave header below the glue"
  status=1
fi
exit $status
