//! Counts, marks and clears.

use antecede::driver::Access;
use antecede_trace::{Call, Counts, NullDriver, Trace, judge};

use super::bench::Bench;

#[test]
fn a_counting_trace_keeps_no_entry() {
    let inner = Trace::new(NullDriver::new());
    let trace = Trace::counting(inner.clone());
    let bench = Bench::new(trace.clone());
    let a = bench.stream("A");
    for _ in 0..100 {
        let x = bench.alloc(&a, 64).unwrap();
        bench.free(&a, x).unwrap();
    }
    bench.sync(&a).unwrap();
    bench.driver.note_host_access(Access { ptr: antecede::driver::DevicePtr(64), bytes: 64, write: true });
    assert!(trace.log().is_empty());
    assert_eq!(trace.counts(), inner.counts());
    assert_eq!(trace.counts().of(Call::Alloc), 100);
    assert_eq!(trace.counts().of(Call::HostWrite), 1);
}

#[test]
fn counts_since_a_mark_are_exact() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let (a, b, event) = (bench.stream("A"), bench.stream("B"), bench.event());
    bench.record(&event, &a).unwrap();
    let mark = trace.mark();
    assert_eq!(trace.counts_since(&mark), Counts::default());
    bench.record(&event, &a).unwrap();
    bench.wait(&b, &event).unwrap();
    assert_eq!(trace.counts_since(&mark), Counts::from([(Call::EventRecord, 1), (Call::EventWait, 1)]));
    let calls: Vec<_> = trace.log_since(&mark).entries().iter().map(|entry| entry.call).collect();
    assert_eq!(calls, [Call::EventRecord, Call::EventWait]);
    assert_eq!(trace.counts().of(Call::EventRecord), 2);
}

#[test]
fn a_clear_empties_but_remembers_names_and_sizes() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let a = bench.stream("A");
    let (x, y) = (bench.alloc(&a, 64).unwrap(), bench.alloc(&a, 64).unwrap());
    bench.free(&a, y).unwrap();
    let mark = trace.mark();
    trace.clear();
    assert!(trace.log().is_empty());
    assert_eq!(trace.counts(), Counts::default());
    bench.free(&a, x).unwrap();
    assert_eq!(trace.counts_since(&mark), Counts::from([(Call::Free, 1)]), "a mark before a clear counts from there");
    assert_eq!(trace.thread_counts_since(&mark), Counts::from([(Call::Free, 1)]));
    let log = trace.log_since(&mark);
    assert_eq!(log.entries()[0].accesses[0].bytes, 64);
    assert_eq!(log.entries()[0].stream.and_then(|stream| stream.name), Some("A"));
    assert!(log.entries()[0].seq > 1, "numbers go on");
    assert!(judge(&log).is_silent());
}
