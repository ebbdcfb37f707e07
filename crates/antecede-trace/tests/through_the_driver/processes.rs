//! What crosses between processes, through a trace and on the driver that does nothing.

use std::os::fd::AsFd;
use std::sync::Arc;

use antecede::driver::{
    DevicePtr, Driver, ErrorKind, EventData, EventId, EventRef, PointerData, PoolRef, Space, StreamRef,
};
use antecede_trace::{Call, Log, NullDriver, RaceKind, Trace, judge};

use super::bench::Bench;
use super::hooked::{Hooked, injected};

/// Exports a block with an event, imports both and lets go of them. Each call of the exchange is made once.
pub(crate) fn exchange(bench: &Bench, stream: &StreamRef) {
    let Bench { driver, context } = bench;
    let pool = exportable_pool(bench);
    let block = bench.pool_alloc(stream, &pool, 4096).unwrap();
    let (made, opened) = [EventId::fresh(), EventId::fresh()].into();
    // SAFETY: handles of this driver.
    let (uuid, of, event, import) = unsafe {
        let uuid = driver.device_uuid(context).unwrap();
        let of = driver.pool_of(context, block).unwrap();
        let handle = driver.interprocess_event_create(context, made).unwrap();
        let event = EventRef { id: made, context: *context, handle };
        bench.record(&event, stream).unwrap();
        let descriptor = driver.pool_export(&pool).unwrap();
        let imported = driver.pool_import(context, descriptor.as_fd()).unwrap();
        let import = PoolRef { handle: imported, ..pool };
        (uuid, of, event, import)
    };
    assert!(uuid.to_string().starts_with("GPU-"), "{uuid}");
    assert_eq!(of, pool.handle);
    // SAFETY: handles of this driver.
    unsafe {
        let data = driver.event_export(&event).unwrap();
        let theirs =
            EventRef { id: opened, context: *context, handle: driver.event_import(context, opened, &data).unwrap() };
        bench.wait(stream, &theirs).unwrap();
        let data = driver.pointer_export(context, block).unwrap();
        let mapped = driver.pointer_import(&import, &data).unwrap();
        assert_eq!(driver.allocation_bytes(context, mapped), Ok(4096));
        bench.free(stream, mapped).unwrap();
        bench.free(stream, block).unwrap();
        driver.pool_destroy(&import).unwrap();
        driver.pool_destroy(&pool).unwrap();
        driver.event_destroy(&theirs).unwrap();
        driver.event_destroy(&event).unwrap();
    }
}

fn exportable_pool(bench: &Bench) -> PoolRef {
    // SAFETY: a handle of this driver.
    let handle = unsafe { bench.driver.exportable_pool_create(&bench.context) }.unwrap();
    PoolRef { context: bench.context, space: Space::DeviceMemory, handle }
}

/// Exports a block of that size, and imports it.
fn import(bench: &Bench, stream: &StreamRef, bytes: usize) -> DevicePtr {
    let pool = exportable_pool(bench);
    let block = bench.pool_alloc(stream, &pool, bytes).unwrap();
    // SAFETY: handles of this driver.
    unsafe {
        let data = bench.driver.pointer_export(&bench.context, block).unwrap();
        bench.driver.pointer_import(&pool, &data).unwrap()
    }
}

fn allocation_bytes(bench: &Bench, block: DevicePtr) -> Result<usize, ErrorKind> {
    // SAFETY: a handle of this driver.
    unsafe { bench.driver.allocation_bytes(&bench.context, block) }.map_err(|error| error.kind())
}

/// The sizes of the ranges in the entries of that call, one number an entry.
fn sizes(log: &Log, call: Call) -> Vec<usize> {
    let of_call = log.entries().iter().filter(|entry| entry.call == call);
    of_call.map(|entry| entry.accesses.iter().map(|access| access.bytes).sum()).collect()
}

#[test]
fn entries_of_an_exchange_name_their_event_and_their_block() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    exchange(&bench, &bench.stream("A"));
    let log = trace.log();
    let find = |call| log.entries().iter().rfind(|entry| entry.call == call).expect("the call is logged");
    let (made, opened) = (find(Call::InterprocessEventCreate).event, find(Call::EventImport).event);
    assert!(made.is_some() && opened.is_some());
    assert_ne!(made, opened);
    assert_eq!(find(Call::EventExport).event, made);
    assert_eq!(find(Call::EventWait).event, opened);
    for call in [Call::DeviceUuid, Call::PoolExport, Call::PoolImport, Call::PointerImport, Call::EventImport] {
        assert_eq!(find(call).context, Some(bench.context.id), "{call}");
    }
    assert_eq!(sizes(&log, Call::PointerImport), [0, 1], "the beginning has no block, the end one byte of it");
    assert_eq!(sizes(&log, Call::AllocationBytes), [4095]);
    assert_eq!(sizes(&log, Call::Free), [4096, 4096]);
    judge(&log).assert_silent();
    let printed = log.to_string();
    for part in ["cuMemPoolImportFromShareableHandle", "cuEventCreate (interprocess)", "cuIpcOpenEventHandle"] {
        assert!(printed.contains(part), "{part} is not in\n{printed}");
    }
}

#[test]
fn every_stream_may_use_what_was_imported_and_the_end_of_it_is_judged() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let (a, b) = (bench.stream("A"), bench.stream("B"));
    let x = import(&bench, &a, 128);
    assert_eq!(allocation_bytes(&bench, x), Ok(128));
    bench.fill(&a, x, 16).unwrap();
    bench.fill(&b, x.offset(64), 16).unwrap();
    judge(&trace.log()).assert_silent();
    bench.free(&a, x).unwrap();
    let kinds: Vec<_> = judge(&trace.log()).races().iter().map(|race| race.kind).collect();
    assert_eq!(kinds, [RaceKind::UseAfterFree], "the other stream is not waited for");
}

