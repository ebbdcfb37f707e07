//! Memory that a value owns, in the state its type says.

use super::cache::Freed;
use super::copies;
use super::device::StreamCore;
use super::driver::{Access, DevicePtr};
use super::handover::{Fact, Sources};
use super::stream::Stream;
use super::view::View;
use crate::batch::{Batch, Buffers};
use crate::{Error, HostReady, HostVisible, Loose, Memory, On, Result, SameDevice, State, Synced, Vram};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// `len` elements of `T`, in memory `M`, in state `St`. 24 bytes.
///
/// # Types
///
/// | Type | Meaning |
/// |---|---|
/// | `Buffer<f32, On<Compute>>` | ready on stream `Compute` of the primary device |
/// | `Buffer<f32, Synced>` | complete, with the host |
/// | `Buffer<f32>` | ready on the stream it remembers ([`Loose`]) |
/// | `Buffer<f32, St, Pinned>` | page-locked host memory, in any of these states |
///
/// `M` is [`Vram`] unless said otherwise. The types follow from the operations; they are written in fields and
/// signatures only.
///
/// A buffer dereferences to the [`View`] of all its elements.
///
/// # Drop
///
/// Device memory is freed by one `cuMemFreeAsync` on the stream that the buffer is ready on (for [`Synced`], the last
/// stream it was on): ordered after every use, without an event and without a wait. Pinned memory goes back to a cache
/// of its device (one event record if work may be in flight). Drop does not panic; what cannot be freed is leaked and
/// counted ([`Device::leaked`](crate::Device::leaked)).
#[must_use = "dropping a buffer frees it; an operation that takes a buffer gives it back under its new type"]
pub struct Buffer<T, St: State = Loose, M: Memory = Vram> {
    ptr: DevicePtr,
    len: usize,
    /// `None` only without memory.
    home: Option<&'static StreamCore>,
    _element: PhantomData<(T, M)>,
    _state: PhantomData<(St, fn(St) -> St)>,
}

impl<T, St: State, M: Memory> Buffer<T, St, M> {
    /// # Safety
    /// 1. `ptr` is memory of kind `M` for `len` elements that nothing else owns, on the device of `home`; or it is null
    ///    and the elements have no bytes.
    /// 2. The fact that `St` asserts is true of it, and its stream is `home`.
    pub(super) unsafe fn from_parts(ptr: DevicePtr, len: usize, home: Option<&'static StreamCore>) -> Self {
        Buffer { ptr, len, home, _element: PhantomData, _state: PhantomData }
    }

    /// Whether there are no bytes: then every state is true of it, and no driver call is ever made for it.
    fn has_no_memory(&self) -> bool {
        self.ptr == DevicePtr::NULL
    }

    /// The stream that the buffer is ready on, or was last on. `None` if there is no memory.
    pub(super) fn home(&self) -> Option<&'static StreamCore> {
        if self.has_no_memory() { None } else { self.home }
    }
}

/// Bytes of `len` elements.
pub(super) fn bytes_of<T>(len: usize) -> Result<usize> {
    const { assert!(align_of::<T>() <= 256, "device memory is aligned to 256 bytes") };
    let too_large = Error::TooLarge { len, element: size_of::<T>() };
    len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize).ok_or(too_large)
}

impl<T: Pod, St: State, M: Memory> Buffer<T, St, M> {
    /// A host slice of the elements. No driver call.
    pub fn as_slice(&self) -> &[T]
    where
        St: HostReady,
        M: HostVisible,
    {
        self.host_slice().unwrap_or(bytes_less(self.len))
    }

    /// Copies the elements out. Pinned memory: no driver call. Device memory: `cuMemcpyAsync` and `cuStreamSynchronize`
    /// on the stream that the buffer was last on; the host waits for what else is on that stream.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]. If the wait fails the
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
            unsafe { copies::read_all(home, self.access(false).ptr, &mut target)? };
        }
        Ok(target)
    }

    /// `None` for device memory, and for no memory.
    pub(super) fn host_slice(&self) -> Option<&[T]>
    where
        St: HostReady,
    {
        if !M::HOST || !self.note_host_access(false) {
            return None;
        }
        // SAFETY: host memory of `len` elements, of any bit pattern. By I1 no work on it is in flight, and as long as
        // the buffer is borrowed none can be submitted: operations take it in a state `ReadyOn`.
        Some(unsafe { std::slice::from_raw_parts(self.ptr.0 as *const T, self.len) })
    }

    /// A host slice of the elements, to be written. No driver call.
    pub fn as_mut_slice(&mut self) -> &mut [T]
    where
        St: HostReady,
        M: HostVisible,
    {
        if !self.note_host_access(true) {
            return bytes_less_mut(self.len);
        }
        // SAFETY: as in `as_slice`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.0 as *mut T, self.len) }
    }

    fn note_host_access(&self, write: bool) -> bool {
        let Some(home) = self.home() else { return false };
        home.driver().note_host_access(Access { ptr: self.ptr, bytes: self.len * size_of::<T>(), write });
        true
    }
}

