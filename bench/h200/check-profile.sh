#!/usr/bin/env bash
# On a GPU machine: the CUDA project of `pawl init`, a first baseline, a planted slowdown (exponentials in double),
# and `pawl check`, which must fail and explain it with a profile of both sides. Writes to $1.
set -uo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
project=$(mktemp -d)
cd "$project"
git init -q . && git config user.name pawl && git config user.email pawl@example.org
pawl init --device cuda . > /dev/null
git add -A && git commit -qm start
pawl check --update --case large -q || echo "first check: exit $?"
git add -A && git commit -qm baseline
sed -i 's/sum += expf(x\[col\] - largest)/sum += exp(double(x[col] - largest))/; s/y\[col\] = expf(x\[col\] - largest) \/ sum/y[col] = exp(double(x[col] - largest)) \/ sum/' kernels/softmax/softmax.cu
git commit -qam 'planted: exponentials in double'
pawl check --case large -q --out report
echo "exit $?"
cp report/report.json report/report.md "$out/"
