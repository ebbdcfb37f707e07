//! Copies from and to Rust slices.
//!
//! A borrow never reaches the driver: the bytes go through staging memory of this library. So a copy that fails, or
//! that is still running when its caller has gone on, touches no memory of the caller's.

use super::buffer::Buffer;
use super::device::StreamCore;
use super::driver::DevicePtr;
use super::operations::same_length;
use super::staging::{LARGEST, Staging};
use super::stream::Stream;
use super::view::View;
use crate::{HostReady, Memory, On, ReadyOn, Result, State};
use bytemuck::Pod;

impl<S, D> Stream<S, D> {
    /// [`alloc`](Stream::alloc) and [`write`](Stream::write): device memory with the elements of `source`.
    ///
    /// # Errors
    /// As for both.
    pub fn upload<T: Pod>(self, source: &[T]) -> Result<Buffer<T, On<S, D>>> {
        let mut buffer = self.alloc(source.len())?;
        self.write(&mut buffer, source)?;
        Ok(buffer)
    }

    /// Copies a Rust slice to `target`, and returns when it is there: the host waits for all earlier work of this stream
    /// (`cuMemcpyAsync`, `cuStreamSynchronize`, for every 4 MiB). To overlap copies with other work use pinned buffers
    /// and [`copy`](Stream::copy).
    ///
    /// # Errors
    /// [`Error::LengthMismatch`](crate::Error::LengthMismatch), [`Error::Poisoned`](crate::Error::Poisoned),
    /// [`Error::Driver`](crate::Error::Driver). If the wait fails the device is poisoned.
    pub fn write<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>, source: &[T]) -> Result<()> {
        self.core().device.usable()?;
        same_length(target.len(), source.len())?;
        let target = target.access(true).ptr;
        // SAFETY: (1) the view is ready on this stream and borrowed exclusively.
        pieces(size_of_val(source)).try_for_each(|(start, bytes)| unsafe {
            to_device(self.core(), target.offset(start), &bytes_of(source)[start..start + bytes])
        })
    }

    /// Copies `source` to a Rust slice, and returns when it is there: the host waits for all earlier work of this stream
    /// (`cuMemcpyAsync`, `cuStreamSynchronize`, for every 4 MiB).
    ///
    /// # Errors
    /// As for [`write`](Stream::write). On error, `target` may have been written in part.
    pub fn read<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>, target: &mut [T]) -> Result<()> {
        self.core().device.usable()?;
        same_length(target.len(), source.len())?;
        // SAFETY: (1) the view is ready on this stream and borrowed.
        unsafe { read_all(self.core(), source.access(false).ptr, target) }
    }

    /// [`read`](Stream::read) into a new `Vec`.
    ///
    /// # Errors
    /// As for [`read`](Stream::read).
    pub fn download<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>) -> Result<Vec<T>> {
        let mut target = vec![T::zeroed(); source.len()];
        self.read(source, &mut target)?;
        Ok(target)
    }
}

impl<T: Pod, St: State, M: Memory> Buffer<T, St, M> {
    /// Copies the elements out. Pinned memory: no driver call. Device memory: `cuMemcpyAsync` and `cuStreamSynchronize`
    /// on the stream that the buffer was last on; the host waits for what else is on that stream.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned). If the wait fails the
    /// device is poisoned: the buffer could no longer be called synced.
    pub fn to_vec(&self) -> Result<Vec<T>>
    where
        St: HostReady,
    {
        if let Some(elements) = self.host_slice() {
            return Ok(elements.to_vec());
        }
        let mut target = vec![T::zeroed(); self.len()];
        if let Some(home) = self.home() {
            home.device.usable()?;
            // SAFETY: (1) all work on the buffer is complete, and it is borrowed: nobody writes it until `read_all` has
            // returned. If that fails with the copy in flight, the device is poisoned: nothing is submitted any more.
            unsafe { read_all(home, self.access(false).ptr, &mut target)? };
        }
        Ok(target)
    }
}

/// # Safety
/// 1. `source` has the bytes of `target`, and reads of it on `stream` are ordered with every write.
unsafe fn read_all<T: Pod>(stream: &'static StreamCore, source: DevicePtr, target: &mut [T]) -> Result<()> {
    let target = bytes_of_mut(target);
    // SAFETY: (1) a piece of it.
    pieces(target.len()).try_for_each(|(start, bytes)| unsafe {
        from_device(stream, source.offset(start), &mut target[start..start + bytes])
    })
}

/// Start and length of each piece of a copy.
fn pieces(bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..bytes).step_by(LARGEST).map(move |start| (start, LARGEST.min(bytes - start)))
}

/// # Safety
/// 1. Writes of these bytes at `target` on `stream` are ordered with every other access.
unsafe fn to_device(stream: &'static StreamCore, target: DevicePtr, source: &[u8]) -> Result<()> {
    let mut staging = Staging::new(stream.device, source.len())?;
    staging.put(source);
    // SAFETY: (1) the stream lives as long as the device. (2, 3) 1, and nobody else has the staging memory.
    let copied = unsafe { stream.driver().copy_async(&stream.stream, target, staging.ptr(), source.len()) };
    settle(stream, copied)?;
    staging.finish();
    Ok(())
}

/// # Safety
/// 1. Reads of these bytes at `source` on `stream` are ordered with every write.
unsafe fn from_device(stream: &'static StreamCore, source: DevicePtr, target: &mut [u8]) -> Result<()> {
    let staging = Staging::new(stream.device, target.len())?;
    // SAFETY: as in `to_device`.
    let copied = unsafe { stream.driver().copy_async(&stream.stream, staging.ptr(), source, target.len()) };
    settle(stream, copied)?;
    staging.get(target);
    staging.finish();
    Ok(())
}

/// Waits until a copy is over, also one whose submission failed: an error may be an older one, and the copy be on its
/// way. If the wait fails too, nobody knows when the memory is free again: the device is poisoned, and the caller leaks
/// the staging memory.
fn settle(stream: &'static StreamCore, copied: Result<(), super::driver::DriverError>) -> Result<()> {
    if let Err(error) = stream.sync() {
        stream.device.poison();
        stream.device.leak();
        return Err(copied.err().map_or(error, Into::into));
    }
    Ok(copied?)
}

fn bytes_of<T: Pod>(slice: &[T]) -> &[u8] {
    if size_of::<T>() == 0 { &[] } else { bytemuck::cast_slice(slice) }
}

fn bytes_of_mut<T: Pod>(slice: &mut [T]) -> &mut [u8] {
    if size_of::<T>() == 0 { &mut [] } else { bytemuck::cast_slice_mut(slice) }
}
