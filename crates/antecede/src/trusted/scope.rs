//! A device of one's own for the length of a closure.

use super::device::{DeviceCore, lock};
use super::driver::Driver;
use super::group::Group;
use super::host_fn;
use super::place::Place;
use super::registry::Device;
use crate::{Error, Result, Scoped, Several};
use std::sync::Arc;

/// See [`Device::scope_as`].
pub(super) fn run<Tag, R>(
    driver: Arc<dyn Driver>,
    ordinal: u32,
    f: impl for<'id> FnOnce(Device<Scoped<'id, Tag>>) -> Result<R>,
) -> Result<R> {
    let device = DeviceCore::open(driver, ordinal, Arc::default())?;
    let core = device.get();
    let guard = Guard { devices: vec![device] };
    // SAFETY: (1) `f` accepts any `'id`, so it cannot tell it from another: no other device has this brand.
    let result = f(unsafe { Device::new(core) });
    let closed = guard.close();
    result.and_then(|value| closed.map(|()| value))
}

/// See [`Device::scope_all`].
pub(super) fn run_all<R>(
    driver: Arc<dyn Driver>,
    f: impl for<'id> FnOnce(Vec<Device<Several<'id>>>) -> Result<R>,
) -> Result<R> {
    host_fn::outside()?;
    let group = Arc::<Group>::default();
    let mut guard = Guard { devices: Vec::new() };
    for ordinal in 0..driver.device_count()? {
        guard.devices.push(DeviceCore::open(driver.clone(), ordinal, group.clone())?);
    }
    let cores: Vec<_> = guard.devices.iter().map(Place::get).collect();
    if mesh(&cores)? {
        group.set_meshed();
    }
    // SAFETY: (1) `f` accepts any `'id`. The brand stands for these devices together: it names no stream (`Several` is no
    // `DeviceBrand`), and what is on one of them is checked at run time before it is used on another.
    let result = f(cores.iter().map(|core| unsafe { Device::new(core) }).collect());
    let closed = guard.close();
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

/// Ends a scope. The one drop that soundness relies on; it stands on this module's own frames, where nobody can forget it.
struct Guard {
    devices: Vec<Place<DeviceCore>>,
}

impl Guard {
    fn close(mut self) -> Result<()> {
        // SAFETY: (1) `f` has returned; what it made carries `'id` and is gone or forgotten.
        unsafe { close(std::mem::take(&mut self.devices)) }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // SAFETY: (1) `f` has unwound, or was not called; what it made carries `'id` and is gone or forgotten.
        let _ = unsafe { close(std::mem::take(&mut self.devices)) };
    }
}

/// Closes devices of one group. They may work on each other's memory: so all are drained before anything is destroyed, and
/// if one cannot be drained all are leaked.
///
/// # Safety
/// 1. No value of these devices' brand will be used again.
unsafe fn close(devices: Vec<Place<DeviceCore>>) -> Result<()> {
    for core in devices.iter().map(Place::get) {
        core.usable()?;
        // Every stream of the context, also those of threads that are gone: no list of ours could be as complete.
        core.sync()?;
    }
    devices.iter().for_each(|device| device.get().group.parents.close());
    for device in &devices {
        // SAFETY: (1) drained above; (1) of this function.
        unsafe { clear(device.get()) };
    }
    let mut closed = Ok(());
    for device in devices {
        let core = device.get();
        // SAFETY: (1, 5) opened once by this core, and everything in it is over.
        let of_this = unsafe { core.driver.context_close(&core.context) };
        closed = closed.and(of_this.map_err(Error::from)).and(core.panics.report());
        // SAFETY: (1) of this function; what the other devices had of this one's is gone (`clear`).
        unsafe { device.free() };
    }
    closed
}

/// Destroys what a device has. Memory in its caches may be another's of the group: no context is closed yet.
///
/// # Safety
/// 1. The device is drained, and no value of its brand will be used again.
unsafe fn clear(core: &DeviceCore) {
    let branded: Vec<_> = lock(&core.streams).drain().map(|(_, stream)| stream).collect();
    for stream in branded.into_iter().chain(lock(&core.more_streams).drain(..)) {
        // SAFETY: drained; no value can submit to it, nor refer to it (1).
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
        #[cfg(unix)]
        {
            core.imports.close(core);
            core.interprocess_events.close(core);
        }
        core.events.close(core);
        core.pools.close(core);
    }
}
