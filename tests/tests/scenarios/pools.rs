//! Pools of one's own, of each kind of memory that the driver has them of.

use antecede::driver::Space;
use antecede::{Device, DeviceBrand, Error, HostVisible, Managed, Pinned, Pool, PoolMemory, Result, Reuse, Vram};
use antecede_sim::Sim;
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B};

mount! {
    device_memory, pinned_memory, managed_memory, statistics_and_trim, freed_and_allocated_in_order, what_it_may_reuse,
    a_pool_that_is_not_there_says_what_to_use,
}

/// A pool; none where the driver has none of that kind.
fn pool<M: PoolMemory, D: DeviceBrand>(device: Device<D>) -> Result<Option<Pool<M, D>>> {
    match device.pool() {
        Ok(pool) => Ok(Some(pool)),
        Err(Error::NotSupported { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn device_memory<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let math = device.load::<Math>()?;
    let Some(pool) = pool::<Vram, D>(device)? else { return Ok(()) };
    // It is device memory like any other.
    let mut both = [a.alloc_in::<u32, _>(pool, 100)?, a.alloc(100)?];
    for x in &mut both {
        a.fill(x, 2)?;
    }
    let mut both = b.take(both)?;
    math.increment(b, 100, &mut both[0])?;
    assert_eq!((b.download(&both[0])?, b.download(&both[1])?), (vec![3; 100], vec![2; 100]));
    Ok(())
}

fn pinned_memory<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    host_memory::<Pinned, D>(device)
}

fn managed_memory<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    host_memory::<Managed, D>(device)
}

fn host_memory<M: PoolMemory, D: DeviceBrand>(device: Device<D>) -> Result<()>
where
    M::Allocated: HostVisible,
{
    let (a, b) = device.streams::<(A, B)>()?;
    let math = device.load::<Math>()?;
    let Some(pool) = pool::<M, D>(device)? else { return Ok(()) };
    for round in 1..5 {
        let mut x = a.alloc_in::<u32, _>(pool, 64)?;
        a.fill(&mut x, round)?;
        let mut x = a.sync(x)?;
        x.as_mut_slice()[0] = 100;
        assert_eq!(x.as_slice()[..2], [100, round]);
        let x = x.on(a);
        let mut copy = a.alloc(64)?;
        a.copy(&x, &mut copy)?;
        // Freed in stream order, and had again: the copy is not disturbed.
        drop(x);
        let mut again = a.alloc_in::<u32, _>(pool, 64)?;
        a.fill(&mut again, 0)?;
        let mut again = b.take(again)?;
        math.increment(b, 64, &mut again)?;
        let copy = a.download(&copy)?;
        assert_eq!((copy[0], &copy[1..]), (100, &[round; 63][..]));
        assert_eq!(b.sync(again)?.as_slice(), [1; 64]);
    }
    Ok(())
}

fn statistics_and_trim<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    const BYTES: u64 = 1 << 20;
    let a = device.stream::<A>()?;
    let Some(pool) = pool::<Vram, D>(device)? else { return Ok(()) };
    assert_eq!(pool.release_threshold()?, 0);
    pool.set_release_threshold(u64::MAX)?;
    assert_eq!(pool.release_threshold()?, u64::MAX);

    let mut x = a.alloc_in::<u8, _>(pool, BYTES as usize)?;
    a.fill(&mut x, 1)?;
    let x = a.sync(x)?;
    let held = pool.statistics()?;
    assert!(held.used >= BYTES && held.used_high >= held.used, "{held:?}");
    assert!(held.reserved >= held.used && held.reserved_high >= held.reserved, "{held:?}");

    drop(x);
    a.sync(())?;
    let kept = pool.statistics()?;
    assert_eq!((kept.used, kept.reserved), (0, held.reserved), "below the threshold it is kept");
    assert_eq!(kept.used_high, held.used_high);

    pool.trim(0)?;
    let trimmed = pool.statistics()?;
    assert_eq!((trimmed.used, trimmed.reserved), (0, 0));
    assert_eq!(trimmed.reserved_high, held.reserved_high);
    let again = a.alloc_in::<u8, _>(pool, 16)?;
    assert!(pool.statistics()?.used >= 16);
    drop(again);
    Ok(())
}

fn freed_and_allocated_in_order<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let Some(pool) = pool::<Vram, D>(device)? else { return Ok(()) };
    pool.set_release_threshold(u64::MAX)?;
    for round in 0..20 {
        let mut old = a.alloc_in::<u32, _>(pool, 4096)?;
        a.fill(&mut old, 0xdead)?;
        drop(old);
        let mut new = b.alloc_in::<u32, _>(pool, 4096)?;
        b.fill(&mut new, round)?;
        let new = a.take(new)?;
        assert_eq!(a.download(&new)?, [round; 4096]);
    }
    Ok(())
}

fn what_it_may_reuse<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let Some(pool) = pool::<Vram, D>(device)? else { return Ok(()) };
    let all = Reuse { follow_events: true, opportunistic: true, internal_dependencies: true };
    assert_eq!(pool.reuse()?, all);
    for reuse in [Reuse { opportunistic: false, ..all }, Reuse { follow_events: false, ..all }, all] {
        pool.set_reuse(reuse)?;
        assert_eq!(pool.reuse()?, reuse);
    }
    Ok(())
}

/// On a driver that has no pools there are none, and that is the only error.
#[test]
fn on_sim_without_pools() {
    let builder = [Space::DeviceMemory, Space::PinnedMemory, Space::ManagedMemory].into_iter();
    let sim = builder.fold(Sim::builder(), |builder, space| builder.pools(space, false)).build();
    let outcome = Device::scope(sim, 0, |device| {
        let missing = [pool::<Vram, _>(device)?.is_none(), pool::<Pinned, _>(device)?.is_none()];
        assert_eq!((missing, pool::<Managed, _>(device)?.is_none()), ([true; 2], true));
        a_pool_that_is_not_there_says_what_to_use(device)
    });
    outcome.expect("nothing else fails");
}

fn a_pool_that_is_not_there_says_what_to_use<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let missing = [device.pool::<Vram>().err(), device.pool::<Pinned>().err(), device.pool::<Managed>().err()];
    for error in missing.into_iter().flatten() {
        assert!(matches!(error, Error::NotSupported { ordinal: 0, .. }), "{error}");
        assert!(error.to_string().contains("use `"), "{error}");
    }
    Ok(())
}
