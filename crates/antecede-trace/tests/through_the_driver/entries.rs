//! What becomes an entry.

use antecede::driver::{
    Access, DeviceAttribute, Driver, ErrorKind, ModuleRef, PoolAttribute, PoolRef, Space, StreamId, StreamKind,
    StreamRef,
};
use antecede_trace::{Call, Entry, NullDriver, Outcome, RaceKind, Trace, judge};

use super::bench::Bench;
use super::hooked::{Hooked, injected};

/// Makes every driver call once, but those that end what several calls make.
fn call_everything(bench: &Bench) {
    let Bench { driver, context } = bench;
    assert_eq!(driver.device_count(), Ok(1));
    let a = bench.stream("A");
    let event = bench.event();
    bench.record(&event, &a).unwrap();
    bench.wait(&a, &event).unwrap();
    let x = bench.alloc(&a, 64).unwrap();
    let pinned = bench.pinned_alloc(64).unwrap();
    driver.note_host_access(Access { ptr: pinned, bytes: 64, write: true });
    bench.fill(&a, x, 16).unwrap();
    bench.copy(&a, x, pinned, 32).unwrap();
    let module = bench.load();
    let managed = bench.managed_alloc(64).unwrap();
    bench.host_fn(&a, &[Access { ptr: managed, bytes: 16, write: true }]).unwrap();
    let pool = bench.pool(Space::DeviceMemory);
    let y = bench.pool_alloc(&a, &pool, 64).unwrap();
    bench.peer_copy(&a, y, x, 24).unwrap();
    ask_around(bench, &a, &pool);
    let read = Access { ptr: pinned, bytes: 8, write: false };
    bench.launch(&a, module.functions[0], read, Access { ptr: x, bytes: 8, write: true }).unwrap();
    // SAFETY: handles of this driver, which does nothing.
    unsafe {
        driver.event_sync(&event).unwrap();
        driver.stream_sync(&a).unwrap();
        driver.context_sync(context).unwrap();
        assert_eq!(driver.stream_query(&a), Ok(true));
        assert_eq!(driver.event_query(&event), Ok(true));
        driver.note_host_access(Access { ptr: pinned, bytes: 64, write: false });
        bench.free(&a, x).unwrap();
        bench.free(&a, y).unwrap();
        bench.pinned_free(pinned).unwrap();
        bench.managed_free(managed).unwrap();
        #[cfg(unix)]
        super::processes::exchange(bench, &a);
        driver.pool_trim(&pool, 0).unwrap();
        driver.pool_destroy(&pool).unwrap();
        driver.module_unload(&ModuleRef { context: *context, handle: module.handle }).unwrap();
        driver.event_destroy(&event).unwrap();
        driver.stream_destroy(&a).unwrap();
        driver.context_close(context).unwrap();
    }
}

/// The calls that submit nothing and make nothing.
fn ask_around(bench: &Bench, stream: &StreamRef, pool: &PoolRef) {
    let Bench { driver, context } = bench;
    // SAFETY: handles of this driver, which does nothing.
    unsafe {
        assert_eq!(driver.stream_adopt(context, stream.handle, StreamId::fresh()), Ok(StreamKind::NonBlockingStream));
        assert_eq!(driver.stream_is_capturing(stream), Ok(false));
        assert_eq!(driver.priority_range(context), Ok((0, -5)));
        assert_eq!(driver.attribute(context, DeviceAttribute::PinnedPools), Ok(1));
        driver.pool_set(pool, PoolAttribute::ReleaseThreshold, 4096).unwrap();
        assert_eq!(driver.pool_attribute(pool, PoolAttribute::ReleaseThreshold), Ok(4096));
        assert_eq!(driver.peer_possible(context, context), Ok(false));
        driver.peer_enable(context, context).unwrap();
    }
}

#[test]
fn every_call_is_forwarded_logged_and_counted_once() {
    let inner = Trace::new(NullDriver::new());
    let outer = Trace::new(inner.clone());
    call_everything(&Bench::new(outer.clone()));
    for trace in [&inner, &outer] {
        for call in Call::ALL {
            let times = times(call);
            assert_eq!(trace.counts().of(call), times, "{call}");
            let entries = trace.log().entries().iter().filter(|entry| entry.call == call).count() as u64;
            assert_eq!(entries, if call.has_two_entries() { 2 * times } else { times }, "{call}");
        }
        let calls = Call::ALL.into_iter().filter(|call| call.is_driver_call());
        assert_eq!(trace.counts().total(), calls.map(times).sum::<u64>(), "host accesses are no calls");
        let report = judge(&trace.log());
        assert!(report.is_silent(), "{report}");
    }
    let calls = |trace: &Trace| trace.log().entries().iter().map(without_seq).collect::<Vec<_>>();
    assert_eq!(calls(&inner), calls(&outer), "the inner driver saw other arguments");
}

