#!/bin/sh
# deb.sh: makes the Debian source and binary package from the tarball, in build/deb, and looks at
# them with lintian.  Needs dpkg-dev, dh-octave and, to look, lintian.

set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^Version: *//p' DESCRIPTION)
dir=$(pwd)/build/deb
rm -rf "$dir"
mkdir -p "$dir"
tools/dist.sh "$dir/octave-symgpu_$version.orig.tar.gz"
tar -xzf "$dir/octave-symgpu_$version.orig.tar.gz" -C "$dir"
cp -R packaging/debian "$dir/symgpu-$version/debian"
(cd "$dir/symgpu-$version" && dpkg-buildpackage -us -uc)
if command -v lintian > /dev/null 2>&1; then
  lintian --allow-root --fail-on error "$dir"/octave-symgpu_"$version"-*.changes
else
  echo "deb: no lintian"
fi
