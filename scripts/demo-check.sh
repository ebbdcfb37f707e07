#!/bin/bash
# A large file through the demo: compares the result with openssl's, deciphers it again, and measures peak memory.
# Usage: scripts/demo-check.sh [MIB] [DEVICE]        defaults: 300 sim
# Needs openssl and python3. Extra arguments for cargo (`--features cuda`) go in CARGO_FLAGS.
set -euo pipefail
cd "$(dirname "$0")/.."
mib=${1:-300}
device=${2:-sim}
limit_mib=300
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
nonce=000000090000004a00000000

# shellcheck disable=SC2086
cargo build --quiet --release -p antecede-demo ${CARGO_FLAGS:-}
program=${CARGO_TARGET_DIR:-target}/release/antecede-demo
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
head -c "${mib}M" /dev/urandom >"$dir/plain"

# Runs the program and fails if its resident memory ever was above the limit.
measured() {
    python3 /dev/fd/3 "$limit_mib" "$program" crypt --device "$device" --key "$key" --nonce "$nonce" --counter 1 "$@" 3<<'PYTHON'
import resource, subprocess, sys
limit = int(sys.argv[1])
code = subprocess.call(sys.argv[2:])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"peak memory {peak:.0f} MiB, limit {limit} MiB", file=sys.stderr)
sys.exit(code or peak > limit)
PYTHON
}

measured "$dir/plain" "$dir/enciphered"
openssl enc -chacha20 -K "$key" -iv "01000000$nonce" -in "$dir/plain" -out "$dir/expected"
cmp "$dir/enciphered" "$dir/expected"
# Back again, through pipes.
cat "$dir/enciphered" | measured - - | cat >"$dir/again"
cmp "$dir/again" "$dir/plain"
echo "$mib MiB: as openssl has it, there and back"
