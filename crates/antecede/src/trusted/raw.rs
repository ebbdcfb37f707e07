//! Addresses and handles, in and out: the doors to memory and streams that other code owns.

use super::buffer::{Buffer, bytes_of};
use super::driver::DevicePtr;
use super::stream::Stream;
use super::view::View;
use crate::{Error, Failed, On, Result, Vram};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Memory that other code owns, ready on a stream for the length of `'a`: from [`Stream::borrow_raw`].
///
/// Dereferences to [`View`], so it is an argument of launches, fills and copies. It frees nothing, and it is no batch: it
/// stays on its stream.
pub struct Foreign<'a, T, St> {
    ptr: DevicePtr,
    len: usize,
    _memory: PhantomData<&'a mut [T]>,
    _state: PhantomData<(St, fn(St) -> St)>,
}

impl<S, D> Stream<S, D> {
    /// Borrows `len` elements at `ptr` from other code. No driver call.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    ///
    /// # Safety
    /// 1. `ptr` is the address of that many elements, aligned for `T`, in memory that this stream's device can read and
    ///    write, and they are live for all of `'a` and until the work that is submitted on them meanwhile is over.
    /// 2. Everything earlier on them, their allocation included, happens before anything that is submitted to this stream
    ///    from now on.
    /// 3. Until `'a` ends nobody else accesses them; and what other code does with them later is ordered after what was
    ///    submitted to this stream meanwhile.
    pub unsafe fn borrow_raw<'a, T: Pod>(self, ptr: DevicePtr, len: usize) -> Result<Foreign<'a, T, On<S, D>>> {
        bytes_of::<T>(len)?;
        Ok(Foreign { ptr, len, _memory: PhantomData, _state: PhantomData })
    }

    /// Takes device memory over from other code: it is freed by `cuMemFreeAsync` like any other buffer. No driver call.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    ///
    /// # Safety
    /// 1. `ptr` was returned by a stream-ordered allocation on this stream's device (`cuMemAllocAsync`,
    ///    `cuMemAllocFromPoolAsync`, or [`Buffer::into_raw`]) of at least `len` elements; for no bytes it is not looked at.
    /// 2. Nobody else owns it, frees it, or accesses it any more.
    /// 3. Everything earlier on it happens before anything that is submitted to this stream from now on.
    pub unsafe fn from_raw<T: Pod>(self, ptr: DevicePtr, len: usize) -> Result<Buffer<T, On<S, D>>> {
        let (ptr, home) = if bytes_of::<T>(len)? == 0 { (DevicePtr::NULL, None) } else { (ptr, Some(self.core())) };
        // SAFETY: (1) by 1 and 2. (2) by 3.
        Ok(unsafe { Buffer::from_parts(ptr, len, home) })
    }

    /// The driver's own handle (`CUstream`), for other code.
    ///
    /// # Safety
    /// 1. The stream is not destroyed through it, nor used after the end of the device's scope; a per-thread stream's
    ///    handle is used on its own thread only.
    /// 2. Work that is submitted through it touches no memory of this crate's buffers, unless by addresses of
    ///    [`View::address`] and under the obligations there.
    /// 3. It is not captured into a graph.
    pub unsafe fn raw(self) -> u64 {
        self.core().stream.handle
    }
}

impl<T, S, D> Buffer<T, On<S, D>, Vram> {
    /// Gives device memory away to other code: its address and number of elements. No driver call.
    ///
    /// # Errors
    /// [`Error::Part`] if it is a part: other parts share its allocation. The buffer comes back.
    ///
    /// # Safety
    /// 1. What other code does with it, the free (`cuMemFreeAsync`) included, is ordered after everything that was
    ///    submitted to `S` before.
    pub unsafe fn into_raw(self) -> Result<(DevicePtr, usize), Failed<Self>> {
        if self.is_part() {
            return Err(Failed::new(Error::Part, self));
        }
        let raw = (self.address_or_null(), self.len());
        std::mem::forget(self);
        Ok(raw)
    }
}

impl<T, St> View<T, St> {
    /// The address of the first element, for other code.
    ///
    /// # Safety
    /// 1. Accesses through it lie within the view, and end (take effect, or are ordered before what this crate submits
    ///    later on these elements) before the view's buffer changes its state, is dropped or written.
    /// 2. They are ordered after everything earlier on the elements. Through a `&View` they only read.
    pub unsafe fn address(&self) -> DevicePtr {
        self.access(false).ptr
    }
}

impl<T, St> Deref for Foreign<'_, T, St> {
    type Target = View<T, St>;

    fn deref(&self) -> &View<T, St> {
        // SAFETY: (1 to 3) promised to `borrow_raw`, for longer than this borrow.
        unsafe { View::at(self.ptr, self.len) }
    }
}

impl<T, St> DerefMut for Foreign<'_, T, St> {
    fn deref_mut(&mut self) -> &mut View<T, St> {
        // SAFETY: (1 to 3) promised to `borrow_raw`, for longer than this exclusive borrow.
        unsafe { View::at_mut(self.ptr, self.len) }
    }
}

impl<T, St> fmt::Debug for Foreign<'_, T, St> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign({} elements)", self.len)
    }
}
