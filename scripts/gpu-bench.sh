#!/bin/bash
# Builds what measures on a GPU machine into bundle/bench/: one program, the PTX of its kernels, a Python script for other
# libraries, and run.sh. Needs no GPU and no CUDA. The GPU machine needs bash and the CUDA driver, and python3 for the
# Python libraries that it has; there:
#
#   bundle/bench/run.sh [FOLDER]      FOLDER: where the JSON files go (the current one)
#
# With BENCH_FEATURES=nvidia NVIDIA's `cuda-core` is measured as well: CUDA's headers and libclang come from PyPI.
# REPEATS (200), CRYPT_REPEATS (5) and CRYPT_GIB (4) say how much is measured there.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bench=$root/bundle/bench
limit_mib=20
cd "$root"
rm -rf "$bench"
mkdir -p "$bench"
export CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_PROFILE_RELEASE_DEBUG=false
features=cuda${BENCH_FEATURES:+,$BENCH_FEATURES}
target=${CARGO_TARGET_DIR:-target}
case ,$features, in *,nvidia,*) settings=$(scripts/cuda-headers.sh); eval "$settings" ;; esac
scripts/with-stub.sh cargo build --release -p antecede-bench --features "$features" --bin gpu
cp "$target/release/gpu" "$bench/gpu"
cp scripts/gpu_bench.py kernels/many.ptx "$bench/"

cat > "$bench/run.sh" <<'RUN'
#!/bin/bash
# Measures, and prints tables. The JSON files go to the folder that is named, or to the current one.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-.}
mkdir -p "$out"
rm -f "$out/calls.json"
failed=0
date -u '+%Y-%m-%d %H:%M:%S UTC'
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo "no nvidia-smi here"
grep -m 1 'model name' /proc/cpuinfo
"$here/gpu" calls --repeats "${REPEATS:-200}" --json "$out/calls.json" || failed=1
echo
earlier=()
[ ! -e "$out/calls.json" ] || earlier=(--with "$out/calls.json")
python3 "$here/gpu_bench.py" "${earlier[@]}" --ptx "$here/many.ptx" --json "$out/bench.json" || failed=1
echo
"$here/gpu" crypt --repeats "${CRYPT_REPEATS:-5}" --gib "${CRYPT_GIB:-4}" --json "$out/crypt.json" || failed=1
exit $failed
RUN
chmod +x "$bench/run.sh"

if readelf -d "$bench/gpu" | grep -E 'RPATH|RUNPATH'; then
    echo "$bench/gpu carries a library path" >&2
    exit 1
fi
size=$(du -sm "$bench" | cut -f1)
echo "$size MiB in bundle/bench"
[ "$size" -le "$limit_mib" ] || { echo "more than $limit_mib MiB" >&2; exit 1; }
