#!/bin/bash
# Runs a command with the stub of the CUDA driver library, both for linking and for what is run:
#
#   scripts/with-stub.sh cargo test -p antecede-cust
#
# The stub is found through variables of the environment only. A program that is built so carries no path to it.
set -euo pipefail

[ $# -gt 0 ] || { echo "usage: $0 COMMAND [ARGUMENT..]" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
settings=$("$here/stub.sh")
eval "$settings"
export LD_LIBRARY_PATH=$CUDA_LIBRARY_PATH/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
exec "$@"
