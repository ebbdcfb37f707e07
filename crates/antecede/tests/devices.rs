//! Several devices, told apart by types and at run time.

mod common;

use antecede::driver::ErrorKind;
use antecede::{AnyStream, Buffer, Device, Error, Loose, Result, Several, devices, kernels, lane, streams};
use antecede_sim::{Call as SimCall, Fault, Sim};
use antecede_trace::{Call, Counts, Trace, judge};
use common::{Orders, counted, each_call_fails_on_devices, on_devices, orders};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

streams! { Main, Other }
devices! { Left, Right, Again, Fresh }
kernels! {
    Math {
        unsafe fn add(x: &[u32], y: &mut [u32]) where [x.len() == y.len()] {
            for (y, x) in y.iter_mut().zip(x) { *y += *x }
        }
        unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } }
    }
}

/// A stream of each device.
fn streams_of<'id>(devices: &[Device<Several<'id>>]) -> Result<Vec<AnyStream<Several<'id>>>> {
    devices.iter().map(|device| device.any_stream()).collect()
}

fn mismatch(error: &Error, asked: u32, of: u32) {
    let right = matches!(error, Error::DeviceMismatch { expected, found, .. } if (*expected, *found) == (asked, of));
    assert!(right, "{error}");
}

#[test]
fn a_brand_is_one_device_for_the_life_of_the_process() {
    let sim = Sim::builder().devices(2).build();
    let (left, right) = (Device::<Left>::bind(sim.clone(), 0).unwrap(), Device::<Right>::bind(sim.clone(), 1).unwrap());
    assert_eq!((left.ordinal(), right.ordinal()), (0, 1));
    let again = Device::<Left>::bind(sim.clone(), 0).unwrap();
    assert_eq!(left.stream::<Main>().unwrap(), again.stream::<Main>().unwrap());
    assert_eq!(left.legacy().unwrap(), again.legacy().unwrap());

    let bound = |result: Result<Device<Left>>| match result.unwrap_err() {
        error @ Error::DeviceBound { .. } => error.to_string(),
        error => panic!("{error}"),
    };
    let text = "this device brand is bound to device 0 of driver `sim` for the life of the process; ";
    assert_eq!(bound(Device::bind(sim.clone(), 1)), format!("{text}device 1 of driver `sim` was asked for"));
    assert_eq!(bound(Device::bind(Sim::new(), 0)), format!("{text}device 0 of driver `sim` was asked for"));

    // Two brands of one device: two sets of streams, one context.
    let third = Device::<Again>::bind(sim.clone(), 0).unwrap();
    let (main, other) = (left.stream::<Main>().unwrap(), third.stream::<Main>().unwrap());
    let x = main.upload(&[1u32; 8]).unwrap();
    let mut y = other.zeroed::<u32>(8).unwrap();
    other.copy_across(main, &x, &mut y).unwrap();
    assert_eq!(other.download(&y).unwrap(), [1; 8]);
}

#[test]
fn a_brand_that_could_not_be_bound_is_bound_to_nothing() {
    let sim = Sim::new();
    assert!(matches!(Device::<Fresh>::bind(sim.clone(), 3), Err(Error::NoSuchDevice { ordinal: 3, count: 1, .. })));
    sim.faults().inject(Fault::nth(1).of(SimCall::ContextOpen));
    assert!(matches!(Device::<Fresh>::bind(sim, 0), Err(Error::Driver(_))));
    assert!(Device::<Fresh>::bind(Sim::builder().devices(2).build(), 1).is_ok());
}

