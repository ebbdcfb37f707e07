#!/bin/bash
# Runs the GPU tests of a bundle (made by scripts/gpu-bundle.sh, where this file is run.sh), and then the demo with other
# processes: `antecede-demo ipc` with one and three importers, and with Python at the other side.
#
#   run.sh [FILTER]      FILTER: only tests, and runs of the demo, whose name contains it
#
# Prints the machine, the tail of each failing run's output, a table, and `N passed, N failed` as the last line.
#
# A program is run once, within TEST_SECONDS (120 unless set; one called `*processes*`, which starts many, has 500 and runs
# four tests at a time). With LOGS set to a directory all that is printed is kept there. A program called `*latched*` holds
# streams that its other tests would wait for, and may hang: each of its tests is run by itself, within LATCHED_SECONDS (20
# unless set).
# A run that crashes, hangs or finds no test counts as one failure. A run of the demo is `PASS` or `FAIL`, counts as one,
# and has DEMO_SECONDS (120 unless set).
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
filter=${1:-}
program_seconds=${TEST_SECONDS:-120}
latched_seconds=${LATCHED_SECONDS:-20}
demo_seconds=${DEMO_SECONDS:-120}
tail_lines=${TAIL_LINES:-60}
# A process each for more tests than this would take too long.
most_processes=200
log=$(mktemp)
site=$(mktemp -d)
trap 'rm -rf "$log" "$site"' EXIT

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

# Runs the demo under a name, which the filter must let through; shows what it prints, and adds to `ok` and `bad`.
demo() {
    local name=$1 code verdict=PASS
    shift
    case $name in *"$filter"*) ;; *) return ;; esac
    timeout --kill-after=5 "$demo_seconds" "$here/bin/antecede-demo" "$@" > "$log" 2>&1
    code=$?
    if [ -n "${LOGS:-}" ]; then cat "$log" >> "$LOGS/demo.log"; fi
    if [ "$code" -eq 0 ]; then ok=$((ok + 1)); else verdict=FAIL bad=$((bad + 1)); fi
    printf '\n%s %s: antecede-demo %s\n' "$verdict" "$name" "$*"
    tail -n "$tail_lines" "$log"
    case $code in 0) ;; 124|137) echo "did not end within $demo_seconds seconds" ;; *) echo "ended with code $code" ;; esac
}

# Seconds since $1, which is a time of `date +%s.%N`.
since() {
    python3 -c 'import sys; print(f"{float(sys.argv[2]) - float(sys.argv[1]):.1f}")' "$1" "$(date +%s.%N)"
}

# Adds a line to the table, and `ok` and `bad` to the sums, for what began at $2.
add_line() {
    table+=$'\n'$(printf '%-44s %7d %7d %8s' "$1" "$ok" "$bad" "$(since "$2")")
    passed=$((passed + ok))
    failed=$((failed + bad))
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
    add_line "$name" "$start"
done

if [ -x "$here/bin/antecede-demo" ]; then
    start=$(date +%s.%N)
    ok=0
    bad=0
    for bytes in 4KiB 1MiB 64MiB; do
        for importers in 1 3; do
            demo "ipc.$bytes.$importers" ipc --device cuda --rounds 2000 --ready both --importers "$importers" --bytes "$bytes"
        done
    done
    [ $((ok + bad)) -eq 0 ] || add_line antecede-demo.ipc "$start"

    # Python at the other side: each way to reach the device that there is, once as importer and once as exporter.
    start=$(date +%s.%N)
    ok=0
    bad=0
    export PYTHONDONTWRITEBYTECODE=1
    if [ -d "$here/wheels" ]; then
        python3 -m pip install --quiet --no-index --no-deps --target "$site" "$here"/wheels/*.whl
        export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH}
    fi
    ways=(libcuda)
    if reason=$(cd "$here/python" && python3 -c 'import device_cuda_core; print(device_cuda_core.import_core()[1])' 2>&1); then
        ways+=(cuda.core)
    elif [ -z "$filter" ]; then
        printf '\nNOT RUN: python.cuda.core: %s\n' "$(tail -n 1 <<< "$reason")"
    fi
    for way in "${ways[@]}"; do
        demo "python.$way.import" ipc --device cuda --rounds 20 --ready both \
            --python-import "$here/python/import_with_cuda_core.py" -- --by "$way"
        demo "python.$way.read" ipc --device cuda --rounds 20 --ready both --importers 3 \
            --python-import "$here/python/import_with_cuda_core.py" -- --by "$way"
        demo "python.$way.export" ipc --device cuda --rounds 20 --ready both \
            --python-export "$here/python/export_with_cuda_core.py" -- --by "$way"
    done
    [ $((ok + bad)) -eq 0 ] || add_line antecede-demo.python "$start"
fi

printf '\n%s\n%d passed, %d failed\n' "$table" "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
