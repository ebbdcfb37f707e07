//! What an importer has once its exporter is gone.

use std::time::Duration;

use antecede::driver::{Driver, Pattern};

use crate::common::Gpu;
use crate::common::latch::Latch;
use crate::pair::{self, Link, kill_this_process};
use crate::shared::{BYTES, Shared, done_within, record, value_of, wait};

const OLD: u8 = 5;
const NEW: u8 = 6;
/// How long the importer looks for an end of its wait.
const LOOKING: Duration = Duration::from_secs(8);

#[test]
#[ignore = "needs a GPU"]
fn an_imported_block_outlives_its_exporter() {
    let test = concat!(module_path!(), "::an_imported_block_outlives_its_exporter");
    let Some([exporter, importer]) = pair::run(test, export_and_end, read_before_and_after) else { return };
    exporter.assert_killed();
    importer.assert_well();
}

fn export_and_end(mut link: Link) {
    let gpu = Gpu::open();
    Shared::new(&gpu, NEW).parcel(&gpu).send(&mut link);
    link.await_signal();
    kill_this_process()
}

fn read_before_and_after(mut link: Link) {
    let gpu = Gpu::open();
    let (shared, stream) = (Shared::receive(&gpu, &mut link), gpu.non_blocking());
    wait(&gpu, &stream, &shared.event);
    assert_eq!(value_of(&gpu.download(&stream, shared.memory, BYTES)), Some(NEW));
    link.signal();
    measured!("the end of a killed exporter is seen after {:?}", link.await_end());
    // Memory that is given out now is other memory.
    for _ in 0..8 {
        let other = gpu.device(&stream, 64 << 20);
        gpu.fill(&stream, other, Pattern::D8(OLD), 64 << 20);
    }
    assert_eq!(value_of(&gpu.download(&stream, shared.memory, BYTES)), Some(NEW));
    gpu.fill(&stream, shared.memory, Pattern::D8(OLD), BYTES);
    assert_eq!(value_of(&gpu.download(&stream, shared.memory, BYTES)), Some(OLD), "and it can be written");
    gpu.free(&stream, shared.memory);
    gpu.sync(&stream);
    // SAFETY: live handles, used no more.
    unsafe {
        gpu.driver.event_destroy(&shared.event).expect("ends");
        gpu.driver.pool_destroy(&shared.pool).expect("ends");
    }
}

/// Nothing is promised of such a wait: whether and how it ends is only looked at, for a time. The importer may not get
/// out of the driver any more; then the test ends it.
#[test]
#[ignore = "needs a GPU"]
fn a_wait_for_the_held_event_of_a_killed_exporter() {
    let test = concat!(module_path!(), "::a_wait_for_the_held_event_of_a_killed_exporter");
    let Some([exporter, importer]) = pair::run(test, hold_and_end, look_at_the_wait) else { return };
    measured!("the killed exporter ended: {:?}, the importer: {:?}", exporter.status, importer.status);
    importer.assert_found("the importer's wait");
}

fn hold_and_end(mut link: Link) {
    let gpu = Gpu::open();
    let (shared, stream) = (Shared::new(&gpu, OLD), gpu.non_blocking());
    let parcel = shared.parcel(&gpu);
    let latch = Latch::hold(&gpu, &stream);
    gpu.fill(&stream, shared.memory, Pattern::D8(NEW), BYTES);
    record(&gpu, &shared.event, &stream);
    parcel.send(&mut link);
    link.await_signal();
    assert!(!gpu.done(&stream), "still held");
    // The latch is not released.
    std::mem::forget(latch);
    kill_this_process()
}

fn look_at_the_wait(mut link: Link) {
    let gpu = Gpu::open();
    let shared = Shared::receive(&gpu, &mut link);
    let (stream, free, seen) = (gpu.non_blocking(), gpu.non_blocking(), gpu.pinned(BYTES));
    let look = gpu.pinned(BYTES);
    wait(&gpu, &stream, &shared.event);
    gpu.copy(&stream, seen.ptr, shared.memory, BYTES);
    assert!(!gpu.done(&stream));
    link.signal();
    measured!("the end of an exporter that is killed with a held stream is seen after {:?}", link.await_end());
    let ended = done_within(&gpu, &stream, LOOKING);
    let read = matches!(ended, Ok(Some(_))).then(|| value_of(&seen.read()));
    measured!("the importer's wait, of {LOOKING:?} at most: {ended:?}; it read {read:?} (old {OLD}, new {NEW})");
    // SAFETY: live handles; the block is imported.
    unsafe {
        measured!("a query of the event then: {:?}", gpu.driver.event_query(&shared.event));
        let copied = gpu.driver.copy_async(&free, look.ptr, shared.memory, BYTES);
        let done = done_within(&gpu, &free, LOOKING / 4);
        let read = matches!(done, Ok(Some(_))).then(|| value_of(&look.read()));
        measured!("another stream's read then: {copied:?}, {done:?}, of {read:?}");
        measured!("the event is destroyed then: {:?}", gpu.driver.event_destroy(&shared.event));
    }
}

#[test]
#[ignore = "needs a GPU"]
fn a_killed_importer_leaves_the_exporter_its_block() {
    let test = concat!(module_path!(), "::a_killed_importer_leaves_the_exporter_its_block");
    let Some([exporter, importer]) = pair::run(test, export_and_take_back, import_and_end) else { return };
    importer.assert_killed();
    exporter.assert_well();
}

fn export_and_take_back(mut link: Link) {
    let gpu = Gpu::open();
    let (shared, stream) = (Shared::new(&gpu, OLD), gpu.non_blocking());
    shared.parcel(&gpu).send(&mut link);
    link.await_signal();
    measured!("the end of a killed importer is seen after {:?}", link.await_end());
    gpu.fill(&stream, shared.memory, Pattern::D8(NEW), BYTES);
    assert_eq!(value_of(&gpu.download(&stream, shared.memory, BYTES)), Some(NEW));
    gpu.free(&stream, shared.memory);
    gpu.sync(&stream);
    // SAFETY: live handles, used no more.
    unsafe {
        gpu.driver.event_destroy(&shared.event).expect("ends");
        gpu.driver.pool_destroy(&shared.pool).expect("ends");
    }
}

fn import_and_end(mut link: Link) {
    let gpu = Gpu::open();
    let (shared, stream) = (Shared::receive(&gpu, &mut link), gpu.non_blocking());
    wait(&gpu, &stream, &shared.event);
    gpu.sync(&stream);
    link.signal();
    kill_this_process()
}