#[test]
fn devices_that_reach_each_other_hand_over_by_event() {
    on_devices(3, true, |devices, _, trace| {
        let streams = streams_of(devices)?;
        lane!(a = streams[0]);
        lane!(b = streams[1]);
        lane!(c = streams[2]);
        let (on_a, on_b) = (devices[0].load::<Math>()?, devices[1].load::<Math>()?);
        let mut x = a.upload(&[1u32; 64])?;
        on_a.double(a, &mut x)?;
        let mark = trace.mark();
        let mut x = b.take(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        on_b.double(b, &mut x)?;
        let recorded = b.record(x)?;
        let mut x = c.wait(recorded)?;
        assert_eq!(orders(trace, &mark), Orders { records: 2, waits: 2 });
        c.fill(&mut x[..32], 9)?;
        // Readers on all three.
        let (x, mut ys) = (c.share(x)?, (a.zeroed(64)?, b.zeroed(64)?));
        on_a.add(a, &a.lease(&x)?, &mut ys.0)?;
        on_b.add(b, &b.lease(&x)?, &mut ys.1)?;
        let mark = trace.mark();
        let mut x = a.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        a.fill(&mut x, 0)?;
        let expected = [[9; 32], [4; 32]].concat();
        assert_eq!((a.download(&ys.0)?, b.download(&ys.1)?), (expected.clone(), expected));
        // Freed by a stream of another device than the memory's.
        drop((c.take(x)?, b.take(ys.0)?, a.take(ys.1)?));
        let mut again = a.alloc::<u32>(64)?;
        a.fill(&mut again, 1)?;
        assert_eq!(a.download(&again)?, [1; 64]);
        Ok(())
    });
}

/// By every way there is from one stream to another, whatever state the buffer is in: nothing is submitted.
#[test]
fn devices_that_do_not_reach_each_other_refuse() {
    on_devices(3, false, |devices, _, trace| {
        let streams = streams_of(devices)?;
        lane!(a = streams[0]);
        lane!(b = streams[1]);
        let (x, y) = (a.upload(&[1u32; 8])?, a.sync(a.upload(&[2u32; 8])?)?);
        let (mut pinned, mine) = (devices[0].pinned::<u32>(8)?, b.zeroed::<u32>(8)?);
        pinned.as_mut_slice().fill(3);
        let mark = trace.mark();
        let failed = b.take((mine, x)).unwrap_err();
        mismatch(&failed.error, 1, 0);
        assert!(failed.error.to_string().starts_with("this is on device 0; device 1 was asked"), "{}", failed.error);
        let (mine, x) = failed.buffers;
        // With nothing in flight, too: it is the memory that is out of reach.
        let failed = b.take((y, mine, pinned)).unwrap_err();
        mismatch(&failed.error, 1, 0);
        let (y, mine, pinned) = failed.buffers;
        let failed = b.claim((mine, y)).unwrap_err();
        mismatch(&failed.error, 1, 0);
        let (mine, y) = failed.buffers;
        let failed = streams[1].take(y).unwrap_err();
        mismatch(&failed.error, 1, 0);
        let failed = streams[1].take(failed.buffers.loose()).unwrap_err();
        mismatch(&failed.error, 1, 0);
        let y = failed.buffers;
        assert_eq!(trace.counts_since(&mark), Counts::default());
        let failed = b.wait(a.record(x)?).unwrap_err();
        mismatch(&failed.error, 1, 0);
        let shared = a.share(a.wait(failed.buffers)?)?;
        mismatch(&b.lease(&shared).unwrap_err(), 1, 0);
        let failed = b.reunite(shared).unwrap_err();
        mismatch(&failed.error, 1, 0);
        assert_eq!(orders(trace, &mark), Orders { records: 2, waits: 0 });
        // All came back as they were.
        let (x, y, pinned) = (a.reunite(failed.buffers)?, a.take(y)?, a.take(pinned)?);
        assert_eq!((a.download(&x)?, a.download(&y)?, b.download(&mine)?), (vec![1; 8], vec![2; 8], vec![0; 8]));
        assert_eq!(a.sync(pinned)?.as_slice(), [3; 8]);
        Ok(())
    });
}

#[test]
fn a_module_stays_on_its_device() {
    on_devices(2, true, |devices, _, trace| {
        let streams = streams_of(devices)?;
        let math = devices[0].load::<Math>()?;
        lane!(b = streams[1]);
        let mut x = b.zeroed::<u32>(8)?;
        let (refused, calls) = counted(trace, || math.double(b, &mut x));
        mismatch(&refused.unwrap_err(), 1, 0);
        assert_eq!(calls, Counts::default());
        devices[1].load::<Math>()?.double(b, &mut x)
    });
}

/// A sync of one device says nothing of another's work: the only way is to ask the right one.
#[test]
fn a_device_is_synced_with_its_own_buffers() {
    on_devices(2, true, |devices, _, trace| {
        let streams = streams_of(devices)?;
        let filled = |index: usize, value| {
            streams[index].with(|s| -> Result<_> {
                let mut x = s.alloc::<u32>(64)?;
                s.fill(&mut x, value)?;
                Ok(x.loose())
            })
        };
        let (x, y) = (filled(0, 1)?, filled(1, 2)?);
        let (failed, calls) = counted(trace, || devices[0].sync((x, y)).unwrap_err());
        mismatch(&failed.error, 0, 1);
        assert_eq!(calls, Counts::default());
        let (x, y) = failed.buffers;
        let (x, calls) = counted(trace, || devices[0].sync(x));
        assert_eq!(calls, Counts::from([(Call::ContextSync, 1)]));
        // The free is queued on device 1, and that is what is synced.
        drop(devices[1].sync(y)?);
        devices[1].sync(())?;
        assert_eq!(x?.to_vec()?, [1; 64]);
        // Once handed over, it is the other device's.
        let z = streams[1].take(filled(0, 3)?)?;
        let z = devices[0].sync(z).unwrap_err().buffers;
        assert_eq!(devices[1].sync(z)?.to_vec()?, [3; 64]);
        Ok(())
    });
}

/// A part is found again on whatever device it is.
#[test]
fn parts_of_one_allocation_on_several_devices() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        on_devices(3, true, |devices, sim, trace| {
            let streams = streams_of(devices)?;
            lane!(a = streams[0]);
            lane!(b = streams[1]);
            let other = b.zeroed::<u32>(90)?.into_parts(2); // parts on that device too
            let (x, rest) = a.zeroed::<u32>(96)?.into_parts_at(32);
            let parts = rest.into_parts(2).into_iter().zip(&streams[1..]).map(|(part, s)| {
                s.with(|s| -> Result<_> {
                    let (left, right) = s.take(part)?.into_parts_at(7);
                    let mut part = left.unsplit(right)?;
                    s.fill(&mut part, 5)?;
                    Ok(part.loose())
                })
            });
            let mut parts: Vec<_> = parts.map(|part| part.map(Some)).collect::<Result<_>>()?;
            parts.push(Some(x.loose()));
            let mark = trace.mark();
            for index in order {
                assert_eq!(trace.counts_since(&mark).of(Call::Free), 0);
                drop(parts[index].take());
            }
            assert_eq!(trace.counts_since(&mark).of(Call::Free), 1);
            assert_eq!(orders(trace, &mark), Orders { records: 2, waits: 2 });
            assert_eq!(sim.live().allocations, 1);
            drop(other);
            let mut again = a.alloc::<u32>(96)?;
            a.fill(&mut again, 1)?;
            assert_eq!(a.download(&again)?, [1; 96]);
            Ok(())
        });
    }
}

