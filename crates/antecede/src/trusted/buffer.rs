//! Memory that a value owns, in the state its type says.

use super::cache::Freed;
use super::copies;
use super::driver::{Access, DevicePtr};
use super::handover::{Fact, Sources};
use super::home::Home;
use super::host_fn;
use super::shared::Reading;
use super::stream::Stream;
use super::stream_core::StreamCore;
use super::view::View;
use crate::batch::{Batch, Buffers};
use crate::{
    DeviceBrand, Error, Failed, HostReady, HostVisible, Loose, Memory, On, Result, SameDevice, State, Synced, Vram,
    Writable,
};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// `len` elements of `T`, in memory `M`, in state `St`. 24 bytes.
///
/// # Types
///
/// | Type | Meaning |
/// |---|---|
/// | `Buffer<f32, On<Compute>>` | ready on stream `Compute` of the primary device |
/// | `Buffer<f32, Synced>` | complete, with the host |
/// | `Buffer<f32>` | ready on the stream it remembers ([`Loose`]) |
/// | `Buffer<f32, St, Pinned>` | page-locked host memory, in any of these states; so for [`Managed`](crate::Managed) |
///
/// `M` is [`Vram`] unless said otherwise. The types follow from the operations; they are written in fields and
/// signatures only.
///
/// A buffer dereferences to the [`View`] of all its elements.
///
/// # Drop
///
/// Device memory is freed by one `cuMemFreeAsync` on the stream that the buffer is ready on (for [`Synced`], the last
/// stream it was on): ordered after every use, without an event and without a wait; so is [`Pooled`](crate::Pooled)
/// memory. Pinned and managed memory goes back to a cache of its device (one event record if work may be in flight). Drop
/// does not panic; what cannot be freed is leaked and counted ([`Device::leaked`](crate::Device::leaked)).
#[repr(C)]
#[must_use = "dropping a buffer frees it; an operation that takes a buffer gives it back under its new type"]
pub struct Buffer<T, St: State = Loose, M: Memory = Vram> {
    ptr: DevicePtr,
    len: usize,
    /// `None` only without memory.
    home: Option<Home>,
    _element: PhantomData<(T, M)>,
    _state: PhantomData<(St, fn(St) -> St)>,
}

impl<T, St: State, M: Memory> Buffer<T, St, M> {
    /// # Safety
    /// 1. `ptr` is memory of kind `M` for `len` elements that nothing else owns, on the device of `home`; or it is null
    ///    and the elements have no bytes.
    /// 2. The fact that `St` asserts is true of it, and its stream is `home`.
    pub(super) unsafe fn from_parts(ptr: DevicePtr, len: usize, home: Option<&'static StreamCore>) -> Self {
        // SAFETY: (1, 2) the same; whole.
        unsafe { Buffer::with_home(ptr, len, home.map(Home::whole)) }
    }

    /// # Safety
    /// As for [`from_parts`](Buffer::from_parts). 3. If `home` says that it is a part, the memory is one part, counted by
    /// its parent, and as many bytes as the part has.
    unsafe fn with_home(ptr: DevicePtr, len: usize, home: Option<Home>) -> Self {
        Buffer { ptr, len, home, _element: PhantomData, _state: PhantomData }
    }

    /// Whether there are no bytes: then every state is true of it, and no driver call is ever made for it.
    fn has_no_memory(&self) -> bool {
        self.ptr == DevicePtr::NULL
    }

    /// The stream that the buffer is ready on, or was last on. `None` if there is no memory.
    pub(super) fn home(&self) -> Option<&'static StreamCore> {
        if self.has_no_memory() { None } else { self.home.map(Home::stream) }
    }

    pub(super) fn address_or_null(&self) -> DevicePtr {
        self.ptr
    }

    pub(super) fn is_part(&self) -> bool {
        self.home.is_some_and(Home::is_part)
    }
}

/// Parts. Each is a buffer: it may go to a stream of its own, and the memory is freed after the last one's last use.
impl<T, St: State, M: Memory> Buffer<T, St, M> {
    /// The first `mid` elements, and the rest, as buffers of their own. No driver call.
    ///
    /// # Panics
    /// If `mid` is more than [`len`](View::len). In a [host function](Stream::host_fn).
    pub fn into_parts_at(self, mid: usize) -> (Buffer<T, St, M::Part>, Buffer<T, St, M::Part>) {
        let len = self.len;
        assert!(mid <= len, "cannot split {len} elements at {mid}");
        let bytes = |len: usize| len * size_of::<T>();
        let in_two = self.home().is_some() && bytes(mid) > 0 && bytes(len - mid) > 0;
        assert!(!in_two || !host_fn::is_inside(), "{}", Error::InHostFunction);
        let this = ManuallyDrop::new(self);
        // SAFETY: (1, 2) moved out of `self`, which is forgotten; an empty part has no memory. `M::Part`: as in `into_part`.
        let part = |ptr, len, home: Option<Home>| unsafe {
            let memory = bytes(len) > 0;
            Buffer::with_home(if memory { ptr } else { DevicePtr::NULL }, len, home.filter(|_| memory))
        };
        let mut home = this.home;
        if let Some(stream) = this.home()
            && in_two
        {
            stream.device.group.parents.split(this.ptr, bytes(len), this.is_part());
            home = home.map(|home| home.with_part(true));
        }
        (part(this.ptr, mid, home), part(this.ptr.offset(bytes(mid)), len - mid, home))
    }

