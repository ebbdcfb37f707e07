//! Patterns that are right, and that a judge must be silent about.

use antecede_trace::{Block, LogBuilder, TracedStream, judge};

fn assert_silent(write: impl FnOnce(&mut LogBuilder)) {
    let mut log = LogBuilder::new();
    write(&mut log);
    let log = log.finish();
    let report = judge(&log);
    assert!(report.is_silent(), "{report}\n{log}");
}

fn hand_over(log: &mut LogBuilder, from: TracedStream, to: TracedStream) {
    let event = log.event();
    log.record(event, from);
    log.wait(to, event);
}

#[test]
fn one_stream_needs_no_event() {
    assert_silent(|log| {
        let a = log.stream("A");
        let (x, y) = (log.alloc(a, 64), log.alloc(a, 64));
        log.fill(a, x);
        log.copy(a, y, x);
        log.launch(a, "scale", &[x], &[y]);
        log.free(a, x);
        log.free(a, y);
    });
}

#[test]
fn disjoint_parts_of_one_block_on_two_streams_and_a_join() {
    assert_silent(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let x = log.alloc(a, 4096);
        hand_over(log, a, b);
        for _ in 0..3 {
            log.fill(a, x.part(0..1000));
            log.fill(b, x.part(1000..4096));
        }
        hand_over(log, b, a);
        log.launch(a, "sum", &[x], &[]);
        log.free(a, x);
    });
}

#[test]
fn a_buffer_outlives_its_stream_once_synchronised() {
    assert_silent(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let x = log.alloc(a, 64);
        log.fill(a, x);
        log.sync(a);
        log.launch(b, "sum", &[x], &[]);
        log.free(b, x);
    });
}

#[test]
fn a_token_of_one_buffer_is_no_wait_for_the_next() {
    assert_silent(|log| {
        let (compute, reduce) = (log.stream("Compute"), log.stream("Reduce"));
        let (first, second) = (log.outside(64), log.outside(64));
        let (of_first, of_second) = (log.event(), log.event());
        log.launch(reduce, "all_reduce", &[first], &[]);
        log.record(of_first, reduce);
        log.launch(reduce, "all_reduce", &[second], &[]);
        log.record(of_second, reduce);
        log.wait(compute, of_first);
        log.fill(compute, first);
        log.wait(compute, of_second);
        log.fill(compute, second);
    });
}

#[test]
fn one_record_fans_out_to_three_readers_and_back() {
    assert_silent(|log| {
        let home = log.stream("Home");
        let readers = [log.stream("B"), log.stream("C"), log.stream("D")];
        let (x, event) = (log.alloc(home, 64), log.event());
        log.fill(home, x);
        log.record(event, home);
        for reader in readers {
            log.wait(reader, event);
            log.launch(reader, "sum", &[x], &[]);
        }
        for reader in readers {
            hand_over(log, reader, home);
        }
        log.free(home, x);
    });
}

#[test]
fn weights_seen_complete_are_read_on_any_stream() {
    assert_silent(|log| {
        let loader = log.stream("Loader");
        let weights = log.alloc(loader, 4096);
        log.fill(loader, weights);
        log.sync(loader);
        let (a, b) = (log.stream("A"), log.stream("B"));
        for _ in 0..3 {
            log.launch(a, "gemm", &[weights], &[]);
            log.launch(b, "gemm", &[weights], &[]);
        }
        log.context_sync(log.context());
        log.free(loader, weights);
    });
}

#[test]
fn order_passes_through_a_chain_of_streams_and_the_host() {
    assert_silent(|log| {
        let (a, b, c, d) = (log.stream("A"), log.stream("B"), log.stream("C"), log.stream("D"));
        let x = log.outside(64);
        log.fill(a, x);
        hand_over(log, a, b);
        hand_over(log, b, c);
        log.sync(c);
        log.fill(d, x);
    });
}

#[test]
fn an_event_recorded_on_an_idle_stream_carries_what_the_host_has_seen() {
    assert_silent(|log| {
        let (a, idle, b) = (log.stream("A"), log.stream("Idle"), log.stream("B"));
        let (x, event) = (log.outside(64), log.event());
        log.fill(a, x);
        log.sync(a);
        log.record(event, idle);
        log.wait(b, event);
        log.fill(b, x);
    });
}

#[test]
fn an_event_is_recorded_anew_after_its_wait() {
    assert_silent(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let (x, event) = (log.outside(64), log.event());
        for _ in 0..3 {
            log.fill(a, x);
            log.record(event, a);
            log.wait(b, event);
            log.fill(b, x);
            log.record(event, b);
            log.wait(a, event);
        }
    });
}