#[test]
fn parts_come_together_on_another_device() {
    on_devices(2, true, |devices, _, _| {
        let streams = streams_of(devices)?;
        lane!(a = streams[0]);
        lane!(b = streams[1]);
        let (left, right) = a.upload(&[1u32, 2, 3, 4])?.into_parts_at(2);
        // With the host, one from either device.
        let (left, right) = (a.sync(left)?, b.sync(b.take(right)?)?);
        let whole = b.take(left.unsplit(right)?)?;
        assert_eq!(b.download(&whole)?, [1, 2, 3, 4]);
        Ok(())
    });
}

/// Pinned memory goes back to the cache of the device that it was on last, and is freed before any context is closed.
#[test]
fn pinned_memory_on_several_devices() {
    on_devices(2, true, |devices, _, trace| {
        let streams = streams_of(devices)?;
        lane!(a = streams[0]);
        lane!(b = streams[1]);
        let mut x = devices[0].pinned_from(&[1u32; 64])?;
        x.as_mut_slice()[0] = 2;
        let (x, mut y) = (b.take(x)?, b.alloc(64)?);
        b.copy(&x, &mut y)?;
        let (_, calls) = counted(trace, || drop(x));
        assert_eq!(calls.of(Call::EventRecord), 1);
        devices[0].pinned::<u32>(64)?.as_mut_slice().fill(9);
        devices[1].pinned::<u32>(64)?.as_mut_slice().fill(9);
        let mut z = a.take(devices[1].pinned_from(&[5u32; 64])?)?;
        a.copy(&a.take(y)?, &mut z)?;
        assert_eq!(a.sync(z)?.as_slice()[..3], [2, 1, 1]);
        Ok(())
    });
}

/// One device's failed wait leaves work in flight that may be on another's memory.
#[test]
fn poison_is_shared() {
    let sim = Sim::builder().devices(2).build();
    let trace = Trace::new(sim.clone());
    let outcome = Device::scope_all(trace.clone(), |devices| {
        let streams = streams_of(&devices)?;
        lane!(a = streams[0]);
        lane!(b = streams[1]);
        let x = b.sync(b.take(a.upload(&[1u32; 64])?)?)?;
        sim.faults().inject(Fault::every().of(SimCall::StreamSync));
        x.to_vec().unwrap_err();
        sim.faults().clear();
        // Complete, says its type; the read that nobody could wait for is still on device 1.
        let failed = a.take(x).map(|mut x| a.fill(&mut x, 0));
        assert!(failed.is_ok_and(|filled| matches!(filled, Err(Error::Poisoned { ordinal: 0, .. }))));
        Ok(())
    });
    assert!(matches!(outcome, Err(Error::Poisoned { .. })));
    assert_eq!(sim.live().contexts, 2, "nothing is closed");
    judge(&trace.log()).assert_silent();
}

