#!/usr/bin/env bash
# Runs kernels of the honest set through check with audit and verified series, several times over, and prints what
# became of each as a Markdown table for docs/results/honest.md. Ends with 1 when one was accused or did not run.
#
#   test/honest/run-repeatedly.sh cpu|gpu [PAWL] [NODE] [OUT]
#
# PAWL: the command (default: bin/pawl of this repository). NODE: for reading the reports (default: node). OUT: a
# folder for them (default: a temporary one). $NEEDS: which kernels, as in kernels.ts, separated by commas (default:
# all that run there). $REPETITIONS: how often (default: 3). $MODES: default cold,hot. $PAWL_PYTHON: which Python.
set -uo pipefail
honest=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
where=${1:?cpu or gpu}
pawl=$(realpath "${2:-$honest/../../bin/pawl}")
node=${3:-node}
out=${4:-$(mktemp -d)}
if [ "$where" = gpu ]; then all=cuda,triton,torch; else all=cpu,openmp,numpy,torch; fi
needs=${NEEDS:-$all}
mkdir -p "$out" && out=$(realpath "$out")
# A copy, so that no run or cache is left beside the sources; with the zoo, whose problems are shared.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$honest" "$honest/../zoo" "$work" && cd "$work/$(basename "$honest")" || exit 70

# cuBLAS is not part of every toolkit; PyTorch brings its own.
if [ "$where" = gpu ] && ! ldconfig -p | grep -q libcublas.so; then
  cublas=$("${PAWL_PYTHON:-python3}" -c 'import glob, importlib.util as u
folder = u.find_spec("torch").submodule_search_locations[0] + "/../nvidia"
print(sorted(glob.glob(folder + "/**/libcublas.so.*", recursive=True))[0])' 2> "$out/cublas.txt")
  if [ -n "$cublas" ]; then
    mkdir "$work/libraries" && ln -s "$cublas" "$work/libraries/libcublas.so"
    export LIBRARY_PATH=$work/libraries LD_LIBRARY_PATH=$(dirname "$cublas")
  fi
fi

names=$("$node" "$honest/report.mjs" names "$where" "$needs")
files=()
for ((i = 1; i <= ${REPETITIONS:-3}; i++)); do
  files+=("$out/samples-$i.json")
  "$pawl" bench --verified -q --wait 600 --no-history --processes 1 --timeout 120 --mode "${MODES:-cold,hot}" \
    --out "${files[-1]}" --only "$names" > "$out/bench-$i.txt" 2>&1
done
"$node" "$honest/report.mjs" table "$where" "$needs" "${files[@]}" | tee "$out/table.md"
status=${PIPESTATUS[0]}
echo "reports: $out"
exit "$status"
