//! Memory that two processes share.

use antecede::driver::{Driver, ErrorKind, EventData};
use cust::sys::{self, CUmemAccess_flags, CUmemLocation, CUmemLocationType, CUmemoryPool, CUresult};

use crate::common::kernels::{Arg, MATH, PATTERN};
use crate::common::{Gpu, in_context, words_of};
use crate::pair::{self, Link};
use crate::shared::{BYTES, Parcel, Shared, exported, interprocess_event, mapped, opened, record, value_of, wait};

const WORDS: usize = BYTES / 4;
const SEED: u32 = 0x9e37_79b9;

between_processes!(a_block_goes_there_and_back, export_and_read_back, import_and_change);

/// Says and checks how many bytes the driver knows the block to have.
fn ask_for_bytes(gpu: &Gpu, shared: &Shared, what: &str) {
    // SAFETY: live memory.
    let bytes = unsafe { gpu.driver.allocation_bytes(&gpu.context, shared.memory) };
    measured!("allocation_bytes of {BYTES} bytes, {what}: {bytes:?}");
    match bytes {
        Ok(bytes) => assert!(bytes >= BYTES),
        Err(error) => assert_eq!((error.kind, error.call), (ErrorKind::NotSupported, "cuMemGetAddressRange")),
    }
}

fn words(gpu: &Gpu, shared: &Shared) -> Vec<u32> {
    words_of(&gpu.download(&gpu.non_blocking(), shared.memory, BYTES))
}

fn export_and_read_back(mut link: Link) {
    let gpu = Gpu::open();
    let (shared, stream) = (Shared::new(&gpu, 0), gpu.non_blocking());
    let args = [Arg::U32(WORDS as u32), Arg::U32(SEED), Arg::Write(shared.memory, BYTES)];
    gpu.launch(&stream, &PATTERN, "fill_pattern", &args);
    record(&gpu, &shared.event, &stream);
    shared.parcel(&gpu).send(&mut link);
    ask_for_bytes(&gpu, &shared, "in the process that allocated them");
    // SAFETY: a live block of a pool.
    assert_eq!(unsafe { gpu.driver.pool_of(&gpu.context, shared.memory) }, Ok(shared.pool.handle));

    gpu.sync(&stream);
    let before = words(&gpu, &shared);
    assert!(before.windows(2).any(|pair| pair[0] != pair[1]), "there is a pattern");
    link.signal();
    let done = opened(&gpu, &EventData(link.receive())).expect("the event opens");
    wait(&gpu, &stream, &done);
    let after = words_of(&gpu.download(&stream, shared.memory, BYTES));
    assert_eq!(after, before.iter().map(|word| word.wrapping_add(1)).collect::<Vec<_>>());
    link.signal();
    link.await_signal();
    // The other process has let go of it.
    gpu.free(&stream, shared.memory);
    gpu.sync(&stream);
    // SAFETY: live handles, used no more.
    unsafe {
        gpu.driver.event_destroy(&done).expect("ends");
        gpu.driver.event_destroy(&shared.event).expect("ends");
        gpu.driver.pool_destroy(&shared.pool).expect("ends");
    }
}

fn import_and_change(mut link: Link) {
    let gpu = Gpu::open();
    let shared = Shared::receive(&gpu, &mut link);
    let stream = gpu.non_blocking();
    assert_eq!(shared.memory.0 % 256, 0);
    assert!(reaches(&gpu, shared.pool.handle), "its own device is let into an imported pool");
    ask_for_bytes(&gpu, &shared, "imported");
    // SAFETY: a live block.
    let of = unsafe { gpu.driver.pool_of(&gpu.context, shared.memory) };
    measured!("pool_of an imported block is the imported pool: {:?}", of.map(|pool| pool == shared.pool.handle));

    wait(&gpu, &stream, &shared.event);
    let first_bad = gpu.upload(&stream, &[0xff; 4]);
    let args = [Arg::U32(WORDS as u32), Arg::U32(SEED), Arg::Read(shared.memory, BYTES), Arg::Write(first_bad, 4)];
    gpu.launch(&stream, &PATTERN, "verify_pattern", &args);
    assert_eq!(gpu.download(&stream, first_bad, 4), [0xff; 4], "the pattern of the other process");
    link.await_signal();
    gpu.launch(&stream, &MATH, "increment", &[Arg::U32(WORDS as u32), Arg::Write(shared.memory, BYTES)]);
    let done = interprocess_event(&gpu);
    record(&gpu, &done, &stream);
    link.send(exported(&gpu, &done).0);
    link.await_signal();
    gpu.free(&stream, shared.memory);
    gpu.sync(&stream);
    // SAFETY: live handles, used no more.
    unsafe {
        gpu.driver.pool_destroy(&shared.pool).expect("an imported pool ends");
        gpu.driver.event_destroy(&shared.event).expect("an imported event ends");
        gpu.driver.event_destroy(&done).expect("ends");
    }
    link.signal();
}

