//! How a report names built-in streams, and what it says of the legacy default stream.

use antecede::driver::StreamKind;
use antecede_trace::{Log, LogBuilder, TracedStream, judge};

fn said(write: impl FnOnce(&mut LogBuilder)) -> String {
    let mut log = LogBuilder::new();
    write(&mut log);
    judge(&log.finish()).to_string()
}

/// The thread that made the entry of that number.
fn thread_of(log: &Log, seq: u64) -> u64 {
    log.entry(seq).expect("the entry is in the log").thread.number()
}

const NOTHING_BETWEEN: &str =
    " (an operation on the legacy default stream in between would order them; an allocation or a query does not)";

#[test]
fn a_non_blocking_stream_behind_the_legacy_one_is_pointed_out() {
    let said = said(|log| {
        let (legacy, side) = (log.legacy(), log.stream("Side"));
        let x = log.outside(64);
        log.fill(legacy, x);
        log.launch(side, "sum", &[x], &[]);
    });
    assert_eq!(
        said,
        "1 race in 4 entries:\n1. read after write: `fill` on stream `Legacy` (#3) writes 64 bytes at 0x1000, `sum` on \
         stream `Side` (#4) reads them; nothing orders #4 after #3: record an event on `Legacy` after #3 and make \
         `Side` wait for it before #4 (the legacy default stream orders only blocking streams; `Side` is non-blocking)"
    );
}

#[test]
fn a_non_blocking_stream_before_the_legacy_one_is_pointed_out() {
    let said = said(|log| {
        let (legacy, side) = (log.legacy(), log.stream("Side"));
        let x = log.outside(64);
        log.launch(side, "sum", &[x], &[]);
        log.free(legacy, x);
    });
    assert!(
        said.ends_with("(the legacy default stream orders only blocking streams; `Side` is non-blocking)"),
        "{said}"
    );
}

#[test]
fn a_sync_of_the_legacy_stream_that_missed_a_non_blocking_one_is_pointed_out() {
    let note = "(the legacy default stream orders only blocking streams; `Side` is non-blocking)";
    let write = |log: &mut LogBuilder, is_waited_for: bool| {
        let (legacy, side) = (log.legacy(), log.stream("Side"));
        let pinned = log.pinned_alloc(64);
        log.sync(legacy);
        log.fill(side, pinned);
        if is_waited_for {
            log.sync(legacy);
        }
        log.host_read(pinned);
    };
    let missed = said(|log| write(log, true));
    assert!(missed.contains("synchronise `Side`, or an event") && missed.ends_with(note), "{missed}");
    let not_tried = said(|log| write(log, false));
    assert!(!not_tried.contains("legacy"), "the sync was before the fill: {not_tried}");
}

#[test]
fn blocking_streams_with_nothing_in_between_are_told_what_would_order_them() {
    let of_two = said(|log| {
        let (_, a, b) = (log.legacy(), log.blocking("A"), log.blocking("B"));
        let x = log.outside(64);
        log.fill(a, x);
        log.fill(b, x);
    });
    assert!(of_two.ends_with(NOTHING_BETWEEN), "{of_two}");
    let of_an_allocation = said(|log| {
        let (legacy, b) = (log.legacy(), log.blocking("B"));
        let x = log.alloc(legacy, 64);
        log.fill(b, x);
    });
    assert!(of_an_allocation.ends_with(NOTHING_BETWEEN), "{of_an_allocation}");
}

#[test]
fn where_nobody_uses_the_legacy_stream_nothing_is_said_of_it() {
    for kinds in [[StreamKind::BlockingStream; 2], [StreamKind::NonBlockingStream; 2]] {
        let said = said(|log| {
            let [a, b] = kinds.map(|kind| log.adopted(kind));
            let x = log.outside(64);
            log.fill(a, x);
            log.fill(b, x);
        });
        assert!(said.ends_with("before #4"), "{said}");
    }
}

#[test]
fn the_legacy_streams_of_two_devices_are_told_apart() {
    let mut log = LogBuilder::new();
    let one = log.legacy();
    log.next_context();
    let two = log.legacy();
    let x = log.outside(64);
    log.fill(one, x);
    log.fill(two, x);
    let said = judge(&log.finish()).to_string();
    let [one, two] = [one, two].map(|stream| stream.stream.id.number());
    assert!(said.contains(&format!("on stream `Legacy` number {one} of device 0 (#3)")), "{said}");
    assert!(said.contains(&format!("on stream `Legacy` number {two} of device 1 (#4)")), "{said}");
    assert!(said.ends_with(" (the legacy default stream orders only streams of its own context)"), "{said}");
}

#[test]
fn per_thread_streams_are_named_by_their_threads() {
    let mut log = LogBuilder::new();
    let (one, two) = (log.per_thread(), log.per_thread());
    let x = log.outside(64);
    log.fill(one, x);
    log.fill(two, x);
    let log = log.finish();
    let said = judge(&log).to_string();
    let [one, two] = [3, 4].map(|seq| thread_of(&log, seq));
    assert_ne!(one, two);
    assert!(said.contains(&format!("`fill` on stream `PerThread` (thread {one}) (#3)")), "{said}");
    assert!(
        said.ends_with(&format!(
            "record an event on `PerThread` (thread {one}) after #3 and make `PerThread` (thread {two}) wait for it \
             before #4"
        )),
        "{said}"
    );
}

#[test]
fn a_host_function_is_called_that() {
    let said = said(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let pinned = log.pinned_alloc(64);
        log.fill(a, pinned);
        log.host_fn(b, &[pinned], &[]);
    });
    assert!(said.contains("`host function` on stream `B` (#5) reads them"), "{said}");
}

#[test]
fn an_adopted_stream_has_a_number() {
    let mut log = LogBuilder::new();
    let (foreign, a): (TracedStream, _) = (log.adopted(StreamKind::NonBlockingStream), log.stream("A"));
    let x = log.outside(64);
    log.fill(foreign, x);
    log.fill(a, x);
    let said = judge(&log.finish()).to_string();
    let number = foreign.stream.id.number();
    assert!(said.contains(&format!("`fill` on stream number {number} (#3)")), "{said}");
}