/// How often `call_everything` makes the call: an allocation in stream order, one from a pool, the two of the exchange
/// between processes, its pools and its events have an end each.
fn times(call: Call) -> u64 {
    let is_exchange = matches!(
        call,
        Call::DeviceUuid
            | Call::ExportablePoolCreate
            | Call::PoolExport
            | Call::PoolImport
            | Call::PoolOf
            | Call::AllocationBytes
            | Call::PointerExport
            | Call::PointerImport
            | Call::InterprocessEventCreate
            | Call::EventExport
            | Call::EventImport
    );
    match call {
        Call::Free if cfg!(unix) => 4,
        Call::PoolDestroy | Call::EventDestroy if cfg!(unix) => 3,
        Call::PoolAlloc | Call::EventRecord | Call::EventWait if cfg!(unix) => 2,
        Call::Free => 2,
        _ if is_exchange && !cfg!(unix) => 0,
        _ => 1,
    }
}

fn without_seq(entry: &Entry) -> Entry {
    Entry { seq: 0, ..entry.clone() }
}

#[test]
fn an_entry_says_who_did_what_where() {
    let trace = Trace::new(NullDriver::new());
    call_everything(&Bench::new(trace.clone()));
    let log = trace.log();
    let find = |call| log.entries().iter().find(|entry| entry.call == call).expect("the call is logged");

    let launch = find(Call::Launch);
    assert_eq!(launch.kernel, Some("add"));
    assert_eq!(launch.stream.and_then(|stream| stream.name), Some("A"));
    let accesses: Vec<_> = launch.accesses.iter().map(|access| (access.bytes, access.write)).collect();
    assert_eq!(accesses, [(8, false), (8, true)]);

    let (alloc, fill, free) = (find(Call::Alloc), find(Call::Fill), find(Call::Free));
    assert_eq!(alloc.accesses, free.accesses, "a free writes the whole block");
    assert_eq!(fill.accesses[0].bytes, 64, "16 patterns of 4 bytes");
    let copy: Vec<_> = find(Call::Copy).accesses.iter().map(|access| (access.bytes, access.write)).collect();
    assert_eq!(copy, [(32, false), (32, true)]);
    let peer_copy: Vec<_> = find(Call::PeerCopy).accesses.iter().map(|access| (access.ptr, access.write)).collect();
    assert_eq!(peer_copy, [(alloc.accesses[0].ptr, false), (find(Call::PoolAlloc).accesses[0].ptr, true)]);
    let host_fn = find(Call::HostFn);
    assert_eq!(host_fn.stream, launch.stream);
    assert_eq!(host_fn.accesses[0].ptr, find(Call::ManagedAlloc).accesses[0].ptr);
    assert_eq!(host_fn.accesses[0].bytes, 16);
    assert_eq!(find(Call::ManagedAlloc).accesses, find(Call::ManagedFree).accesses);

    assert_eq!(find(Call::EventWait).event, find(Call::EventRecord).event);
    assert!(find(Call::EventWait).event.is_some());
    assert_eq!(find(Call::StreamQuery).outcome, Outcome::Answered(true));
    let sync = find(Call::StreamSync);
    assert_eq!(sync.outcome, Outcome::Begun);
    let end = log.entries().iter().rfind(|entry| entry.call == Call::StreamSync).unwrap();
    assert_eq!(end.outcome, Outcome::Ended { begun: sync.seq });
    assert_eq!(end.stream, sync.stream);
    assert_eq!(log.entry(end.seq), Some(end));
    let opened = log.entries().iter().rfind(|entry| entry.call == Call::ContextOpen).unwrap();
    assert_eq!(opened.context, sync.context);
}

#[test]
fn a_log_prints_one_line_an_entry() {
    let trace = Trace::new(NullDriver::new());
    call_everything(&Bench::new(trace.clone()));
    let log = trace.log();
    let printed = log.to_string();
    assert_eq!(printed.lines().count(), log.len());
    for part in
        ["cuLaunchKernel", "`add` stream `A`, reads 8 bytes at 0x", "cuMemsetD*Async", "host read", ": complete"]
    {
        assert!(printed.contains(part), "{part} is not in\n{printed}");
    }
}

