//! Allocation, fills and asynchronous copies.

use super::buffer::{Buffer, bytes_of};
use super::driver::{DevicePtr, Pattern};
use super::stream::Stream;
use super::view::View;
use crate::{Error, On, ReadyOn, Result};
use bytemuck::Pod;

impl<S, D> Stream<S, D> {
    /// Device memory for `len` elements, with unspecified contents (`cuMemAllocAsync`). No call for no bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Driver`] (out of memory), [`Error::Poisoned`].
    pub fn alloc<T: Pod>(self, len: usize) -> Result<Buffer<T, On<S, D>>> {
        let core = self.core();
        core.device.usable()?;
        let bytes = bytes_of::<T>(len)?;
        let (ptr, home) = match bytes {
            0 => (DevicePtr::NULL, None),
            // SAFETY: (1) the stream lives as long as the device.
            _ => (unsafe { core.driver().alloc_async(&core.stream, bytes) }?, Some(core)),
        };
        // SAFETY: (1) fresh memory of that size, or none needed. (2) its only operation is the allocation, on this
        // stream.
        Ok(unsafe { Buffer::from_parts(ptr, len, home) })
    }

    /// Device memory for `len` elements, all bytes zero (`cuMemAllocAsync`, `cuMemsetD8Async`).
    ///
    /// # Errors
    /// As for [`alloc`](Stream::alloc).
    pub fn zeroed<T: Pod>(self, len: usize) -> Result<Buffer<T, On<S, D>>> {
        let mut buffer = self.alloc(len)?;
        self.clear(&mut buffer)?;
        Ok(buffer)
    }

    /// Sets every element to `value` (`cuMemsetD8Async`, `D16`, `D32`, by the element's size).
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn fill<T: FillValue>(self, target: &mut View<T, impl ReadyOn<S, D>>, value: T) -> Result<()> {
        self.fill_pattern(target, value.pattern())
    }

    /// Sets every byte to zero (`cuMemsetD8Async`).
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn clear<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>) -> Result<()> {
        self.fill_pattern(target, Pattern::D8(0))
    }

    fn fill_pattern<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>, pattern: Pattern) -> Result<()> {
        let core = self.core();
        core.device.usable()?;
        let access = target.access(true);
        let count = access.bytes / pattern.width();
        if count == 0 {
            return Ok(());
        }
        // SAFETY: (1) the stream lives as long as the device. (2, 3) the view is ready on this stream and borrowed
        // exclusively (step 2 of the proof); elements of the pattern's width are aligned to it (`FillValue`).
        Ok(unsafe { core.driver().fill_async(&core.stream, access.ptr, pattern, count) }?)
    }

    /// Copies all elements of `source` to `target`, between any two kinds of memory (`cuMemcpyAsync`). The host does not
    /// block.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::Driver`], [`Error::Poisoned`].
    pub fn copy<T: Pod>(
        self,
        source: &View<T, impl ReadyOn<S, D>>,
        target: &mut View<T, impl ReadyOn<S, D>>,
    ) -> Result<()> {
        let core = self.core();
        core.device.usable()?;
        same_length(target.len(), source.len())?;
        let (from, to) = (source.access(false), target.access(true));
        if from.bytes == 0 {
            return Ok(());
        }
        // SAFETY: (1) the stream lives as long as the device. (2, 3) both views are ready on this stream, the target is
        // borrowed exclusively, so they do not overlap.
        Ok(unsafe { core.driver().copy_async(&core.stream, to.ptr, from.ptr, from.bytes) }?)
    }
}

pub(super) fn same_length(expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::LengthMismatch { expected, found }) }
}

/// An element that a fill can repeat: of one, two or four bytes. Sealed.
///
/// Implemented by `u8 i8 u16 i16 u32 i32 f32`. For wider elements use [`clear`](Stream::clear), or a kernel.
#[diagnostic::on_unimplemented(
    message = "a fill repeats a value of 1, 2 or 4 bytes; `{Self}` is none",
    label = "cannot be filled",
    note = "to set everything to zero: `stream.clear(&mut buf)?`",
    note = "for other values: `stream.write(&mut buf, &host)?`, or a kernel"
)]
pub trait FillValue: Pod + fill::Sealed {
    #[doc(hidden)]
    fn pattern(self) -> Pattern;
}

mod fill {
    pub trait Sealed {}
}

macro_rules! fill_values {
    ($($form:ident: $($value:ty)+;)+) => { $($(
        impl fill::Sealed for $value {}
        impl FillValue for $value {
            fn pattern(self) -> Pattern {
                Pattern::$form(bytemuck::cast(self))
            }
        }
    )+)+ };
}

fill_values! {
    D8: u8 i8;
    D16: u16 i16;
    D32: u32 i32 f32;
}
