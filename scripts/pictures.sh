#!/bin/bash
# Draws the pictures of the book anew, on the simulator. The tests of `antecede-demo` say when that is needed.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p docs/src/pictures
draw() {
    cargo run --quiet --package antecede-demo -- timeline --device sim "$@"
}
draw --out docs/src/pictures/pipeline.svg
draw --race --out docs/src/pictures/race.svg
