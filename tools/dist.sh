#!/bin/sh
# dist.sh TARBALL: the package's files in a tarball that depends on nothing but them and the
# time of the last commit.  The files are those that git knows, or, in an unpacked tarball,
# those of its MANIFEST.

set -eu
cd "$(dirname "$0")/.."
tarball=$1
name=symgpu-$(sed -n 's/^Version: *//p' DESCRIPTION)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The tree may belong to another user, as in a container.
git () { command git -c safe.directory='*' "$@"; }

if [ -n "$(git ls-files DESCRIPTION 2> /dev/null)" ]; then
  git ls-files | grep -v -e '^\.' -e '^MANIFEST$' > "$work/files"
  time=$(git log -1 --format=%ct)
elif [ -f MANIFEST ]; then
  cp MANIFEST "$work/files"
  time=$(stat -c %Y MANIFEST 2> /dev/null || stat -f %m MANIFEST)
else
  echo "dist: neither git nor a MANIFEST lists the files of the package" >&2
  exit 1
fi

mkdir -p "$work/tree/$name"
LC_ALL=C sort "$work/files" | while read -r f; do
  if [ -f "$f" ]; then echo "$f"; fi
done > "$work/tree/$name/MANIFEST"
tar -cf - -T "$work/tree/$name/MANIFEST" | tar -xf - -C "$work/tree/$name"

tar=tar
if command -v gtar > /dev/null 2>&1; then tar=gtar; fi
LC_ALL=C $tar -C "$work/tree" --format=ustar --sort=name --mtime="@$time" \
  --owner=0 --group=0 --numeric-owner --mode='u+rwX,go+rX,go-w' -cf "$work/$name.tar" "$name"
gzip -n -9 < "$work/$name.tar" > "$work/$name.tar.gz"
mv "$work/$name.tar.gz" "$tarball"
echo "$tarball"
