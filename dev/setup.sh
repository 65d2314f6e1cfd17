# shellcheck shell=sh disable=SC2154
# Shell functions that ./weft and ./check share. Sourced, POSIX sh, needs $root (the checkout) and $me (who speaks).
# Everything here speaks on stderr: stdout belongs to the result.

say() { printf '%s: %s\n' "$me" "$*" >&2; }

die() {
  say "$1"
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 4  # "not built yet"
}

# wanted_packages KIND...: the names in packaging/apt.txt under these kinds.
wanted_packages() {
  for kind in "$@"; do
    awk -v kind="$kind" '$1 == kind { print $2 }' "$root/packaging/apt.txt"
  done
}

missing_packages() {
  # shellcheck disable=SC2046  # one word a package
  set -- $(wanted_packages "$@")
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null | awk '$1 == "ii" { print $2 }')
  for package in "$@"; do
    printf '%s\n' "$installed" | grep -qxF "$package" || printf '%s\n' "$package"
  done
}

# Installs what is missing, or says what to install by hand and stops.
need_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    say "this is not a Debian-like system: using the compiler and libraries that are here"
    return 0
  fi
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  by_hand="apt-get install $missing"

  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
      die "packages are missing, and neither root nor sudo is there to install them. Ask for:" "$by_hand"
    as_root=sudo
    # Without a terminal sudo cannot ask for a password.
    [ -t 2 ] || as_root="sudo -n"
  fi
  say "installing from the distribution's packages: $missing"
  install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y -q --no-install-recommends $missing"
  # Package lists may be absent or old: fetch them once, then try again.
  $install >&2 || {
    say "fetching the package lists"
    $as_root apt-get update -q >&2 && $install >&2
  } || die "could not install the packages (no network, no right to, or an unknown name). By hand:" "$by_hand"
}

# Compilers take up to 1.5 GB each here: as many jobs as cores, fewer when memory is short.
job_count() {
  cores=$(nproc 2>/dev/null || echo 2)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null)
  [ -n "$memory" ] && [ "$memory" -lt "$cores" ] && cores=$memory
  [ "$cores" -ge 1 ] || cores=1
  echo "$cores"
}
