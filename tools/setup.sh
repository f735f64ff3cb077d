#!/usr/bin/env bash
# Makes sure of what cannot come from npm: Node, a C++ compiler, Python with NumPy. Installs what is missing with apt where it
# may (as root, or with a sudo that asks nothing), and otherwise says what to install. Quiet when all is there.
#   tools/setup.sh          what Pawl needs
#   tools/setup.sh torch    PyTorch for the CPU, which tests of Python kernels need: Debian's own Python gets it
set -euo pipefail

wanted=()
node_ok() { command -v node >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; }
node_ok && command -v npm >/dev/null || wanted+=(nodejs npm)
command -v "${CXX:-g++}" >/dev/null || command -v clang++ >/dev/null || wanted+=(g++)
command -v git >/dev/null || wanted+=(git)
command -v "${PAWL_PYTHON:-python3}" >/dev/null || wanted+=(python3)
"${PAWL_PYTHON:-python3}" -c 'import numpy' 2>/dev/null || wanted+=(python3-numpy)

has_torch() {
  "$1" -c 'import importlib.util as u, sys; sys.exit(not (u.find_spec("torch") and u.find_spec("numpy")))' 2>/dev/null
}

install() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if sudo -n true 2>/dev/null; then as_root=(sudo -n); else as_root=(false); fi
  fi
  if command -v apt-get >/dev/null && [ "${as_root[0]:-}" != false ]; then
    echo "setup: installing $*"
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    "${as_root[@]}" apt-get update -qq >/dev/null || true
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null || true
  fi
}

if [ "${1:-}" = torch ]; then
  python=${PAWL_PYTHON:-python3}
  has_torch "$python" || has_torch /usr/bin/python3 || install python3-torch
  has_torch "$python" || has_torch /usr/bin/python3 || echo 'setup: no Python with PyTorch here: tests that need it will be skipped'
  exit 0
fi

[ ${#wanted[@]} -eq 0 ] && exit 0
install "${wanted[@]}"

missing=()
node_ok || missing+=("Node.js >= 20.19 (https://nodejs.org)")
command -v npm >/dev/null || missing+=("npm")
command -v "${CXX:-g++}" >/dev/null || command -v clang++ >/dev/null || missing+=("a C++ compiler (g++ or clang++)")
command -v git >/dev/null || missing+=("git")
if [ ${#missing[@]} -gt 0 ]; then
  printf 'setup: please install %s\n' "${missing[@]}" >&2
  exit 69
fi
"${PAWL_PYTHON:-python3}" -c 'import numpy' 2>/dev/null || echo 'setup: no Python with NumPy here: Python kernels will be skipped'
