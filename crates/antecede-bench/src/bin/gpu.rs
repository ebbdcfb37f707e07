//! Measures on a GPU. Prints a table, and with `--json FILE` writes it.
//!
//! `gpu calls [--repeats N] [--json FILE]`: host time of each operation, beside other libraries.
//! `gpu crypt [--repeats N] [--gib N] [--json FILE]`: the rate of the demo's pipeline.

use std::process::ExitCode;

use antecede_bench::gpu::measure::measure;
use antecede_bench::gpu::{Antecede, System, crypt};
use antecede_bench::trusted::cudarc_calls::Cudarc;
use antecede_bench::trusted::raw_calls::Raw;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let after =
        |option: &str| arguments.iter().position(|argument| argument == option).and_then(|at| arguments.get(at + 1));
    let number = |option: &str, otherwise: u64| match after(option) {
        None => Ok(otherwise),
        Some(text) => text.parse::<u64>().map_err(|_| format!("{option}: `{text}` is not a number")),
    };
    let json = match arguments.first().map(String::as_str) {
        Some("calls") => calls(number("--repeats", 200)? as usize)?,
        Some("crypt") => crypt::crypt(number("--gib", 4)?, number("--repeats", 5)? as usize)?,
        _ => return Err("usage: gpu calls|crypt [--repeats N] [--gib N] [--json FILE]".to_owned()),
    };
    match after("--json") {
        None => Ok(()),
        Some(file) => std::fs::write(file, format!("{json:#}\n")).map_err(|error| format!("{file}: {error}")),
    }
}

fn calls(repeats: usize) -> Result<serde_json::Value, String> {
    let mut systems: Vec<Box<dyn System>> = vec![Box::new(Raw::open()?)];
    systems.push(Box::new(Antecede::open().map_err(|error| error.to_string())?));
    for tracking in [true, false] {
        systems.push(Box::new(Cudarc::open(tracking).map_err(|error| error.to_string())?));
    }
    #[cfg(feature = "nvidia")]
    systems.push(Box::new(
        antecede_bench::trusted::nvidia_calls::CudaCore::open().map_err(|error| format!("cuda-core: {error:?}"))?,
    ));
    let table = measure(&mut systems, repeats)?;
    println!("{}", table.text());
    Ok(table.json())
}
