//! Managed memory, and the cache of memory whose free is not stream-ordered.

mod common;

use antecede::{
    Buffer, Device, DeviceBrand, Error, HostVisible, Managed, On, Result, Stream, Synced, kernels, streams,
};
use antecede_sim::{Fault, Sim};
use antecede_trace::{Call, Trace, judge};
use common::{Orders, on_sim, orders};
use std::sync::atomic::{AtomicUsize, Ordering};

streams! { Main, Side }
kernels! {
    Math { unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } } }
}

#[test]
fn managed_memory_is_used_in_place_by_host_and_device() {
    on_sim(|device, _, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        let mark = trace.mark();
        let x = device.managed_from(&[1u32, 2, 3])?;
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::ManagedAlloc), counts.of(Call::Attribute), counts.of(Call::HostWrite)), (1, 1, 1));

        let mut x = x.on(main);
        math.double(main, &mut x)?;
        let mut y = main.zeroed::<u32>(3)?;
        main.copy(&x, &mut y)?;
        main.fill(&mut x[..1], 9)?;
        let x = side.take(x)?;
        let mut x = side.sync(x)?;
        let mark = trace.mark();
        assert_eq!((x.as_slice(), x.to_vec()?), (&[9, 4, 6][..], vec![9, 4, 6]));
        x.as_mut_slice()[1] = 7;
        let counts = trace.counts_since(&mark);
        assert_eq!(
            (counts.total(), counts.of(Call::HostRead), counts.of(Call::HostWrite)),
            (0, 2, 1),
            "no driver call"
        );
        assert_eq!(side.download(&x.on(side))?, [9, 7, 6]);
        assert_eq!(main.download(&y)?, [2, 4, 6]);

        let mark = trace.mark();
        let none = device.managed::<u32>(0)?;
        assert_eq!((none.as_slice().len(), trace.counts_since(&mark).total()), (0, 0));
        Ok(())
    });
}

#[test]
fn where_the_host_may_not_touch_it_there_is_none() {
    let sim = Sim::builder().concurrent_managed_access(false).build();
    let outcome = Device::scope(sim.clone(), 0, |device| {
        assert!(matches!(device.pool::<Managed>(), Err(Error::NotSupported { .. })));
        assert!(matches!(device.managed::<u8>(0), Err(Error::NotSupported { .. })));
        device.managed_from(&[1u32]).map(drop)
    });
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "device 0 has no concurrent access to managed memory, so a host slice would fault while the device works: use \
         `device.pinned(len)?`, or device memory with `upload` and `download`"
    );
    assert_eq!(sim.calls().of(antecede_sim::Call::ManagedAlloc), 0);
}

/// A block is used again once the work on it is over, and not before: the judge would see the host's write.
#[test]
fn a_cached_block_is_used_again_when_it_is_idle() {
    let (busy, idle) = (AtomicUsize::new(0), AtomicUsize::new(0));
    on_sim(|device, _, trace| {
        let main = device.stream::<Main>()?;
        let math = device.load::<Math>()?;
        let mut x = device.managed_from(&[3u32; 64])?.on(main);
        math.double(main, &mut x)?;
        let mark = trace.mark();
        drop(x);
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 0 });
        let again = device.managed_from(&[0u32; 60])?; // of the same size class
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::ManagedFree), counts.of(Call::EventQuery)), (0, 1));
        if counts.of(Call::ManagedAlloc) == 0 { &idle } else { &busy }.fetch_add(1, Ordering::Relaxed);
        main.sync(())?;
        assert_eq!(again.as_slice(), [0; 60], "the kernel has not written here since");
        drop(again);
        let mark = trace.mark();
        drop(device.managed::<u32>(64)?);
        let counts = trace.counts_since(&mark);
        assert_eq!(counts.of(Call::ManagedAlloc), 0, "idle since it came back, or since the wait");
        Ok(())
    });
    assert!(busy.into_inner() > 0 && idle.into_inner() > 0, "both are seen");
}

#[test]
fn pinned_and_managed_blocks_are_kept_apart() {
    on_sim(|device, sim, trace| {
        drop((device.pinned::<u32>(100)?, device.managed::<u32>(100)?));
        let mark = trace.mark();
        let kept = (device.managed::<u32>(100)?, device.pinned::<u32>(100)?);
        assert_eq!(trace.counts_since(&mark).total(), 0, "each finds its own");
        let more = device.managed::<u32>(100)?;
        assert_eq!(trace.counts_since(&mark).of(Call::ManagedAlloc), 1, "a pinned block is none");
        drop((kept, more));
        assert_eq!((sim.live().pinned_allocations, sim.live().managed_allocations), (1, 2));
        Ok(())
    });
}

