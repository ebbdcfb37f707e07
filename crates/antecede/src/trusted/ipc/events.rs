//! Events that another process can wait for, kept and used again.

use crate::Result;
use crate::driver::{EventData, EventId, EventRef};
use crate::trusted::device::{DeviceCore, lock};
use crate::trusted::stream_core::StreamCore;
use std::sync::Mutex;

/// Idle interprocess events of one device, with what others open them by.
#[derive(Default)]
pub(in crate::trusted) struct InterprocessEvents {
    idle: Mutex<Vec<(EventRef, EventData)>>,
}

/// A recorded interprocess event.
///
/// Not given back by a drop: another process may still be about to wait, and would wait for a later record. By
/// [`give_back`](InterprocessEvent::give_back) alone.
pub(super) struct InterprocessEvent {
    device: &'static DeviceCore,
    event: EventRef,
    data: EventData,
}

impl InterprocessEvent {
    /// An event after all earlier work of the stream: `cuEventRecord`; `cuEventCreate` and `cuIpcGetEventHandle` only when
    /// none is idle.
    pub(super) fn recorded(stream: &StreamCore) -> Result<Self> {
        let device = stream.device;
        stream.usable()?;
        let idle = lock(&device.interprocess_events.idle).pop();
        let (event, data) = match idle {
            Some(known) => known,
            None => create(device)?,
        };
        let this = InterprocessEvent { device, event, data };
        match stream.record(&this.event) {
            Ok(()) => Ok(this),
            Err(error) => {
                // SAFETY: (1) nobody was told of it.
                unsafe { this.give_back() };
                Err(error)
            }
        }
    }

    pub(super) fn data(&self) -> &EventData {
        &self.data
    }

    /// May be recorded again.
    ///
    /// # Safety
    /// 1. No other process is still to wait for this record.
    pub(super) unsafe fn give_back(self) {
        lock(&self.device.interprocess_events.idle).push((self.event, self.data));
    }
}

fn create(device: &DeviceCore) -> Result<(EventRef, EventData)> {
    let id = EventId::fresh();
    // SAFETY: (1) the context is open.
    let handle = unsafe { device.driver.interprocess_event_create(&device.context, id) }?;
    let event = EventRef { id, context: device.context, handle };
    // SAFETY: (1) just created, as an interprocess event.
    match unsafe { device.driver.event_export(&event) } {
        Ok(data) => Ok((event, data)),
        Err(error) => {
            // SAFETY: (1) just created, used by nothing.
            let _ = unsafe { device.driver.event_destroy(&event) };
            Err(error.into())
        }
    }
}

impl InterprocessEvents {
    /// Destroys the idle events, at the end of a scope.
    ///
    /// # Safety
    /// 1. The device is drained and closing.
    pub(in crate::trusted) unsafe fn close(&self, device: &DeviceCore) {
        for (event, _) in lock(&self.idle).drain(..) {
            // SAFETY: (1) created by this driver; given back, so nobody waits for it any more.
            let _ = unsafe { device.driver.event_destroy(&event) };
        }
    }
}
