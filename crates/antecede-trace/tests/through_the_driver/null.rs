//! The driver that does nothing.

use antecede::driver::{
    DeviceAttribute, DevicePtr, Driver, ErrorKind, PoolAttribute, Space, StreamId, StreamKind, StreamRef,
};
use antecede_trace::NullDriver;

use super::bench::Bench;

#[test]
fn handles_and_addresses_are_unique_and_aligned() {
    let bench = Bench::new(NullDriver::new());
    let (a, b) = (bench.stream("A"), bench.stream("B"));
    assert_ne!(a.handle, b.handle);
    assert_ne!(bench.event().handle, bench.event().handle);
    let (x, y) = (bench.alloc(&a, 300).unwrap(), bench.alloc(&a, 1).unwrap());
    assert!(y.0 >= x.0 + 300);
    assert_eq!((x.0 % 256, y.0 % 256), (0, 0));
    bench.free(&a, x).unwrap();
    assert!(bench.alloc(&a, 300).unwrap() > y, "addresses are not used again");
    assert_eq!(bench.alloc(&a, usize::MAX).unwrap_err().kind(), ErrorKind::OutOfMemory);
}

/// 1000 bytes of the host's that are zero, and can be written.
///
/// # Safety
/// A live block of a driver's host memory, of that size, that nobody else uses.
unsafe fn assert_real_and_zeroed(block: DevicePtr) {
    assert_eq!(block.0 % 256, 0);
    let pointer = std::ptr::with_exposed_provenance_mut::<u8>(block.0 as usize);
    // SAFETY: 1000 bytes of initialised host memory that nobody else uses.
    let bytes = unsafe { std::slice::from_raw_parts_mut(pointer, 1000) };
    assert!(bytes.iter().all(|&byte| byte == 0));
    bytes.fill(7);
}

#[test]
fn pinned_memory_is_real_and_zeroed() {
    let bench = Bench::new(NullDriver::new());
    let pinned = bench.pinned_alloc(1000).unwrap();
    // SAFETY: a fresh block.
    unsafe { assert_real_and_zeroed(pinned) };
    bench.pinned_free(pinned).unwrap();
    assert_eq!(bench.pinned_free(pinned).unwrap_err().kind(), ErrorKind::InvalidValue, "freed once");
    assert_eq!(bench.pinned_alloc(usize::MAX).unwrap_err().kind(), ErrorKind::OutOfMemory);
    assert_eq!(bench.pinned_alloc(0).unwrap_err().kind(), ErrorKind::InvalidValue);
}

#[test]
fn a_context_keeps_its_identity() {
    let driver = NullDriver::with_devices(2);
    // SAFETY: there are two devices.
    let open = |ordinal| unsafe { driver.context_open(ordinal) };
    assert_eq!(open(0), open(0));
    assert_ne!(open(0).unwrap().id, open(1).unwrap().id);
    assert_eq!(open(2).unwrap_err().kind(), ErrorKind::NoDevice);
    assert_eq!(driver.device_count(), Ok(2));
}

#[test]
fn managed_memory_and_that_of_host_pools_is_real_and_zeroed() {
    let bench = Bench::new(NullDriver::new());
    let a = bench.stream("A");
    let managed = bench.managed_alloc(1000).unwrap();
    let spaces = [Space::PinnedMemory, Space::ManagedMemory].map(|space| bench.pool(space));
    let pooled = spaces.map(|pool| bench.pool_alloc(&a, &pool, 1000).unwrap());
    for block in [managed, pooled[0], pooled[1]] {
        // SAFETY: a fresh block.
        unsafe { assert_real_and_zeroed(block) };
    }
    assert_eq!(bench.pinned_free(managed).unwrap_err().kind(), ErrorKind::InvalidValue, "the wrong sibling");
    assert_eq!(bench.free(&a, managed).unwrap_err().kind(), ErrorKind::InvalidValue, "the wrong sibling");
    bench.managed_free(managed).unwrap();
    assert_eq!(bench.managed_free(managed).unwrap_err().kind(), ErrorKind::InvalidValue, "freed once");
    for block in pooled {
        bench.free(&a, block).unwrap();
        assert_eq!(bench.free(&a, block).unwrap_err().kind(), ErrorKind::InvalidValue, "freed once");
    }
    assert_eq!(bench.pool_alloc(&a, &spaces[0], 0).unwrap_err().kind(), ErrorKind::InvalidValue);
    assert_eq!(bench.managed_alloc(usize::MAX).unwrap_err().kind(), ErrorKind::OutOfMemory);
}

