//! Streams that something else made, and what outlives their adoption.
#![expect(unsafe_code, reason = "that the stream lives is for the caller of `adopt` to promise")]

mod common;

use antecede::driver::{ErrorKind, StreamKind};
use antecede::{Buffer, Device, Error, Lane, Loose, On, Result, Scoped, Stream, kernels, streams};
use antecede_sim::{Call as SimCall, Fault, Sim};
use antecede_trace::{Call, Counts, Trace, judge};
use common::{Orders, counted, each_call_fails, on_sim, orders};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

streams! { Main, A: Blocking }
kernels! {
    Math { unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } } }
}

/// Adopts a new foreign stream of that kind, which is destroyed as soon as the adoption is over.
fn adopted<D, R>(
    device: Device<D>,
    sim: &Sim,
    kind: StreamKind,
    f: impl for<'id> FnOnce(Stream<Lane<'id>, D>) -> Result<R>,
) -> Result<R> {
    let handle = sim.foreign_stream(device.ordinal(), kind);
    let result = adopt(device, handle, f);
    sim.foreign_destroy(handle);
    result
}

fn adopt<D, R>(
    device: Device<D>,
    handle: u64,
    f: impl for<'id> FnOnce(Stream<Lane<'id>, D>) -> Result<R>,
) -> Result<R> {
    // SAFETY: (1) every caller keeps the stream until this has returned. (2, 3) nothing else is done with it, but by the
    // tests of exactly that.
    unsafe { device.adopt(handle, f) }
}

#[test]
fn a_foreign_stream_is_a_stream_of_its_kind() {
    on_sim(|device, sim, trace| {
        let (main, legacy) = (device.stream::<Main>()?, device.legacy()?);
        for (kind, to_legacy, from_legacy) in
            [(StreamKind::NonBlockingStream, (1, 1), (1, 1)), (StreamKind::BlockingStream, (0, 0), (1, 0))]
        {
            let orders = |calls: Counts| (calls.of(Call::EventRecord), calls.of(Call::EventWait));
            let x = adopted(device, sim, kind, |foreign| {
                let mut x = foreign.take(main.upload(&[1u32; 64])?)?;
                foreign.fill(&mut x[..32], 2)?;
                let (x, calls) = counted(trace, || legacy.take(x));
                assert_eq!(orders(calls), to_legacy);
                let mut x = x?;
                legacy.fill(&mut x[..16], 3)?;
                let (x, calls) = counted(trace, || foreign.take(x));
                assert_eq!(orders(calls), from_legacy);
                let mut x = x?;
                foreign.fill(&mut x[..8], 4)?;
                foreign.sync(x).map_err(Error::from)
            })?;
            assert_eq!(x.to_vec()?, [vec![4; 8], vec![3; 8], vec![2; 16], vec![1; 32]].concat());
        }
        Ok(())
    });
}

/// What was ready on the foreign stream is ready on the heir: handed over, freed, read and joined from there.
#[test]
fn what_outlives_an_adoption_is_ordered_by_the_heir() {
    for kind in [StreamKind::NonBlockingStream, StreamKind::BlockingStream] {
        on_sim(|device, sim, trace| {
            let (main, math) = (device.stream::<Main>()?, device.load::<Math>()?);
            let shared_before = main.share(main.upload(&[8u32; 64])?)?;
            let (left, right) = main.upload(&[1u32; 64])?.into_parts_at(32);
            let kept = adopted(device, sim, kind, |foreign| {
                let filled = |value| -> Result<_> {
                    let mut x = foreign.upload(&[value; 64])?;
                    math.double(foreign, &mut x)?;
                    Ok(x)
                };
                let mut left = foreign.take(left)?;
                math.double(foreign, &mut left)?;
                let mut pinned = device.pinned::<u32>(64)?.on(main);
                main.copy(&main.upload(&[0; 64])?, &mut pinned)?;
                let mut pinned = foreign.take(pinned)?;
                foreign.copy(&filled(5)?, &mut pinned)?;
                // A lease on the foreign stream, forgotten, of what was shared elsewhere and of what was shared here.
                let mut copies = (foreign.alloc(64)?, foreign.alloc(64)?);
                let lease = foreign.lease(&shared_before)?;
                foreign.copy(&lease, &mut copies.0)?;
                std::mem::forget(lease);
                let shared = foreign.share(filled(4)?)?;
                let lease = foreign.lease(&shared)?;
                foreign.copy(&lease, &mut copies.1)?;
                std::mem::forget(lease);
                let copies = (copies.0.loose(), copies.1.loose());
                Ok((
                    filled(1)?.loose(),
                    filled(2)?.loose(),
                    foreign.record(filled(3)?)?,
                    shared,
                    left.loose(),
                    pinned.loose(),
                    copies,
                ))
            })?;
            let (taken, dropped, recorded, shared, left, pinned, copies) = kept;
            let mark = trace.mark();
            drop(dropped);
            let taken = main.take(taken)?;
            assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
            let recorded = main.wait(recorded)?;
            let mut shared_before = main.reunite(shared_before)?;
            let mut shared = main.reunite(shared)?;
            main.fill(&mut shared_before, 0)?;
            main.fill(&mut shared, 0)?;
            let mut whole = main.take(left)?.unsplit(right)?;
            let pinned = main.sync(main.take(pinned)?)?;
            let copies = main.take(copies)?;
            math.double(main, &mut whole)?;
            let found = (
                main.download(&taken)?,
                main.download(&recorded)?,
                main.download(&copies.0)?,
                main.download(&copies.1)?,
            );
            assert_eq!(found, (vec![2; 64], vec![6; 64], vec![8; 64], vec![8; 64]));
            assert_eq!((main.download(&whole)?, pinned.to_vec()?), ([[4; 32], [2; 32]].concat(), vec![10; 64]));
            Ok(())
        });
    }
}

