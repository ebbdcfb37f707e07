//! Each thread's own default stream, and what gets to other threads all the same.

mod common;

use antecede::{
    Buffer, Device, DeviceBrand, Error, Failed, Lease, Loose, On, PerThread, Pinned, Query, Reading, Recorded, Result,
    Scoped, Shared, Stream, Synced, View, devices, kernels, streams,
};
use antecede_sim::Sim;
use antecede_trace::{Call, Counts, Trace, judge};
use common::{Orders, counted, each_call_fails, on_sim, orders};
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::cell::RefCell;
use std::sync::mpsc;
use std::thread;

streams! { Free, A: Blocking }
devices! { Early, Late }
kernels! {
    Math { unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } } }
}

/// The handle of every thread's own stream.
const PER_THREAD: u64 = 2;

assert_not_impl_any!(PerThread: Send, Sync);
assert_not_impl_any!(On<PerThread>: Send, Sync);
assert_not_impl_any!(Stream<PerThread>: Send, Sync);
assert_not_impl_any!(Buffer<u32, On<PerThread>>: Send, Sync);
assert_not_impl_any!(Buffer<u32, On<PerThread>, Pinned>: Send, Sync);
assert_not_impl_any!((Vec<Buffer<u32, On<PerThread>>>, u8): Send, Sync);
assert_not_impl_any!(&View<u32, On<PerThread>>: Send, Sync);
assert_not_impl_any!(&mut View<u32, On<PerThread>>: Send, Sync);
assert_not_impl_any!(Lease<'_, Reading<'_, u32, On<PerThread>>>: Send, Sync);
assert_not_impl_any!(Failed<Buffer<u32, On<PerThread>>>: Send, Sync);
assert_not_impl_any!(Query<u8, Buffer<u32, On<PerThread>>>: Send, Sync);
// What is waited for on another thread, not used there.
assert_impl_all!(Buffer<u32, Loose>: Send, Sync);
assert_impl_all!(Recorded<Buffer<u32>>: Send, Sync);
assert_impl_all!(Shared<Buffer<u32>>: Send, Sync);

/// Runs `f` on another thread.
fn elsewhere<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    thread::scope(|threads| threads.spawn(f).join().unwrap())
}

#[test]
fn each_thread_has_a_stream_of_its_own() {
    on_sim(|device, _, trace| {
        let mark = trace.mark();
        let mine = device.per_thread()?;
        assert_eq!(device.per_thread()?, mine);
        let mut x = mine.upload(&[1u32; 64])?;
        mine.fill(&mut x[..32], 2)?;
        let theirs = elsewhere(|| -> Result<_> {
            let theirs = device.per_thread()?;
            let mut y = theirs.upload(&[3u32; 64])?;
            theirs.fill(&mut y, 4)?;
            Ok((theirs.download(&y)?, theirs.record(y)?))
        })?;
        // The thread has ended, its record is still to be waited for.
        let y = mine.wait(theirs.1)?;
        assert_eq!((theirs.0, mine.download(&y)?), (vec![4; 64], vec![4; 64]));
        assert_eq!(mine.download(&x)?, [[2; 32], [1; 32]].concat());
        let log = trace.log_since(&mark);
        let mut ids: Vec<_> = log.entries().iter().filter_map(|entry| Some(entry.stream?.stream)).collect();
        ids.retain(|stream| stream.handle == PER_THREAD);
        ids.sort_by_key(|stream| stream.id);
        ids.dedup_by_key(|stream| stream.id);
        assert_eq!(ids.len(), 2);
        Ok(())
    });
}

