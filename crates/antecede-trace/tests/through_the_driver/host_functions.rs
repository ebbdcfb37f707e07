//! Host functions of the driver that does nothing: called once, in order, and waited for.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use antecede::driver::{Access, HostFn, Space, StreamKind, StreamRef};
use antecede_trace::{NullDriver, Trace};

use super::bench::Bench;

type Boxed = Box<dyn FnOnce() + Send>;

/// What the library makes of a closure.
fn host_fn(closure: impl FnOnce() + Send + 'static) -> HostFn {
    unsafe extern "C" fn call(data: *mut c_void) {
        // SAFETY: `host_fn` made the pointer from a box, and the driver calls once.
        let closure = unsafe { Box::from_raw(data.cast::<Boxed>()) };
        closure();
    }
    HostFn { call, data: Box::into_raw(Box::new(Box::new(closure) as Boxed)).cast() }
}

fn submit(bench: &Bench, stream: &StreamRef, closure: impl FnOnce() + Send + 'static) {
    // SAFETY: a handle of this driver; the closure may be called once, from any thread.
    unsafe { bench.driver.host_fn(stream, host_fn(closure), &[]) }.unwrap();
}

/// A function that is under way from when the first end says so until the second lets it go.
fn held() -> (impl FnOnce() + Send + 'static, Receiver<()>, Sender<()>) {
    let ((begun, has_begun), (let_go, may_go)) = (channel(), channel());
    let held = move || {
        begun.send(()).expect("the test listens");
        may_go.recv().expect("the test lets go");
    };
    (held, has_begun, let_go)
}

#[test]
fn functions_are_called_once_and_in_order_and_every_sync_waits_for_them() {
    let bench = Bench::new(Trace::new(NullDriver::new()));
    let (a, b) = (bench.stream("A"), bench.stream_of(StreamKind::LegacyStream, "Legacy"));
    let event = bench.event();
    bench.record(&event, &a).unwrap();
    let called = Arc::new(Mutex::new(Vec::new()));
    let syncs: [&dyn Fn(); 3] = [
        &|| bench.sync(&b).unwrap(),
        // SAFETY: a handle of this driver.
        &|| unsafe { bench.driver.event_sync(&event) }.unwrap(),
        // SAFETY: a handle of this driver.
        &|| unsafe { bench.driver.context_sync(&bench.context) }.unwrap(),
    ];
    for (round, sync) in syncs.into_iter().enumerate() {
        for number in 0..50 {
            let called = called.clone();
            let stream = if number % 2 == 0 { &a } else { &b };
            submit(&bench, stream, move || called.lock().unwrap().push(number));
        }
        sync();
        let called: Vec<i32> = std::mem::take(&mut *called.lock().unwrap());
        assert_eq!(called, Vec::from_iter(0..50), "round {round}");
    }
}

#[test]
fn a_submission_returns_at_once_and_a_query_tells_when_the_function_has_returned() {
    let bench = Bench::new(Trace::new(NullDriver::new()));
    let (a, event) = (bench.stream("A"), bench.event());
    let (held, has_begun, let_go) = held();
    submit(&bench, &a, held);
    bench.record(&event, &a).unwrap();
    // SAFETY: handles of this driver.
    let queries = || unsafe { (bench.driver.stream_query(&a), bench.driver.event_query(&event)) };
    has_begun.recv().unwrap();
    assert_eq!(queries(), (Ok(false), Ok(false)), "under way");
    let_go.send(()).unwrap();
    bench.sync(&a).unwrap();
    assert_eq!(queries(), (Ok(true), Ok(true)));
}

#[test]
fn functions_that_are_left_are_called_when_the_driver_is_gone() {
    let bench = Bench::new(NullDriver::new());
    let a = bench.stream("A");
    let (held, has_begun, let_go) = held();
    let (called, was_called) = channel();
    submit(&bench, &a, held);
    submit(&bench, &a, move || called.send(()).unwrap());
    has_begun.recv().unwrap();
    drop(bench);
    let_go.send(()).unwrap();
    assert_eq!(was_called.recv(), Ok(()));
}

#[test]
fn host_memory_freed_behind_a_function_lives_until_it_has_returned() {
    let bench = Bench::new(NullDriver::new());
    let (a, pool) = (bench.stream("A"), bench.pool(Space::PinnedMemory));
    let x = bench.pool_alloc(&a, &pool, 4).unwrap();
    let (held, has_begun, let_go) = held();
    let seen = Arc::new(AtomicU32::new(0));
    let sees = seen.clone();
    submit(&bench, &a, move || {
        held();
        let word = std::ptr::with_exposed_provenance_mut::<u32>(x.0 as usize);
        // SAFETY: four bytes of the pool's memory, aligned, whose free is behind this function.
        unsafe {
            word.write(7);
            sees.store(word.read(), Ordering::Relaxed);
        }
    });
    has_begun.recv().unwrap();
    bench.free(&a, x).unwrap();
    let others: Vec<_> = (0..64).map(|_| bench.pool_alloc(&a, &pool, 4).unwrap()).collect();
    assert!(!others.contains(&x), "given away before the free has taken effect");
    let_go.send(()).unwrap();
    bench.sync(&a).unwrap();
    assert_eq!(seen.load(Ordering::Relaxed), 7);
    for other in others {
        bench.free(&a, other).unwrap();
    }
}

#[test]
fn an_access_of_no_bytes_is_none() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let a = bench.stream("A");
    let managed = bench.managed_alloc(8).unwrap();
    let mark = trace.mark();
    let accesses = [(0, true), (8, false)].map(|(bytes, write)| Access { ptr: managed, bytes, write });
    bench.host_fn(&a, &accesses).unwrap();
    assert_eq!(trace.log_since(&mark).entries()[0].accesses, accesses[1..]);
    bench.sync(&a).unwrap();
    bench.managed_free(managed).unwrap();
}
