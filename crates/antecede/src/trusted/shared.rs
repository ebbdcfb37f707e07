//! One batch, read on many streams at once.

use super::device::lock;
use super::driver::DevicePtr;
use super::event::PooledEvent;
use super::handover::Fact;
use super::host_fn;
use super::stream_core::StreamCore;
use super::view::View;
use crate::batch::{Batch, Buffers};
use crate::brand::Invariant;
use crate::{Loose, Primary, Result};
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::Mutex;

/// Buffers that may be read on any number of streams and threads at once, and written on none.
///
/// Made by [`Stream::share`](crate::Stream::share); read through [`Stream::lease`](crate::Stream::lease); made writable
/// again by [`Stream::reunite`](crate::Stream::reunite), which joins every reader. Dropping it frees the buffers, ordered
/// after every reader, without a host wait.
///
/// The list of readers is kept here: a lease that was dropped, forgotten or lost to a panic is joined all the same.
#[must_use = "dropping it frees the buffers; `stream.reunite(shared)?` gives them back"]
pub struct Shared<B: Batch, D = Primary> {
    /// Dropped by `drop` only, once every reader has been joined.
    parts: ManuallyDrop<B::Parts>,
    /// Recorded after the last write. `None` where the host has seen its end.
    written: Option<PooledEvent>,
    home: &'static StreamCore,
    readers: Mutex<Readers>,
    _device: Invariant<D>,
}

/// The streams that have read, each once.
#[derive(Default)]
pub(super) struct Readers(Vec<Reader>);

struct Reader {
    stream: &'static StreamCore,
    /// Leases that are not released: alive, or forgotten.
    leases: usize,
    /// The end of its reads, if the last lease was released early: there is no other then. A later lease takes it away.
    released: Option<PooledEvent>,
}

/// Read access to a [`Shared`] on one stream: `V` is a view of its buffer, or a tuple or container of views.
///
/// `&lease` is a launch argument where `V` is one view; `let (a, b) = &*lease;` where it is several. Not `Clone`: another
/// stream takes a lease of its own, and it is no batch: it is not handed over.
#[must_use = "a launch takes it by reference: `&stream.lease(&shared)?`"]
pub struct Lease<'a, V> {
    views: V,
    readers: &'a Mutex<Readers>,
    stream: &'static StreamCore,
}

/// A view of a shared buffer. Dereferences to [`View`].
pub struct Reading<'a, T, St> {
    ptr: DevicePtr,
    len: usize,
    _shared: PhantomData<&'a ()>,
    _element: PhantomData<T>,
    _state: PhantomData<(St, fn(St) -> St)>,
}

impl<B: Batch, D> Shared<B, D> {
    /// # Safety
    /// 1. `written` was recorded on `home`, a stream of device `D`, after all earlier work on the buffers, which are
    ///    ready there; or it is `None` and all that work is complete.
    pub(super) unsafe fn new(parts: B::Parts, written: Option<PooledEvent>, home: &'static StreamCore) -> Self {
        let parts = ManuallyDrop::new(parts);
        Shared { parts, written, home, readers: Mutex::default(), _device: PhantomData }
    }

    #[cfg(unix)]
    pub(super) fn parts(&self) -> &B::Parts {
        &self.parts
    }

