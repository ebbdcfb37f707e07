//! Copies from and to Rust slices.
//!
//! A borrow never reaches the driver: the bytes go through staging memory of this library. So a copy that fails, or
//! that is still running when its caller has gone on, touches no memory of the caller's.

use super::driver::DevicePtr;
use super::staging::{LARGEST, Staging};
use super::stream_core::StreamCore;
use crate::Result;
use bytemuck::Pod;

/// # Safety
/// 1. `target` has the bytes of `source`, and writes of it on `stream` are ordered with every other access.
pub(super) unsafe fn write_all<T: Pod>(stream: &'static StreamCore, target: DevicePtr, source: &[T]) -> Result<()> {
    let source = bytes_of(source);
    // SAFETY: (1) a piece of it.
    pieces(source.len()).try_for_each(|(start, bytes)| unsafe {
        to_device(stream, target.offset(start), &source[start..start + bytes])
    })?;
    reported(stream, source.len())
}

/// # Safety
/// 1. `source` has the bytes of `target`, and reads of it on `stream` are ordered with every write.
pub(super) unsafe fn read_all<T: Pod>(stream: &'static StreamCore, source: DevicePtr, target: &mut [T]) -> Result<()> {
    stream.usable()?;
    let target = bytes_of_mut(target);
    // SAFETY: (1) a piece of it.
    pieces(target.len()).try_for_each(|(start, bytes)| unsafe {
        from_device(stream, source.offset(start), &mut target[start..start + bytes])
    })?;
    reported(stream, target.len())
}

/// A copy is a wait of the host: it reports a panic of a host function, once it is over. One of no bytes is none.
fn reported(stream: &'static StreamCore, bytes: usize) -> Result<()> {
    if bytes == 0 { Ok(()) } else { stream.device.panics.report() }
}

/// Start and length of each piece of a copy.
fn pieces(bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..bytes).step_by(LARGEST).map(move |start| (start, LARGEST.min(bytes - start)))
}

/// # Safety
/// 1. Writes of these bytes at `target` on `stream` are ordered with every other access.
unsafe fn to_device(stream: &'static StreamCore, target: DevicePtr, source: &[u8]) -> Result<()> {
    // In a capture the wait for the copy would fail, after which the device is poisoned.
    stream.not_captured()?;
    let mut staging = Staging::new(stream.device, source.len())?;
    staging.put(source);
    // SAFETY: (1) the stream lives as long as the device. (2, 3) 1, and nobody else has the staging memory.
    let copied = unsafe { stream.driver().copy_async(&stream.stream, target, staging.ptr(), source.len()) };
    settle(stream, copied, staging, |_| ())
}

/// # Safety
/// 1. Reads of these bytes at `source` on `stream` are ordered with every write.
unsafe fn from_device(stream: &'static StreamCore, source: DevicePtr, target: &mut [u8]) -> Result<()> {
    stream.not_captured()?;
    let staging = Staging::new(stream.device, target.len())?;
    // SAFETY: as in `to_device`.
    let copied = unsafe { stream.driver().copy_async(&stream.stream, staging.ptr(), source, target.len()) };
    settle(stream, copied, staging, |staging| staging.get(target))
}

/// Waits until a copy is over, also one whose submission failed: an error may be an older one, and the copy be on its
/// way. Then the staging memory is free again. If the wait fails too, nobody knows when that is: the device is poisoned,
/// and the memory leaked.
fn settle(
    stream: &'static StreamCore,
    copied: Result<(), super::driver::DriverError>,
    staging: Staging,
    arrived: impl FnOnce(&Staging),
) -> Result<()> {
    if let Err(error) = stream.drain() {
        stream.device.poison();
        stream.device.leak();
        return Err(copied.err().map_or(error, Into::into));
    }
    if copied.is_ok() {
        arrived(&staging);
    }
    staging.finish();
    Ok(copied?)
}

fn bytes_of<T: Pod>(slice: &[T]) -> &[u8] {
    if size_of::<T>() == 0 { &[] } else { bytemuck::cast_slice(slice) }
}

fn bytes_of_mut<T: Pod>(slice: &mut [T]) -> &mut [u8] {
    if size_of::<T>() == 0 { &mut [] } else { bytemuck::cast_slice_mut(slice) }
}
