//! Counts the instructions of each operation over a driver that does nothing, with callgrind, and compares them with the
//! table `instructions.tsv`.
//!
//! `cargo run --release -p antecede-bench --bin instructions` compares; with `--write` it makes the table anew. The counts
//! are those of the toolchain in `rust-toolchain.toml`, for x86-64.

use std::process::ExitCode;

use antecede_bench::callgrind::{Counts, count};
use antecede_bench::cpu::OPERATIONS;

/// Where the table is.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.tsv");
/// The part of a count by which it may differ from the table.
const TOLERANCE: f64 = 0.02;
/// Times that each operation is run under callgrind.
const TIMES: u64 = 200;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("run") => run(),
        Some("--write") => with_counts(write),
        None => with_counts(compare),
        Some(other) => complain(&format!("`{other}`? Nothing compares with the table, `--write` makes it anew")),
    }
}

/// What runs under callgrind.
fn run() -> ExitCode {
    for operation in OPERATIONS {
        for form in [operation.typed, operation.by_hand] {
            if let Err(error) = form(TIMES) {
                return complain(&format!("{}: {error}", operation.name));
            }
        }
    }
    ExitCode::SUCCESS
}

fn with_counts(f: fn(&[Row]) -> ExitCode) -> ExitCode {
    match count(&["run"]) {
        Ok(counts) => f(&rows(&counts)),
        Err(error) => complain(&error),
    }
}

struct Row {
    name: &'static str,
    typed: f64,
    by_hand: f64,
}

/// Instructions an operation. Of a form by hand that serves several operations it is the mean.
fn rows(counts: &Counts) -> Vec<Row> {
    let row = |operation: &antecede_bench::cpu::Operation| {
        let each = |module: &str, function: &str| {
            let shared =
                OPERATIONS.iter().filter(|other| module == "by_hand" && other.by_hand_name == function).count();
            let runs = TIMES as f64 * f64::from(operation.each) * shared.max(1) as f64;
            counts.inclusive(&format!("{module}::{function}")) as f64 / runs
        };
        let (typed, by_hand) = (each("typed", operation.name), each("by_hand", operation.by_hand_name));
        Row { name: operation.name, typed, by_hand }
    };
    OPERATIONS.iter().map(row).collect()
}

fn write(rows: &[Row]) -> ExitCode {
    let mut text = String::from("operation\ttyped\tby hand\n");
    for Row { name, typed, by_hand } in rows {
        text += &format!("{name}\t{typed:.1}\t{by_hand:.1}\n");
    }
    match std::fs::write(TABLE, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => complain(&format!("{TABLE}: {error}")),
    }
}

/// Prints both tables, and fails where they differ by more than the tolerance.
fn compare(rows: &[Row]) -> ExitCode {
    let table = match std::fs::read_to_string(TABLE) {
        Ok(table) => table,
        Err(error) => return complain(&format!("{TABLE}: {error}")),
    };
    let known = |name: &str| {
        let mut fields = table.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'))?.split('\t');
        let mut number = || fields.next()?.parse::<f64>().ok();
        Some((number()?, number()?))
    };
    let mut bad = 0;
    println!("{:<20} {:>9} {:>9} {:>9} {:>9}", "operation", "typed", "in table", "by hand", "in table");
    for Row { name, typed, by_hand } in rows {
        let (in_table, by_hand_in_table) = known(name).unwrap_or((0.0, 0.0));
        let differs = |now: f64, then: f64| (now - then).abs() > (then * TOLERANCE).max(1.0);
        let differs = differs(*typed, in_table) || differs(*by_hand, by_hand_in_table);
        bad += usize::from(differs);
        let mark = if differs { "  differs" } else { "" };
        println!("{name:<20} {typed:>9.1} {in_table:>9.1} {by_hand:>9.1} {by_hand_in_table:>9.1}{mark}");
    }
    let lines = table.lines().count().saturating_sub(1);
    if bad == 0 && lines == rows.len() {
        return ExitCode::SUCCESS;
    }
    complain(&format!(
        "{bad} of {} operations are more than {}% from {TABLE}, which has {lines}. If that is meant, or the toolchain is \
         another: `cargo run --release -p antecede-bench --bin instructions -- --write`",
        rows.len(),
        TOLERANCE * 100.0
    ))
}

fn complain(words: &str) -> ExitCode {
    eprintln!("{words}");
    ExitCode::FAILURE
}
