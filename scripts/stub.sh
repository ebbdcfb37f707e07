#!/bin/bash
# Makes a stub of the CUDA driver library, to build and link where no CUDA is installed.
#
#   scripts/stub.sh            makes target/stub-cuda and prints `export CUDA_LIBRARY_PATH=..`
#
# The stub exports every `cu*` function that `cust_raw` binds. Each returns CUDA_ERROR_STUB_LIBRARY (34), so that a
# program that is run against it reports that there is no driver. Its SONAME is the real library's: a program linked
# with the stub finds the real `libcuda.so.1` wherever a driver is installed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$root/target/stub-cuda
lib=$out/lib64
mkdir -p "$lib"

# The names come from the bindings of the `cust_raw` version in Cargo.lock: nothing here is a list that could age.
bindings=$(cargo metadata --format-version 1 --manifest-path "$root/Cargo.toml" | python3 -c '
import json, os, sys
paths = [p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "cust_raw"]
if len(paths) != 1:
    sys.exit(f"expected one cust_raw in the dependency graph, found {len(paths)}")
print(os.path.join(os.path.dirname(paths[0]), "src", "cuda.rs"))')

python3 - "$bindings" > "$out/stub.c.new" <<'PY'
import re, sys
source = open(sys.argv[1]).read()
spoken = {"cuGetErrorName": "CUDA_ERROR_STUB_LIBRARY",
          "cuGetErrorString": "this libcuda.so.1 is a stub for linking: no CUDA driver is installed here"}
names = sorted(set(re.findall(r"^    pub fn (cu\w+)\s*\(", source, re.M)))
missing = [name for name in spoken if name not in names]
if len(names) < 100 or missing:
    sys.exit(f"{sys.argv[1]}: {len(names)} functions found, without {missing}")
print("/* Made by scripts/stub.sh. */")
for name in names:
    if name in spoken:
        print(f'int {name}(int code, const char **text) {{ (void)code; *text = "{spoken[name]}"; return 0; }}')
    else:
        print(f"int {name}(void) {{ return 34; }}")
PY

if [ ! -e "$lib/libcuda.so" ] || ! cmp -s "$out/stub.c.new" "$out/stub.c"; then
    ${CC:-cc} -std=c99 -O1 -fPIC -shared -Wl,-soname,libcuda.so.1 -o "$lib/libcuda.so.new" -x c "$out/stub.c.new"
    mv "$lib/libcuda.so.new" "$lib/libcuda.so"
    ln -sf libcuda.so "$lib/libcuda.so.1"
    mv "$out/stub.c.new" "$out/stub.c"
fi
rm -f "$out/stub.c.new"
printf 'export CUDA_LIBRARY_PATH=%q\n' "$out"