#[test]
fn parts_of_managed_memory_come_back_as_one_block() {
    on_sim(|device, _, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        let (left, right) = device.managed_from(&[1u32, 2, 3, 4])?.into_parts_at(2);
        let mut left = left.on(main);
        math.double(main, &mut left)?;
        // The host goes on with one part while the device works on the other.
        assert_eq!(right.as_slice(), [3, 4]);
        let mut right = right.on(side);
        math.double(side, &mut right)?;
        drop((left, right));
        let x = device.managed_from(&[0u32; 4])?;
        main.sync(())?;
        side.sync(())?;
        drop(x);
        let mark = trace.mark();
        drop(device.managed::<u32>(4)?);
        assert_eq!(trace.counts_since(&mark).of(Call::ManagedAlloc), 0);
        Ok(())
    });
}

#[test]
fn synced_host_memory_is_a_slice_to_generic_code() {
    fn sum(x: impl AsRef<[u32]>) -> u32 {
        x.as_ref().iter().sum()
    }
    fn clear(mut x: impl AsMut<[u32]>) {
        x.as_mut().fill(0);
    }
    fn both<D: DeviceBrand, M: HostVisible>(mut x: Buffer<u32, Synced<D>, M>) {
        assert_eq!(sum(&x), 3);
        clear(&mut x);
        assert_eq!(sum(x), 0);
    }
    on_sim(|device, _, _| {
        both(device.managed_from(&[1, 2])?);
        both(device.pinned_from(&[1, 2])?);
        Ok(())
    });
}

/// On a poisoned device nothing is freed or kept for others.
#[test]
fn a_poisoned_device_leaks_what_is_dropped() {
    let sim = Sim::new();
    let outcome = Device::scope(sim.clone(), 0, |device| {
        let main = device.stream::<Main>()?;
        let (mut x, managed) = (main.zeroed::<u32>(1)?, device.managed::<u32>(1)?);
        sim.faults().inject(Fault::nth(1).of(antecede_sim::Call::StreamSync));
        main.download(&x).unwrap_err();
        assert_eq!(device.leaked(), 1, "the staging memory");
        assert!(matches!(main.fill(&mut x, 1), Err(Error::Poisoned { .. })));
        drop(x);
        drop(managed);
        assert_eq!((device.leaked(), sim.calls().of(antecede_sim::Call::Free)), (3, 0));
        Ok(())
    });
    assert!(matches!(outcome, Err(Error::Poisoned { .. })));
}

/// Every driver call fails in turn: no race, and what is not freed is counted.
#[test]
fn failing_calls_lose_nothing() {
    fn program<D: DeviceBrand>(device: Device<D>) -> Result<()> {
        fn doubled<D>(main: Stream<Main, D>, x: Buffer<u32, On<Main, D>, Managed>) -> Result<Vec<u32>> {
            match main.sync(x) {
                Ok(x) => x.to_vec(),
                Err(failed) => main.sync(failed.buffers)?.to_vec(),
            }
        }
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        let mut x = device.managed_from(&[1u32; 8])?.on(main);
        math.double(main, &mut x)?;
        assert_eq!(doubled(main, x)?, [2; 8]);
        let mut x = device.managed_from(&[2u32; 8])?.on(main);
        math.double(main, &mut x)?;
        let mut x = side.take(x)?;
        math.double(side, &mut x)?;
        drop(x);
        let mut x = device.managed_from(&[3u32; 8])?.on(main);
        math.double(main, &mut x)?;
        assert_eq!(doubled(main, x)?, [6; 8]);
        Ok(())
    }
    let mut struck = 0;
    for nth in 1..60 {
        for late in [false, true] {
            let sim = Sim::new();
            let trace = Trace::new(sim.clone());
            let mut leaked = 0;
            let outcome = Device::scope(trace.clone(), 0, |device| {
                let fault = Fault::nth(nth);
                sim.faults().inject(if late { fault.after_submitting() } else { fault });
                let outcome = program(device);
                struck += sim.faults().struck();
                sim.faults().clear();
                leaked = device.leaked();
                outcome
            });
            judge(&trace.log()).assert_silent();
            assert!(sim.live().managed_allocations <= leaked, "call {nth}, late {late}: {outcome:?}, {leaked} leaked");
        }
    }
    assert!(struck > 40, "{struck} calls failed");
}