#[test]
fn a_pool_reuses_memory_on_another_stream() {
    assert_silent(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let x = log.alloc(a, 4096);
        log.fill(a, x);
        log.free(a, x);
        for part in [x.part(0..1024), x.part(1024..4096)] {
            log.alloc_at(b, part);
            log.fill(b, part);
            log.free(b, part);
        }
        log.alloc_at(a, x);
        log.fill(a, x);
    });
}

#[test]
fn pinned_staging_goes_round() {
    assert_silent(|log| {
        let (up, down) = (log.stream("Up"), log.stream("Down"));
        let (x, staging) = (log.alloc(up, 64), log.pinned_alloc(64));
        for _ in 0..3 {
            log.host_write(staging);
            log.copy(up, x, staging);
            hand_over(log, up, down);
            log.copy(down, staging, x);
            log.sync(down);
            log.host_read(staging);
        }
        log.pinned_free(staging);
        log.free(up, x);
    });
}

#[test]
fn empty_ranges_touch_nothing() {
    assert_silent(|log| {
        let (a, b) = (log.stream("A"), log.stream("B"));
        let x = log.outside(64);
        log.fill(a, x);
        log.launch(b, "sum", &[x.part(10..10), Block { ptr: x.ptr, bytes: 0 }], &[x.part(64..64)]);
    });
}

#[test]
fn an_operation_does_not_race_with_itself() {
    assert_silent(|log| {
        let a = log.stream("A");
        let x = log.outside(64);
        log.launch(a, "scan", &[x, x.part(0..32)], &[x.part(16..48), x]);
    });
}

#[test]
fn blocking_streams_take_turns_through_the_legacy_stream() {
    assert_silent(|log| {
        let (legacy, a, b) = (log.legacy(), log.blocking("A"), log.blocking("B"));
        let (x, y) = (log.alloc(legacy, 64), log.alloc(legacy, 64));
        log.fill(legacy, x);
        for _ in 0..3 {
            log.launch(a, "scale", &[], &[x]);
            log.copy(legacy, y, x);
            log.launch(b, "scale", &[x], &[y]);
            log.host_fn(legacy, &[], &[]);
        }
        log.launch(b, "sum", &[x, y], &[]);
        log.free(legacy, x);
        log.free(legacy, y);
    });
}

#[test]
fn a_buffer_fresh_from_a_blocking_stream_is_used_on_the_legacy_one() {
    assert_silent(|log| {
        let (a, legacy) = (log.blocking("A"), log.legacy());
        let x = log.alloc(a, 64);
        log.fill(legacy, x);
        log.fill(a, x);
        log.free(legacy, x);
    });
}

#[test]
fn threads_work_on_their_own_streams_and_meet_through_events() {
    assert_silent(|log| {
        let threads = [log.per_thread(), log.per_thread(), log.per_thread()];
        let x = log.alloc(threads[0], 96);
        hand_over(log, threads[0], threads[1]);
        hand_over(log, threads[0], threads[2]);
        for (place, &thread) in threads.iter().enumerate() {
            log.fill(thread, x.part(place * 32..(place + 1) * 32));
        }
        hand_over(log, threads[1], threads[0]);
        hand_over(log, threads[2], threads[0]);
        log.launch(threads[0], "sum", &[x], &[]);
        log.free(threads[0], x);
    });
}

#[test]
fn a_non_blocking_stream_beside_the_legacy_one_with_memory_of_its_own() {
    assert_silent(|log| {
        let (legacy, side) = (log.legacy(), log.stream("Side"));
        let (x, y) = (log.alloc(legacy, 64), log.alloc(side, 64));
        for _ in 0..3 {
            log.fill(legacy, x);
            log.fill(side, y);
        }
        log.free(side, y);
        log.free(legacy, x);
    });
}

#[test]
fn a_ring_of_devices_exchanges_halves() {
    assert_silent(|log| {
        let one = log.stream("Compute");
        log.next_context();
        let two = log.stream("Compute");
        let (x, y) = (log.alloc(one, 64), log.alloc(two, 64));
        for _ in 0..3 {
            log.fill(one, x.part(0..32));
            log.fill(two, y.part(32..64));
            hand_over(log, one, two);
            log.peer_copy(two, y.part(0..32), x.part(0..32));
            log.peer_copy(two, x.part(32..64), y.part(32..64));
            hand_over(log, two, one);
        }
        log.launch(one, "sum", &[x, y], &[]);
        log.free(one, x);
        hand_over(log, one, two);
        log.free(two, y);
    });
}
