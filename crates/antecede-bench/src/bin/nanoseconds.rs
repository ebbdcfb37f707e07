//! Nanoseconds of each operation over a driver that does nothing, in a form that bears a busy machine: many short runs, the
//! two forms by turns, of which the fastest tenth counts. `cargo bench -p antecede-bench` measures with more care.

use std::process::ExitCode;

use antecede_bench::cpu::OPERATIONS;

const RUNS: usize = 1000;
/// Operations in one run: some microseconds.
const TIMES: u64 = 500;

fn main() -> ExitCode {
    println!("{:<20} {:>8} {:>8} {:>11}", "nanoseconds", "typed", "by hand", "difference");
    for operation in OPERATIONS {
        let mut taken = [const { Vec::new() }; 2];
        for _ in 0..RUNS {
            for (form, taken) in [operation.typed, operation.by_hand].into_iter().zip(&mut taken) {
                match form(TIMES) {
                    Ok(took) => taken.push(took.as_secs_f64() * 1e9 / (TIMES * u64::from(operation.each)) as f64),
                    Err(error) => {
                        eprintln!("{}: {error}", operation.name);
                        return ExitCode::FAILURE;
                    }
                }
            }
        }
        let [typed, by_hand] = taken.map(|mut taken| {
            taken.sort_by(f64::total_cmp);
            taken[taken.len() / 10]
        });
        println!("{:<20} {typed:>8.1} {by_hand:>8.1} {:>11.1}", operation.name, typed - by_hand);
    }
    ExitCode::SUCCESS
}
