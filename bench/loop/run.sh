#!/usr/bin/env bash
# On a GPU machine: the loop of Pawl on kernels that others published. `run.sh FOLDER NAME…` makes a project of each below
# FOLDER, and writes FOLDER/NAME.txt (what was typed and printed), NAME.session.json, NAME.session.md and the projects.
# Sources are read where LOOP_SOURCES has them: bench/loop/README.md says which, and from where.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1" && out=$(cd "$1" && pwd)
shift
: "${LOOP_SOURCES:?the folder with the published sources}"
for name in "$@"; do
  here=$root/$name
  rm -rf "${out:?}/$name" && mkdir -p "$out/$name"
  (
    cd "$out/$name" || exit 1
    . "$root/common.sh"
    . "$here/loop.sh"
    whole_loop
    id=$(pawl session list --json | node -pe 'JSON.parse(require("fs").readFileSync(0))[0]?.id ?? ""')
    [ -n "$id" ] || exit 0
    pawl session export "$id" "$out/$name.session.json"
    pawl session show "$id" --markdown > "$out/$name.session.md"
  ) > "$out/$name.txt" 2>&1
  tail -3 "$out/$name.txt"
done