    /// The stream of the last write.
    #[cfg(unix)]
    pub(super) fn home(&self) -> &'static StreamCore {
        self.home
    }

    /// Notes `stream` as a reader, once it has waited for the last write.
    pub(super) fn lease_on<St: crate::State>(
        &self,
        stream: &'static StreamCore,
    ) -> Result<Lease<'_, <B::Parts as Buffers>::Views<'_, St>>> {
        stream.usable()?;
        // Held across the wait: another thread's lease on this stream counts on it.
        let mut readers = lock(&self.readers);
        let known = readers.0.iter_mut().find(|reader| reader.stream.id() == stream.id());
        match known {
            Some(reader) => {
                reader.leases += 1;
                reader.released = None;
            }
            None => {
                stream.device.reaches(self.home.device)?;
                if let Some(written) = &self.written
                    && stream.id() != self.home.id()
                {
                    stream.wait(written.event())?;
                }
                readers.0.push(Reader { stream, leases: 1, released: None });
            }
        }
        drop(readers);
        // SAFETY: (1) `stream` has waited for the last write. There is no other until every reader has been joined.
        let fact = unsafe { Fact::ready_on(stream) };
        Ok(Lease { views: self.parts.views(fact), readers: &self.readers, stream })
    }

    /// Orders the last write and every reader before what is submitted to `to` from now on.
    ///
    /// One record and one wait for each distinct other reader (only the wait, if it was released early); with no reader,
    /// one wait for the last write.
    pub(super) fn join(&self, to: &'static StreamCore) -> Result<()> {
        to.usable()?;
        to.device.reaches(self.home.device)?;
        let readers = lock(&self.readers);
        for reader in readers.0.iter().filter(|reader| reader.stream.id() != to.id()) {
            match &reader.released {
                Some(end) => to.wait(end.event())?,
                None => reader.stream.hand_over(to)?,
            }
        }
        // Each reader has waited for the last write: joined to one, `to` is ordered after it as well.
        match &self.written {
            Some(written) if readers.0.is_empty() && self.home.id() != to.id() => to.wait(written.event()),
            _ => Ok(()),
        }
    }

    /// The buffers. Every reader has been joined.
    pub(super) fn into_parts(self) -> B::Parts {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: taken once: `this` is not dropped.
        unsafe {
            std::ptr::drop_in_place(&mut this.written);
            std::ptr::drop_in_place(&mut this.readers);
            ManuallyDrop::take(&mut this.parts)
        }
    }
}

impl<B: Batch, D> Drop for Shared<B, D> {
    fn drop(&mut self) {
        let joined = self.home.as_home(|home| self.join(home));
        // SAFETY: taken once, here.
        let parts = unsafe { ManuallyDrop::take(&mut self.parts) };
        match joined {
            // SAFETY: (1) every reader is ordered before what is submitted to `home` now.
            Ok(()) => drop(parts.retype::<Loose<D>>(unsafe { Fact::ready_on(self.home) })),
            // Forgotten as a whole: what goes along with the buffers is a user's, and its drop may panic, and the buffers
            // after it would be dropped by the unwinding, before their readers have read.
            // SAFETY: (1) nothing is asserted of what is leaked.
            Err(_) => ManuallyDrop::new(parts).count_leaks(unsafe { Fact::where_it_is() }),
        }
    }
}

impl<V> Lease<'_, V> {
    /// Ends the lease early, so that the join waits for the reads so far and not for later work of the stream: one
    /// `cuEventRecord`, if no other lease on this stream is left.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned): the join then waits as if the lease had been dropped.
    pub fn release(self) -> Result<()> {
        self.stream.device.usable()?;
        let mut readers = lock(self.readers);
        let Some(reader) = readers.0.iter_mut().find(|reader| reader.stream.id() == self.stream.id()) else {
            return Ok(());
        };
        if reader.leases == 1 {
            reader.released = Some(self.stream.as_home(PooledEvent::recorded)?);
        }
        Ok(())
    }
}

impl<V> Drop for Lease<'_, V> {
    fn drop(&mut self) {
        if host_fn::is_inside() {
            return; // as if forgotten
        }
        if let Some(reader) = lock(self.readers).0.iter_mut().find(|reader| reader.stream.id() == self.stream.id()) {
            reader.leases -= 1;
        }
    }
}

impl<V> Deref for Lease<'_, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.views
    }
}

impl<T, St> Reading<'_, T, St> {
    /// # Safety
    /// As for `View::at`, for the lifetime of the value.
    pub(super) unsafe fn new(ptr: DevicePtr, len: usize) -> Self {
        Reading { ptr, len, _shared: PhantomData, _element: PhantomData, _state: PhantomData }
    }
}

impl<T, St> Deref for Reading<'_, T, St> {
    type Target = View<T, St>;

    fn deref(&self) -> &View<T, St> {
        // SAFETY: (1 to 3) promised to `new`.
        unsafe { View::at(self.ptr, self.len) }
    }
}

impl<B: Batch, D> fmt::Debug for Shared<B, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shared({} readers)", lock(&self.readers).0.len())
    }
}

impl<V: fmt::Debug> fmt::Debug for Lease<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lease({:?} on {})", self.views, self.stream.name())
    }
}

impl<T, St> fmt::Debug for Reading<'_, T, St> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