#[test]
fn it_is_a_blocking_stream() {
    on_sim(|device, _, trace| {
        let (mine, legacy, free) = (device.per_thread()?, device.legacy()?, device.stream::<Free>()?);
        let mut x = mine.zeroed::<u32>(64)?;
        mine.fill(&mut x, 1)?;
        let mark = trace.mark();
        let mut x = legacy.take(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 0, waits: 0 });
        legacy.fill(&mut x[..32], 2)?;
        let mut x = mine.take(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 0 });
        mine.fill(&mut x[..16], 3)?;
        let x = free.take(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 2, waits: 1 });
        assert_eq!(free.download(&x)?, [[3; 16], [2; 16], [1; 16], [1; 16]].concat());
        Ok(())
    });
}

/// `On<Legacy>` may go to another thread: then the two threads' streams are ordered by an operation on legacy.
#[test]
fn legacy_carries_buffers_from_thread_to_thread() {
    on_sim(|device, _, _| {
        let (mine, legacy) = (device.per_thread()?, device.legacy()?);
        let mut x = mine.alloc::<u32>(64)?;
        mine.fill(&mut x, 1)?;
        let x = legacy.take(x)?;
        let x = elsewhere(move || -> Result<_> {
            let theirs = device.per_thread()?;
            let mut x = theirs.take(x)?;
            theirs.fill(&mut x[..32], 2)?;
            device.stream::<A>()?.take(x).map_err(Error::from)
        })?;
        assert_eq!(device.stream::<A>()?.download(&x)?, [[2; 32], [1; 32]].concat());
        Ok(())
    });
}

/// On another thread the handle would mean that thread's stream: nothing is submitted, and the buffers come back.
#[test]
fn what_gets_to_another_thread_is_refused_there() {
    on_sim(|device, _, trace| {
        let (mine, free) = (device.per_thread()?, device.stream::<Free>()?);
        let mut x = mine.upload(&[1u32; 64])?;
        mine.fill(&mut x, 2)?;
        let mut pinned = device.pinned::<u32>(64)?.on(mine);
        mine.copy(&x, &mut pinned)?;
        let (left, right) = x.into_parts_at(32);
        let loose = (left.loose(), right.loose(), pinned.loose());
        let loose = elsewhere(move || {
            let theirs = device.per_thread().unwrap();
            let (refused, calls) = counted(trace, || free.take(loose).unwrap_err());
            assert!(matches!(refused.error, Error::WrongThread { stream: "PerThread", .. }));
            assert_eq!(calls, Counts::default());
            let refused = device.legacy().unwrap().take(refused.buffers).unwrap_err();
            assert_eq!(
                refused.error.to_string(),
                "stream `PerThread` belongs to another thread; hand its buffers over there, before they leave"
            );
            let refused = theirs.take(refused.buffers).unwrap_err();
            assert!(matches!(refused.error, Error::WrongThread { .. }));
            let refused = theirs.claim(refused.buffers).unwrap_err();
            assert!(matches!(refused.error, Error::StreamMismatch { .. }));
            let refused = free.any().take(refused.buffers).unwrap_err();
            assert!(matches!(refused.error, Error::WrongThread { .. }));
            refused.buffers
        });
        let (left, right, pinned) = mine.claim(loose)?;
        let (x, pinned) = free.take((left.unsplit(right)?, pinned))?;
        assert_eq!((free.download(&x)?, free.sync(pinned)?.as_slice()), (vec![2; 64], &[2; 64][..]));
        Ok(())
    });
}

/// The whole context is waited for, so it does not matter whose stream it was.
#[test]
fn the_device_syncs_what_is_on_another_threads_stream() {
    on_sim(|device, _, _| {
        let mine = device.per_thread()?;
        let mut x = mine.alloc::<u32>(64)?;
        mine.fill(&mut x, 2)?;
        let x = x.loose();
        elsewhere(move || {
            let x = device.sync(x)?;
            assert_eq!(x.to_vec()?, [2; 64]);
            Ok(())
        })
    });
}

