//! Pools: their memory, what they say of themselves, and managed memory with and without one.

use antecede::driver::{DeviceAttribute, Driver, ErrorKind, Pattern, PoolAttribute, PoolRef, Space};
use cust::sys::{
    self, CUdevice_attribute, CUmemAccess_flags, CUmemLocation, CUmemLocationType, CUmemoryPool, CUresult,
};

use crate::common::kernels::{Arg, MATH};
use crate::common::{Gpu, Pinned, bytes_of, in_context, words_of};

const MIB: usize = 1 << 20;

fn attribute(gpu: &Gpu, attribute: DeviceAttribute) -> i32 {
    // SAFETY: an open context.
    unsafe { gpu.driver.attribute(&gpu.context, attribute) }.expect("a number")
}

fn ask(gpu: &Gpu, pool: &PoolRef, attribute: PoolAttribute) -> u64 {
    // SAFETY: a live pool.
    unsafe { gpu.driver.pool_attribute(pool, attribute) }.expect("a number")
}

fn tell(gpu: &Gpu, pool: &PoolRef, attribute: PoolAttribute, value: u64) {
    // SAFETY: a live pool, and an attribute that can be set.
    unsafe { gpu.driver.pool_set(pool, attribute, value) }.expect("is set");
}

/// The pool, where the device says that it has such; an error that says so, where not.
fn pool_where_supported(gpu: &Gpu, space: Space, supported: DeviceAttribute) -> Option<PoolRef> {
    match attribute(gpu, supported) {
        0 => {
            let error = gpu.try_pool(space).expect_err("there are none");
            assert_eq!((error.kind, error.call), (ErrorKind::NotSupported, "cuMemPoolCreate"));
            None
        }
        yes => {
            assert_eq!(yes, 1);
            Some(gpu.try_pool(space).expect("a pool"))
        }
    }
}

/// Memory that both sides reach: written by the device, read and written by the host, worked on by a kernel.
fn both_sides_work_on(gpu: &Gpu, memory: Pinned) {
    let stream = gpu.non_blocking();
    assert_eq!(memory.ptr.0 % 256, 0);
    gpu.fill(&stream, memory.ptr, Pattern::D32(7), memory.bytes / 4);
    gpu.sync(&stream);
    assert_eq!(words_of(&memory.read()), vec![7; memory.bytes / 4]);
    let words: Vec<u32> = (0..memory.bytes as u32 / 4).collect();
    memory.write(&bytes_of(&words));
    let args = [Arg::U32(words.len() as u32), Arg::Write(memory.ptr, memory.bytes)];
    gpu.launch(&stream, &MATH, "increment", &args);
    gpu.sync(&stream);
    assert_eq!(words_of(&memory.read()), words.iter().map(|word| word + 1).collect::<Vec<_>>());
}

#[test]
#[ignore = "needs a GPU"]
fn a_pool_counts_what_is_allocated_from_it() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let pool = gpu.try_pool(Space::DeviceMemory).expect("a pool");
    let other = gpu.try_pool(Space::DeviceMemory).expect("another");
    assert_eq!(ask(&gpu, &pool, PoolAttribute::UsedBytes), 0);
    let memory = gpu.alloc_from(&pool, &stream, 3 * MIB);
    assert_eq!(memory.0 % 256, 0);
    let used = ask(&gpu, &pool, PoolAttribute::UsedBytes);
    assert!(used >= 3 * MIB as u64, "{used}");
    assert!(ask(&gpu, &pool, PoolAttribute::ReservedBytes) >= used);
    assert_eq!(ask(&gpu, &other, PoolAttribute::UsedBytes), 0, "pools are apart");
    gpu.fill(&stream, memory, Pattern::D8(9), 3 * MIB);
    assert_eq!(gpu.download(&stream, memory, 3 * MIB), vec![9; 3 * MIB]);
    gpu.free(&stream, memory);
    gpu.sync(&stream);
    assert_eq!(ask(&gpu, &pool, PoolAttribute::UsedBytes), 0);
    assert_eq!(ask(&gpu, &pool, PoolAttribute::UsedHigh), used);
    assert!(ask(&gpu, &pool, PoolAttribute::ReservedHigh) >= used);
    // SAFETY: what was allocated is free.
    unsafe { gpu.driver.pool_destroy(&pool) }.expect("ends");
}