fn reaches(gpu: &Gpu, pool: u64) -> bool {
    let mut flags = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    let type_ = CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    let mut device = CUmemLocation { type_, id: gpu.context.ordinal as i32 };
    // SAFETY: both outlive the call; a live pool.
    let code =
        in_context(&gpu.context, || unsafe { sys::cuMemPoolGetAccess(&mut flags, pool as CUmemoryPool, &mut device) });
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    flags == CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE
}

between_processes!(a_block_is_imported_anew_after_its_free, export_until_told, import_twice_in_a_row);

/// The contract has a block imported once at a time: the driver gives the same address again, and the free of one ends both.
/// The importer may die of a use after that.
#[test]
#[ignore = "needs a GPU"]
fn a_block_is_imported_twice_at_once() {
    let test = concat!(module_path!(), "::a_block_is_imported_twice_at_once");
    let Some([exporter, importer]) = pair::run(test, export_until_it_ends, import_twice_at_once) else { return };
    exporter.assert_well();
    importer.assert_found("the second import is at the first one's address: true");
}

fn export_until_told(mut link: Link) {
    let gpu = Gpu::open();
    Shared::new(&gpu, 7).parcel(&gpu).send(&mut link);
    link.await_signal();
}

/// The importer may die of what it tries.
fn export_until_it_ends(mut link: Link) {
    let gpu = Gpu::open();
    Shared::new(&gpu, 7).parcel(&gpu).send(&mut link);
    measured!("the importer ended after {:?}", link.await_end());
}

fn import_twice_in_a_row(mut link: Link) {
    let gpu = Gpu::open();
    let parcel = Parcel::receive(&mut link);
    let data = parcel.pointer;
    let pool = parcel.open_pool(&gpu);
    let stream = gpu.non_blocking();
    let mut addresses = Vec::new();
    for _ in 0..3 {
        let memory = mapped(&gpu, &pool, &data).expect("the block is mapped");
        assert_eq!(value_of(&gpu.download(&stream, memory, BYTES)), Some(7));
        gpu.free(&stream, memory);
        gpu.sync(&stream);
        addresses.push(memory);
    }
    measured!("a block imported anew after its free is at {addresses:?}");
    link.signal();
}

/// The contract has a block imported once at a time; what happens otherwise is only looked at, with every call's error.
fn import_twice_at_once(mut link: Link) {
    let gpu = Gpu::open();
    let parcel = Parcel::receive(&mut link);
    let data = parcel.pointer;
    let pool = parcel.open_pool(&gpu);
    let (stream, seen) = (gpu.non_blocking(), gpu.pinned(BYTES));
    let first = mapped(&gpu, &pool, &data).expect("the block is mapped");
    let second = mapped(&gpu, &pool, &data);
    measured!("a block imported twice at once: {first:?} and {second:?}");
    measured!("the second import is at the first one's address: {}", second == Ok(first));
    if let Ok(second) = second {
        // SAFETY: the stream is live, the context is this process's, and whatever becomes of it is what is asked for.
        unsafe {
            let freed = gpu.driver.free_async(&stream, first);
            let synced = gpu.driver.stream_sync(&stream);
            measured!("the free of the first import: {freed:?}, synchronised: {synced:?}");
            let copied = gpu.driver.copy_async(&stream, seen.ptr, second, BYTES);
            let synced = gpu.driver.stream_sync(&stream);
            let right = synced.is_ok().then(|| value_of(&seen.read()) == Some(7));
            measured!("a read by the second afterwards: {copied:?}, synchronised: {synced:?}, right: {right:?}");
            let freed = gpu.driver.free_async(&stream, second);
            let synced = gpu.driver.stream_sync(&stream);
            measured!("the free of the second: {freed:?}, synchronised: {synced:?}");
        }
    }
}
