//! Allocations, fills and asynchronous copies, as driver calls.

use super::driver::{Access, DevicePtr, Pattern};
use super::stream_core::StreamCore;
use crate::Result;

/// `cuMemAllocAsync`. `bytes` is not zero. Not in a capture: that memory would be the graph's.
pub(super) fn alloc(stream: &StreamCore, bytes: usize) -> Result<DevicePtr> {
    stream.usable()?;
    stream.not_captured()?;
    // SAFETY: (1) the stream lives as long as the device.
    Ok(unsafe { stream.driver().alloc_async(&stream.stream, bytes) }?)
}

/// `cuMemsetD8Async` and its wider forms; nothing for no bytes.
///
/// # Safety
/// 1. A write of these bytes on `stream` is ordered with every other access.
/// 2. They are aligned to the pattern's width.
pub(super) unsafe fn fill(stream: &StreamCore, target: Access, pattern: Pattern) -> Result<()> {
    stream.usable()?;
    let count = target.bytes / pattern.width();
    if count == 0 {
        return Ok(());
    }
    // SAFETY: (1) the stream lives as long as the device. (2, 3) by 1; aligned by 2.
    Ok(unsafe { stream.driver().fill_async(&stream.stream, target.ptr, pattern, count) }?)
}

/// `cuMemcpyAsync`; nothing for no bytes.
///
/// # Safety
/// 1. A write of `target` and a read of `source` on `stream` are ordered with every other access; they do not overlap.
/// 2. They are of equal length.
pub(super) unsafe fn copy(stream: &StreamCore, target: Access, source: Access) -> Result<()> {
    stream.usable()?;
    if source.bytes == 0 {
        return Ok(());
    }
    // SAFETY: (1) the stream lives as long as the device. (2, 3) by 1 and 2.
    Ok(unsafe { stream.driver().copy_async(&stream.stream, target.ptr, source.ptr, source.bytes) }?)
}