/// Each is dropped, and its memory used at once elsewhere.
#[test]
fn what_outlives_an_adoption_is_freed_in_order() {
    fn filled<S, D>(stream: Stream<S, D>, mut x: Buffer<u32, On<S, D>>) -> Result<Buffer<u32, On<S, D>>> {
        stream.fill(&mut x, 3)?;
        Ok(x)
    }
    on_sim(|device, sim, _| {
        let main = device.stream::<Main>()?;
        let (left, right) = main.zeroed::<u32>(64)?.into_parts_at(32);
        let kept = adopted(device, sim, StreamKind::NonBlockingStream, |foreign| {
            let fresh = || filled(foreign, foreign.alloc(64)?);
            let mut pinned = foreign.take(device.pinned::<u32>(64)?)?;
            foreign.copy(&fresh()?, &mut pinned)?;
            let reader = main.share(main.zeroed::<u32>(64)?)?;
            foreign.copy(&foreign.lease(&reader)?, &mut pinned)?;
            let left = filled(foreign, foreign.take(left)?)?.loose();
            let (shared, recorded) = (foreign.share(fresh()?)?, foreign.record(fresh()?)?);
            Ok((fresh()?.loose(), recorded, shared, reader, left, pinned.loose()))
        })?;
        drop(kept);
        drop(right);
        let mut again = (0..6).map(|_| main.alloc::<u32>(64)).collect::<Result<Vec<_>>>()?;
        for x in &mut again {
            main.fill(x, 7)?;
        }
        let mut pinned = device.pinned::<u32>(64)?;
        pinned.as_mut_slice().fill(7);
        device.sync(())?;
        for x in &again {
            assert_eq!(main.download(x)?, [7; 64]);
        }
        assert_eq!(pinned.as_slice(), [7; 64]);
        Ok(())
    });
}

/// The end is on the library's frame: an unwinding orders the same.
#[test]
fn an_adoption_that_ends_by_a_panic() {
    on_sim(|device, sim, _| {
        let (main, handle) = (device.stream::<Main>()?, sim.foreign_stream(0, StreamKind::NonBlockingStream));
        let mut place = main.zeroed::<u32>(64)?.loose();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            adopt(device, handle, |foreign| -> Result<()> {
                let mut x = foreign.take_from(&mut place)?;
                foreign.fill(&mut x, 3)?;
                place = x.loose();
                resume_unwind(Box::new("out"))
            })
        }));
        sim.foreign_destroy(handle);
        assert!(panicked.is_err());
        let mut x = main.take(place)?;
        main.fill(&mut x[..32], 4)?;
        assert_eq!(main.download(&x)?, [[4; 32], [3; 32]].concat());
        Ok(())
    });
}

/// One record and one wait at the end; nothing is asked of the foreign stream after that.
#[test]
fn the_end_of_an_adoption_is_one_event() {
    on_sim(|device, sim, trace| {
        let (main, handle) = (device.stream::<Main>()?, sim.foreign_stream(0, StreamKind::NonBlockingStream));
        let mut last = trace.mark();
        let x = adopt(device, handle, |foreign| {
            let x = foreign.zeroed::<u32>(8)?;
            last = trace.mark();
            Ok(x.loose())
        })?;
        let calls = trace.counts_since(&last);
        assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (1, 1));
        assert_eq!(calls.total(), 2 + calls.of(Call::StreamIsCapturing), "{calls}");
        let mark = trace.mark();
        drop(main.take(x)?);
        let log = trace.log_since(&mark);
        assert!(log.entries().iter().all(|entry| entry.stream.is_none_or(|on| on.stream.handle != handle)));
        sim.foreign_destroy(handle);
        Ok(())
    });
}