    /// `count` parts, whose lengths differ by at most one. No driver call.
    ///
    /// # Panics
    /// If `count` is zero.
    pub fn into_parts(self, count: usize) -> Vec<Buffer<T, St, M::Part>> {
        assert!(count > 0, "a buffer cannot be in no part");
        let (each, longer) = (self.len / count, self.len % count);
        self.cut((0..count).map(|part| each + usize::from(part < longer)))
    }

    /// Parts of `len` elements, the last with what is left. No driver call.
    ///
    /// # Panics
    /// If `len` is zero.
    pub fn into_chunks(self, len: usize) -> Vec<Buffer<T, St, M::Part>> {
        assert!(len > 0, "a chunk of no elements is no progress");
        let total = self.len;
        self.cut((0..total).step_by(len).map(|start| len.min(total - start)))
    }

    /// Cuts off parts of these lengths, which add up to the whole.
    fn cut(self, lengths: impl ExactSizeIterator<Item = usize>) -> Vec<Buffer<T, St, M::Part>> {
        let mut parts = Vec::with_capacity(lengths.len());
        let mut rest = self.into_part();
        for len in lengths {
            let (part, more) = rest.into_parts_at(len);
            parts.push(part);
            rest = more;
        }
        parts
    }

    /// The whole as a part.
    fn into_part(self) -> Buffer<T, St, M::Part> {
        let this = ManuallyDrop::new(self);
        // SAFETY: (1 to 3) moved out of `self`, which is forgotten. `M::Part` is `M`, or it is freed by the same call
        // (`Exportable`, `Vram`).
        unsafe { Buffer::with_home(this.ptr, this.len, this.home) }
    }

    /// Joins two adjacent parts of one parent, `self` before `right`, that are ready on one stream. No driver call.
    ///
    /// # Errors
    /// [`Error::NotAdjacent`] if they are not; [`Error::StreamMismatch`] if they remember two streams
    /// ([`Loose`](crate::Loose) parts); [`Error::InHostFunction`]. Both come back.
    pub fn unsplit(self, right: Self) -> Result<Self, Failed<(Self, Self)>> {
        if let Err(error) = host_fn::outside() {
            return Err(Failed::new(error, (self, right)));
        }
        let (Some(here), Some(there)) = (self.home(), right.home()) else {
            return self.joined_with_nothing(right);
        };
        if St::IN_FLIGHT && here.id() != there.id() {
            let error = Error::StreamMismatch { expected: here.name(), found: there.name() };
            return Err(Failed::new(error, (self, right)));
        }
        let adjacent = self.ptr.offset(self.len * size_of::<T>()) == right.ptr;
        let parts = self.is_part() && right.is_part() && Arc::ptr_eq(&here.device.group, &there.device.group);
        if !(adjacent && parts && here.device.group.parents.unsplit(self.ptr, right.ptr)) {
            return Err(Failed::new(Error::NotAdjacent, (self, right)));
        }
        let (left, right) = (ManuallyDrop::new(self), ManuallyDrop::new(right));
        // SAFETY: (1) both are moved out of, and adjacent. (2) true of both, on one stream (or complete). (3) the parent
        // counts them as one now.
        Ok(unsafe { Buffer::with_home(left.ptr, left.len + right.len, left.home) })
    }