/// `len` elements without bytes, or none.
fn bytes_less<'a, T: Pod>(len: usize) -> &'a [T] {
    // SAFETY: dangling and aligned; the elements have no bytes, or there are none.
    unsafe { std::slice::from_raw_parts(std::ptr::dangling(), if size_of::<T>() == 0 { len } else { 0 }) }
}

fn bytes_less_mut<'a, T: Pod>(len: usize) -> &'a mut [T] {
    // SAFETY: as in `bytes_less`.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::dangling_mut(), if size_of::<T>() == 0 { len } else { 0 }) }
}

impl<T, D, M: Memory> Buffer<T, Synced<D>, M> {
    /// Gives the buffer to a stream of its device. No driver call.
    pub fn on<S, E>(self, stream: Stream<S, E>) -> Buffer<T, On<S, E>, M>
    where
        D: SameDevice<E>,
    {
        // SAFETY: (1) every earlier operation has completed, so it happens before whatever the host submits next.
        self.retype(unsafe { Fact::ready_on(stream.core()) })
    }

    /// Forgets the state in the type; the buffer is on the last stream it was on. No driver call.
    pub fn loose(self) -> Buffer<T, Loose<D>, M> {
        // SAFETY: (1) as in `on`, for the stream that it remembers.
        self.retype(unsafe { Fact::where_it_is() })
    }
}

impl<T, S, D, M: Memory> Buffer<T, On<S, D>, M> {
    /// Forgets the brand in the type; the stream is remembered at run time. No driver call.
    pub fn loose(self) -> Buffer<T, Loose<D>, M> {
        // SAFETY: (1) `Loose` asserts of the remembered stream what `On` asserts of it.
        self.retype(unsafe { Fact::where_it_is() })
    }
}

impl<T, St: State, M: Memory> Drop for Buffer<T, St, M> {
    fn drop(&mut self) {
        let Some(home) = self.home() else { return };
        let bytes = self.len * size_of::<T>();
        M::free(Freed { ptr: self.ptr, bytes, home, in_flight: St::IN_FLIGHT });
    }
}

impl<T, St: State, M: Memory> Deref for Buffer<T, St, M> {
    type Target = View<T, St>;

    fn deref(&self) -> &View<T, St> {
        // SAFETY: (1, 2) I1. (3) who accesses it does so through this buffer (I2), which is borrowed: in no call but
        // one that the view is given to, and that is ordered on the stream of `St`.
        unsafe { View::at(self.ptr, self.len) }
    }
}

impl<T, St: State, M: Memory> DerefMut for Buffer<T, St, M> {
    fn deref_mut(&mut self) -> &mut View<T, St> {
        // SAFETY: as in `deref`, and the borrow is exclusive.
        unsafe { View::at_mut(self.ptr, self.len) }
    }
}

/// The empty buffer: no memory, so every state is true of it. No driver call.
impl<T, St: State, M: Memory> Default for Buffer<T, St, M> {
    fn default() -> Self {
        // SAFETY: (1) no elements, no bytes.
        unsafe { Buffer::from_parts(DevicePtr::NULL, 0, None) }
    }
}

impl<T, St: State, M: Memory> fmt::Debug for Buffer<T, St, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stream = self.home().map_or("none", |home| home.name);
        f.debug_struct("Buffer").field("len", &self.len).field("stream", &stream).finish_non_exhaustive()
    }
}

impl<T, St: State, M: Memory> Batch for Buffer<T, St, M> {
    type Parts = Self;
    type With<St2: State> = Buffer<T, St2, M>;

    fn lower(self) -> Self {
        self
    }
    fn raise(parts: Self) -> Self {
        parts
    }
}

impl<T, St: State, M: Memory> Buffers for Buffer<T, St, M> {
    type With<St2: State> = Buffer<T, St2, M>;

    fn retype<St2: State>(self, fact: Fact) -> Buffer<T, St2, M> {
        let this = ManuallyDrop::new(self);
        // SAFETY: (1) moved out of `self`, which is forgotten. (2) `fact` was made for that.
        unsafe { Buffer::from_parts(this.ptr, this.len, fact.home().or(this.home)) }
    }

    fn streams(&self, sources: &mut Sources) {
        if St::IN_FLIGHT
            && let Some(home) = self.home()
        {
            sources.add(home);
        }
    }
}
