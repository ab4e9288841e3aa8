#!/bin/sh
# check-octaves.sh [SUITE...]: tests the package on the Octave of several Debians: 12 (7.3),
# 13 (9.4) and testing.  Each gets a root folder under build/roots, made with debootstrap once
# and kept; in it the tarball is unpacked, set up, tested and installed with pkg, and the
# core group of Octave's own tests is run where CONFORMANCE names their harness.  Needs root.
#
# Last line: N passed, N failed, of all Octaves together.

cd "$(dirname "$0")/.." || exit 1
top=$(pwd)
roots=${ROOTS:-$top/build/roots}
conformance=${CONFORMANCE:-$top/../shared/conformance}
# The archive that this machine itself uses.
# shellcheck disable=SC2016 # a format of apt's
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)}
[ $# -gt 0 ] || set -- bookworm trixie testing

[ "$(id -u)" -eq 0 ] || { echo "check-octaves: only root can make root folders" >&2; exit 1; }
command -v debootstrap > /dev/null 2>&1 || { echo "check-octaves: there is no debootstrap" >&2; exit 1; }
mkdir -p "$roots" || exit 1

# root_make SUITE: its root folder.  debootstrap knows new suites by the script of sid.
root_make ()
{
  [ -f "$roots/$1/.complete" ] && return
  rm -rf "${roots:?}/$1"
  script=/usr/share/debootstrap/scripts/$1
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
  debootstrap --variant=minbase "$1" "$roots/$1" "$mirror" "$script" || return
  # A copy of the archive may be older than its Release file says it will stay true.
  echo 'Acquire::Check-Valid-Until "false";' > "$roots/$1/etc/apt/apt.conf.d/90symgpu"
  touch "$roots/$1/.complete"
}

inside ()
{
  root=$1; shift
  env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C \
    chroot "$root" "$@"
}

# shellcheck disable=SC2016 # for the shell inside
in_folder='cd /work/symgpu && exec "$0" "$@"'

# suite_check SUITE: writes build/roots/SUITE.log.
suite_check ()
{
  root=$roots/$1
  root_make "$1" || return
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  for m in proc dev; do mountpoint -q "$root/$m" || mount --rbind "/$m" "$root/$m" || return; done
  rm -rf "$root/work"
  mkdir -p "$root/work/symgpu"
  tar -xzf build/check-octaves.tar.gz -C "$root/work/symgpu" --strip-components=1 || return
  inside "$root" apt-get update || return
  inside "$root" apt-get install -y make || return
  inside "$root" sh -c "$in_folder" tools/setup.sh || return
  inside "$root" octave-cli --norc --eval 'printf ("Octave %s\n", version ())' < /dev/null
  inside "$root" sh -c "$in_folder" env WERROR=1 tests/run c octave native lifecycle
  status=$?
  if [ -d "$conformance" ]; then
    inside "$root" apt-get install -y python3 || return
    cp -R "$conformance" "$root/work/conformance"
    inside "$root" sh -c "$in_folder" make conformance CONFORMANCE=/work/conformance
  fi
  return $status
}

tools/dist.sh build/check-octaves.tar.gz || exit 1
total=0 bad=0
for suite; do
  echo "check-octaves: $suite, log in $roots/$suite.log"
  suite_check "$suite" > "$roots/$suite.log" 2>&1 || bad=$((bad + 1))
  for m in dev proc; do umount -R -l "$roots/$suite/$m" 2> /dev/null; done
  grep -aE '^Octave [0-9]|^[0-9]+ passed, [0-9]+ failed|^ +[^ ]+ \.\.\. .*FAILED' "$roots/$suite.log" | sed 's/^/  /'
  p=$(sed -n 's/^\([0-9]*\) passed, .*/\1/p' "$roots/$suite.log" | awk '{ s += $1 } END { print s + 0 }')
  f=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed.*/\1/p' "$roots/$suite.log" | awk '{ s += $1 } END { print s + 0 }')
  total=$((total + p)) bad=$((bad + f))
done
echo "$total passed, $bad failed"
[ $bad -eq 0 ]
