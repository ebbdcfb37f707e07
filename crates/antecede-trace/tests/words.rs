//! What a report says, read whole.

use antecede_trace::{Judge, LogBuilder, judge};

fn said(write: impl FnOnce(&mut LogBuilder)) -> String {
    let mut log = LogBuilder::new();
    write(&mut log);
    judge(&log.finish()).to_string()
}

#[test]
fn a_race_names_both_sides_and_the_missing_edge() {
    let said = said(|log| {
        let (upload, compute) = (log.stream("Upload"), log.stream("Compute"));
        let x = log.alloc(upload, 4096);
        log.sync(upload);
        log.fill(upload, x);
        log.launch(compute, "saxpy", &[x], &[]);
    });
    assert_eq!(
        said,
        "1 race in 7 entries:\n1. read after write: `fill` on stream `Upload` (#6) writes 4096 bytes at 0x1000, `saxpy` \
         on stream `Compute` (#7) reads them; nothing orders #7 after #6: record an event on `Upload` after #6 and make \
         `Compute` wait for it before #7"
    );
}

#[test]
fn silence_is_said() {
    assert_eq!(said(|_| ()), "no race in 0 entries");
}

#[test]
fn an_event_recorded_too_early_is_pointed_out() {
    let said = said(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let (x, event) = (log.outside(1), log.event());
        log.record(event, a);
        log.fill(a, x);
        log.wait(b, event);
        log.fill(b, x);
    });
    assert!(
        said.ends_with(
            "`fill` on stream `A` (#4) writes 1 byte at 0x1000, `fill` on stream `B` (#6) writes it; nothing orders #6 \
             after #4: record an event on `A` after #4 and make `B` wait for it before #6 (the latest wait of `B` for \
             `A`, #5, covers it only up to #3)"
        ),
        "{said}"
    );
}

#[test]
fn an_event_that_nobody_recorded_is_pointed_out() {
    let said = said(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let (x, event) = (log.outside(64), log.event());
        log.fill(a, x);
        log.wait(b, event);
        log.fill(b, x);
    });
    assert!(said.ends_with("(`B` waits at #4 for an event that was never recorded, which orders nothing)"), "{said}");
}

#[test]
fn an_event_that_the_wrong_stream_waited_for_is_pointed_out() {
    let said = said(|log| {
        let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
        let (x, event) = (log.outside(64), log.event());
        log.fill(a, x);
        log.record(event, a);
        log.wait(c, event);
        log.fill(b, x);
    });
    assert!(said.ends_with("(an event was recorded on `A` at #5, but no wait orders `B` after it)"), "{said}");
}

#[test]
fn a_host_access_in_flight_asks_for_a_sync() {
    let said = said(|log| {
        let a = log.stream("A");
        let pinned = log.pinned_alloc(64);
        log.sync(a);
        log.fill(a, pinned);
        log.host_read(pinned);
    });
    assert!(
        said.contains("host access in flight: `fill` on stream `A` (#5) writes 64 bytes at 0x1000, the host (#6, ")
    );
    assert!(
        said.ends_with(
            "reads them; the host has not seen #5 complete: synchronise `A`, or an event recorded on it after #5, \
             before #6"
        ),
        "{said}"
    );
}

#[test]
fn a_wait_in_doubt_is_not_said_to_cover_anything() {
    let said = said(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let (pinned, event) = (log.pinned_alloc(64), log.event());
        log.fill(a, pinned);
        log.record(event, a);
        let begun = log.begin_event_sync(event);
        log.record(event, b);
        log.end(begun);
        log.host_read(pinned);
    });
    assert!(said.ends_with("(an event was recorded on `A` at #5, but no wait orders the host after it)"), "{said}");
}

#[test]
fn a_use_after_free_asks_for_a_later_free() {
    let said = said(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let x = log.alloc(a, 64);
        log.sync(a);
        log.free(a, x);
        log.fill(b, x);
    });
    assert!(
        said.ends_with(
            "use after free: `free` on stream `A` (#6) frees 64 bytes at 0x1000, `fill` on stream `B` (#7) writes them \
             afterwards: submit #7 before the free, record an event on `B` after it and make `A` wait for it before the \
             free"
        ),
        "{said}"
    );
}

#[test]
fn a_free_in_use_asks_for_an_edge() {
    let said = said(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let x = log.alloc(a, 64);
        log.sync(a);
        log.launch(b, "sum", &[x], &[]);
        log.free(a, x);
    });
    assert!(
        said.ends_with(
            "use after free: `sum` on stream `B` (#6) reads 64 bytes at 0x1000, `free` on stream `A` (#7) frees them; \
             nothing orders #7 after #6: record an event on `B` after #6 and make `A` wait for it before #7"
        ),
        "{said}"
    );
}

#[test]
fn streams_of_one_name_are_told_apart() {
    let mut log = LogBuilder::new();
    let one = log.stream("Compute");
    log.next_context();
    let two = log.stream("Compute");
    let x = log.outside(64);
    log.fill(one, x);
    log.fill(two, x);
    let said = judge(&log.finish()).to_string();
    let [one, two] = [one, two].map(|stream| stream.stream.id.number());
    assert!(said.contains(&format!("on stream `Compute` number {one} of device 0 (#3)")), "{said}");
    assert!(said.contains(&format!("on stream `Compute` number {two} of device 1 (#4)")), "{said}");
}

#[test]
fn a_wait_for_an_imported_event_is_no_wait_for_nothing() {
    let said = |is_imported: bool| {
        let mut log = LogBuilder::new();
        let (a, b) = (log.stream("A"), log.stream("B"));
        let event = if is_imported { log.imported_event() } else { log.event() };
        let x = log.import(64);
        log.fill(a, x);
        log.wait(b, event);
        log.fill(b, x);
        judge(&log.finish()).to_string()
    };
    let hint = "for an event that was never recorded";
    assert!(said(false).contains(hint), "{}", said(false));
    assert!(!said(true).contains(hint), "{}", said(true));
}

#[test]
fn failed_calls_can_be_left_out() {
    let mut log = LogBuilder::new();
    let (a, b) = (log.stream("A"), log.stream("B"));
    let x = log.outside(64);
    log.fill(a, x);
    log.failed();
    log.fill(b, x);
    log.free(a, x);
    log.failed();
    log.alloc_at(a, x);
    let log = log.finish();
    assert_eq!(judge(&log).races().len(), 2);
    Judge::new().without_failed_calls().judge(&log).assert_silent();
}

#[test]
#[should_panic = "1 race in 4 entries:\n1. write after write: "]
fn a_test_fails_with_the_report() {
    let mut log = LogBuilder::new();
    let (a, b) = (log.stream("A"), log.stream("B"));
    let x = log.outside(64);
    log.fill(a, x);
    log.fill(b, x);
    judge(&log.finish()).assert_silent();
}
