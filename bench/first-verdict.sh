#!/usr/bin/env bash
# How long it takes from a clone to the first verdict, step by step as in the README, with caches of its own: nothing
# that npm, ccache or an earlier Pawl left on this machine is used. The second project shows what the first one paid for.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache npm_config_cache=$work/npm CCACHE_DISABLE=1 PAWL_ACCEPT_LOAD=1
export GIT_AUTHOR_NAME=new GIT_AUTHOR_EMAIL=new@example.org GIT_COMMITTER_NAME=new GIT_COMMITTER_EMAIL=new@example.org

step() {
  local name=$1 from=$EPOCHREALTIME to
  shift
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; echo "failed: $name" >&2; exit 1; }
  to=$EPOCHREALTIME
  awk -v name="$name" -v s=$(((${to/./} - ${from/./}) / 1000)) -v total="$total_ms" \
    'BEGIN { printf "| %-44s | %7.1f | %7.1f |\n", name, s / 1000, (total + s) / 1000 }'
  total_ms=$((total_ms + (${to/./} - ${from/./}) / 1000))
}

project() {
  total_ms=$2
  mkdir "$work/$1"
  cd "$work/$1"
  step "pawl init" pawl init --device cpu
  step "pawl bench" pawl bench
  step "git init, commit" bash -c 'git init -q && git add -A && git commit -qm first'
  step "pawl check --update" pawl check --update
  step "commit" bash -c 'git add -A && git commit -qm baseline'
  echo '__attribute__((used)) static int changed = 1;' >>kernels/softmax/softmax.cpp
  step "pawl check of a change: the first verdict" pawl check
}

echo "| step                                         | seconds |   total |"
echo "| -------------------------------------------- | ------: | ------: |"
total_ms=0
step "git clone" git clone -q "$root" "$work/pawl"
step "make build: npm ci" make -C "$work/pawl" node_modules/.installed
step "make build: compile" make -C "$work/pawl" build
export PATH=$work/pawl/bin:$PATH
project first "$total_ms"
echo "| the second project                           |         |         |"
project second 0