#[test]
#[ignore = "needs a GPU"]
fn a_pool_keeps_up_to_its_threshold_and_gives_back_when_told() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    for (threshold, kept) in [(0, false), (u64::MAX, true)] {
        let pool = gpu.try_pool(Space::DeviceMemory).expect("a pool");
        tell(&gpu, &pool, PoolAttribute::ReleaseThreshold, threshold);
        assert_eq!(ask(&gpu, &pool, PoolAttribute::ReleaseThreshold), threshold);
        let memory = gpu.alloc_from(&pool, &stream, 64 * MIB);
        gpu.free(&stream, memory);
        gpu.sync(&stream);
        let reserved = ask(&gpu, &pool, PoolAttribute::ReservedBytes);
        assert_eq!(reserved >= 64 * MIB as u64, kept, "{reserved} bytes, threshold {threshold}");
        // SAFETY: a live pool.
        unsafe { gpu.driver.pool_trim(&pool, 0) }.expect("trims");
        assert_eq!(ask(&gpu, &pool, PoolAttribute::ReservedBytes), 0);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn a_trim_keeps_what_is_to_be_kept_and_what_is_used() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let pool = gpu.try_pool(Space::DeviceMemory).expect("a pool");
    tell(&gpu, &pool, PoolAttribute::ReleaseThreshold, u64::MAX);
    let (used, free) = (gpu.alloc_from(&pool, &stream, 64 * MIB), gpu.alloc_from(&pool, &stream, 64 * MIB));
    gpu.free(&stream, free);
    gpu.sync(&stream);
    let before = ask(&gpu, &pool, PoolAttribute::ReservedBytes);
    // SAFETY: a live pool.
    let trim = |keep| unsafe { gpu.driver.pool_trim(&pool, keep) }.expect("trims");
    trim(before as usize);
    assert_eq!(ask(&gpu, &pool, PoolAttribute::ReservedBytes), before);
    trim(0);
    let after = ask(&gpu, &pool, PoolAttribute::ReservedBytes);
    assert!(after < before && after >= 64 * MIB as u64, "{before} before, {after} after");
    gpu.fill(&stream, used, Pattern::D8(1), 64 * MIB);
    gpu.sync(&stream);
}

#[test]
#[ignore = "needs a GPU"]
fn reuse_can_be_switched() {
    let gpu = Gpu::open();
    let pool = gpu.try_pool(Space::DeviceMemory).expect("a pool");
    let switches =
        [PoolAttribute::ReuseFollowEvents, PoolAttribute::ReuseOpportunistic, PoolAttribute::ReuseInternalDependencies];
    for off in switches {
        assert_eq!(ask(&gpu, &pool, off), 1, "{off:?} at first");
        tell(&gpu, &pool, off, 0);
        for other in switches {
            assert_eq!(ask(&gpu, &pool, other), u64::from(other != off), "{other:?} with {off:?} off");
        }
        // Any number but zero is "on".
        tell(&gpu, &pool, off, 1 << 40);
        assert_eq!(ask(&gpu, &pool, off), 1);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn memory_of_a_pinned_pool_is_of_both_sides() {
    let gpu = Gpu::open();
    let Some(pool) = pool_where_supported(&gpu, Space::PinnedMemory, DeviceAttribute::PinnedPools) else { return };
    let (mut flags, type_) =
        (CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE, CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE);
    let mut device = CUmemLocation { type_, id: 0 };
    // SAFETY: both outlive the call; a live pool.
    let code = unsafe { sys::cuMemPoolGetAccess(&mut flags, pool.handle as CUmemoryPool, &mut device) };
    assert_eq!((code, flags), (CUresult::CUDA_SUCCESS, CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    let stream = gpu.non_blocking();
    let memory = gpu.alloc_from(&pool, &stream, MIB);
    gpu.sync(&stream);
    both_sides_work_on(&gpu, Pinned { ptr: memory, bytes: MIB });
    gpu.free(&stream, memory);
    gpu.sync(&stream);
    assert_eq!(ask(&gpu, &pool, PoolAttribute::UsedBytes), 0);
    // SAFETY: what was allocated is free.
    unsafe { gpu.driver.pool_destroy(&pool) }.expect("ends");
}

#[test]
#[ignore = "needs a GPU"]
fn memory_of_a_managed_pool_is_of_both_sides() {
    let gpu = Gpu::open();
    let Some(pool) = pool_where_supported(&gpu, Space::ManagedMemory, DeviceAttribute::ManagedPools) else { return };
    let stream = gpu.non_blocking();
    let memory = gpu.alloc_from(&pool, &stream, MIB);
    gpu.sync(&stream);
    both_sides_work_on(&gpu, Pinned { ptr: memory, bytes: MIB });
    gpu.free(&stream, memory);
    gpu.sync(&stream);
    // SAFETY: what was allocated is free.
    unsafe { gpu.driver.pool_destroy(&pool) }.expect("ends");
}

#[test]
#[ignore = "needs a GPU"]
fn managed_memory_is_of_both_sides() {
    let gpu = Gpu::open();
    // Where the answer is 0 the host may touch it only while the device is idle, and other tests keep it busy.
    assert_eq!(attribute(&gpu, DeviceAttribute::ConcurrentManagedAccess), 1, "this test wants concurrent access");
    for bytes in [4, 4096, MIB] {
        // SAFETY: an open context.
        let ptr = unsafe { gpu.driver.managed_alloc(&gpu.context, bytes) }.expect("managed memory");
        both_sides_work_on(&gpu, Pinned { ptr, bytes });
        // SAFETY: allocated above, and everything submitted has completed.
        unsafe { gpu.driver.managed_free(&gpu.context, ptr) }.expect("a free");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn the_devices_attribute_is_what_cuda_says() {
    let gpu = Gpu::open();
    let mut expected = -1;
    // SAFETY: `expected` outlives the call.
    let code = in_context(&gpu.context, || unsafe {
        sys::cuDeviceGetAttribute(&mut expected, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0)
    });
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    assert_eq!(attribute(&gpu, DeviceAttribute::ConcurrentManagedAccess), expected);
}
