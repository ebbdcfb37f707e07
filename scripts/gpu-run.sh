#!/bin/bash
# Runs the GPU tests of a bundle (made by scripts/gpu-bundle.sh, where this file is run.sh).
#
#   run.sh [FILTER]      FILTER: only tests whose name contains it
#
# Prints the machine, the tail of each failing program's output, a table, and `N passed, N failed` as the last line.
# A program that crashes, hangs (TEST_SECONDS, 240 unless set) or finds no test counts as one failure.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=${TEST_SECONDS:-240}
tail_lines=${TAIL_LINES:-60}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

date -u '+%Y-%m-%d %H:%M:%S UTC'
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo "no nvidia-smi here"

table=$(printf '%-44s %7s %7s %8s' program passed failed seconds)
passed=0
failed=0
for program in "$here"/tests/*; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    arguments=(--ignored)
    # Latches hold streams that other tests of the program would wait for.
    case $name in *latched*) arguments+=(--test-threads=1) ;; esac
    [ $# -eq 0 ] || arguments+=("$1")
    start=$(date +%s.%N)
    timeout --kill-after=10 "$seconds" "$program" "${arguments[@]}" > "$logs/$name" 2>&1
    code=$?
    took=$(python3 -c 'import sys; print(f"{float(sys.argv[2]) - float(sys.argv[1]):.1f}")' "$start" "$(date +%s.%N)")
    result=$(grep -E '^test result: ' "$logs/$name" | tail -n 1)
    if [ -n "$result" ]; then
        ok=$(sed -E 's/.* ([0-9]+) passed.*/\1/' <<< "$result")
        bad=$(sed -E 's/.* ([0-9]+) failed.*/\1/' <<< "$result")
    else
        # No last line: what passed before the end is on lines of its own.
        ok=$(grep -c -E '^test .* \.\.\. ok$' "$logs/$name")
        bad=0
    fi
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
        [ "$code" -ne 124 ] || echo "did not end within $seconds seconds" >> "$logs/$name"
        echo "ended with code $code" >> "$logs/$name"
    elif [ "$code" -eq 0 ] && [ "$ok" -eq 0 ] && [ $# -eq 0 ]; then
        bad=1
        echo "no test was run" >> "$logs/$name"
    fi
    if [ "$bad" -ne 0 ]; then
        printf '\n---- %s %s\n' "$name" "${arguments[*]}"
        tail -n "$tail_lines" "$logs/$name"
    fi
    table+=$'\n'$(printf '%-44s %7d %7d %8s' "$name" "$ok" "$bad" "$took")
    passed=$((passed + ok))
    failed=$((failed + bad))
done

printf '\n%s\n%d passed, %d failed\n' "$table" "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