#[test]
fn device_memory_of_a_pool_is_like_any() {
    let bench = Bench::new(NullDriver::new());
    let (a, pool) = (bench.stream("A"), bench.pool(Space::DeviceMemory));
    assert_ne!(pool.handle, bench.pool(Space::DeviceMemory).handle);
    let (x, y) = (bench.pool_alloc(&a, &pool, 300).unwrap(), bench.pool_alloc(&a, &pool, 1).unwrap());
    assert!(y.0 >= x.0 + 300);
    assert!(bench.alloc(&a, 1 << 40).unwrap().0 + (1 << 40) <= x.0, "beside what is of no pool");
    assert_eq!(bench.pool_alloc(&a, &pool, usize::MAX).unwrap_err().kind(), ErrorKind::OutOfMemory);
    bench.free(&a, x).unwrap();
}

#[test]
fn a_pool_remembers_what_it_was_told() {
    let bench = Bench::new(NullDriver::new());
    let (one, two) = (bench.pool(Space::DeviceMemory), bench.pool(Space::DeviceMemory));
    // SAFETY: handles of this driver.
    let asked = |pool, attribute| unsafe { bench.driver.pool_attribute(pool, attribute) }.unwrap();
    assert_eq!(asked(&one, PoolAttribute::ReleaseThreshold), 0);
    assert_eq!(asked(&one, PoolAttribute::ReuseOpportunistic), 1);
    // SAFETY: handles of this driver.
    unsafe {
        bench.driver.pool_set(&one, PoolAttribute::ReleaseThreshold, 1 << 20).unwrap();
        bench.driver.pool_set(&one, PoolAttribute::ReuseOpportunistic, 0).unwrap();
        bench.driver.pool_trim(&one, 0).unwrap();
    }
    assert_eq!(asked(&one, PoolAttribute::ReleaseThreshold), 1 << 20);
    assert_eq!(asked(&one, PoolAttribute::ReuseOpportunistic), 0);
    assert_eq!(asked(&two, PoolAttribute::ReuseOpportunistic), 1, "another pool");
    assert_eq!(asked(&one, PoolAttribute::UsedBytes), 0);
    // SAFETY: nothing was allocated from it.
    unsafe { bench.driver.pool_destroy(&one) }.unwrap();
}

#[test]
fn streams_are_adopted_in_their_own_context_alone() {
    let driver: std::sync::Arc<dyn Driver> = NullDriver::with_devices(2).into();
    let (one, two) = (Bench::on(driver.clone(), 0), Bench::on(driver, 1));
    let adopt = |bench: &Bench, handle| {
        // SAFETY: the driver refuses what is no live stream.
        unsafe { bench.driver.stream_adopt(&bench.context, handle, StreamId::fresh()) }
    };
    for kind in [
        StreamKind::NonBlockingStream,
        StreamKind::BlockingStream,
        StreamKind::LegacyStream,
        StreamKind::PerThreadStream,
    ] {
        assert_eq!(adopt(&one, one.stream_of(kind, "A").handle), Ok(kind));
    }
    let a = one.stream("A");
    assert_eq!(adopt(&two, a.handle).unwrap_err().kind(), ErrorKind::InvalidContext);
    let destroy = |stream: &StreamRef| {
        // SAFETY: a handle of this driver.
        unsafe { one.driver.stream_destroy(stream) }.unwrap();
    };
    destroy(&a);
    assert_eq!(adopt(&one, a.handle).unwrap_err().kind(), ErrorKind::InvalidHandle);
    let legacy = one.stream_of(StreamKind::LegacyStream, "Legacy");
    destroy(&legacy);
    assert_eq!(adopt(&one, legacy.handle), Ok(StreamKind::LegacyStream), "a built-in stream stays");
}

#[test]
fn built_in_streams_have_one_handle_everywhere() {
    let driver: std::sync::Arc<dyn Driver> = NullDriver::with_devices(2).into();
    let (one, two) = (Bench::on(driver.clone(), 0), Bench::on(driver, 1));
    for kind in [StreamKind::LegacyStream, StreamKind::PerThreadStream] {
        assert_eq!(one.stream_of(kind, "Built-in").handle, two.stream_of(kind, "Built-in").handle);
    }
    assert_eq!(one.context.legacy, Bench::on(one.driver.clone(), 0).context.legacy);
    assert_ne!(one.context.legacy, two.context.legacy);
    // SAFETY: handles of this driver.
    unsafe {
        assert_eq!(one.driver.peer_possible(&one.context, &two.context), Ok(true));
        assert_eq!(one.driver.attribute(&one.context, DeviceAttribute::ConcurrentManagedAccess), Ok(1));
    }
}
