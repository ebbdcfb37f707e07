//! Lanes, bars and arrows.

use antecede::driver::StreamKind;
use antecede_trace::draw::{BarKind, Scale, Timeline};
use antecede_trace::{Call, Entry, HostThread, Log, LogBuilder};

use super::{bar, hand_over, names};

#[test]
fn a_hand_over_is_drawn_with_its_arrow() {
    let timeline = Timeline::new(&hand_over());
    assert_eq!(timeline.scale(), Scale::Logical);
    assert_eq!(names(&timeline), ["Upload", "Compute", "host"], "a host that waits is below its streams");
    let (record, wait) = (bar(&timeline, "Upload", "record"), bar(&timeline, "Compute", "wait"));
    let (copy, saxpy) = (bar(&timeline, "Upload", "copy"), bar(&timeline, "Compute", "saxpy"));
    assert!(copy.end <= record.start && record.end < wait.end && wait.end <= saxpy.start);
    let arrows = timeline.arrows();
    assert_eq!(arrows.len(), 2);
    assert_eq!((&timeline.bars()[arrows[0].from], &timeline.bars()[arrows[0].to]), (record, wait));
    let (from, to) = (&timeline.bars()[arrows[1].from], &timeline.bars()[arrows[1].to]);
    assert_eq!((from, to), (bar(&timeline, "Compute", "copy"), bar(&timeline, "host", "sync")));
    assert!(bar(&timeline, "host", "read").start >= to.end && to.end > from.end);
}

#[test]
fn bars_say_what_they_are() {
    let timeline = Timeline::new(&hand_over());
    let kinds: Vec<_> = timeline.bars().iter().map(|bar| (bar.label.as_str(), bar.kind, bar.bytes)).collect();
    const BYTES: u64 = 1 << 20;
    assert_eq!(
        kinds,
        [
            ("alloc", BarKind::Alloc, BYTES),
            ("alloc", BarKind::Alloc, BYTES),
            ("write", BarKind::HostAccess, BYTES),
            ("copy", BarKind::Copy, BYTES),
            ("record", BarKind::Record, 0),
            ("wait", BarKind::Wait, 0),
            ("saxpy", BarKind::Kernel, 2 * BYTES),
            ("copy", BarKind::Copy, BYTES),
            ("sync", BarKind::Sync, 0),
            ("read", BarKind::HostAccess, BYTES),
            ("free", BarKind::Free, BYTES),
        ]
    );
}

#[test]
fn streams_without_an_order_start_together() {
    let mut log = LogBuilder::new();
    let (a, b) = (log.stream("A"), log.stream("B"));
    let (x, y) = (log.outside(1 << 30), log.outside(16));
    log.fill(a, x);
    log.fill(b, y);
    let timeline = Timeline::new(&log.finish());
    let (large, small) = (bar(&timeline, "A", "fill"), bar(&timeline, "B", "fill"));
    assert_eq!((large.start, small.start), (0.0, 0.0));
    let ratio = large.end / small.end;
    assert!((1.3..4.0).contains(&ratio), "wider, and not 64 million times: {ratio}");
}

#[test]
fn the_host_waits_until_what_it_waits_for_has_ended() {
    let mut log = LogBuilder::new();
    let (a, b) = (log.stream("A"), log.stream("B"));
    let (x, y, event) = (log.outside(1 << 20), log.outside(64), log.event());
    log.fill(a, x);
    log.record(event, a);
    log.fill(a, x);
    log.event_sync(event);
    log.fill(b, y);
    let timeline = Timeline::new(&log.finish());
    let sync = bar(&timeline, "host", "sync");
    assert_eq!(sync.start, 0.0);
    assert!(sync.end > bar(&timeline, "A", "record").end);
    assert_eq!(bar(&timeline, "B", "fill").start, sync.end, "the thread submits it when it has waited");
    let implied: Vec<_> = timeline.implied().iter().map(|edge| timeline.bars()[edge.from].label.as_str()).collect();
    assert_eq!(implied, ["sync"]);
}

