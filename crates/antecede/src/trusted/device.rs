//! One opened device: what its streams, buffers and events share.

use super::cache::PinnedCache;
use super::driver::{ContextRef, Driver, EventId, EventRef, StreamId, StreamKind, StreamRef};
use super::event::EventPool;
use super::module::ModuleCore;
use super::parts::Parents;
use super::place::Place;
use super::staging::StagingPool;
use crate::{Error, Result};
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Locks also after a panic elsewhere: every critical section of this crate leaves its data whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An opened device. Lives for ever (`Primary`), or until its scope has ended and every stream of it is drained.
pub(super) struct DeviceCore {
    pub(super) driver: Arc<dyn Driver>,
    pub(super) context: ContextRef,
    poisoned: AtomicBool,
    leaked: AtomicUsize,
    pub(super) streams: Mutex<HashMap<TypeId, Place<StreamCore>>>,
    pub(super) modules: Mutex<HashMap<usize, Place<ModuleCore>>>,
    pub(super) events: EventPool,
    pub(super) staging: StagingPool,
    pub(super) pinned: PinnedCache,
    pub(super) parents: Parents,
}

/// A stream of an opened device. Lives as long as its device.
pub(super) struct StreamCore {
    pub(super) device: &'static DeviceCore,
    pub(super) stream: StreamRef,
    pub(super) name: &'static str,
    /// Recorded by `take`, and waited on in the same call. One for a stream is enough, also for two threads at once: a
    /// record by the other thread is *later* on this stream, so a wait on it covers this thread's work as well.
    hand_over: EventRef,
}

impl DeviceCore {
    /// Opens the context of `ordinal`.
    pub(super) fn open(driver: Arc<dyn Driver>, ordinal: u32) -> Result<Place<DeviceCore>> {
        let count = driver.device_count()?;
        if ordinal >= count {
            return Err(Error::NoSuchDevice { ordinal, count });
        }
        // SAFETY: no handle is passed.
        let context = unsafe { driver.context_open(ordinal) }?;
        Ok(Place::new(DeviceCore {
            driver,
            context,
            poisoned: AtomicBool::new(false),
            leaked: AtomicUsize::new(0),
            streams: Mutex::default(),
            modules: Mutex::default(),
            events: EventPool::default(),
            staging: StagingPool::default(),
            pinned: PinnedCache::default(),
            parents: Parents::default(),
        }))
    }

    pub(super) fn is(&self, other: &DeviceCore) -> bool {
        std::ptr::eq(self, other)
    }

    /// `Err` once the device is poisoned. A plain load: on the path of every launch.
    pub(super) fn usable(&self) -> Result<()> {
        if self.poisoned.load(Ordering::Relaxed) { Err(self.poisoned_error()) } else { Ok(()) }
    }

    #[cold]
    fn poisoned_error(&self) -> Error {
        Error::Poisoned { ordinal: self.context.ordinal }
    }

    /// Nothing more is submitted to this device, and nothing of it is freed.
    pub(super) fn poison(&self) {
        self.poisoned.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_poisoned(&self) -> bool {
        self.poisoned.load(Ordering::Relaxed)
    }

    /// Counts an allocation that could not be freed.
    pub(super) fn leak(&self) {
        self.leaked.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn leaked(&self) -> usize {
        self.leaked.load(Ordering::Relaxed)
    }

    /// Waits for every stream of the context (`cuCtxSynchronize`).
    pub(super) fn sync(&self) -> Result<()> {
        // SAFETY: (1) the context is open as long as its core lives.
        Ok(unsafe { self.driver.context_sync(&self.context) }?)
    }

    pub(super) fn new_event(&self) -> Result<EventRef> {
        let id = EventId::fresh();
        // SAFETY: (1) the context is open.
        let handle = unsafe { self.driver.event_create(&self.context, id) }?;
        Ok(EventRef { id, context: self.context, handle })
    }

    pub(super) fn new_stream(
        &'static self,
        kind: StreamKind,
        priority: i32,
        name: &'static str,
    ) -> Result<Place<StreamCore>> {
        self.usable()?;
        let hand_over = self.new_event()?;
        let id = StreamId::fresh();
        // SAFETY: (1) the context is open.
        match unsafe { self.driver.stream_create(&self.context, id, kind, priority, name) } {
            Ok(handle) => {
                let stream = StreamRef { id, context: self.context, handle, kind };
                Ok(Place::new(StreamCore { device: self, stream, name, hand_over }))
            }
            Err(error) => {
                // SAFETY: (1) created above, used by nothing. That it may fail loses an event, no order.
                let _ = unsafe { self.driver.event_destroy(&hand_over) };
                Err(error.into())
            }
        }
    }
}

impl StreamCore {
    pub(super) fn id(&self) -> StreamId {
        self.stream.id
    }

    pub(super) fn driver(&self) -> &dyn Driver {
        &*self.device.driver
    }

    /// Orders everything submitted here so far before everything submitted to `to` from now on.
    ///
    /// `cuEventRecord` and `cuStreamWaitEvent`. No lock, no allocation.
    pub(super) fn hand_over(&self, to: &StreamCore) -> Result<()> {
        debug_assert_eq!(self.stream.context.id, to.stream.context.id, "one device brand is one context");
        self.record(&self.hand_over)?;
        to.wait(&self.hand_over)
    }

    /// `cuEventRecord`.
    pub(super) fn record(&self, event: &EventRef) -> Result<()> {
        self.device.usable()?;
        // SAFETY: (1) both live as long as the device, and are of its context.
        Ok(unsafe { self.driver().event_record(event, &self.stream) }?)
    }

    /// `cuStreamWaitEvent`.
    pub(super) fn wait(&self, event: &EventRef) -> Result<()> {
        self.device.usable()?;
        // SAFETY: (1) both live as long as the device; the callers have recorded the event.
        Ok(unsafe { self.driver().event_wait(&self.stream, event) }?)
    }

    /// `cuStreamSynchronize`.
    pub(super) fn sync(&self) -> Result<()> {
        self.device.usable()?;
        // SAFETY: (1) the stream lives as long as the device.
        Ok(unsafe { self.driver().stream_sync(&self.stream) }?)
    }

    /// Destroys the stream and its event, at the end of a scope.
    ///
    /// # Safety
    /// 1. Nothing is submitted to the stream any more, and everything that was has taken effect.
    pub(super) unsafe fn destroy(&self) {
        // SAFETY: (1, 5) drained, by 1. An error here loses a handle of a context that is about to go.
        unsafe {
            let _ = self.driver().stream_destroy(&self.stream);
            let _ = self.driver().event_destroy(&self.hand_over);
        }
    }
}