#[test]
fn errors_are_logged_and_passed_on() {
    let trace = Trace::new(NullDriver::new());
    // SAFETY: a driver that does nothing refuses a device that it lacks.
    let refused = unsafe { trace.context_open(9) }.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NoDevice);
    assert_eq!(trace.log().entries()[1].outcome, Outcome::EndedFailed { begun: 1, error: refused });

    let failing = Trace::new(Hooked::driver(|call| match call {
        Call::Fill | Call::StreamSync | Call::StreamQuery | Call::Alloc => Err(injected(call)),
        _ => Ok(()),
    }));
    let bench = Bench::new(failing.clone());
    let a = bench.stream("A");
    let pinned = bench.pinned_alloc(64).unwrap();
    failing.clear();
    assert_eq!(bench.alloc(&a, 64), Err(injected(Call::Alloc)));
    assert_eq!(bench.fill(&a, pinned, 4), Err(injected(Call::Fill)));
    assert_eq!(bench.sync(&a), Err(injected(Call::StreamSync)));
    let log = failing.log();
    assert_eq!(log.entries()[0].accesses, [], "a failed allocation has no memory");
    let errors: Vec<_> = log.entries().iter().map(|entry| entry.outcome.error().is_some()).collect();
    assert_eq!(errors, [true, true, false, true], "the sync's beginning has no result\n{log}");
    assert_eq!(failing.counts().total(), 3, "failed calls count");
}

#[test]
fn a_block_whose_free_failed_keeps_its_size() {
    let refuse = std::sync::atomic::AtomicU32::new(2);
    let trace = Trace::new(Hooked::driver(move |call| {
        let is_free = matches!(call, Call::Free | Call::PinnedFree);
        let left = std::sync::atomic::Ordering::Relaxed;
        match is_free && refuse.fetch_update(left, left, |count| count.checked_sub(1)).is_ok() {
            true => Err(injected(call)),
            false => Ok(()),
        }
    }));
    let bench = Bench::new(trace.clone());
    let a = bench.stream("A");
    let (x, pinned) = (bench.alloc(&a, 64).unwrap(), bench.pinned_alloc(32).unwrap());
    assert!(bench.free(&a, x).is_err());
    assert!(bench.pinned_free(pinned).is_err());
    bench.free(&a, x).unwrap();
    bench.pinned_free(pinned).unwrap();
    let sizes = |call| {
        let log = trace.log();
        let of_call = log.entries().iter().filter(|entry| entry.call == call);
        of_call.map(|entry| entry.accesses.iter().map(|access| access.bytes).sum()).collect::<Vec<usize>>()
    };
    assert_eq!(sizes(Call::Free), [64, 64]);
    assert_eq!(sizes(Call::PinnedFree), [32, 0, 32, 0], "the beginnings carry the block");
}

#[test]
fn a_second_free_is_seen() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let a = bench.stream("A");
    let x = bench.alloc(&a, 64).unwrap();
    bench.free(&a, x).unwrap();
    bench.free(&a, x).unwrap();
    let report = judge(&trace.log());
    assert_eq!(report.races().iter().map(|race| race.kind).collect::<Vec<_>>(), [RaceKind::DoubleFree]);
}

#[test]
fn an_empty_argument_is_no_access() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let (a, module) = (bench.stream("A"), bench.load());
    let empty = |write| Access { ptr: antecede::driver::DevicePtr(256), bytes: 0, write };
    let mark = trace.mark();
    bench.launch(&a, module.functions[0], empty(false), empty(true)).unwrap();
    assert_eq!(trace.log_since(&mark).entries()[0].accesses, []);
}

#[test]
fn streams_of_equal_handles_are_told_apart() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let one = bench.stream("One");
    let mut two = bench.stream("Two");
    two.handle = one.handle;
    let x = bench.alloc(&one, 64).unwrap();
    bench.sync(&one).unwrap();
    bench.fill(&one, x, 4).unwrap();
    bench.fill(&two, x, 4).unwrap();
    let report = judge(&trace.log());
    let kinds: Vec<_> = report.races().iter().map(|race| race.kind).collect();
    assert_eq!(kinds, [RaceKind::WriteAfterWrite]);
}

#[test]
fn a_trace_is_a_driver_of_its_own_and_its_clones_are_one() {
    let inner = NullDriver::new();
    let inner_id = inner.id();
    let trace = Trace::new(inner);
    assert_ne!(trace.id(), inner_id);
    assert_eq!(trace.id(), trace.clone().id());
    assert_eq!(trace.name(), "null");
}