#[test]
fn what_failed_is_shown_and_orders_nothing() {
    let mut log = LogBuilder::new();
    let (a, b) = (log.stream("A"), log.stream("B"));
    let (x, event) = (log.outside(64), log.event());
    log.fill(a, x);
    log.record(event, a);
    log.wait(b, event);
    log.failed();
    log.sync(a);
    log.failed();
    log.fill(b, x);
    let timeline = Timeline::new(&log.finish());
    assert!(timeline.arrows().is_empty());
    assert!(bar(&timeline, "B", "wait").failed && bar(&timeline, "host", "sync").failed);
    assert!(!bar(&timeline, "B", "fill").failed);
}

#[test]
fn lanes_that_share_a_name_are_told_apart() {
    let mut log = LogBuilder::new();
    let x = log.outside(64);
    let mut streams = vec![log.stream("A"), log.stream("A"), log.legacy(), log.adopted(StreamKind::BlockingStream)];
    for &stream in &streams {
        log.fill(stream, x);
    }
    let one_device = Timeline::new(&{
        let mut log = LogBuilder::new();
        let stream = log.stream("A");
        log.fill(stream, x);
        log.finish()
    });
    assert_eq!(names(&one_device), ["A"]);
    log.next_context();
    streams.push(log.stream("A"));
    log.fill(streams[4], x);
    let timeline = Timeline::new(&log.finish());
    let mut expected = ["A, device 0 1", "A, device 0 2", "Legacy, device 0", "stream, device 0", "A, device 1"];
    let mut found = names(&timeline);
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
}

/// The log of a writing and a waiting thread, with their calls in this order: `true` for the writer's.
fn interleaved(order: &[bool]) -> Log {
    let mut log = LogBuilder::new();
    let stream = log.stream("A");
    let (x, y, event) = (log.outside(64), log.outside(64), log.event());
    // The first thread writes both; the second waits for an earlier fill of a third block, and reads that.
    let z = log.outside(64);
    log.fill(stream, z);
    log.record(event, stream);
    log.host_write(x);
    log.host_write(y);
    log.event_sync(event);
    log.host_read(z);
    let log = log.finish();
    let (first, second) = (HostThread::current(), std::thread::spawn(HostThread::current).join().expect("a thread"));
    let (common, rest): (Vec<_>, Vec<_>) = log
        .entries()
        .iter()
        .cloned()
        .partition(|entry| !matches!(entry.call, Call::HostWrite | Call::HostRead | Call::EventSync));
    let (writes, waits): (Vec<_>, Vec<_>) = rest.into_iter().partition(|entry| entry.call == Call::HostWrite);
    let mut writes = writes.into_iter().map(|entry| Entry { thread: first, ..entry });
    let mut waits = waits.into_iter().map(|entry| Entry { thread: second, ..entry });
    let mixed = order.iter().filter_map(|&write| if write { writes.next() } else { waits.next() });
    common.into_iter().chain(mixed).collect()
}

#[test]
fn how_threads_interleave_changes_nothing() {
    let picture = |order: &[bool]| Timeline::new(&interleaved(order)).to_svg("threads");
    let one = picture(&[true, true, false, false, false]);
    for order in
        [[false, true, false, false, true], [false, false, true, true, false], [false, false, false, true, true]]
    {
        assert!(picture(&order) == one, "{order:?}");
    }
    let timeline = Timeline::new(&interleaved(&[true, false, true, false, false]));
    assert_eq!(names(&timeline), ["host 1", "A", "host 2"], "who only hands in is above, who waits below");
}

#[test]
fn what_another_thread_waited_for_is_waited_for() {
    let mut log = LogBuilder::new();
    let stream = log.stream("A");
    let (x, y) = (log.outside(64), log.outside(64));
    log.copy(stream, y, x);
    let sync = log.sync(stream);
    log.host_write(x);
    let other = std::thread::spawn(HostThread::current).join().expect("a thread");
    let log = log.finish();
    let of_other = |entry: &Entry| entry.call == Call::StreamSync;
    let log: Log = log
        .entries()
        .iter()
        .cloned()
        .map(|entry| if of_other(&entry) { Entry { thread: other, ..entry } } else { entry })
        .collect();
    let timeline = Timeline::new(&log);
    let write = bar(&timeline, "host 1", "write");
    let waited = timeline.bars().iter().find(|bar| bar.seq == sync).expect("the sync");
    assert_eq!(write.start, waited.end, "the copy has been read when the host writes, and a sync says so");
}
