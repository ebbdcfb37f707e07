//! A device of one's own for the length of a closure.

use super::device::{DeviceCore, lock};
use super::driver::Driver;
use super::place::Place;
use super::registry::Device;
use crate::{Result, Scoped, Several};
use std::sync::Arc;
use std::sync::atomic::Ordering;

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

/// See [`Device::scope_all`].
pub(super) fn run_all<R>(
    driver: Arc<dyn Driver>,
    f: impl for<'id> FnOnce(Vec<Device<Several<'id>>>) -> Result<R>,
) -> Result<R> {
    let guards = (0..driver.device_count()?)
        .map(|ordinal| Ok(Guard { device: Some(DeviceCore::open(driver.clone(), ordinal)?) }))
        .collect::<Result<Vec<Guard>>>()?;
    let cores: Vec<_> = guards.iter().map(Guard::core).collect();
    let meshed = mesh(&cores)?;
    cores.iter().for_each(|core| core.meshed.store(meshed, Ordering::Relaxed));
    // SAFETY: (1) `f` accepts any `'id`. The brand stands for these devices together: it names no stream (`Several` is no
    // `DeviceBrand`), and what is on one of them is checked at run time before it is used on another.
    let result = f(cores.iter().map(|core| unsafe { Device::new(core) }).collect());
    // All are drained before the first is closed: they may work on each other's memory.
    let drained = cores.iter().map(|core| core.usable().and_then(|()| core.sync())).collect::<Result<Vec<()>>>();
    let closed = drained.and_then(|_| guards.into_iter().try_for_each(Guard::close));
    result.and_then(|value| closed.map(|()| value))
}

/// Lets each device address the memory of each other one; whether all can.
fn mesh(cores: &[&'static DeviceCore]) -> Result<bool> {
    let pairs = || cores.iter().flat_map(|a| cores.iter().map(move |b| (a, b))).filter(|(a, b)| !a.is(b));
    for (here, there) in pairs() {
        // SAFETY: (1) both contexts are open.
        if !unsafe { here.driver.peer_possible(&here.context, &there.context) }? {
            return Ok(false);
        }
    }
    for (here, there) in pairs() {
        // SAFETY: (1) both contexts are open.
        unsafe { here.driver.peer_enable(&here.context, &there.context) }?;
    }
    Ok(true)
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
    let branded: Vec<_> = lock(&core.streams).drain().map(|(_, stream)| stream).collect();
    for stream in branded.into_iter().chain(lock(&core.more_streams).drain(..)) {
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
