//! Ordering faults and valid patterns that public projects reported: what is accepted, with the calls that it makes, and
//! what is checked at run time. What is refused is in `ui-tests/fail`. The table of all of them is `docs/src/cases.md`;
//! each file names its cases in lines `//! case: ..`.

mod boundaries;
mod capture;
mod devices;
mod drops;
mod handover;
mod legacy;
mod lifetimes;
mod one_stream;
mod other_libraries;
mod parts_and_readers;
mod trusted;

use antecede::Result;
use antecede_testkit::Bench;
use antecede_trace::{Call, Counts};

/// Runs `f`, which must make exactly these calls.
#[track_caller]
fn costs<R>(bench: &Bench, expected: impl Into<Counts>, f: impl FnOnce() -> Result<R>) -> Result<R> {
    let (result, found) = bench.counts(f);
    assert_eq!(found, expected.into());
    result
}

/// No call.
const FREE: [(Call, u64); 0] = [];

/// What a hand-over between two streams costs.
const HAND_OVER: [(Call, u64); 2] = [(Call::EventRecord, 1), (Call::EventWait, 1)];

/// Makes events that the test can use again, so that none is created while calls are counted.
fn warm_up<S, D>(stream: antecede::Stream<S, D>) -> Result<()> {
    drop((stream.record(())?, stream.record(())?, stream.record(())?, stream.record(())?));
    Ok(())
}
