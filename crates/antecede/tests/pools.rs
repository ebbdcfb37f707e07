//! Pools of one's own.

mod common;

use antecede::driver::Space;
use antecede::{
    Buffer, Device, DeviceBrand, Error, HostVisible, Managed, On, Pinned, Pool, PoolMemory, Pooled, Result, Reuse,
    Stream, Vram, kernels, streams,
};
use antecede_sim::{Fault, Sim};
use antecede_trace::{Call, Trace, judge};
use common::on_sim;

streams! { Main, Side }
kernels! {
    Math { unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } } }
}

#[test]
fn device_memory_from_a_pool_is_device_memory() {
    on_sim(|device, sim, trace| {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        let pool: Pool<Vram, _> = device.pool()?;
        let mark = trace.mark();
        let x: Buffer<u32, On<Main, _>> = main.alloc_in(pool, 100)?;
        let mut both = [x, main.alloc(100)?];
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::PoolAlloc), counts.of(Call::Alloc), counts.total()), (1, 1, 2));
        assert_eq!((pool.statistics()?.used >= 400, sim.live().allocations), (true, 2));
        for x in &mut both {
            main.fill(x, 2)?;
            math.double(main, x)?;
        }
        let mut both = side.take(both)?;
        math.double(side, &mut both[0])?;
        assert_eq!(side.download(&both[0])?, [8; 100]);
        let mark = trace.mark();
        drop(both);
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::Free), counts.total()), (2, 2));
        Ok(())
    });
}

/// Allocated, used by the device and the host, and freed in stream order: no event, no cache.
#[test]
fn host_memory_from_a_pool_is_freed_in_stream_order() {
    fn check<D: DeviceBrand, M: PoolMemory>(device: Device<D>, trace: &Trace) -> Result<()>
    where
        M::Allocated: HostVisible,
    {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        let pool = device.pool::<M>()?;
        let mut source = main.alloc_in::<u32, _>(pool, 64)?;
        main.fill(&mut source, 5)?;
        let mut source = main.sync(source)?;
        source.as_mut_slice()[0] = 6;
        assert_eq!((source.as_slice()[1], source.as_ref()[0]), (5, 6));
        let source = source.on(main);
        let mut x = main.zeroed(64)?;
        main.copy(&source, &mut x)?;

        let mark = trace.mark();
        drop(source);
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::Free), counts.total()), (1, 1));
        // The same memory, in use at once: the copy above is not disturbed.
        let mut again = main.alloc_in::<u32, _>(pool, 64)?;
        main.fill(&mut again, 0)?;
        let mut again = side.take(again)?;
        math.double(side, &mut again)?;
        drop(again);
        let x = main.sync(x)?.to_vec()?;
        assert_eq!((x[0], &x[1..]), (6, &[5; 63][..]));

        // Synced, it is freed on the stream it was last on.
        let mark = trace.mark();
        drop(main.sync(main.alloc_in::<u32, _>(pool, 64)?)?);
        let counts = trace.counts_since(&mark);
        assert_eq!((counts.of(Call::Free), counts.of(Call::StreamSync), counts.total()), (1, 1, 3));
        Ok(())
    }
    on_sim(|device, _, trace| check::<_, Pinned>(device, trace));
    on_sim(|device, _, trace| check::<_, Managed>(device, trace));
}

#[test]
fn pooled_kinds_follow_from_the_pool() {
    fn pinned<D>(main: Stream<Main, D>, pool: Pool<Pinned, D>) -> Result<Buffer<u8, On<Main, D>, Pooled<Pinned>>> {
        main.alloc_in(pool, 10)
    }
    fn managed<D>(main: Stream<Main, D>, pool: Pool<Managed, D>) -> Result<Buffer<u8, On<Main, D>, Pooled<Managed>>> {
        main.alloc_in(pool, 10)
    }
    on_sim(|device, sim, _| {
        let main = device.stream::<Main>()?;
        let all = (pinned(main, device.pool()?)?, managed(main, device.pool()?)?);
        assert_eq!((sim.live().pinned_allocations, sim.live().managed_allocations, sim.live().pools), (1, 1, 2));
        drop(all);
        Ok(())
    });
}

