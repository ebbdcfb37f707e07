#!/bin/bash
# Fetches CUDA's headers and libclang from PyPI, to build NVIDIA's Rust crates (`cuda-core`) where no CUDA is installed, and
# prints what to export. Used by gpu-bench.sh where BENCH_FEATURES has `nvidia`.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$root/target/cuda-headers
packages=(nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88 nvidia-curand==10.4.0.35 libclang==18.1.1)
if [ ! -e "$out/done" ]; then
    rm -rf "$out"
    python3 -m pip install --quiet --no-deps --target "$out/packages" "${packages[@]}"
    mkdir -p "$out/toolkit/lib64"
    ln -s ../packages/nvidia/cu13/include "$out/toolkit/include"
    touch "$out/done"
fi
includes=$(dirname "$(${CC:-cc} -print-file-name=include/stddef.h)")
printf 'export CUDA_TOOLKIT_PATH=%q LIBCLANG_PATH=%q BINDGEN_EXTRA_CLANG_ARGS=%q\n' \
    "$out/toolkit" "$out/packages/clang/native" "-I$includes"
