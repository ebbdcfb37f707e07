//! What each operation costs: the exact driver calls, from the log of a trace.

mod drops;
mod handover;
mod memory;
mod nothing;
mod records;

use antecede::Result;
use antecede_testkit::Bench;
use antecede_trace::{Call, Counts};

/// What a hand-over from one stream costs.
fn hand_overs(streams: u64) -> Counts {
    Counts::from([(Call::EventRecord, streams), (Call::EventWait, streams)])
}

/// Runs `f`, which must make exactly these calls.
#[track_caller]
fn costs<R>(bench: &Bench, expected: impl Into<Counts>, f: impl FnOnce() -> Result<R>) -> Result<R> {
    let (result, found) = bench.counts(f);
    assert_eq!(found, expected.into());
    result
}

/// No call.
const FREE: [(Call, u64); 0] = [];
