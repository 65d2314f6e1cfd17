# shellcheck shell=sh disable=SC2154
# The slow part of ./weft: brings $program up to date. Sourced by it, with $root, $build, $program, $stamp and stale().

root=$(cd "$root" && pwd -P)
mkdir -p "$build" 2>/dev/null
if ! [ -d "$build" ] || ! [ -w "$build" ]; then
  die "$build cannot be written, so weft cannot be built there." \
    "Name a folder that can: WEFT_BUILD_DIR=\$HOME/.cache/weft-build $0 ..."
fi
build=$(cd "$build" && pwd -P)
program=$build/apps/cli/weft
stamp=$build/up-to-date

# One build at a time; whoever waited finds it done.
if command -v flock >/dev/null 2>&1; then
  exec 9>"$build/lock"
  if ! flock -n 9; then
    say "another weft is building here; waiting for it"
    flock 9
  fi
fi

if stale; then
  if [ -x "$program" ]; then
    say "the sources have changed: bringing the build up to date"
  else
    say "first use: building weft in $build (a few minutes, once)"
  fi
  need_packages build

  log=$build/build.log
  fresh=$(mktemp "$build/stamp.XXXXXX")  # its time is from before the build: an edit made meanwhile counts as newer
  trap 'rm -f "$fresh"' EXIT
  trap 'exit 130' INT TERM

  # A folder that was moved or copied remembers another place; CMake would refuse it.
  if [ -f "$build/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
  fi
  cmake --preset weft -S "$root" -B "$build" >"$log" 2>&1 9>&- || {
    tail -n 20 "$log" >&2
    die "CMake could not configure the build (the whole text is in $log). It needs, by their Debian names:" \
      "$(wanted_packages build | tr '\n' ' ')"
  }

  started=$(date +%s)
  failed=
  if [ -t 2 ]; then
    NINJA_STATUS='weft: building %p ' cmake --build "$build" --target weft -j "$(job_count)" >&2 9>&- || failed=yes
  else
    # Not a terminal: a line for every tenth of the way, the rest in the log.
    { NINJA_STATUS='%p ' cmake --build "$build" --target weft -j "$(job_count)" 2>&1 9>&- || echo FAILED; } | tee "$log" |
      awk '{ sub("%", "", $1); tenth = int($1 / 10) } /^ *[0-9]+ / && tenth > last { print "weft: building " tenth * 10 "%"; last = tenth; fflush() }' >&2
    if [ "$(tail -n 1 "$log")" = FAILED ]; then
      tail -n 40 "$log" | sed '$d' >&2
      failed=yes
    fi
  fi
  [ -z "$failed" ] || die "the build failed."
  [ $(($(date +%s) - started)) -lt 2 ] || say "built in $(($(date +%s) - started)) s"
  mv "$fresh" "$stamp"
  trap - EXIT INT TERM
fi
exec 9>&-