/// If the last event fails nobody knows how far the foreign stream is.
#[test]
fn a_failure_at_the_end_poisons_the_device() {
    for (call, late) in [(SimCall::EventRecord, false), (SimCall::EventRecord, true), (SimCall::EventWait, false)] {
        let (sim, mut leaked) = (Sim::new(), 0);
        let trace = Trace::new(sim.clone());
        let outcome = Device::scope(trace.clone(), 0, |device| {
            let main = device.stream::<Main>()?;
            let mut place = main.zeroed::<u32>(8)?.loose();
            let ended = adopted(device, &sim, StreamKind::NonBlockingStream, |foreign| {
                let mut x = foreign.take_from(&mut place)?;
                foreign.fill(&mut x, 1)?;
                place = x.loose();
                let fault = Fault::nth(1).of(call);
                sim.faults().inject(if late { fault.after_submitting() } else { fault });
                Ok(())
            });
            assert!(matches!(ended, Err(Error::Driver(error)) if error.kind() == ErrorKind::Injected));
            assert!(device.is_poisoned());
            let failed = main.take(place).unwrap_err();
            assert!(matches!(failed.error, Error::Poisoned { .. }));
            drop(failed);
            leaked = device.leaked();
            Ok(())
        });
        assert!(matches!(outcome, Err(Error::Poisoned { .. })));
        assert_eq!((leaked, sim.live().allocations, sim.live().contexts), (1, 1, 1));
        judge(&trace.log()).assert_silent();
    }
}

#[test]
fn streams_that_cannot_be_adopted() {
    let sim = Sim::builder().devices(2).build();
    let trace = Trace::new(sim.clone());
    let refused = |result: Result<()>| match result.unwrap_err() {
        Error::Driver(error) => error.kind(),
        error => panic!("{error}"),
    };
    Device::scope(trace.clone(), 0, |device| {
        let try_to = |handle| adopt(device, handle, |_| -> Result<()> { panic!("not adopted") });
        let elsewhere = sim.foreign_stream(1, StreamKind::NonBlockingStream);
        assert_eq!(refused(try_to(elsewhere)), ErrorKind::InvalidContext);
        // Built in, by whatever name: the null stream, legacy, per-thread.
        for handle in [0, 1, 2] {
            let (result, calls) = counted(&trace, || try_to(handle));
            assert_eq!(refused(result), ErrorKind::InvalidHandle);
            assert_eq!(calls.of(Call::StreamAdopt), 0);
        }
        let captured = sim.foreign_stream(0, StreamKind::BlockingStream);
        sim.begin_capture(0, captured);
        try_to(captured).unwrap_err();
        sim.end_capture(0, captured);
        let gone = sim.foreign_stream(0, StreamKind::BlockingStream);
        sim.foreign_destroy(gone);
        assert_eq!(refused(try_to(gone)), ErrorKind::InvalidHandle);
        assert!(!device.is_poisoned());
        Ok(())
    })
    .unwrap();
    assert_eq!(sim.live().events, 0, "those of refused adoptions too");
}

/// Other code breaks its promise, and is found out where it can be.
#[test]
fn an_adopted_stream_that_is_captured_orders_nothing() {
    let sim = Sim::new();
    let trace = Trace::new(sim.clone());
    let outcome = Device::scope(trace.clone(), 0, |device| {
        let (main, handle) = (device.stream::<Main>()?, sim.foreign_stream(0, StreamKind::NonBlockingStream));
        let ended = adopt(device, handle, |foreign| {
            let x = foreign.zeroed::<u32>(8)?;
            sim.begin_capture(0, handle);
            let failed = main.take(x).unwrap_err();
            assert!(matches!(failed.error, Error::Capturing { .. }));
            assert!(matches!(foreign.sync(failed.buffers).unwrap_err().error, Error::Capturing { .. }));
            Ok(())
        });
        assert!(matches!(ended, Err(Error::Capturing { .. })) && device.is_poisoned());
        assert_eq!(device.leaked(), 1);
        Ok(())
    });
    assert!(matches!(outcome, Err(Error::Poisoned { .. })));
    judge(&trace.log()).assert_silent();
}

