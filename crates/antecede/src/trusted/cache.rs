//! How memory is given back.

use super::device::{DeviceCore, lock};
use super::driver::{DevicePtr, DriverResult, Space};
use super::event::PooledEvent;
use super::stream_core::StreamCore;
use crate::Result;
use std::collections::HashMap;
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
        // A plain stream is its own home, and nobody else can have it captured.
        let freed = if self.home.is_plain() { self.on(self.home) } else { self.home.as_home(|home| self.on(home)) };
        if freed.is_err() {
            self.home.device.leak();
        }
    }

    fn on(&self, home: &StreamCore) -> Result<()> {
        home.usable()?;
        home.not_captured()?;
        // SAFETY: (1, 7) the stream lives as long as the device, and this is its thread. (4) the buffer owned the memory
        // (I2) and was ready on this stream, or synced (I1), so every use is ordered before this.
        Ok(unsafe { home.driver().free_async(&home.stream, self.ptr) }?)
    }

    /// Keeps memory of `space` for another buffer. In flight, it costs one `cuEventRecord` on the buffer's stream.
    pub(crate) fn into_cache(self, space: Space) {
        let device = self.home.device;
        let idle_after = match self.in_flight {
            false => device.usable().map(|()| None),
            true => self.home.as_home(PooledEvent::recorded).map(Some),
        };
        let Ok(idle_after) = idle_after else {
            // Nothing tells when the work on it is over.
            return device.leak();
        };
        let block = Block { ptr: self.ptr, idle_after };
        lock(&device.cache.blocks).entry((space, size_class(self.bytes))).or_default().push(block);
    }
}

/// Memory that no buffer owns at present and whose free is not stream-ordered (`cuMemFreeHost`, and `cuMemFree` of
/// managed memory, wait for the device), so that it is used again instead. By space and size.
#[derive(Default)]
pub(super) struct Cache {
    blocks: Mutex<HashMap<(Space, usize), Vec<Block>>>,
}

struct Block {
    ptr: DevicePtr,
    /// `None`: idle since it came in.
    idle_after: Option<PooledEvent>,
}

impl Block {
    fn is_idle(&self) -> bool {
        match &self.idle_after {
            None => true,
            Some(event) => event.has_passed().unwrap_or(false),
        }
    }
}

impl Cache {
    /// Idle memory of `space`, pinned or managed, of at least `bytes` bytes: out of the cache, else `cuMemHostAlloc` or
    /// `cuMemAllocManaged`.
    pub(super) fn allocate(device: &'static DeviceCore, space: Space, bytes: usize) -> Result<DevicePtr> {
        device.usable()?;
        let size = size_class(bytes);
        let cached = lock(&device.cache.blocks).get_mut(&(space, size)).and_then(|blocks| {
            let place = blocks.iter().position(Block::is_idle)?;
            Some(blocks.swap_remove(place))
        });
        match cached {
            Some(block) => Ok(block.ptr),
            // SAFETY: (1) the context is open; a size class is not zero.
            None => Ok(unsafe {
                match space {
                    Space::ManagedMemory => device.driver.managed_alloc(&device.context, size),
                    _ => device.driver.pinned_alloc(&device.context, size),
                }
            }?),
        }
    }

    /// Frees what is in it, at the end of a scope.
    ///
    /// # Safety
    /// 1. The device is drained and closing.
    pub(super) unsafe fn close(&self, device: &DeviceCore) {
        for ((space, _), blocks) in lock(&self.blocks).drain() {
            for block in blocks {
                // SAFETY: (1) the device is closing.
                if unsafe { block.free(device, space) }.is_err() {
                    device.leak();
                }
            }
        }
    }
}

impl Block {
    /// # Safety
    /// 1. All work on the device is over.
    unsafe fn free(self, device: &DeviceCore, space: Space) -> DriverResult {
        // SAFETY: (1) the context is open. (4) allocated by the sibling method for that space, which the key names; owned
        // by no buffer; all work over (1); freed once, for `self` is consumed.
        unsafe {
            match space {
                Space::ManagedMemory => device.driver.managed_free(&device.context, self.ptr),
                _ => device.driver.pinned_free(&device.context, self.ptr),
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