#[test]
fn only_the_first_answer_tells_an_imported_blocks_size() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let a = bench.stream("A");
    let x = import(&bench, &a, 128);
    assert_eq!(allocation_bytes(&bench, x), Ok(128));
    assert_eq!(allocation_bytes(&bench, x), Ok(128));
    let mine = bench.pool_alloc(&a, &exportable_pool(&bench), 64).unwrap();
    assert_eq!(allocation_bytes(&bench, mine), Ok(64));
    assert_eq!(sizes(&trace.log(), Call::AllocationBytes), [127, 0, 0]);
}

#[test]
fn a_failed_import_has_no_block_and_a_failed_answer_no_size() {
    let trace = Trace::new(Hooked::driver(|call| match call {
        Call::PointerImport | Call::PoolImport | Call::EventImport => Err(injected(call)),
        _ => Ok(()),
    }));
    let bench = Bench::new(trace.clone());
    let (a, pool) = (bench.stream("A"), exportable_pool(&bench));
    let block = bench.pool_alloc(&a, &pool, 64).unwrap();
    // SAFETY: handles of this driver.
    unsafe {
        let data = bench.driver.pointer_export(&bench.context, block).unwrap();
        assert_eq!(bench.driver.pointer_import(&pool, &data), Err(injected(Call::PointerImport)));
        let descriptor = bench.driver.pool_export(&pool).unwrap();
        assert_eq!(bench.driver.pool_import(&bench.context, descriptor.as_fd()), Err(injected(Call::PoolImport)));
        let data = EventData([0; 64]);
        let opened = bench.driver.event_import(&bench.context, EventId::fresh(), &data);
        assert_eq!(opened, Err(injected(Call::EventImport)));
    }
    let of_no_pool = bench.alloc(&a, 64).unwrap();
    assert_eq!(allocation_bytes(&bench, of_no_pool), Err(ErrorKind::NotSupported));
    assert_eq!(sizes(&trace.log(), Call::PointerImport), [0, 0]);
    assert_eq!(sizes(&trace.log(), Call::AllocationBytes), [0]);
}

#[test]
fn what_one_driver_that_does_nothing_exports_another_imports() {
    let (ours, theirs) = (Bench::new(NullDriver::new()), Bench::new(NullDriver::new()));
    let a = ours.stream("A");
    let pool = exportable_pool(&ours);
    let block = ours.pool_alloc(&a, &pool, 1000).unwrap();
    // SAFETY: handles of these drivers, which refuse what no such driver exported.
    unsafe {
        assert_eq!(ours.driver.device_uuid(&ours.context), theirs.driver.device_uuid(&theirs.context));
        let descriptor = ours.driver.pool_export(&pool).unwrap();
        let handle = theirs.driver.pool_import(&theirs.context, descriptor.as_fd()).unwrap();
        let imported = PoolRef { context: theirs.context, space: Space::DeviceMemory, handle };
        let pointer = ours.driver.pointer_export(&ours.context, block).unwrap();
        let mapped = theirs.driver.pointer_import(&imported, &pointer).unwrap();
        assert_eq!(allocation_bytes(&theirs, mapped), Ok(1000));
        assert_eq!(theirs.driver.pool_of(&theirs.context, mapped), Ok(handle));
        let event = ours.driver.event_export(&ours.event()).unwrap();
        theirs.driver.event_import(&theirs.context, EventId::fresh(), &event).unwrap();

        let refused = theirs.driver.pointer_import(&imported, &PointerData(event.0)).unwrap_err();
        assert_eq!((refused.kind(), refused.call), (ErrorKind::InvalidValue, "cuMemPoolImportPointer"));
        let refused = theirs.driver.event_import(&theirs.context, EventId::fresh(), &EventData(pointer.0)).unwrap_err();
        assert_eq!((refused.kind(), refused.call), (ErrorKind::InvalidValue, "cuIpcOpenEventHandle"));
        let mut other = pointer;
        other.0[63] = 1;
        assert!(theirs.driver.pointer_import(&imported, &other).is_err());
        let of_no_pool = ours.alloc(&a, 64).unwrap();
        assert!(ours.driver.pointer_export(&ours.context, of_no_pool).is_err());
        assert_ne!(ours.driver.pool_of(&ours.context, of_no_pool), Ok(pool.handle));
    }
}

#[test]
fn a_block_that_is_let_go_of_is_no_block_any_more() {
    let bench = Bench::new(NullDriver::new());
    let a = bench.stream("A");
    let x = import(&bench, &a, 64);
    assert_eq!(allocation_bytes(&bench, x), Ok(64));
    bench.free(&a, x).unwrap();
    assert_eq!(allocation_bytes(&bench, x), Err(ErrorKind::NotSupported));
    assert_ne!(import(&bench, &a, 64), x, "addresses are not used again");
}

#[test]
fn devices_have_an_identity_each() {
    let driver: Arc<dyn Driver> = NullDriver::with_devices(2).into();
    let uuid = |ordinal| {
        let bench = Bench::on(driver.clone(), ordinal);
        // SAFETY: a handle of this driver.
        unsafe { bench.driver.device_uuid(&bench.context) }.unwrap()
    };
    assert_ne!(uuid(0), uuid(1));
    assert_eq!(uuid(0), uuid(0));
}
