//! Events for `record`, kept and used again.

use super::device::{DeviceCore, lock};
use super::driver::EventRef;
use super::stream_core::StreamCore;
use crate::Result;
use std::sync::Mutex;

/// Idle events of one device. Events are made without timing.
#[derive(Default)]
pub(super) struct EventPool {
    idle: Mutex<Vec<EventRef>>,
}

/// A recorded event. When the last value that needs it is gone it may be recorded again: a wait that was submitted
/// keeps the record it was submitted for (driver promise 2).
pub(super) struct PooledEvent {
    device: &'static DeviceCore,
    event: EventRef,
}

impl PooledEvent {
    /// An event for one record. `cuEventCreate` only when none is idle.
    pub(super) fn new(device: &'static DeviceCore) -> Result<Self> {
        device.usable()?;
        let idle = lock(&device.events.idle).pop();
        let event = match idle {
            Some(event) => event,
            None => device.new_event()?,
        };
        Ok(PooledEvent { device, event })
    }

    /// An event after all earlier work of the stream. `cuEventRecord`.
    pub(super) fn recorded(stream: &StreamCore) -> Result<Self> {
        // First: late in a thread's end not even an event may be created.
        stream.usable()?;
        let event = PooledEvent::new(stream.device)?;
        stream.record(&event.event)?;
        Ok(event)
    }

    pub(super) fn event(&self) -> &EventRef {
        &self.event
    }

    /// `cuEventSynchronize`. Reports a panic of a host function.
    pub(super) fn sync(&self) -> Result<()> {
        self.wait()?;
        self.device.panics.report()
    }

    /// `cuEventSynchronize`.
    pub(super) fn wait(&self) -> Result<()> {
        self.device.usable()?;
        // SAFETY: (1) live as long as the device; recorded by whoever made this value.
        Ok(unsafe { self.device.driver.event_sync(&self.event) }?)
    }

    /// `cuEventQuery`. Reports a panic of a host function instead of `true`.
    pub(super) fn query(&self) -> Result<bool> {
        let passed = self.has_passed()?;
        if passed {
            self.device.panics.report()?;
        }
        Ok(passed)
    }

    /// `cuEventQuery`.
    pub(super) fn has_passed(&self) -> Result<bool> {
        self.device.usable()?;
        // SAFETY: as in `sync`.
        Ok(unsafe { self.device.driver.event_query(&self.event) }?)
    }
}

impl Drop for PooledEvent {
    fn drop(&mut self) {
        lock(&self.device.events.idle).push(self.event);
    }
}

impl EventPool {
    /// Destroys the idle events, at the end of a scope.
    ///
    /// # Safety
    /// 1. The device is drained and closing.
    pub(super) unsafe fn close(&self, device: &DeviceCore) {
        for event in lock(&self.idle).drain(..) {
            // SAFETY: (1) created by this driver, used by nothing any more.
            let _ = unsafe { device.driver.event_destroy(&event) };
        }
    }
}
