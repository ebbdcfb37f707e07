#!/bin/bash
# Runs the GPU tests of a bundle (made by scripts/gpu-bundle.sh, where this file is run.sh).
#
#   run.sh [FILTER]      FILTER: only tests whose name contains it
#
# Prints the machine, the tail of each failing run's output, a table, and `N passed, N failed` as the last line.
#
# A program is run once, within TEST_SECONDS (120 unless set; one called `*processes*`, which starts many, has 500 and runs
# four tests at a time). With LOGS set to a directory all that is printed is kept there. A program called `*latched*` holds streams that its other
# tests would wait for, and may hang: each of its tests is run by itself, within LATCHED_SECONDS (20 unless set).
# A run that crashes, hangs or finds no test counts as one failure.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
filter=${1:-}
program_seconds=${TEST_SECONDS:-120}
latched_seconds=${LATCHED_SECONDS:-20}
tail_lines=${TAIL_LINES:-60}
# A process each for more tests than this would take too long.
most_processes=200
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Runs a program with arguments within a time, and adds to `ok` and `bad` what passed and what failed.
run() {
    local program=$1 seconds=$2
    shift 2
    local code result passed_here failed_here
    timeout --kill-after=5 "$seconds" "$program" "$@" > "$log" 2>&1
    code=$?
    if [ -n "${LOGS:-}" ]; then cat "$log" >> "$LOGS/$(basename "$program").log"; fi
    result=$(grep -E '^test result: ' "$log" | tail -n 1)
    if [ -n "$result" ]; then
        passed_here=$(sed -E 's/.* ([0-9]+) passed.*/\1/' <<< "$result")
        failed_here=$(sed -E 's/.* ([0-9]+) failed.*/\1/' <<< "$result")
    else
        # No last line: what passed before the end is on lines of its own.
        passed_here=$(grep -c -E '^test .* \.\.\. ok$' "$log")
        failed_here=0
    fi
    if [ "$code" -ne 0 ] && [ "$failed_here" -eq 0 ]; then
        failed_here=1
        # Killed for good, it ends with 137.
        case $code in 124|137) printf '\ndid not end within %s seconds' "$seconds" >> "$log" ;; esac
        printf '\nended with code %s\n' "$code" >> "$log"
    elif [ "$code" -eq 0 ] && [ "$passed_here" -eq 0 ] && [ -z "$filter" ]; then
        failed_here=1
        echo "no test was run" >> "$log"
    fi
    if [ "$failed_here" -ne 0 ]; then
        printf '\n---- %s %s\n' "$(basename "$program")" "$*"
        tail -n "$tail_lines" "$log"
    fi
    ok=$((ok + passed_here))
    bad=$((bad + failed_here))
}

# The names of a program's GPU tests that the filter lets through, one a line.
names() {
    "$1" --ignored --list --format terse ${filter:+"$filter"} 2>/dev/null | sed -n 's/: test$//p'
}

date -u '+%Y-%m-%d %H:%M:%S UTC'
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo "no nvidia-smi here"

table=$(printf '%-44s %7s %7s %8s' program passed failed seconds)
passed=0
failed=0
for program in "$here"/tests/*; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    start=$(date +%s.%N)
    ok=0
    bad=0
    tests=()
    case $name in *latched*) mapfile -t tests < <(names "$program") ;; esac
    if [ ${#tests[@]} -gt 0 ] && [ ${#tests[@]} -le "$most_processes" ]; then
        for test in "${tests[@]}"; do
            run "$program" "$latched_seconds" --exact "$test" --ignored
        done
    else
        arguments=(--ignored ${filter:+"$filter"})
        # A program called `*timed*` measures: alone, and what it prints is shown.
        seconds=$program_seconds
        case $name in
            *latched*|*timed*) arguments+=(--test-threads=1) ;;
            *processes*) arguments+=(--test-threads=4) seconds=${TEST_SECONDS:-500} ;;
        esac
        case $name in *timed*) arguments+=(--nocapture) ;; esac
        run "$program" "$seconds" "${arguments[@]}"
        case $name in *timed*) printf '\n%s:\n' "$name"; grep -v -E '^(test |running |$)' "$log" ;; esac
    fi
    took=$(python3 -c 'import sys; print(f"{float(sys.argv[2]) - float(sys.argv[1]):.1f}")' "$start" "$(date +%s.%N)")
    table+=$'\n'$(printf '%-44s %7d %7d %8s' "$name" "$ok" "$bad" "$took")
    passed=$((passed + ok))
    failed=$((failed + bad))
done

printf '\n%s\n%d passed, %d failed\n' "$table" "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