#[test]
fn records_and_shares_are_waited_for_on_another_thread() {
    on_sim(|device, _, trace| {
        let (mine, free) = (device.per_thread()?, device.stream::<Free>()?);
        let filled = |value| -> Result<_> {
            let mut x = mine.alloc::<u32>(64)?;
            mine.fill(&mut x, value)?;
            Ok(x)
        };
        let (recorded, later) = (mine.record(filled(1)?)?, mine.record(filled(2)?)?);
        let shared = mine.share(filled(3)?)?;
        elsewhere(move || -> Result<()> {
            let mark = trace.mark();
            let x = free.wait(recorded)?;
            assert_eq!(orders(trace, &mark), Orders { records: 0, waits: 1 });
            let y = later.synchronize()?;
            let mut z = free.zeroed(64)?;
            free.copy(&free.lease(&shared)?, &mut z)?;
            let mut shared = free.reunite(shared)?;
            free.fill(&mut shared, 0)?;
            assert_eq!((free.download(&x)?, y.to_vec()?, free.download(&z)?), (vec![1; 64], vec![2; 64], vec![3; 64]));
            Ok(())
        })
    });
}

/// Nothing is in flight on it, so the stream does not matter: it is read and freed anywhere.
#[test]
fn what_is_complete_belongs_to_no_thread() {
    on_sim(|device, _, trace| {
        let (mine, free) = (device.per_thread()?, device.stream::<Free>()?);
        let x = mine.sync((mine.upload(&[7u32; 64])?, mine.upload(&[8u32; 64])?))?;
        let (left, right) = mine.sync(mine.upload(&[9u32; 64])?)?.into_parts_at(5);
        elsewhere(move || -> Result<()> {
            assert_eq!(x.0.to_vec()?, [7; 64]);
            let mut used = x.1.on(free);
            free.fill(&mut used, 0)?;
            let mark = trace.mark();
            drop((x.0, left, right));
            assert_eq!(trace.counts_since(&mark), Counts::from([(Call::Free, 2)]));
            Ok(())
        })
    });
}

/// A free there would be on the other thread's stream. Without any driver call: the thread may be at its end.
#[test]
fn what_is_dropped_on_another_thread_is_leaked_and_counted() {
    for seed in 0..20 {
        let sim = Sim::builder().seed(seed).build();
        let trace = Trace::new(sim.clone());
        Device::scope(trace.clone(), 0, |device| {
            let mine = device.per_thread()?;
            let math = device.load::<Math>()?;
            let mut x = mine.zeroed::<u32>(64)?;
            math.double(mine, &mut x)?;
            let (left, right) = mine.zeroed::<u32>(64)?.into_parts_at(32);
            let values = (
                x.loose(),
                device.pinned::<u32>(64)?.on(mine).loose(),
                (left.loose(), right.loose()),
                mine.record(mine.zeroed::<u32>(64)?)?,
                mine.share(mine.zeroed::<u32>(64)?)?,
            );
            let (_, calls) = counted(&trace, || elsewhere(move || drop(values)));
            assert_eq!((calls, device.leaked()), (Counts::default(), 5));
            let live = sim.live();
            assert_eq!((live.allocations, live.pinned_allocations), (4, 1));
            mine.sync(()).map_err(Error::from)
        })
        .unwrap();
        judge(&trace.log()).assert_silent();
    }
}

/// One part elsewhere: whether it is the last or not, nobody knows when the memory is free.
#[test]
fn a_part_that_is_dropped_on_another_thread_leaks_the_whole() {
    for first in [false, true] {
        let sim = Sim::new();
        Device::scope(sim.clone(), 0, |device| {
            let mine = device.per_thread()?;
            let (left, right) = mine.zeroed::<u32>(64)?.into_parts_at(32);
            let left = left.loose();
            if first {
                elsewhere(move || drop(left));
                drop(right);
            } else {
                drop(right);
                elsewhere(move || drop(left));
            }
            assert_eq!((device.leaked(), sim.live().allocations), (1, 1));
            Ok(())
        })
        .unwrap();
    }
}

/// What a thread-local has at the thread's end.
struct AtTheEnd(Option<Box<dyn FnOnce()>>);

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        if let Some(f) = self.0.take() {
            f();
        }
    }
}