/// A device may be working on another's memory: all are drained before anything of any is destroyed, however it ends.
#[test]
fn all_devices_are_drained_before_one_is_closed() {
    let ends: [fn() -> Result<()>; 3] =
        [|| Ok(()), || Err(Device::<Again>::bind(Sim::new(), 9).unwrap_err()), || resume_unwind(Box::new("out"))];
    for (end, fails) in ends.into_iter().flat_map(|end| [(end, None), (end, Some(1)), (end, Some(2)), (end, Some(3))]) {
        let sim = Sim::builder().devices(3).build();
        let trace = Trace::new(sim.clone());
        let closed = catch_unwind(AssertUnwindSafe(|| {
            Device::scope_all(trace.clone(), |devices| {
                let streams = streams_of(&devices)?;
                lane!(a = streams[0]);
                lane!(c = streams[2]);
                let mut x = c.take(a.zeroed::<u32>(64)?)?;
                devices[2].load::<Math>()?.double(c, &mut x)?;
                drop((devices[0].pinned::<u32>(8)?, x));
                if let Some(nth) = fails {
                    sim.faults().inject(Fault::nth(nth).of(SimCall::ContextSync));
                }
                end()
            })
        }));
        let log = trace.log();
        let place = |call| log.entries().iter().position(|entry| entry.call == call);
        let last = log.entries().iter().rposition(|entry| entry.call == Call::ContextSync).unwrap();
        for call in [Call::ContextClose, Call::StreamDestroy, Call::EventDestroy, Call::PinnedFree, Call::ModuleUnload]
        {
            match fails {
                None => assert!(place(call).is_some_and(|first| first > last), "{call}"),
                Some(_) => assert_eq!(place(call), None, "leaked"),
            }
        }
        match fails {
            None => common::assert_nothing_is_left(&sim),
            Some(_) => assert!(!matches!(closed, Ok(Ok(())))),
        }
    }
}

/// A part that was forgotten keeps the ends of the others': they are given back with the scope.
#[test]
fn a_forgotten_part_leaves_no_event() {
    let sim = Sim::new();
    Device::scope(sim.clone(), 0, |device| {
        let (main, other) = device.streams::<(Main, Other)>()?;
        let mut parts = main.zeroed::<u32>(64)?.into_parts(8).into_iter();
        std::mem::forget(parts.next());
        for part in parts {
            drop(other.take(part)?);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!((sim.live().events, sim.live().allocations), (0, 1));
}

#[test]
fn a_failed_scope_of_several_devices_closes_what_it_opened() {
    for nth in 1..20 {
        let sim = Sim::builder().devices(3).build();
        sim.faults().inject(Fault::nth(nth));
        let ran = Device::scope_all(sim.clone(), |_| Ok(()));
        if sim.faults().struck() == 0 {
            assert!(ran.is_ok() && nth > 15, "{nth}");
            return;
        }
        assert!(matches!(ran, Err(Error::Driver(error)) if error.kind() == ErrorKind::Injected), "{nth}");
    }
}

/// No device at all is no error of the library's.
#[test]
fn a_scope_of_no_device() {
    let sim = Sim::builder().devices(0).build();
    assert_eq!(Device::scope_all(sim, |devices| Ok(devices.len())), Ok(0));
}

#[test]
fn failing_calls_between_devices_lose_nothing() {
    fn program<'id>(devices: &[Device<Several<'id>>]) -> Result<()> {
        let streams = streams_of(devices)?;
        let math = devices.iter().map(|device| device.load::<Math>()).collect::<Result<Vec<_>>>()?;
        let mut place: Buffer<u32, Loose<Several<'id>>> = streams[0].with(|s| s.zeroed(8).map(|x| x.loose()))?;
        let one = streams[1].with(|s| s.share(s.upload(&[1u32; 8])?).map_err(Error::from))?;
        for (&stream, math) in streams.iter().zip(&math) {
            lane!(lane = stream);
            let mut x = lane.take_from(&mut place)?;
            math.add(lane, &lane.lease(&one)?, &mut x)?;
            place = x.loose();
        }
        drop(one);
        let (left, right) = place.into_parts_at(3);
        let (left, right) = (streams[0].take(left)?, streams[1].take(right)?);
        drop(left);
        lane!(last = streams[2]);
        let pinned = last.take(devices[0].pinned::<u32>(5)?)?;
        let recorded = last.record((last.take(right)?, pinned))?;
        let (right, _pinned) = recorded.synchronize()?;
        assert_eq!(right.to_vec()?, [3; 5]);
        Ok(())
    }
    each_call_fails_on_devices(|devices, _| program(devices));
}
