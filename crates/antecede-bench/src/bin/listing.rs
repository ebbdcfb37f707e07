//! Prints the assembly of functions: `cargo run --release -p antecede-bench --bin listing -- typed::hand_over_1`. With
//! `--reached` before a path: the functions that are reached from it.

use std::process::ExitCode;

use antecede_bench::assembly::compile;

fn main() -> ExitCode {
    match print() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn print() -> Result<(), String> {
    let program = compile()?;
    let mut only_names = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--reached" => only_names = true,
            path if only_names => program.reached(path)?.functions.iter().for_each(|name| println!("{name}")),
            path => println!("{}", program.listing(path)?),
        }
    }
    Ok(())
}
