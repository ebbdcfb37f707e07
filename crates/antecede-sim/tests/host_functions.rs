//! Host functions: when they are called, by whom, and what becomes of them when something fails.

mod common;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use antecede::driver::{Access, DriverResult, ErrorKind, StreamKind};
use antecede_sim::{Call, Fault, Order, Sim};
use common::kernels::{MODULE, PANIC};
use common::{Param, Rig};

fn fails<T: std::fmt::Debug>(result: DriverResult<T>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

/// A function that counts its calls, and the count.
fn counting() -> (Arc<AtomicU32>, impl FnOnce() + Send + 'static) {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    (calls, move || {
        counted.fetch_add(1, Ordering::SeqCst);
    })
}

#[test]
fn a_host_function_is_called_once_in_stream_order() {
    for order in [Order::Adversarial, Order::Random] {
        for seed in 0..200 {
            let rig = Rig::ordered(seed, order);
            let (a, b, x) = (rig.stream(), rig.stream(), rig.pinned(4).unwrap());
            let seen = Arc::new(Mutex::new(Vec::new()));
            rig.fill(&a, x, 1, 4).unwrap();
            let (sim, into) = (rig.sim.clone(), seen.clone());
            let look = move || into.lock().unwrap().push(Rig::bytes_of(&sim, x, 4));
            rig.call(&a, &[Access { ptr: x, bytes: 4, write: false }], look).unwrap();
            rig.fill(&a, x, 2, 4).unwrap();
            rig.hand_over(&a, &b);
            assert!(seen.lock().unwrap().is_empty(), "nobody has asked for it");
            rig.sync(&b).unwrap();
            rig.sync_all().unwrap();
            assert_eq!(*seen.lock().unwrap(), [[1; 4]], "{order:?}, seed {seed}");
            assert_eq!(rig.bytes(x, 4), [2; 4]);
        }
    }
}

#[test]
fn it_is_called_on_a_thread_of_the_drivers_and_no_lock_is_held() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let (tell, told) = mpsc::channel();
    let sim = rig.sim.clone();
    rig.call(&stream, &[], move || {
        // The counts take the lock of the simulator.
        let calls = sim.calls().of(Call::HostFn);
        tell.send((thread::current().id(), calls)).unwrap();
    })
    .unwrap();
    rig.sync(&stream).unwrap();
    let (thread, calls) = told.try_recv().unwrap();
    assert_ne!(thread, thread::current().id());
    assert_eq!(calls, 1);
}

#[test]
fn others_submit_while_a_host_function_runs() {
    let rig = Rig::seeded(0);
    let (busy, free, x) = (rig.stream(), rig.stream(), rig.pinned(1).unwrap());
    let ((start, started), (end, ended)) = (mpsc::channel(), mpsc::channel());
    rig.call(&busy, &[], move || {
        start.send(()).unwrap();
        ended.recv().unwrap();
    })
    .unwrap();
    thread::scope(|scope| {
        let waiter = scope.spawn(|| rig.sync(&busy));
        started.recv().unwrap();
        rig.fill(&free, x, 1, 1).unwrap();
        rig.wait(&busy, &rig.recorded(&free)).unwrap();
        assert_eq!(rig.query(&busy), Ok(false));
        end.send(()).unwrap();
        waiter.join().unwrap().unwrap();
    });
}

#[test]
fn a_driver_call_from_a_host_function_is_refused() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let (tell, told) = mpsc::channel();
    let (sim, context) = (rig.sim.clone(), rig.context);
    rig.call(&stream, &[], move || {
        let inner = Rig { sim, context };
        tell.send([inner.sync_all(), inner.free_pinned(antecede::driver::DevicePtr(256))]).unwrap();
    })
    .unwrap();
    rig.sync(&stream).unwrap();
    told.try_recv().unwrap().into_iter().for_each(|result| fails(result, ErrorKind::NotSupported));
    rig.sync_all().unwrap();
}

#[test]
fn a_fault_may_strike_before_or_after_the_submission() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let (before, function) = counting();
    rig.sim.faults().inject(Fault::nth(1).of(Call::HostFn));
    fails(rig.call(&stream, &[], function), ErrorKind::Injected);
    let (after, function) = counting();
    rig.sim.faults().inject(Fault::nth(1).of(Call::HostFn).after_submitting());
    fails(rig.call(&stream, &[], function), ErrorKind::Injected);
    rig.sync(&stream).unwrap();
    assert_eq!((before.load(Ordering::SeqCst), after.load(Ordering::SeqCst)), (0, 1));
    assert_eq!(rig.sim.calls().of(Call::HostFn), 2);
}

#[test]
fn no_host_function_is_called_in_a_failed_context() {
    let rig = Rig::seeded(0);
    let (stream, module, x) = (rig.stream(), rig.load(&MODULE), rig.pinned(4).unwrap());
    let (calls, function) = counting();
    rig.launch(&stream, &module, PANIC, &[Param::Write(x, 4)]).unwrap();
    rig.call(&stream, &[], function).unwrap();
    fails(rig.sync(&stream), ErrorKind::LaunchFailed);
    assert_eq!((calls.load(Ordering::SeqCst), rig.sim.live().pending), (0, 0));
}

#[test]
fn it_touches_host_memory_alone() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let (device, pinned, managed) = (rig.alloc(&stream, 8).unwrap(), rig.pinned(8).unwrap(), rig.managed(8).unwrap());
    let access = |ptr, bytes| [Access { ptr, bytes, write: true }];
    let pending = rig.sim.live().pending;
    fails(rig.call(&stream, &access(device, 8), || {}), ErrorKind::InvalidValue);
    fails(rig.call(&stream, &access(pinned, 9), || {}), ErrorKind::InvalidValue);
    assert_eq!(rig.sim.live().pending, pending);
    rig.call(&stream, &access(managed, 8), || {}).unwrap();
    rig.call(&stream, &access(antecede::driver::DevicePtr::NULL, 0), || {}).unwrap();
    rig.sync(&stream).unwrap();
}

#[test]
fn eager_order_calls_it_at_once() {
    let rig = Rig::of(Sim::builder().mode(Order::Eager));
    let (calls, function) = counting();
    rig.call(&rig.stream_of(StreamKind::LegacyStream), &[], function).unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}
