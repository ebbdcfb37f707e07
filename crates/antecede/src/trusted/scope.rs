//! A device of one's own for the length of a closure.

use super::device::{DeviceCore, lock};
use super::driver::Driver;
use super::place::Place;
use super::registry::Device;
use crate::brand::{Anonymous, Scoped};
use crate::{Primary, Result};
use std::sync::Arc;

impl Device<Primary> {
    /// Opens a device for the length of `f`. Nothing that belongs to it can leave `f`.
    ///
    /// For tests, simulator runs, and loops over devices: each scope has streams of its own, also for the same brands.
    /// At the end, also when `f` panics, the context is synchronised (`cuCtxSynchronize`: it waits for *every* stream of
    /// the context, those of other scopes on the same ordinal included) and its streams, events and modules are
    /// destroyed. If that wait fails everything is leaked, and nothing destroyed.
    ///
    /// # Errors
    /// What `f` returns; [`Error::NoSuchDevice`](crate::Error::NoSuchDevice); [`Error::Driver`](crate::Error::Driver) if
    /// the device cannot be opened or the final wait fails.
    pub fn scope<R>(
        driver: impl Into<Arc<dyn Driver>>,
        ordinal: u32,
        f: impl for<'id> FnOnce(Device<Scoped<'id>>) -> Result<R>,
    ) -> Result<R> {
        Device::scope_as::<Anonymous, R>(driver, ordinal, f)
    }

    /// [`scope`](Device::scope) with a tag, by which error messages tell two scopes apart.
    ///
    /// `Device::scope_as::<Left, _>(driver, 0, |device| ..)`, where `Left` is any type.
    ///
    /// # Errors
    /// As for [`scope`](Device::scope).
    pub fn scope_as<Tag, R>(
        driver: impl Into<Arc<dyn Driver>>,
        ordinal: u32,
        f: impl for<'id> FnOnce(Device<Scoped<'id, Tag>>) -> Result<R>,
    ) -> Result<R> {
        let guard = Guard { device: Some(DeviceCore::open(driver.into(), ordinal)?) };
        // SAFETY: (1) `f` accepts any `'id`, so it cannot tell it from another: no other device has this brand.
        let result = f(unsafe { Device::new(guard.core()) });
        let closed = guard.close();
        result.and_then(|value| closed.map(|()| value))
    }
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
        core.pinned.close(core); // it gives its events back
        core.staging.close(core);
        core.events.close(core);
    }
    // SAFETY: (1, 5) opened once by this core, and everything in it is over.
    let closed = unsafe { core.driver.context_close(&core.context) };
    // SAFETY: (1) of this function.
    unsafe { device.free() };
    Ok(closed?)
}
