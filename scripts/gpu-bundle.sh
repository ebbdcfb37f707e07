#!/bin/bash
# Builds what runs on a GPU machine into bundle/: the test programs, the demo, and run.sh. Needs no GPU and no CUDA.
# The GPU machine needs bash, python3 and the CUDA driver, and no Rust: there, run `bundle/run.sh`.
set -euo pipefail

# One line for each `cargo test --no-run`, and for each `cargo build`, as its arguments.
tests=(
    "-p antecede-cust"
)
programs=(
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

# A file per test program, under the name without cargo's hash. A program without a GPU test is left out.
for arguments in ${tests[@]+"${tests[@]}"}; do
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
for arguments in ${programs[@]+"${programs[@]}"}; do
    # shellcheck disable=SC2086 # the line is several arguments
    found=$(executables program build $arguments)
    while read -r program; do
        cp "$program" "$bundle/bin/"
        echo "bin/$(basename "$program")"
    done <<< "$found"
done
cp scripts/gpu-run.sh "$bundle/run.sh"

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
