//! The rate of the demo's pipeline, beside that of pinned copies in both directions at once.

use std::time::Instant;

use antecede::{Device, Result, Scoped, streams};
use antecede_cust::Cuda;
use antecede_demo::{Cipher, Discard, Pipeline, Resident, Ring};
use serde_json::{Value, json};

streams! { Up, Down }

const GIB: u64 = 1 << 30;
const CHUNKS: [&str; 6] = ["64KiB", "256KiB", "1MiB", "4MiB", "16MiB", "64MiB"];
const SLOTS: usize = 6;

/// Streams `gib` GiB through the pipeline for each size of chunk, by turns with the copies alone, `repeats` times, and
/// prints the medians. The slots' pinned memory stands for source and sink: the file system has no part in it.
///
/// # Errors
/// In words.
pub fn crypt(gib: u64, repeats: usize) -> Result<Value, String> {
    let driver = Cuda::new().map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    let measured = Device::scope(driver, 0, |device| {
        copies(device, gib * GIB)?; // warms up
        println!("{:<10} {:>14} {:>24} {:>7}", "chunk", "pipeline GB/s", "copies both ways GB/s", "ratio");
        for chunk in CHUNKS {
            rows.push(row(device, chunk, gib * GIB, repeats)?);
        }
        Ok(())
    });
    measured.map_err(|error| error.to_string())?;
    Ok(json!({ "unit": "GB/s each way", "gib": gib, "slots": SLOTS, "rows": rows }))
}

fn row(device: Device<Scoped<'_>>, chunk: &str, bytes: u64, repeats: usize) -> Result<Value> {
    let cipher = Cipher::new(&"07".repeat(32).parse().expect("a key"), &"09".repeat(12).parse().expect("a nonce"), 0);
    let ring = Ring { slots: SLOTS, chunk: chunk.parse().expect("a size") };
    let mut pipeline = Pipeline::new(device, cipher, ring).expect("a pipeline");
    let (mut rates, mut limits) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        limits.push(copies(device, bytes)?);
        let started = Instant::now();
        pipeline.run(&mut Resident::new(bytes), &mut Discard, &|_| {}).expect("the pipeline runs");
        rates.push(bytes as f64 / started.elapsed().as_secs_f64() / 1e9);
    }
    let (rate, limit) = (median(rates), median(limits));
    println!("{chunk:<10} {rate:>14.1} {limit:>24.1} {:>7.3}", rate / limit);
    Ok(json!({ "chunk": chunk, "pipeline": rate, "copies": limit, "ratio": rate / limit }))
}

/// GB a second of each direction, with 64 MiB copies in both directions at once and nothing else.
fn copies(device: Device<Scoped<'_>>, bytes: u64) -> Result<f64> {
    const CHUNK: usize = 64 << 20;
    let (up, down) = device.streams::<(Up, Down)>()?;
    let source = device.pinned::<u8>(CHUNK)?.on(up);
    let mut sink = device.pinned::<u8>(CHUNK)?.on(down);
    let (mut to, from) = (up.alloc::<u8>(CHUNK)?, down.alloc::<u8>(CHUNK)?);
    let started = Instant::now();
    for _ in 0..bytes / CHUNK as u64 {
        up.copy(&source, &mut to)?;
        down.copy(&from, &mut sink)?;
    }
    up.sync(())?;
    down.sync(())?;
    Ok(bytes as f64 / started.elapsed().as_secs_f64() / 1e9)
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN)
}
