//! Memory that host and device both use in place.

use super::device::DeviceCore;
use super::driver::DeviceAttribute;
use crate::{Error, Result};
use std::sync::OnceLock;

/// Whether the host may touch managed memory while the device works: asked for once.
#[derive(Default)]
pub(super) struct ConcurrentAccess(OnceLock<bool>);

impl ConcurrentAccess {
    /// `Err` where a host slice of managed memory would fault while any kernel runs, whatever that works on: a borrow of
    /// the buffer stops no other launch. `cuDeviceGetAttribute` at the first call.
    pub(super) fn required(device: &DeviceCore) -> Result<()> {
        device.usable()?;
        let known = &device.concurrent_access.0;
        let concurrent = match known.get() {
            Some(concurrent) => *concurrent,
            None => {
                let attribute = DeviceAttribute::ConcurrentManagedAccess;
                // SAFETY: (1) the context is open.
                let value = unsafe { device.driver.attribute(&device.context, attribute) }?;
                *known.get_or_init(|| value != 0)
            }
        };
        if concurrent {
            return Ok(());
        }
        Err(Error::NotSupported {
            ordinal: device.context.ordinal,
            what: "concurrent access to managed memory, so a host slice would fault while the device works",
            instead: "use `device.pinned(len)?`, or device memory with `upload` and `download`",
        })
    }
}
