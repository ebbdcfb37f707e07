//! How memory is given back.

use super::device::{DeviceCore, lock};
use super::driver::DevicePtr;
use super::event::PooledEvent;
use super::stream_core::StreamCore;
use crate::{Error, Result};
use std::sync::Mutex;

/// The memory of a buffer that is no more. Made by the drop of a [`Buffer`](crate::Buffer) only.
#[allow(missing_debug_implementations, reason = "it never leaves this crate")]
pub struct Freed {
    pub(super) ptr: DevicePtr,
    /// What was asked for at its allocation.
    pub(super) bytes: usize,
    pub(super) home: &'static StreamCore,
    /// Whether work on it may be in flight, on `home`.
    pub(super) in_flight: bool,
}

impl Freed {
    /// `cuMemFreeAsync` on the stream that the buffer was ready on.
    pub(crate) fn in_stream_order(self) {
        let freed = self.home.as_home(|home| {
            home.usable()?;
            home.not_captured()?;
            // SAFETY: (1, 7) the stream lives as long as the device, and this is its thread. (4) the buffer owned the
            // memory (I2) and was ready on this stream, or synced (I1), so every use is ordered before this.
            Ok::<_, Error>(unsafe { home.driver().free_async(&home.stream, self.ptr) }?)
        });
        if freed.is_err() {
            self.home.device.leak();
        }
    }

    /// Keeps pinned memory for another buffer. In flight, it costs one `cuEventRecord` on the buffer's stream.
    pub(crate) fn into_cache(self) {
        let device = self.home.device;
        let idle_after = match self.in_flight {
            false => None,
            true => match self.home.as_home(PooledEvent::recorded) {
                Ok(event) => Some(event),
                // Nothing tells when the work on it is over.
                Err(_) => return device.leak(),
            },
        };
        lock(&device.pinned.blocks).push(Block { ptr: self.ptr, size: size_class(self.bytes), idle_after });
    }
}

/// Pinned memory that no buffer owns at present: its free is not stream-ordered (`cuMemFreeHost` waits for the device),
/// so it is used again instead.
#[derive(Default)]
pub(super) struct PinnedCache {
    blocks: Mutex<Vec<Block>>,
}

struct Block {
    ptr: DevicePtr,
    size: usize,
    /// `None`: idle since it came in.
    idle_after: Option<PooledEvent>,
}

impl Block {
    fn is_idle(&self) -> bool {
        match &self.idle_after {
            None => true,
            Some(event) => event.query().unwrap_or(false),
        }
    }
}

impl PinnedCache {
    /// Idle memory of at least `bytes` bytes: out of the cache, else `cuMemHostAlloc`.
    pub(super) fn allocate(device: &'static DeviceCore, bytes: usize) -> Result<DevicePtr> {
        device.usable()?;
        let size = size_class(bytes);
        let cached = {
            let mut blocks = lock(&device.pinned.blocks);
            let place = blocks.iter().position(|block| block.size == size && block.is_idle());
            place.map(|place| blocks.swap_remove(place))
        };
        match cached {
            Some(block) => Ok(block.ptr),
            // SAFETY: (1) the context is open; a size class is not zero.
            None => Ok(unsafe { device.driver.pinned_alloc(&device.context, size) }?),
        }
    }

    /// Frees what is in it, at the end of a scope.
    ///
    /// # Safety
    /// 1. The device is drained and closing.
    pub(super) unsafe fn close(&self, device: &DeviceCore) {
        for block in lock(&self.blocks).drain(..) {
            // SAFETY: (1, 4) allocated by this driver, owned by no buffer, all work over (1), freed once.
            if unsafe { device.driver.pinned_free(&device.context, block.ptr) }.is_err() {
                device.leak();
            }
        }
    }
}

/// The size that `bytes` are rounded up to: the same at the allocation and at the return, so that a block fits again.
/// Powers of two to 1 MiB, then whole MiB.
fn size_class(bytes: usize) -> usize {
    const MIB: usize = 1 << 20;
    if bytes <= MIB { bytes.next_power_of_two().max(256) } else { bytes.checked_next_multiple_of(MIB).unwrap_or(bytes) }
}
