#!/bin/bash
# Builds what runs on a GPU machine into bundle/: the test programs, the demo, the other side in Python, and run.sh. Needs
# no GPU and no CUDA. The GPU machine needs bash, python3 and the CUDA driver, and no Rust: there, run `bundle/run.sh`.
#
#   gpu-bundle.sh [PACKAGE..]      PACKAGE: only what these packages have
#
# Where cuda.core is not installed there, its wheels can go along: WHEELS=DIR takes every .whl in DIR, which run.sh
# installs for its own run (the README of crates/antecede-ipc/examples/python has the command that fetches them).
set -euo pipefail

# One line for each `cargo test --no-run`, and for each `cargo build`, as its arguments. A line whose package is not in
# the workspace, or has no such feature, is left out, with a word about it.
tests=(
    "-p antecede-cust"
    "-p antecede-tests --features cuda"
    "-p antecede-demo --features cuda"
)
programs=(
    "-p antecede-demo --features cuda --bin antecede-demo"
)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bundle=$root/bundle
limit_mib=64
cd "$root"
rm -rf "$bundle"
mkdir -p "$bundle/tests" "$bundle/bin"
export CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_PROFILE_RELEASE_DEBUG=false

# Prints the executables of one cargo command, one a line: the tests, or the programs. $1: `test` or `program`.
executables() {
    local kind=$1
    shift
    scripts/with-stub.sh cargo "$@" --release --message-format=json-render-diagnostics | python3 -c '
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("reason") == "compiler-artifact" and message.get("executable"):
        if message["profile"]["test"] == (sys.argv[1] == "test"):
            print(message["executable"])' "$kind"
}

# Whether a line is to be built: its package was asked for, and the workspace has it, with the line's feature.
metadata=$(cargo metadata --format-version 1 --no-deps)
asked_for=$*
wanted() {
    python3 -c '
import json, sys
words, asked_for = sys.argv[1].split(), sys.argv[2].split()
after = lambda option: words[words.index(option) + 1] if option in words else None
package, feature = after("-p"), after("--features")
if asked_for and package not in asked_for:
    sys.exit(1)
known = {p["name"]: p["features"] for p in json.load(sys.stdin)["packages"]}
if package not in known or feature and feature not in known[package]:
    sys.exit(f"left out, as there is no such package or feature: {sys.argv[1]}")' "$1" "$asked_for" <<< "$metadata"
}

# A file per test program, under the name without cargo's hash. A program without a GPU test is left out.
for arguments in "${tests[@]}"; do
    wanted "$arguments" || continue
    package=$(sed -E 's/^(.* )?-p ([^ ]+).*$/\2/' <<< "$arguments")
    # shellcheck disable=SC2086 # the line is several arguments
    found=$(executables test test --no-run $arguments)
    while read -r program; do
        ignored=$(scripts/with-stub.sh "$program" --ignored --list --format terse | grep -c ': test$' || true)
        [ "$ignored" -gt 0 ] || continue
        name=$(basename "$program" | sed -E 's/-[0-9a-f]{16}$//')
        target=$bundle/tests/$package.$name
        [ ! -e "$target" ] || { echo "two test programs are called $package.$name" >&2; exit 1; }
        cp "$program" "$target"
        echo "$package.$name: $ignored GPU tests"
    done <<< "$found"
done
for arguments in "${programs[@]}"; do
    wanted "$arguments" || continue
    # shellcheck disable=SC2086 # the line is several arguments
    found=$(executables program build $arguments)
    while read -r program; do
        cp "$program" "$bundle/bin/"
        echo "bin/$(basename "$program")"
    done <<< "$found"
done
cp scripts/gpu-run.sh "$bundle/run.sh"
if wanted "-p antecede-demo --features cuda"; then
    mkdir "$bundle/python"
    cp crates/antecede-ipc/examples/python/*.py "$bundle/python/"
fi
if [ -n "${WHEELS:-}" ]; then
    mkdir "$bundle/wheels"
    cp "$WHEELS"/*.whl "$bundle/wheels/"
fi

# A path to the stub would hide the real driver.
for file in "$bundle"/tests/* "$bundle"/bin/*; do
    [ -e "$file" ] || continue
    if readelf -d "$file" | grep -E 'RPATH|RUNPATH'; then
        echo "$file carries a library path" >&2
        exit 1
    fi
done
size=$(du -sm "$bundle" | cut -f1)
echo "$size MiB"
[ "$size" -le "$limit_mib" ] || { echo "more than $limit_mib MiB" >&2; exit 1; }
