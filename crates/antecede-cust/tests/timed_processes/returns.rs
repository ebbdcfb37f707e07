//! Which calls return while a stream of the calling process is held.
//!
//! Only a submission has to, and the end of an event. Of the others it is good to know: where one waits for the device, no
//! lock may be held across it.

use std::fmt::Debug;
use std::time::Duration;

use antecede::driver::{Driver, Pattern};

use crate::common::Gpu;
use crate::common::latch::Latch;
use crate::pair::Link;
use crate::shared::{
    BYTES, Parcel, Shared, exportable_pool, exported, interprocess_event, mapped, opened, wait, within,
};

const SOON: Duration = Duration::from_millis(1500);

between_processes!(calls_of_both_sides_while_a_stream_is_held, export_while_held, import_while_held);

/// Makes the call, and says whether it has returned by the time that a held stream would be let go of.
fn look<T: Debug + Send + 'static>(what: &str, call: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let answer = within(SOON, call);
    let took = answer.as_ref().map(|(_, took)| *took);
    measured!("while a stream is held, {what} returns after {took:?}");
    answer.map(|(value, _)| value)
}

fn export_while_held(mut link: Link) {
    let gpu = Gpu::open();
    let (shared, held) = (Shared::new(&gpu, 1), gpu.non_blocking());
    shared.parcel(&gpu).send(&mut link);
    let latch = Latch::hold(&gpu, &held);
    let (driver, context) = (gpu.driver, gpu.context);
    // SAFETY: live handles of this process, in each call.
    unsafe {
        look("exportable_pool_create", move || driver.exportable_pool_create(&context));
        look("pool_export", move || driver.pool_export(&shared.pool).map(drop));
        look("pointer_export", move || driver.pointer_export(&context, shared.memory).map(drop));
        look("pool_of", move || driver.pool_of(&context, shared.memory));
        look("allocation_bytes", move || driver.allocation_bytes(&context, shared.memory));
        look("event_export", move || driver.event_export(&shared.event).map(drop));
    }
    let gpu_of_thread = Gpu { driver, context };
    look("interprocess_event_create", move || exported(&gpu_of_thread, &interprocess_event(&gpu_of_thread)));
    latch.release();
    gpu.sync(&held);
    link.await_signal();
    // SAFETY: nothing was allocated from it.
    let empty = unsafe { gpu.driver.pool_destroy(&exportable_pool(&gpu)) };
    assert_eq!(empty, Ok(()));
}

fn import_while_held(mut link: Link) {
    let gpu = Gpu::open();
    let parcel = Parcel::receive(&mut link);
    let (pointer, data) = (parcel.pointer, parcel.event);
    let (held, stream) = (gpu.non_blocking(), gpu.non_blocking());
    let latch = Latch::hold(&gpu, &held);
    let (driver, context) = (gpu.driver, gpu.context);
    let pool = look("pool_import", move || parcel.open_pool(&Gpu { driver, context }));
    let memory =
        pool.and_then(|pool| look("pointer_import", move || mapped(&Gpu { driver, context }, &pool, &pointer)));
    let event = look("event_import", move || opened(&Gpu { driver, context }, &data));
    if let (Some(pool), Some(Ok(memory)), Some(Ok(event))) = (pool, memory, event) {
        wait(&gpu, &stream, &event);
        look("a fill of the block", move || {
            let gpu = Gpu { driver, context };
            // SAFETY: live handles; the block is imported, and complete.
            unsafe { gpu.driver.fill_async(&stream, memory, Pattern::D8(2), BYTES) }
        });
        // SAFETY: live handles, used no more.
        unsafe {
            look("event_destroy", move || driver.event_destroy(&event));
            look("free_async", move || driver.free_async(&stream, memory));
            look("stream_sync", move || driver.stream_sync(&stream));
            look("pool_destroy", move || driver.pool_destroy(&pool));
        }
    }
    latch.release();
    gpu.sync(&held);
    link.signal();
}
