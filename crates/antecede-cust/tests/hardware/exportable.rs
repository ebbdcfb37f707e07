//! What is exported to other processes, as this process has it: identities, exportable pools and events. Two processes are
//! in `timed_processes`.

use std::collections::BTreeSet;
use std::ptr;

use antecede::driver::{DevicePtr, Driver, ErrorKind, EventId, EventRef, Pattern, PoolRef, Space};
use cust::sys::{self, CUmemoryPool, CUresult, CUuuid};

use crate::common::{Gpu, in_context};

const BYTES: usize = 100_000;

fn exportable_pool(gpu: &Gpu) -> PoolRef {
    // SAFETY: an open context.
    let handle = unsafe { gpu.driver.exportable_pool_create(&gpu.context) }.expect("a pool");
    PoolRef { context: gpu.context, space: Space::DeviceMemory, handle }
}

fn pool_of(gpu: &Gpu, memory: DevicePtr) -> u64 {
    // SAFETY: live, stream-ordered memory.
    unsafe { gpu.driver.pool_of(&gpu.context, memory) }.expect("a pool")
}

#[test]
#[ignore = "needs a GPU"]
fn every_device_has_an_identity_of_its_own() {
    // SAFETY: no handle is given.
    let count = Gpu::open().driver.device_count().expect("a number");
    let mut seen = BTreeSet::new();
    for ordinal in 0..count {
        let gpu = Gpu::open_at(ordinal);
        let mut expected = CUuuid { bytes: [0; 16] };
        // SAFETY: an open context, and `expected` outlives the call.
        let uuid = unsafe {
            assert_eq!(sys::cuDeviceGetUuid_v2(&mut expected, ordinal as i32), CUresult::CUDA_SUCCESS);
            gpu.driver.device_uuid(&gpu.context).expect("an identity")
        };
        assert_eq!(uuid.0, expected.bytes.map(|byte| byte as u8));
        seen.insert(uuid);
    }
    assert_eq!(seen.len(), count as usize);
}

#[test]
#[ignore = "needs a GPU"]
fn memory_knows_its_pool() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let (pool, other) = (exportable_pool(&gpu), gpu.try_pool(Space::DeviceMemory).expect("a pool"));
    for pool in [pool, other] {
        let memory = gpu.alloc_from(&pool, &stream, BYTES);
        assert_eq!(pool_of(&gpu, memory), pool.handle);
        gpu.fill(&stream, memory, Pattern::D8(6), BYTES);
        assert_eq!(gpu.download(&stream, memory, BYTES), [6; BYTES]);
        gpu.free(&stream, memory);
        gpu.sync(&stream);
    }
    let mut default: CUmemoryPool = ptr::null_mut();
    // SAFETY: `default` outlives the call.
    let code = in_context(&gpu.context, || unsafe { sys::cuDeviceGetDefaultMemPool(&mut default, 0) });
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    assert_eq!(pool_of(&gpu, gpu.device(&stream, BYTES)), default as u64);
    for pool in [pool, other] {
        // SAFETY: what was allocated is free.
        unsafe { gpu.driver.pool_destroy(&pool) }.expect("ends");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn memory_has_at_least_the_bytes_that_were_asked_for() {
    let gpu = Gpu::open();
    let (stream, pool) = (gpu.non_blocking(), exportable_pool(&gpu));
    let blocks = [gpu.device(&stream, BYTES), gpu.alloc_from(&pool, &stream, BYTES), gpu.alloc_from(&pool, &stream, 1)];
    for (memory, asked) in blocks.into_iter().zip([BYTES, BYTES, 1]) {
        // SAFETY: live memory.
        match unsafe { gpu.driver.allocation_bytes(&gpu.context, memory) } {
            Ok(bytes) => assert!(bytes >= asked, "{bytes} of {asked}"),
            Err(error) => assert_eq!((error.kind, error.call), (ErrorKind::NotSupported, "cuMemGetAddressRange")),
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn an_interprocess_event_is_like_any_in_its_own_process() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let (id, context) = (EventId::fresh(), gpu.context);
    // SAFETY: live handles of one context; the event is recorded before it is asked about.
    unsafe {
        let handle = gpu.driver.interprocess_event_create(&context, id).expect("an event");
        let event = EventRef { id, context, handle };
        let data = gpu.driver.event_export(&event).expect("its data");
        assert_eq!(gpu.driver.event_export(&event), Ok(data), "it is exported as often as one likes");
        gpu.driver.event_record(&event, &stream).expect("a record");
        gpu.driver.event_wait(&gpu.non_blocking(), &event).expect("a wait");
        gpu.driver.event_sync(&event).expect("gets there");
        assert_eq!(gpu.driver.event_query(&event), Ok(true));
        gpu.driver.event_destroy(&event).expect("ends");
        let plain = gpu.event();
        let refused = gpu.driver.event_export(&plain).expect_err("other events cannot be exported");
        assert_eq!(refused.call, "cuIpcGetEventHandle");
    }
}
