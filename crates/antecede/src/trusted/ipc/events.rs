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
    /// An event after all earlier work of the stream: `cuEventRecord`; `cuEventQuery` of one that is idle, or
    /// `cuEventCreate` and `cuIpcGetEventHandle` where none is.
    pub(super) fn recorded(stream: &StreamCore) -> Result<Self> {
        let device = stream.device;
        stream.usable()?;
        let (event, data) = match device.interprocess_events.take_idle(device) {
            Some(known) => known,
            None => create(device)?,
        };
        let this = InterprocessEvent { device, event, data };
        match stream.record(&this.event) {
            Ok(()) => Ok(this),
            Err(error) => {
                // Whether it was recorded is not known, so it is not to be queried as one that was: it ends here.
                // SAFETY: (1) live, and nobody was told of it.
                let _ = unsafe { device.driver.event_destroy(&this.event) };
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
    /// One whose record has taken effect. Recorded again before that, an interprocess event is not to be relied on: a wait
    /// for its later record was seen not to end (on an H200).
    fn take_idle(&self, device: &DeviceCore) -> Option<(EventRef, EventData)> {
        let mut idle = lock(&self.idle);
        // SAFETY: (1) live as long as the device; recorded before they were given back.
        let has_passed = |(event, _): &(EventRef, EventData)| unsafe { device.driver.event_query(event) } == Ok(true);
        let place = idle.iter().rposition(has_passed)?;
        Some(idle.swap_remove(place))
    }

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
