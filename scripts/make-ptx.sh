#!/bin/bash
# Compiles kernels/*.cu to kernels/*.ptx with NVRTC, the compiler library from PyPI. Needs no GPU and no CUDA toolkit.
#
#   scripts/make-ptx.sh            compiles
#   scripts/make-ptx.sh --check    only verifies that each .ptx was made from the .cu beside it; needs no NVRTC
#
# The version is pinned, and old: PTX loads on drivers of the compiler's own age and later (this one: 530 and later).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=12.1.105
if [ "${1:-}" = --check ]; then
    exec python3 "$root/scripts/make_ptx.py" --check "$root/kernels"
fi

venv=$root/target/nvrtc-$version
if [ ! -e "$venv/installed" ]; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --no-deps "nvidia-cuda-nvrtc-cu12==$version"
    touch "$venv/installed"
fi
exec "$venv/bin/python" "$root/scripts/make_ptx.py" "$root/kernels"