thread_local! {
    static AT_THE_END: RefCell<AtTheEnd> = const { RefCell::new(AtTheEnd(None)) };
}

/// Before the library's own thread-local is gone the stream is what it was; afterwards nothing is asked of the driver.
fn at_the_end_of_a_thread<D: DeviceBrand + 'static>(late: bool) -> (Counts, Vec<String>, Device<D>) {
    let trace = Trace::new(Sim::new());
    let device = Device::<D>::bind(trace.clone(), 0).unwrap();
    let (tell, told) = mpsc::channel::<(Counts, String)>();
    thread::scope(|threads| {
        threads.spawn(|| {
            // Destructors run in the opposite order of the first uses.
            if late {
                AT_THE_END.with_borrow_mut(|_| ());
            }
            let mine = device.per_thread().unwrap();
            let mut x = mine.alloc::<u32>(64).unwrap();
            mine.fill(&mut x, 1).unwrap();
            let pinned = device.pinned::<u32>(64).unwrap().on(mine);
            let trace = trace.clone();
            let f = move || {
                let (outcome, calls) = counted(&trace, || {
                    let outcome = (mine.fill(&mut x, 2), device.per_thread().map(drop), mine.record(x).map(drop));
                    drop(pinned);
                    let outcome = (outcome.0, outcome.1, outcome.2.map_err(Error::from));
                    format!("{outcome:?}")
                });
                tell.send((calls, outcome)).unwrap();
            };
            AT_THE_END.with_borrow_mut(|end| end.0 = Some(Box::new(f)));
        });
    });
    let (calls, outcome) = told.recv().unwrap();
    judge(&trace.log()).assert_silent();
    (calls, vec![outcome], device)
}

#[test]
fn early_in_a_threads_end_its_stream_is_still_there() {
    let (calls, outcome, device) = at_the_end_of_a_thread::<Early>(false);
    assert_eq!(outcome, ["(Ok(()), Ok(()), Ok(()))"]);
    assert_eq!((calls.of(Call::Fill), calls.of(Call::EventRecord), calls.of(Call::Free)), (1, 2, 1));
    assert_eq!(device.leaked(), 0);
}

#[test]
fn late_in_a_threads_end_its_stream_is_not_touched() {
    let (calls, outcome, device) = at_the_end_of_a_thread::<Late>(true);
    assert_eq!(outcome, ["(Err(ThreadEnding), Err(ThreadEnding), Err(ThreadEnding))"]);
    assert_eq!(calls, Counts::default());
    assert_eq!(device.leaked(), 2);
}

