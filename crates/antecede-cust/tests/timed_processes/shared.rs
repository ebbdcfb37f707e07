//! Memory and an event that one process exports and the other imports.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use antecede::driver::{
    DevicePtr, DeviceUuid, Driver, DriverResult, EventData, EventId, EventRef, Pattern, PointerData, PoolRef, Space,
    StreamRef,
};

use crate::common::Gpu;
use crate::pair::Link;

/// Of the block that crosses; no multiple of a power of two.
pub(crate) const BYTES: usize = 1_000_004;

/// A block and an event of an exporter, or those of an importer.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    pub(crate) pool: PoolRef,
    pub(crate) memory: DevicePtr,
    pub(crate) event: EventRef,
}

impl Shared {
    /// A block of an exportable pool whose bytes are all `value`, and an event that is recorded behind that. Complete.
    pub(crate) fn new(gpu: &Gpu, value: u8) -> Shared {
        let stream = gpu.non_blocking();
        let pool = exportable_pool(gpu);
        let memory = gpu.alloc_from(&pool, &stream, BYTES);
        gpu.fill(&stream, memory, Pattern::D8(value), BYTES);
        let event = interprocess_event(gpu);
        record(gpu, &event, &stream);
        gpu.sync(&stream);
        Shared { pool, memory, event }
    }

    /// What the other process needs for all three.
    pub(crate) fn parcel(&self, gpu: &Gpu) -> Parcel {
        // SAFETY: a live, exportable pool, and a block of it.
        let (descriptor, pointer) = unsafe {
            let descriptor = gpu.driver.pool_export(&self.pool).expect("a descriptor");
            (descriptor, gpu.driver.pointer_export(&gpu.context, self.memory).expect("its data"))
        };
        let flags = rustix::io::fcntl_getfd(&descriptor).expect("its flags");
        assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
        Parcel { descriptor, device: uuid(gpu), pointer, event: exported(gpu, &self.event) }
    }

    /// Imports what the other process sends.
    pub(crate) fn receive(gpu: &Gpu, link: &mut Link) -> Shared {
        let parcel = Parcel::receive(link);
        let (event, pointer) = (parcel.event, parcel.pointer);
        let pool = parcel.open_pool(gpu);
        let memory = mapped(gpu, &pool, &pointer).expect("the block is mapped");
        Shared { pool, memory, event: opened(gpu, &event).expect("the event opens") }
    }
}

/// A pool, a block and an event on their way.
pub(crate) struct Parcel {
    pub(crate) descriptor: OwnedFd,
    device: DeviceUuid,
    pub(crate) pointer: PointerData,
    pub(crate) event: EventData,
}

impl Parcel {
    pub(crate) fn send(self, link: &mut Link) {
        link.send_descriptor(self.descriptor);
        link.send(self.device.0);
        link.send(self.pointer.0);
        link.send(self.event.0);
    }

    pub(crate) fn receive(link: &mut Link) -> Parcel {
        Parcel {
            descriptor: link.receive_descriptor(),
            device: DeviceUuid(link.receive()),
            pointer: PointerData(link.receive()),
            event: EventData(link.receive()),
        }
    }

    /// Opens the pool, and closes the descriptor: the pool does not need it any more.
    pub(crate) fn open_pool(self, gpu: &Gpu) -> PoolRef {
        assert_eq!(self.device, uuid(gpu), "one device has one identity in both processes");
        opened_pool(gpu, self.descriptor.as_fd()).expect("the pool opens")
    }
}

pub(crate) fn opened_pool(gpu: &Gpu, descriptor: BorrowedFd<'_>) -> DriverResult<PoolRef> {
    // SAFETY: an open context.
    let handle = unsafe { gpu.driver.pool_import(&gpu.context, descriptor) }?;
    Ok(PoolRef { context: gpu.context, space: Space::DeviceMemory, handle })
}

pub(crate) fn exportable_pool(gpu: &Gpu) -> PoolRef {
    // SAFETY: an open context; the same holds of every handle below.
    let handle = unsafe { gpu.driver.exportable_pool_create(&gpu.context) }.expect("a pool");
    PoolRef { context: gpu.context, space: Space::DeviceMemory, handle }
}

pub(crate) fn interprocess_event(gpu: &Gpu) -> EventRef {
    let (id, context) = (EventId::fresh(), gpu.context);
    // SAFETY: an open context.
    let handle = unsafe { gpu.driver.interprocess_event_create(&context, id) }.expect("an event");
    EventRef { id, context, handle }
}

pub(crate) fn record(gpu: &Gpu, event: &EventRef, stream: &StreamRef) {
    // SAFETY: live handles of one context.
    unsafe { gpu.driver.event_record(event, stream) }.expect("a record");
}

pub(crate) fn wait(gpu: &Gpu, stream: &StreamRef, event: &EventRef) {
    // SAFETY: live handles; the event has been recorded.
    unsafe { gpu.driver.event_wait(stream, event) }.expect("a wait");
}

pub(crate) fn exported(gpu: &Gpu, event: &EventRef) -> EventData {
    // SAFETY: an interprocess event of this process.
    unsafe { gpu.driver.event_export(event) }.expect("its data")
}

pub(crate) fn opened(gpu: &Gpu, data: &EventData) -> DriverResult<EventRef> {
    let (id, context) = (EventId::fresh(), gpu.context);
    // SAFETY: an open context.
    let handle = unsafe { gpu.driver.event_import(&context, id, data) }?;
    Ok(EventRef { id, context, handle })
}

pub(crate) fn mapped(gpu: &Gpu, pool: &PoolRef, data: &PointerData) -> DriverResult<DevicePtr> {
    // SAFETY: an imported pool.
    unsafe { gpu.driver.pointer_import(pool, data) }
}

fn uuid(gpu: &Gpu) -> DeviceUuid {
    // SAFETY: an open context.
    unsafe { gpu.driver.device_uuid(&gpu.context) }.expect("an identity")
}

/// The one value that all bytes have; `None` if they differ.
pub(crate) fn value_of(bytes: &[u8]) -> Option<u8> {
    bytes.iter().all(|byte| *byte == bytes[0]).then_some(bytes[0])
}

/// Asks until the stream is done, but not beyond the limit. How long it took, or `None`.
pub(crate) fn done_within(gpu: &Gpu, stream: &StreamRef, limit: Duration) -> DriverResult<Option<Duration>> {
    let start = Instant::now();
    loop {
        // SAFETY: a live stream.
        let done = unsafe { gpu.driver.stream_query(stream) }?;
        match (done, start.elapsed()) {
            (true, elapsed) => return Ok(Some(elapsed)),
            (false, elapsed) if elapsed > limit => return Ok(None),
            _ => thread::yield_now(),
        }
    }
}

/// The answer of a call that may never return, and how long it took.
pub(crate) fn within<T: Send + 'static>(
    limit: Duration,
    call: impl FnOnce() -> T + Send + 'static,
) -> Option<(T, Duration)> {
    let (send, answer) = mpsc::channel();
    let start = Instant::now();
    // It is left behind if it does not return; the process is ended by the test.
    thread::spawn(move || send.send((call(), start.elapsed())));
    answer.recv_timeout(limit).ok()
}
