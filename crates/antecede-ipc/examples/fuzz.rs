//! Throws messages at all that receives, and says whether a promise was broken.
//!
//! ```text
//! cargo run --release -p antecede-ipc --example fuzz -- --frames 1000000 --seed 1
//! ```

#[path = "../fuzz/mod.rs"]
mod fuzz;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::process::ExitCode;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    let (mut frames, mut seed) = (1_000_000, 1);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let number = arguments.next().and_then(|number| number.parse().ok());
        match (name.as_str(), number) {
            ("--frames", Some(number)) => frames = number,
            ("--seed", Some(number)) => seed = number,
            _ => {
                eprintln!("expected `--frames NUMBER` or `--seed NUMBER`, found `{name}`");
                return ExitCode::FAILURE;
            }
        }
    }
    let begin = Instant::now();
    match fuzz::run(frames, seed, || ALLOCATOR.stats().bytes_allocated) {
        Ok(summary) if !summary.is_telling() => {
            eprintln!("{summary}nothing was accepted, or nothing refused: throw more messages");
            ExitCode::FAILURE
        }
        Ok(summary) => {
            print!("{summary}");
            println!("{frames} messages in {:.1} s, no promise broken", begin.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(broken) => {
            eprintln!("{broken}");
            ExitCode::FAILURE
        }
    }
}