#[test]
fn what_a_pool_keeps_and_tells() {
    on_sim(|device, _, trace| {
        let main = device.stream::<Main>()?;
        let (pool, other) = (device.pool::<Vram>()?, device.pool::<Vram>()?);
        assert_eq!(pool.release_threshold()?, 0);
        pool.set_release_threshold(u64::MAX)?;
        assert_eq!((pool.release_threshold()?, other.release_threshold()?), (u64::MAX, 0));

        let all = Reuse { follow_events: true, opportunistic: true, internal_dependencies: true };
        assert_eq!(pool.reuse()?, all);
        let each = [
            Reuse { follow_events: false, ..all },
            Reuse { opportunistic: false, ..all },
            Reuse { internal_dependencies: false, ..all },
        ];
        for reuse in each {
            let mark = trace.mark();
            pool.set_reuse(reuse)?;
            assert_eq!(pool.reuse()?, reuse);
            let counts = trace.counts_since(&mark);
            assert_eq!((counts.of(Call::PoolSet), counts.of(Call::PoolAttribute)), (3, 3));
        }

        let x = main.alloc_in::<u8, _>(pool, 1000)?;
        let before = pool.statistics()?;
        assert!(before.used >= 1000 && before.used_high >= before.used && before.reserved >= before.used);
        drop(main.sync(x)?);
        main.sync(())?;
        let kept = pool.statistics()?;
        assert_eq!((kept.used, kept.used_high, kept.reserved), (0, before.used_high, before.reserved));
        pool.trim(0)?;
        let trimmed = pool.statistics()?;
        assert_eq!((trimmed.reserved, trimmed.reserved_high), (0, before.reserved_high));
        assert_eq!(other.statistics()?.used_high, 0);

        let mark = trace.mark();
        let none = main.alloc_in::<u32, _>(pool, 0)?;
        drop((none, main.alloc_in::<(), _>(pool, 7)?));
        assert_eq!(trace.counts_since(&mark).total(), 0);
        Ok(())
    });
}

#[test]
fn where_there_are_no_such_pools_the_error_says_what_to_use() {
    let sim = Sim::builder()
        .pools(Space::PinnedMemory, false)
        .pools(Space::ManagedMemory, false)
        .pools(Space::DeviceMemory, false)
        .build();
    Device::scope(sim.clone(), 0, |device| {
        let messages = [
            device.pool::<Vram>().unwrap_err().to_string(),
            device.pool::<Pinned>().unwrap_err().to_string(),
            device.pool::<Managed>().unwrap_err().to_string(),
        ];
        assert_eq!(
            messages,
            [
                "device 0 has no pools of device memory: use `stream.alloc(len)?`, which allocates from the default one",
                "device 0 has no pools of pinned memory: use `device.pinned(len)?`",
                "device 0 has no pools of managed memory: use `device.managed(len)?`",
            ]
        );
        sim.faults().inject(Fault::nth(1).of(antecede_sim::Call::PoolCreate));
        assert!(matches!(device.pool::<Vram>(), Err(Error::Driver(_))), "another failure is another error");
        Ok(())
    })
    .unwrap();
}

/// `cuMemPoolDestroy` wants every allocation freed: with one that was forgotten the pool is left alone.
#[test]
fn a_scope_destroys_its_pools_unless_their_memory_is_lost() {
    let sim = Sim::new();
    let trace = Trace::new(sim.clone());
    Device::scope(trace.clone(), 0, |device| {
        let main = device.stream::<Main>()?;
        let (lost, whole) = (device.pool::<Pinned>()?, device.pool::<Pinned>()?);
        std::mem::forget(main.alloc_in::<u8, _>(lost, 10)?);
        drop(main.alloc_in::<u8, _>(whole, 10)?);
        Ok(())
    })
    .unwrap();
    assert_eq!(trace.counts().of(Call::PoolDestroy), 1);
    assert_eq!((sim.live().pools, sim.live().pinned_allocations), (1, 1));
    judge(&trace.log()).assert_silent();
}

#[test]
fn failing_calls_lose_nothing() {
    fn program<D: DeviceBrand>(device: Device<D>) -> Result<()> {
        let (main, side) = device.streams::<(Main, Side)>()?;
        let math = device.load::<Math>()?;
        let (pool, host) = (device.pool::<Vram>()?, device.pool::<Pinned>()?);
        pool.set_release_threshold(1 << 20)?;
        let mut x = main.alloc_in::<u32, _>(pool, 8)?;
        main.fill(&mut x, 1)?;
        let mut target = side.alloc_in::<u32, _>(host, 8)?;
        let mut x = side.take(x)?;
        math.double(side, &mut x)?;
        side.copy(&x, &mut target)?;
        drop(x);
        let target = match side.sync(target) {
            Ok(target) => target,
            Err(failed) => side.sync(failed.buffers)?,
        };
        assert_eq!(target.as_slice(), [2; 8]);
        pool.trim(0)?;
        pool.statistics()?;
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
            let live = sim.live();
            let memory = live.allocations + live.pinned_allocations;
            assert!(memory <= leaked, "call {nth}, late {late}: {outcome:?}, {leaked} leaked");
            assert!(live.pools <= leaked, "call {nth}, late {late}: a pool is left only with lost memory");
        }
    }
    assert!(struck > 40, "{struck} calls failed");
}