    /// One of the two has no memory: the other is the whole, unless both have elements.
    fn joined_with_nothing(self, right: Self) -> Result<Self, Failed<(Self, Self)>> {
        match (self.len, right.len) {
            (_, 0) => Ok(self),
            (0, _) => Ok(right),
            // SAFETY: (1, 2) elements without bytes.
            (left, right) => Ok(unsafe { Buffer::from_parts(DevicePtr::NULL, left + right, None) }),
        }
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

    /// Copies the elements out. Host-visible memory: no driver call. Device memory: `cuMemcpyAsync` and
    /// `cuStreamSynchronize` on the stream that the buffer was last on; the host waits for what else is on that stream.
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
            let (source, home) = (self.access(false).ptr, home.if_complete());
            // SAFETY: (1) all work on the buffer is complete, and it is borrowed: nobody writes it until `read_all` has
            // returned. If that fails with the copy in flight, the device is poisoned: nothing is submitted any more.
            home.as_home(|home| unsafe { copies::read_all(home, source, &mut target) })?;
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

impl<T: Pod, D, M: HostVisible> AsRef<[T]> for Buffer<T, Synced<D>, M> {
    fn as_ref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Pod, D, M: HostVisible> AsMut<[T]> for Buffer<T, Synced<D>, M> {
    fn as_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T, D, M: Memory> Buffer<T, Synced<D>, M> {
    /// Gives the buffer to a stream of its device. No driver call.
    ///
    /// Where a brand stands for several devices ([`scope_all`](crate::Device::scope_all)), use
    /// [`take`](crate::Stream::take), which checks the device.
    pub fn on<S, E>(self, stream: Stream<S, E>) -> Buffer<T, On<S, E>, M>
    where
        D: SameDevice<E>,
        E: DeviceBrand,
    {
        // SAFETY: (1) every earlier operation has completed, so it happens before whatever the host submits next; the two
        // are of one device, for the brand is that of one.
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
        if let Some(home) = self.home.filter(|_| !self.has_no_memory()) {
            give_back(self.ptr, self.len * size_of::<T>(), home, St::IN_FLIGHT, M::free);
        }
    }
}

/// Frees memory, by `free`. Not generic: compiled once, and not once a type of buffer.
fn give_back(ptr: DevicePtr, bytes: usize, home: Home, in_flight: bool, free: fn(Freed)) {
    let stream = home.stream();
    if host_fn::is_inside() {
        return stream.device.leak();
    }
    let stream = if in_flight { stream } else { stream.if_complete() };
    let freed = Freed { ptr, bytes, home: stream, in_flight };
    let whole = if home.is_part() { stream.device.group.parents.release(stream.device, freed) } else { Some(freed) };
    if let Some(whole) = whole {
        free(whole);
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

impl<T, St: State, M: Writable> DerefMut for Buffer<T, St, M> {
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
        let mut shown = f.debug_struct("Buffer");
        shown.field("len", &self.len);
        if let Some(home) = self.home() {
            shown.field("stream", &format_args!("{}", home.name()));
        }
        shown.finish_non_exhaustive()
    }
}

/// Makes the buffers remember the stream of a fact.
#[inline]
fn settle<T, St: State, M: Memory>(buffers: &mut [Buffer<T, St, M>], fact: Fact) {
    if fact.home().is_some() {
        for buffer in buffers {
            buffer.home = Home::settled(buffer.home, fact.home());
        }
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
    #[inline]
    fn lower_array<const N: usize>(buffers: [Self; N]) -> [Self; N] {
        buffers
    }
    #[inline]
    fn raise_array<const N: usize>(buffers: [Self; N]) -> [Self; N] {
        buffers
    }
    #[inline]
    fn lower_vec(buffers: Vec<Self>) -> Vec<Self> {
        buffers
    }
    #[inline]
    fn raise_vec(buffers: Vec<Self>) -> Vec<Self> {
        buffers
    }
}

impl<T, St: State, M: Memory> Buffers for Buffer<T, St, M> {
    type With<St2: State> = Buffer<T, St2, M>;

    fn retype<St2: State>(self, fact: Fact) -> Buffer<T, St2, M> {
        let this = ManuallyDrop::new(self);
        let home = Home::settled(this.home, fact.home());
        // SAFETY: (1, 3) moved out of `self`, which is forgotten. (2) `fact` was made for that.
        unsafe { Buffer::with_home(this.ptr, this.len, home) }
    }

    #[inline]
    fn retype_array<St2: State, const N: usize>(mut array: [Self; N], fact: Fact) -> [Buffer<T, St2, M>; N] {
        settle(&mut array, fact);
        let array = ManuallyDrop::new(array);
        // SAFETY: (1, 3) moved out of `array`, which is forgotten. (2) `fact` was made for that. The two differ in their
        // markers alone, and a buffer's layout is that of its fields in order (`repr(C)`).
        unsafe { std::mem::transmute_copy(&array) }
    }

    #[inline]
    fn retype_vec<St2: State>(mut vec: Vec<Self>, fact: Fact) -> Vec<Buffer<T, St2, M>> {
        settle(&mut vec, fact);
        let mut vec = ManuallyDrop::new(vec);
        let (start, len, capacity) = (vec.as_mut_ptr(), vec.len(), vec.capacity());
        // SAFETY: as in `retype_array`; the allocation is that of a `Vec` which is forgotten, for items of the same size
        // and alignment.
        unsafe { Vec::from_raw_parts(start.cast(), len, capacity) }
    }

    type Views<'a, St2: State>
        = Reading<'a, T, St2>
    where
        Self: 'a;

    fn views<St2: State>(&self, _: Fact) -> Reading<'_, T, St2> {
        // SAFETY: (1) I2. (2) `fact` was made for that. (3) the buffer is borrowed.
        unsafe { Reading::new(self.ptr, self.len) }
    }

    fn count_leaks(&self, _: Fact) {
        if let Some(home) = self.home() {
            home.device.leak();
        }
    }

    fn streams(&self, sources: &mut Sources) {
        sources.add_buffer(self.home.filter(|_| !self.has_no_memory()), St::IN_FLIGHT);
    }
}