/// Foreign code captures this thread's stream: what would be submitted to it never runs, and what would be recorded
/// orders nothing, or pulls other streams in.
#[test]
fn a_captured_stream_orders_nothing() {
    on_sim(|device, sim, trace| {
        let (mine, free, a) = (device.per_thread()?, device.stream::<Free>()?, device.stream::<A>()?);
        let legacy = device.legacy()?;
        let x = mine.upload(&[1u32; 64])?;
        let (y, pinned) = (free.upload(&[2u32; 64])?, device.pinned_from(&[3u32; 64])?.on(mine));
        let (shared, synced) = (mine.share(mine.upload(&[4u32; 8])?)?, mine.sync(mine.upload(&[5u32; 8])?)?);
        let recorded = mine.record(mine.upload(&[6u32; 8])?)?;
        let elsewhere = free.record(free.upload(&[7u32; 8])?)?;

        sim.begin_capture(0, PER_THREAD);
        let mark = trace.mark();
        let captured = device.per_thread().unwrap_err();
        assert!(matches!(captured, Error::Capturing { stream: "PerThread", .. }));
        let x = mine.record(x).unwrap_err();
        let x = free.take(x.buffers).unwrap_err();
        let x = legacy.take(x.buffers).unwrap_err();
        let x = a.any().take(x.buffers).unwrap_err();
        let x = mine.sync(x.buffers).unwrap_err();
        let x = mine.share(x.buffers).unwrap_err();
        assert_eq!(x.error, captured);
        let y = mine.take(y).unwrap_err();
        assert_eq!(y.error, captured);
        let elsewhere = mine.wait(elsewhere).unwrap_err();
        assert_eq!(elsewhere.error, captured);
        assert_eq!(mine.alloc::<u32>(8).unwrap_err(), captured);
        assert_eq!(mine.upload(&[0u32; 8]).unwrap_err(), captured);
        assert_eq!(mine.download(&x.buffers).unwrap_err(), captured);
        assert_eq!(synced.to_vec().unwrap_err(), captured);
        let log = trace.log_since(&mark);
        let asked = |call| matches!(call, Call::StreamIsCapturing);
        let mut there =
            log.entries().iter().filter(|entry| entry.stream.is_some_and(|on| on.stream.handle == PER_THREAD));
        assert!(there.all(|entry| asked(entry.call)), "{:?}", trace.counts_since(&mark));
        assert!(!device.is_poisoned());
        // What was recorded and shared before is waited for on streams that are not captured.
        assert_eq!(free.download(&free.wait(recorded)?)?, [6; 8]);
        assert_eq!(free.download(&free.reunite(shared)?)?, [4; 8]);
        sim.end_capture(0, PER_THREAD);

        let (x, pinned) = free.take((x.buffers, pinned))?;
        let (y, z) = (mine.take(y.buffers)?, mine.wait(elsewhere.buffers)?);
        assert_eq!(
            (free.download(&x)?, mine.download(&y)?, mine.download(&z)?),
            (vec![1; 64], vec![2; 64], vec![7; 8])
        );
        assert_eq!((free.sync(pinned)?.as_slice(), synced.to_vec()?), (&[3; 64][..], vec![5; 8]));
        Ok(())
    });
}

/// A free in a capture would be a node of the graph.
#[test]
fn what_is_dropped_in_a_capture_is_leaked_and_counted() {
    let sim = Sim::new();
    let trace = Trace::new(sim.clone());
    Device::scope(trace.clone(), 0, |device| {
        let mine = device.per_thread()?;
        let (x, pinned) = (mine.zeroed::<u32>(8)?, device.pinned::<u32>(8)?.on(mine));
        sim.begin_capture(0, PER_THREAD);
        let (_, calls) = counted(&trace, || drop((x, pinned)));
        assert_eq!((calls.of(Call::Free), calls.of(Call::EventRecord), device.leaked()), (0, 0, 2));
        sim.end_capture(0, PER_THREAD);
        Ok(())
    })
    .unwrap();
}

#[test]
fn failing_calls_on_per_thread_streams_lose_nothing() {
    fn program<'id>(device: Device<Scoped<'id>>) -> Result<()> {
        let (mine, free, legacy) = (device.per_thread()?, device.stream::<Free>()?, device.legacy()?);
        let math = device.load::<Math>()?;
        let mut x = mine.take(free.upload(&[1u32; 8])?)?;
        math.double(mine, &mut x)?;
        let recorded = mine.record(mine.take(legacy.take(x)?)?)?;
        let x: Buffer<u32, On<PerThread, _>> = mine.zeroed(8)?;
        let shared = mine.share(x)?;
        let done = elsewhere(move || -> Result<Buffer<u32, Synced<Scoped<'id>>>> {
            let theirs = device.per_thread()?;
            let mut y = theirs.zeroed(8)?;
            free.copy(&free.lease(&shared)?, &mut free.zeroed(8)?)?;
            let x = theirs.reunite(shared)?;
            theirs.copy(&x, &mut y)?;
            Ok(theirs.sync(y)?)
        })?;
        assert_eq!(done.to_vec()?, [0; 8]);
        free.download(&free.wait(recorded)?)?;
        Ok(())
    }
    each_call_fails(|device, _| program(device));
}
