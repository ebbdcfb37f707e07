//! The same operations as driver calls by hand, as one writes them who has thought about their order. None is inlined.

use std::ffi::c_void;
use std::sync::Arc;

use antecede::Kernels;
use antecede::driver::{
    Access, DevicePtr, Driver, DriverResult, EventId, EventRef, KernelDecl, Launch, LoadedModule, Pattern, StreamId,
    StreamKind, StreamRef,
};

use crate::cpu::kernels::Many;

/// A driver, and what a program that calls it by hand keeps: two streams, four readers' streams, an event for each.
#[derive(Debug)]
pub struct Hand {
    /// The driver.
    pub driver: Arc<dyn Driver>,
    /// Where the buffers are at first.
    pub upload: Queue,
    /// Where they are handed over to.
    pub compute: Queue,
    /// The streams of the readers.
    pub readers: [Queue; 4],
    /// The kernels with one to eight buffers.
    pub many: LoadedModule,
}

/// A stream, and the event that is recorded on it.
#[derive(Debug)]
pub struct Queue {
    stream: StreamRef,
    event: EventRef,
}

/// An allocation.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    ptr: DevicePtr,
    bytes: usize,
}

// SAFETY comments below that say "by hand" stand for the caller's promises of `Driver`: handles come from this driver and
// live as long as `self`; the memory was allocated on `upload`, lives as long as `self` as well, and nothing but these
// operations uses it, which order their accesses.
impl Hand {
    /// Opens the driver's first device.
    ///
    /// # Errors
    /// What the driver returns.
    pub fn open(driver: Arc<dyn Driver>) -> DriverResult<Hand> {
        // SAFETY: the driver refuses a device that it lacks.
        let context = unsafe { driver.context_open(0) }?;
        let queue = |name| {
            let (id, kind, event) = (StreamId::fresh(), StreamKind::NonBlockingStream, EventId::fresh());
            // SAFETY: the context is open.
            let handle = unsafe { driver.stream_create(&context, id, kind, 0, name) }?;
            let stream = StreamRef { id, context, handle, kind };
            // SAFETY: the context is open.
            let handle = unsafe { driver.event_create(&context, event) }?;
            Ok(Queue { stream, event: EventRef { id: event, context, handle } })
        };
        let (upload, compute) = (queue("upload")?, queue("compute")?);
        let readers = [queue("first")?, queue("second")?, queue("third")?, queue("fourth")?];
        // SAFETY: the context is open; the kernels are never run.
        let many = unsafe { driver.module_load(&context, Many::DECL) }?;
        Ok(Hand { driver, upload, compute, readers, many })
    }

    /// Memory for `len` numbers.
    ///
    /// # Errors
    /// What the driver returns.
    pub fn memory(&self, len: usize) -> DriverResult<Memory> {
        let bytes = len * size_of::<u32>();
        // SAFETY: by hand.
        let ptr = unsafe { self.driver.alloc_async(&self.upload.stream, bytes) }?;
        Ok(Memory { ptr, bytes })
    }
}

/// What a launch takes from the kernels of a [`Hand`].
fn kernel(hand: &Hand, index: usize) -> (u64, &'static KernelDecl) {
    (hand.many.functions[index], &Many::DECL.kernels[index])
}

macro_rules! launches {
    ($($name:ident, $count:literal: $($read:literal)*;)+) => { $(
        /// A launch with that many buffers.
        ///
        /// # Errors
        /// What the driver returns.
        #[inline(never)]
        pub fn $name(hand: &Hand, n: u32, buffers: &[Memory; $count]) -> DriverResult {
            let accesses = [
                $(Access { ptr: buffers[$read].ptr, bytes: buffers[$read].bytes, write: false },)*
                Access { ptr: buffers[$count - 1].ptr, bytes: buffers[$count - 1].bytes, write: true },
            ];
            let params: [*const c_void; $count + 1] = [
                (&raw const n).cast(),
                $((&raw const accesses[$read].ptr).cast(),)*
                (&raw const accesses[$count - 1].ptr).cast(),
            ];
            let (function, decl) = kernel(hand, $count - 1);
            let launch = Launch {
                function,
                decl,
                grid: [n.div_ceil(256), 1, 1],
                block: [256, 1, 1],
                shared_bytes: 0,
                params: &params,
                accesses: &accesses,
            };
            // SAFETY: by hand.
            unsafe { hand.driver.launch(&hand.upload.stream, &launch) }
        }
    )+ };
}

launches! {
    launch_1, 1:;
    launch_2, 2: 0;
    launch_3, 3: 0 1;
    launch_4, 4: 0 1 2;
    launch_5, 5: 0 1 2 3;
    launch_6, 6: 0 1 2 3 4;
    launch_7, 7: 0 1 2 3 4 5;
    launch_8, 8: 0 1 2 3 4 5 6;
}

/// The hand-over of whatever is ready on `from`.
///
/// # Errors
/// What the driver returns.
#[inline(never)]
pub fn hand_over(hand: &Hand, from: &Queue, to: &Queue) -> DriverResult {
    // SAFETY: by hand.
    unsafe {
        hand.driver.event_record(&from.event, &from.stream)?;
        hand.driver.event_wait(&to.stream, &from.event)
    }
}

/// So many times two hand-overs, to `compute` and back.
///
/// # Errors
/// What the driver returns.
#[inline(never)]
pub fn there_and_back(hand: &Hand, times: u64) -> DriverResult {
    let (driver, upload, compute) = (&*hand.driver, &hand.upload, &hand.compute);
    for _ in 0..times {
        // SAFETY: by hand.
        unsafe {
            driver.event_record(&upload.event, &upload.stream)?;
            driver.event_wait(&compute.stream, &upload.event)?;
            driver.event_record(&compute.event, &compute.stream)?;
            driver.event_wait(&upload.stream, &compute.event)?;
        }
    }
    Ok(())
}

/// Allocates and frees.
///
/// # Errors
/// What the driver returns.
#[inline(never)]
pub fn alloc_and_free(hand: &Hand, len: usize) -> DriverResult {
    // SAFETY: by hand.
    unsafe {
        let ptr = hand.driver.alloc_async(&hand.upload.stream, len * size_of::<u32>())?;
        hand.driver.free_async(&hand.upload.stream, ptr)
    }
}

/// Fills a buffer.
///
/// # Errors
/// What the driver returns.
#[inline(never)]
pub fn fill(hand: &Hand, buffer: &Memory) -> DriverResult {
    let count = buffer.bytes / size_of::<u32>();
    // SAFETY: by hand.
    unsafe { hand.driver.fill_async(&hand.upload.stream, buffer.ptr, Pattern::D32(7), count) }
}

/// So many times: lets four streams read, and joins them.
///
/// # Errors
/// What the driver returns.
#[inline(never)]
pub fn four_readers(hand: &Hand, times: u64) -> DriverResult {
    let (driver, upload) = (&*hand.driver, &hand.upload);
    for _ in 0..times {
        // SAFETY: by hand.
        unsafe {
            driver.event_record(&upload.event, &upload.stream)?;
            for reader in &hand.readers {
                driver.event_wait(&reader.stream, &upload.event)?;
            }
            for reader in &hand.readers {
                driver.event_record(&reader.event, &reader.stream)?;
                driver.event_wait(&upload.stream, &reader.event)?;
            }
        }
    }
    Ok(())
}
