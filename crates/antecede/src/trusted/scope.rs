//! A device of one's own for the length of a closure.

use super::device::{DeviceCore, lock};
use super::driver::Driver;
use super::place::Place;
use super::registry::Device;
use crate::{Result, Scoped};
use std::sync::Arc;

/// See [`Device::scope_as`].
pub(super) fn run<Tag, R>(
    driver: Arc<dyn Driver>,
    ordinal: u32,
    f: impl for<'id> FnOnce(Device<Scoped<'id, Tag>>) -> Result<R>,
) -> Result<R> {
    let guard = Guard { device: Some(DeviceCore::open(driver, ordinal)?) };
    // SAFETY: (1) `f` accepts any `'id`, so it cannot tell it from another: no other device has this brand.
    let result = f(unsafe { Device::new(guard.core()) });
    let closed = guard.close();
    result.and_then(|value| closed.map(|()| value))
}

/// Ends a scope. The one drop that soundness relies on; it stands on `scope_as`'s own frame, where nobody can forget it.
struct Guard {
    device: Option<Place<DeviceCore>>,
}

impl Guard {
    fn core(&self) -> &'static DeviceCore {
        self.device.as_ref().expect("open until closed").get()
    }

    fn close(mut self) -> Result<()> {
        // SAFETY: (1) `f` has returned; what it made carries `'id` and is gone or forgotten.
        self.device.take().map_or(Ok(()), |device| unsafe { close(device) })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(device) = self.device.take() {
            // SAFETY: (1) `f` has unwound; what it made carries `'id` and is gone or forgotten.
            let _ = unsafe { close(device) };
        }
    }
}

/// # Safety
/// 1. No value of this device's brand will be used again.
unsafe fn close(device: Place<DeviceCore>) -> Result<()> {
    let core = device.get();
    core.usable()?;
    // Every stream of the context, also those of threads that are gone: no list of ours could be as complete.
    core.sync()?;
    for (_, stream) in lock(&core.streams).drain() {
        // SAFETY: drained by the sync above; no value can submit to it, nor refer to it (1).
        unsafe {
            stream.get().destroy();
            stream.free();
        }
    }
    for (_, module) in lock(&core.modules).drain() {
        // SAFETY: as above.
        unsafe {
            module.get().unload(core);
            module.free();
        }
    }
    // SAFETY: as above.
    unsafe {
        core.cache.close(core); // it gives its events back
        core.staging.close(core);
        core.events.close(core);
        core.pools.close(core);
    }
    // SAFETY: (1, 5) opened once by this core, and everything in it is over.
    let closed = unsafe { core.driver.context_close(&core.context) };
    let panicked = core.panics.report();
    // SAFETY: (1) of this function.
    unsafe { device.free() };
    closed?;
    panicked
}