/// Two names of one stream: to the library two streams, ordered by events that cost a little and say nothing new.
#[test]
fn one_stream_adopted_twice() {
    on_sim(|device, sim, _| {
        let (main, handle) = (device.stream::<Main>()?, sim.foreign_stream(0, StreamKind::BlockingStream));
        let x = adopt(device, handle, |one| {
            let mut x = one.upload(&[1u32; 64])?;
            adopt(device, handle, |two| {
                one.fill(&mut x, 2)?;
                let mut x = two.take(x)?;
                two.fill(&mut x[..32], 3)?;
                let mut x = one.take(x)?;
                one.fill(&mut x[..16], 4)?;
                Ok(two.take(x)?.loose())
            })
        })?;
        let y = adopt(device, handle, |again| Ok(again.take(x)?.loose()))?;
        sim.foreign_destroy(handle);
        // The handle comes back with another stream: what is on the old one is not on it.
        let (x, next) = (y, sim.foreign_stream(0, StreamKind::BlockingStream));
        assert_eq!(next, handle);
        let failed = adopt(device, next, |other| Ok(other.claim(x).unwrap_err().buffers))?;
        sim.foreign_destroy(next);
        let x = main.take(failed)?;
        assert_eq!(main.download(&x)?, [vec![4; 16], vec![3; 16], vec![2; 32]].concat());
        Ok(())
    });
}

/// Other threads use what is on the foreign stream while its adoption ends.
#[test]
fn threads_that_meet_the_end_of_an_adoption() {
    on_sim(|device, sim, _| {
        let (main, a) = (device.stream::<Main>()?, device.stream::<A>()?);
        let (send, receive) = std::sync::mpsc::channel::<Buffer<u32, Loose<_>>>();
        std::thread::scope(|threads| {
            let worker = threads.spawn(move || -> Result<u32> {
                let mut sum = 0;
                for (index, x) in receive.into_iter().enumerate() {
                    if index % 3 == 0 {
                        continue; // dropped
                    }
                    let mut x = a.take(x)?;
                    a.fill(&mut x[..1], 5)?;
                    sum += a.download(&x)?.iter().sum::<u32>();
                }
                Ok(sum)
            });
            for value in 0..12 {
                adopted(device, sim, StreamKind::NonBlockingStream, |foreign| {
                    let mut x = foreign.take(main.zeroed::<u32>(4)?)?;
                    foreign.fill(&mut x, value)?;
                    send.send(x.loose()).unwrap();
                    Ok(())
                })?;
            }
            drop(send);
            let values = (0..12).filter(|value| value % 3 != 0);
            assert_eq!(worker.join().unwrap()?, values.map(|value| 5 + 3 * value).sum());
            Ok(())
        })
    });
}

#[test]
fn failing_calls_around_an_adoption_lose_nothing() {
    fn program<'id>(device: Device<Scoped<'id>>, sim: &Sim) -> Result<()> {
        let (main, math) = (device.stream::<Main>()?, device.load::<Math>()?);
        let (left, right) = main.zeroed::<u32>(8)?.into_parts_at(4);
        let kept = adopted(device, sim, StreamKind::BlockingStream, |foreign| {
            let (mut left, mut x) = (foreign.take(left)?, foreign.zeroed::<u32>(8)?);
            math.double(foreign, &mut left)?;
            math.double(foreign, &mut x)?;
            let shared = foreign.share(x)?;
            let pinned = device.pinned::<u32>(8)?;
            let pinned = foreign.take(pinned)?;
            Ok((left.loose(), shared, foreign.record(foreign.zeroed::<u32>(8)?)?, pinned.loose()))
        })?;
        let whole = main.take(kept.0)?.unsplit(right)?;
        let mut y = main.zeroed(8)?;
        main.copy(&main.lease(&kept.1)?, &mut y)?;
        drop((kept.1, kept.3));
        let x = main.wait(kept.2)?;
        device.sync((whole, x, y)).map(drop)?;
        Ok(())
    }
    each_call_fails(program);
}

/// It is another's to destroy: not even the end of the device's scope does.
#[test]
fn a_foreign_stream_is_never_destroyed() {
    let sim = Sim::new();
    let trace = Trace::new(sim.clone());
    let handle = sim.foreign_stream(0, StreamKind::NonBlockingStream);
    Device::scope(trace.clone(), 0, |device| adopt(device, handle, |foreign| foreign.zeroed::<u32>(8).map(drop)))
        .unwrap();
    let log = trace.log();
    let destroyed = |entry: &&antecede_trace::Entry| entry.call == Call::StreamDestroy;
    assert!(
        log.entries().iter().filter(destroyed).all(|entry| entry.stream.is_some_and(|on| on.stream.handle != handle))
    );
    sim.foreign_destroy(handle);
}
