//! Memory that host and device both use in place.

use super::buffer::{Buffer, bytes_of};
use super::cache::Cache;
use super::device::DeviceCore;
use super::driver::{DeviceAttribute, DevicePtr, Space};
use super::registry::Device;
use crate::{Error, Managed, Result, Synced};
use bytemuck::Pod;
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

impl<D> Device<D> {
    /// Managed memory for `len` elements, with unspecified contents. `cuMemAllocManaged`, unless the device's cache has
    /// idle memory of that size; `cuDeviceGetAttribute` at the first call.
    ///
    /// # Errors
    /// [`Error::NotSupported`] where `concurrentManagedAccess` is 0: a host slice would fault as soon as the device works
    /// on anything. [`Error::TooLarge`], [`Error::Poisoned`], [`Error::Driver`] (out of memory).
    pub fn managed<T: Pod>(self, len: usize) -> Result<Buffer<T, Synced<D>, Managed>> {
        let bytes = bytes_of::<T>(len)?;
        ConcurrentAccess::required(self.core())?;
        if bytes == 0 {
            // SAFETY: (1) the elements have no bytes.
            return Ok(unsafe { Buffer::from_parts(DevicePtr::NULL, len, None) });
        }
        let home = self.any_stream()?;
        let ptr = Cache::allocate(self.core(), Space::Managed, bytes)?;
        // SAFETY: (1) fresh or idle managed memory of at least that size. (2) nothing is in flight on it.
        Ok(unsafe { Buffer::from_parts(ptr, len, Some(home)) })
    }

    /// Managed memory with the elements of `source`.
    ///
    /// # Errors
    /// As for [`managed`](Device::managed).
    pub fn managed_from<T: Pod>(self, source: &[T]) -> Result<Buffer<T, Synced<D>, Managed>> {
        let mut buffer = self.managed(source.len())?;
        buffer.as_mut_slice().copy_from_slice(source);
        Ok(buffer)
    }
}
