//! The pipeline on a GPU: right, with the calls that it states, and near the rate of the copies alone.
//!
//! `cargo test --release --features cuda --test timed -- --ignored --test-threads=1 --nocapture`
#![cfg_attr(not(feature = "cuda"), allow(unused_imports, dead_code))]

mod common;

use std::time::{Duration, Instant};

use antecede::{Device, DeviceBrand, Result, streams};
use antecede_demo::{Cipher, Discard, Pipeline, Resident, Ring, SequentialSink, SequentialSource};
use antecede_trace::{Call, Counts, Trace, judge};
use common::{KEY, NONCE, by_crate, sample};

streams! { Up, Down }

const GIB: usize = 1 << 30;

#[cfg(feature = "cuda")]
fn on_cust(test: impl for<'id> FnOnce(Device<antecede::Scoped<'id>>, &Trace) -> Result<()>) {
    let trace = Trace::new(antecede_cust::Cuda::new().expect("a GPU"));
    Device::scope(trace.clone(), 0, |device| test(device, &trace)).expect("a scope");
    judge(&trace.log()).assert_silent();
}

#[cfg(not(feature = "cuda"))]
fn on_cust(_: impl for<'id> FnOnce(Device<antecede::Scoped<'id>>, &Trace) -> Result<()>) {
    panic!("built without the feature `cuda`");
}

fn pipeline<D: DeviceBrand>(device: Device<D>, slots: usize, chunk: &str) -> Pipeline<D> {
    let cipher = Cipher::new(&KEY.parse().expect("a key"), &NONCE.parse().expect("a nonce"), 0);
    Pipeline::new(device, cipher, Ring { slots, chunk: chunk.parse().expect("a size") }).expect("a pipeline")
}

#[test]
#[ignore = "needs a GPU"]
fn a_gibibyte_is_right_with_the_calls_it_states() {
    let plain = sample(GIB + 7);
    let expected = by_crate(0, &plain);
    on_cust(|device, trace| {
        let mut pipeline = pipeline(device, 4, "4MiB");
        let mut out = Vec::with_capacity(plain.len());
        pipeline.run(&mut SequentialSource(&plain[..]), &mut SequentialSink(&mut out), &|_| {}).expect("runs");
        assert!(out == expected);

        // The events of the ring exist now: from here on nothing is made, and nothing allocated.
        out.clear();
        let mark = trace.mark();
        pipeline.run(&mut SequentialSource(&plain[..]), &mut SequentialSink(&mut out), &|_| {}).expect("runs");
        assert!(out == expected);
        let chunks = (plain.len() as u64).div_ceil(4 << 20);
        let calls = trace.counts_since(&mark);
        let calls = calls - Counts::from([(Call::EventCreate, calls.of(Call::EventCreate).min(4))]);
        let calls: Vec<_> = calls.iter().filter(|(call, _)| call.is_driver_call()).collect();
        assert_eq!(
            calls,
            [
                (Call::EventRecord, 3 * chunks),
                (Call::EventWait, 2 * chunks),
                (Call::EventSync, chunks),
                (Call::Copy, 2 * chunks),
                (Call::Launch, chunks),
            ]
        );
        Ok(())
    });
}

/// Bytes a second of each direction, with pinned copies in both directions at once and nothing else.
fn copy_limit<D: DeviceBrand>(device: Device<D>, chunk: usize, total: usize) -> Result<f64> {
    let (up, down) = device.streams::<(Up, Down)>()?;
    let source = device.pinned::<u8>(chunk)?.on(up);
    let mut sink = device.pinned::<u8>(chunk)?.on(down);
    let (mut to, from) = (up.alloc::<u8>(chunk)?, down.alloc::<u8>(chunk)?);
    let started = Instant::now();
    for _ in 0..total / chunk {
        up.copy(&source, &mut to)?;
        down.copy(&from, &mut sink)?;
    }
    up.sync(())?;
    down.sync(())?;
    Ok(total as f64 / started.elapsed().as_secs_f64())
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// The slots' pinned memory is the source and the sink: what is measured is the device and the submissions, and not how
/// fast the host copies files about.
#[test]
#[ignore = "needs a GPU"]
fn the_pipeline_is_near_the_rate_of_the_copies_alone() {
    const TOTAL: usize = 8 * GIB;
    let mut best = 0.0f64;
    on_cust(|device, _| {
        let limit = |rates: &mut Vec<f64>| copy_limit(device, 64 << 20, TOTAL).map(|rate| rates.push(rate));
        let mut limits = Vec::new();
        limit(&mut limits)?; // warms up
        println!("chunk      pipeline GB/s   copies both ways GB/s   ratio");
        for chunk in ["256KiB", "1MiB", "4MiB", "16MiB", "64MiB"] {
            let (mut limits, mut rates) = (Vec::new(), Vec::new());
            let mut pipeline = pipeline(device, 6, chunk);
            for _ in 0..5 {
                limit(&mut limits)?;
                let started = Instant::now();
                pipeline.run(&mut Resident::new(TOTAL as u64), &mut Discard, &|_| {}).expect("runs");
                rates.push(TOTAL as f64 / started.elapsed().max(Duration::from_nanos(1)).as_secs_f64());
            }
            let (rate, limit) = (median(rates), median(limits));
            println!("{chunk:<10} {:>13.1}   {:>21.1}   {:>5.3}", rate / 1e9, limit / 1e9, rate / limit);
            best = best.max(rate / limit);
        }
        Ok(())
    });
    assert!(best >= 0.8, "the best chunk reaches {best:.3} of the copies alone");
}
