#!/bin/sh
# release.sh: everything that a release needs, one after the other; stops at the first failure.
# Leaves in build/release the tarball, its checksum and the entry for Octave's package index
# (symgpu.yaml), where URL, of the tarball, is the caller's to fill in.
#
# FUZZ: random programs (100000); SOAK: evaluations (1000000); SKIP: steps not to do, for example
# SKIP="octaves aarch64 deb".

set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^Version: *//p' DESCRIPTION)
date=$(sed -n 's/^Date: *//p' DESCRIPTION)
depends=$(sed -n 's/^Depends: *//p' DESCRIPTION)
dir=build/release
url=${URL:-}
octave=${OCTAVE:-octave-cli}
mkdir -p "$dir"

step ()
{
  name=$1; shift
  case " ${SKIP:-} " in *" $name "*) echo "release: $name is skipped"; return ;; esac
  echo "release: $name"
  "$@" > "$dir/$name.log" 2>&1 || { echo "release: $name failed, see $dir/$name.log" >&2; exit 1; }
}

in_place ()
{
  "$octave" --no-gui --norc --silent --no-history --path "$PWD/src" --path "$PWD/inst" \
    --path "$PWD/tests" --eval "$1" < /dev/null
}

if [ -n "$(git status --porcelain)" ]; then
  echo "release: there are changes that are not committed" >&2
  exit 1
fi
step lint make lint
step check make check WERROR=1
step tsan make tsan
step fuzz in_place "fuzz (${FUZZ:-100000})"
step soak in_place "soak (${SOAK:-1000000})"
step doc make doc
step aarch64 make check-aarch64
step octaves make check-octaves
step deb tools/deb.sh

tools/dist.sh "$dir/symgpu-$version.tar.gz"
tools/dist.sh "$dir/again.tar.gz" > /dev/null
cmp "$dir/symgpu-$version.tar.gz" "$dir/again.tar.gz"
rm "$dir/again.tar.gz"
(cd "$dir" && sha256sum "symgpu-$version.tar.gz" > "symgpu-$version.tar.gz.sha256")
sum=$(cut -d ' ' -f 1 "$dir/symgpu-$version.tar.gz.sha256")
{
  echo '---'
  echo 'layout: "package"'
  echo 'permalink: "symgpu/"'
  echo 'description: >-'
  sed -n '/^Description:/,/^[^ D]/ { s/^Description: */  /p; s/^ \([^ ]\)/  \1/p; }' DESCRIPTION
  echo 'links:'
  echo '- icon: "far fa-copyright"'
  echo '  label: "GPL-3.0-or-later"'
  echo '  url: "https://www.gnu.org/licenses/gpl-3.0.html"'
  echo 'maintainers:'
  echo '- name: "The symgpu developers"'
  echo '  contact:'
  echo 'versions:'
  echo "- id: \"$version\""
  echo "  date: \"$date\""
  echo "  sha256: \"$sum\""
  echo "  url: \"$url\""
  echo '  depends:'
  echo "  - \"$depends\""
  echo '  - "pkg"'
} > "$dir/symgpu.yaml"
echo "release: $dir/symgpu-$version.tar.gz, $sum"
