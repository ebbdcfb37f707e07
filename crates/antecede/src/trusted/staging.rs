//! Page-locked memory through which Rust slices reach the device.

use super::device::{DeviceCore, lock};
use super::driver::{Access, DevicePtr};
use crate::Result;
use std::sync::Mutex;

const SMALLEST: usize = 64 << 10;
/// Copies of more bytes go in several pieces.
pub(super) const LARGEST: usize = 4 << 20;

/// Idle staging memory of one device.
#[derive(Default)]
pub(super) struct StagingPool {
    idle: Mutex<Vec<(DevicePtr, usize)>>,
}

/// A piece of staging memory, for one copy. Nobody else has it.
///
/// Not returned by a drop but by [`finish`](Staging::finish): if the wait for its copy failed it is leaked, since the
/// copy may still run.
pub(super) struct Staging {
    device: &'static DeviceCore,
    ptr: DevicePtr,
    bytes: usize,
}

impl Staging {
    /// Memory for `bytes`, at most [`LARGEST`]. `cuMemHostAlloc` only when none is idle.
    pub(super) fn new(device: &'static DeviceCore, bytes: usize) -> Result<Staging> {
        debug_assert!(bytes <= LARGEST);
        let idle = {
            let mut idle = lock(&device.staging.idle);
            let found = idle.iter().position(|&(_, size)| size >= bytes);
            found.map(|place| idle.swap_remove(place))
        };
        if let Some((ptr, bytes)) = idle {
            return Ok(Staging { device, ptr, bytes });
        }
        let bytes = bytes.next_power_of_two().max(SMALLEST);
        // SAFETY: (1) the context is open; `bytes` is not zero.
        let ptr = unsafe { device.driver.pinned_alloc(&device.context, bytes) }?;
        Ok(Staging { device, ptr, bytes })
    }

    pub(super) fn ptr(&self) -> DevicePtr {
        self.ptr
    }

    /// Copies `source` into it.
    pub(super) fn put(&mut self, source: &[u8]) {
        self.note(source.len(), true);
        // SAFETY: host memory of at least that many bytes that nobody else has; never in flight here, for a `Staging`
        // comes from the pool only after its copy was seen complete.
        unsafe { std::ptr::copy_nonoverlapping(source.as_ptr(), self.ptr.0 as *mut u8, source.len()) }
    }

    /// Copies out of it into `destination`. The copy that wrote it has been seen complete.
    pub(super) fn get(&self, destination: &mut [u8]) {
        self.note(destination.len(), false);
        // SAFETY: as in `put`; the memory holds bytes of any pattern (driver promise 4).
        unsafe { std::ptr::copy_nonoverlapping(self.ptr.0 as *const u8, destination.as_mut_ptr(), destination.len()) }
    }

    /// Returns it, when its copy has been seen complete.
    pub(super) fn finish(self) {
        lock(&self.device.staging.idle).push((self.ptr, self.bytes));
    }

    fn note(&self, bytes: usize, write: bool) {
        assert!(bytes <= self.bytes, "a staged copy is cut into pieces");
        self.device.driver.note_host_access(Access { ptr: self.ptr, bytes, write });
    }
}

impl StagingPool {
    /// Frees the idle memory, at the end of a scope.
    ///
    /// # Safety
    /// 1. The device is drained and closing.
    pub(super) unsafe fn close(&self, device: &DeviceCore) {
        for (ptr, _) in lock(&self.idle).drain(..) {
            // SAFETY: (1, 4) allocated by this driver, idle, freed once. An error leaks it.
            if unsafe { device.driver.pinned_free(&device.context, ptr) }.is_err() {
                device.leak();
            }
        }
    }
}
