#!/bin/sh
# Sees to what "make demo" and "make check" need: Octave and its headers, compilers, OpenBLAS
# and SLEEF.  Prints nothing when all is there.  On Debian and its children what is missing is
# installed with apt, as root or through sudo; elsewhere its packages are named.
# "setup.sh doc": what "make doc" needs, too.

purpose=$1
octave=${OCTAVE:-octave-cli}
mkoctfile=${MKOCTFILE:-mkoctfile}
oldest="7.1.0"

say () { printf 'setup: %s\n' "$*"; }
die () { printf 'setup: %s\n' "$*" >&2; exit 1; }
have () { command -v "$1" > /dev/null 2>&1; }

# compiles TEXT [OPTION...]: a C program of this text can be linked.
compiles ()
{
  text=$1; shift
  dir=$(mktemp -d) || die "there is no room for a temporary file"
  printf '%s\n' "$text" > "$dir/t.c"
  cc -o "$dir/t" "$dir/t.c" "$@" > /dev/null 2>&1
  status=$?
  rm -rf "$dir"
  return $status
}

# What is missing, as words of the list below.
missing ()
{
  have cc && have g++ && compiles 'int main (void) { return 0; }' -fopenmp || echo compiler
  have "${octave%% *}" || echo octave
  include=$("$mkoctfile" -p OCTINCLUDEDIR 2> /dev/null)
  [ -n "$include" ] && [ -f "$include/oct.h" ] || echo headers
  compiles 'void openblas_set_num_threads (int);
            int main (void) { openblas_set_num_threads (1); return 0; }' -lopenblas || echo openblas
  compiles '#include <sleef.h>
            int main (void) { return (int) Sleef_sin_u10 (0.0); }' -lsleef || echo sleef
  # The list of the package's files comes from git, in a clone of the sources.
  [ ! -e "$top/.git" ] || have git || echo git
  [ "$purpose" != doc ] || have makeinfo || echo texinfo
  [ "$purpose" != doc ] || { have pdftex && have texi2pdf; } || echo tex
}

why ()
{
  case $1 in
    compiler) echo "gcc and g++, to compile the package" ;;
    octave)   echo "GNU Octave $oldest or later, which the package extends" ;;
    headers)  echo "Octave's headers and mkoctfile, to build an oct-file" ;;
    openblas) echo "OpenBLAS, for matrix products at the machine's speed" ;;
    sleef)    echo "SLEEF, for vectorized exp, sin, log ..." ;;
    git)      echo "git, to list the files of the package" ;;
    texinfo)  echo "makeinfo of GNU Texinfo, for the manual" ;;
    tex)      echo "TeX and texi2pdf, for the manual as PDF" ;;
  esac
}

# package SYSTEM WORD: its name there.
package ()
{
  case $1:$2 in
    fedora:compiler) echo gcc gcc-c++ ;;
    fedora:headers)  echo octave-devel ;;
    fedora:openblas) echo openblas-devel ;;
    fedora:sleef)    echo sleef-devel ;;
    arch:compiler)   echo gcc ;;
    arch:headers)    echo octave ;;
    arch:tex)        echo texinfo texlive-plaingeneric ;;
    brew:compiler)   echo gcc libomp ;;
    brew:headers)    echo octave ;;
    brew:tex)        echo texinfo texlive ;;
    debian:compiler) echo gcc g++ libc6-dev ;;
    debian:headers)  if known octave-dev; then echo octave-dev; else echo liboctave-dev; fi ;;
    debian:openblas) echo libopenblas-dev ;;
    debian:sleef)    echo libsleef-dev ;;
    *:tex)           echo texinfo texlive-base ;;
    *)               echo "$2" ;;
  esac
}

packages ()
{
  for w in $2; do package "$1" "$w"; done | tr ' ' '\n' | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# True if apt knows a package of this name that can be installed.
known () { apt-cache policy "$1" 2> /dev/null | grep -q 'Candidate: [^(]'; }

# As root.
apt ()
{
  if [ "$(id -u)" -eq 0 ]; then
    DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
  elif [ -t 2 ]; then
    sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
  else
    sudo -n env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
  fi < /dev/null
}

install_with_apt ()
{
  if [ "$(id -u)" -ne 0 ] && ! have sudo; then
    say "apt needs root, and there is no sudo.  As root:"
    die "  apt-get update && apt-get install $(packages debian "$1")"
  fi
  updated=no
  if ! known octave; then
    say "apt has no list of packages yet: apt-get update"
    apt update || die "apt-get update failed"
    updated=yes
  fi
  names=$(packages debian "$1")
  say "apt-get install $names"
  # shellcheck disable=SC2086 # words
  if ! apt install --no-install-recommends $names; then
    [ $updated = no ] || die "apt-get install failed"
    say "once more, with new lists of packages: apt-get update"
    apt update || die "apt-get update failed"
    # shellcheck disable=SC2086 # words
    apt install --no-install-recommends $names || die "apt-get install failed"
  fi
}

top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
lacks=$(missing)
if [ -n "$lacks" ]; then
  for w in $lacks; do say "missing: $(why "$w")"; done
  if have apt-get && have dpkg; then
    install_with_apt "$lacks"
    lacks=$(missing)
    [ -z "$lacks" ] || die "still missing after the installation: $lacks"
  else
    say "install these packages and run this again:"
    say "  Fedora    dnf install $(packages fedora "$lacks")"
    say "  Arch      pacman -S $(packages arch "$lacks")"
    say "  Homebrew  brew install $(packages brew "$lacks")"
    exit 1
  fi
fi

# The variable may hold options too.
version=$($octave --version 2> /dev/null | sed -n 's/^GNU Octave, version \([0-9.]*\).*/\1/p')
[ -n "$version" ] || die "$octave does not run"
if [ "$(printf '%s\n' "$oldest" "$version" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" \
     != "$oldest" ]; then
  die "Octave $version is too old: $oldest or later is needed"
fi
exit 0
