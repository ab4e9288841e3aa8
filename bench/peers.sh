#!/bin/sh
# peers.sh FOLDER: a Python environment in FOLDER with what peers.txt lists; what cannot be had is
# left out, and said.
here=$(cd "$(dirname "$0")" && pwd)
[ "$1/done" -nt "$here/peers.txt" ] && exit 0
if ! python3 -m venv "$1" 2> /dev/null; then
  echo "no Python with venv: peers are left out"
  exit 0
fi
grep -v '^#' "$here/peers.txt" | while read -r packages; do
  # shellcheck disable=SC2086 # several packages
  "$1/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: $packages \
    > /dev/null 2>&1 || echo "not to be had here: $packages"
done
touch "$1/done"
