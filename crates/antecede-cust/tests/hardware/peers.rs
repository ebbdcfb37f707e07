//! Every pair of this machine's devices, a device with itself included.

use antecede::driver::{ContextRef, DevicePtr, Driver, ErrorKind, Pattern, PoolRef, Space};
use cust::sys::{self, CUmemAccess_flags, CUmemLocation, CUmemLocationType, CUmemoryPool, CUresult};

use crate::common::kernels::{Arg, MATH};
use crate::common::{Gpu, bytes_of, words_of};

const N: usize = 10_000;

fn pairs() -> Vec<(Gpu, Gpu)> {
    // SAFETY: no handle is given.
    let count = Gpu::open().driver.device_count().expect("a number");
    (0..count).flat_map(|one| (0..count).map(move |other| (Gpu::open_at(one), Gpu::open_at(other)))).collect()
}

fn possible(gpu: &Gpu, peer: &Gpu) -> bool {
    // SAFETY: open contexts.
    unsafe { gpu.driver.peer_possible(&gpu.context, &peer.context) }.expect("an answer")
}

fn enable(gpu: &Gpu, peer: &Gpu) {
    // SAFETY: open contexts.
    unsafe { gpu.driver.peer_enable(&gpu.context, &peer.context) }.expect("is enabled");
}

fn exportable_pool(gpu: &Gpu) -> PoolRef {
    // SAFETY: an open context.
    let handle = unsafe { gpu.driver.exportable_pool_create(&gpu.context) }.expect("a pool");
    PoolRef { context: gpu.context, space: Space::DeviceMemory, handle }
}

/// Whether the device may read and write the pool's memory.
fn reaches(gpu: &Gpu, pool: &PoolRef) -> bool {
    let mut flags = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    let type_ = CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    let mut device = CUmemLocation { type_, id: gpu.context.ordinal as i32 };
    // SAFETY: both outlive the call; a live pool.
    let code = unsafe { sys::cuMemPoolGetAccess(&mut flags, pool.handle as CUmemoryPool, &mut device) };
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    flags == CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE
}

fn peer_copy(gpu: &Gpu, to: (&ContextRef, DevicePtr), from: (&ContextRef, DevicePtr), bytes: usize) {
    let stream = gpu.non_blocking();
    // SAFETY: live ranges in which nothing is in flight.
    unsafe { gpu.driver.peer_copy_async(&stream, to, from, bytes) }.expect("a copy");
    gpu.sync(&stream);
}

#[test]
#[ignore = "needs a GPU"]
fn a_device_reaches_itself() {
    let gpu = Gpu::open();
    assert!(possible(&gpu, &gpu));
    enable(&gpu, &gpu);
    enable(&gpu, &gpu);
}

#[test]
#[ignore = "needs a GPU"]
fn pools_from_before_and_after_are_reached() {
    for (gpu, peer) in pairs().into_iter().filter(|(gpu, peer)| possible(gpu, peer)) {
        let before = [peer.try_pool(Space::DeviceMemory).expect("a pool"), exportable_pool(&peer)];
        enable(&gpu, &peer);
        enable(&gpu, &peer);
        let after = [peer.try_pool(Space::DeviceMemory).expect("a pool"), exportable_pool(&peer)];
        let pools = [before, after].concat();
        assert!(pools.iter().all(|pool| reaches(&gpu, pool)), "{:?} and {:?}", gpu.context, peer.context);
        for pool in pools {
            // SAFETY: nothing was allocated from it.
            unsafe { gpu.driver.pool_destroy(&pool) }.expect("ends");
        }
        // The list has forgotten them, or this would let a device into pools that are gone.
        enable(&gpu, &peer);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn a_kernel_works_on_a_peers_memory_behind_the_peers_event() {
    for (gpu, peer) in pairs().into_iter().filter(|(gpu, peer)| possible(gpu, peer)) {
        enable(&gpu, &peer);
        let (here, there) = (gpu.non_blocking(), peer.non_blocking());
        let memory = peer.device(&there, N * 4);
        peer.fill(&there, memory, Pattern::D32(41), N);
        let (filled, worked) = (peer.event(), gpu.event());
        // SAFETY: live handles; each event is recorded before the wait.
        unsafe {
            peer.driver.event_record(&filled, &there).expect("a record");
            gpu.driver.event_wait(&here, &filled).expect("a wait");
            gpu.launch(&here, &MATH, "increment", &[Arg::U32(N as u32), Arg::Write(memory, N * 4)]);
            gpu.driver.event_record(&worked, &here).expect("a record");
            peer.driver.event_wait(&there, &worked).expect("a wait");
        }
        assert_eq!(words_of(&peer.download(&there, memory, N * 4)), [42; N]);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn peer_copies_go_from_every_device_to_every_device() {
    let words: Vec<u32> = (0..N as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    for (gpu, peer) in pairs() {
        let (here, there) = (gpu.non_blocking(), peer.non_blocking());
        let source = peer.upload(&there, &bytes_of(&words));
        peer.sync(&there);
        let target = gpu.device(&here, N * 4);
        gpu.sync(&here);
        peer_copy(&gpu, (&gpu.context, target), (&peer.context, source), N * 4);
        assert_eq!(words_of(&gpu.download(&here, target, N * 4)), words);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn peer_copies_go_between_two_contexts_of_one_device() {
    let (gpu, foreign) = (Gpu::open(), Gpu::foreign());
    let words: Vec<u32> = (0..N as u32).collect();
    let (here, there) = (gpu.non_blocking(), foreign.non_blocking());
    let source = gpu.upload(&here, &bytes_of(&words));
    gpu.sync(&here);
    let target = foreign.device(&there, N * 4);
    foreign.sync(&there);
    // Once on a stream of either context.
    peer_copy(&gpu, (&foreign.context, target), (&gpu.context, source), N * 2);
    let (second_target, second_source) = (target.offset(N * 2), source.offset(N * 2));
    peer_copy(&foreign, (&foreign.context, second_target), (&gpu.context, second_source), N * 2);
    assert_eq!(words_of(&foreign.download(&there, target, N * 4)), words);
}

#[test]
#[ignore = "needs a GPU"]
fn a_peer_that_is_no_device_is_an_error() {
    let gpu = Gpu::open();
    let ordinal = gpu.driver.device_count().expect("a number");
    let nobody = ContextRef { ordinal, ..gpu.context };
    // SAFETY: the handle is an open context's.
    let error = unsafe { gpu.driver.peer_possible(&gpu.context, &nobody) }.expect_err("there is no such device");
    assert_eq!((error.kind, error.call), (ErrorKind::NoDevice, "cuDeviceGet"));
}
