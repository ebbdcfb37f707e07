//! The typed handle of a stream.

use super::device::StreamCore;
use std::fmt;
use std::marker::PhantomData;

/// A stream of device `D`: work submitted to it takes effect in order. `Copy`, 8 bytes.
///
/// A value of this type proves that its brand names a real stream, so operations ask for no bound on `S`; only
/// [`Device::stream`](crate::Device::stream), which looks a brand up, asks for [`StreamBrand`](crate::StreamBrand).
///
/// Operations, by the driver call that they make:
///
/// | Method | Call |
/// |---|---|
/// | [`alloc`](Stream::alloc), [`zeroed`](Stream::zeroed), [`upload`](Stream::upload) | `cuMemAllocAsync`, then a fill or a staged copy |
/// | [`fill`](Stream::fill), [`clear`](Stream::clear) | `cuMemsetD8Async` and wider |
/// | [`copy`](Stream::copy) | `cuMemcpyAsync` |
/// | [`write`](Stream::write), [`read`](Stream::read), [`download`](Stream::download) | `cuMemcpyAsync` and `cuStreamSynchronize` |
/// | [`take`](Stream::take), [`take_from`](Stream::take_from) | one `cuEventRecord` and one `cuStreamWaitEvent` for each other stream |
/// | [`claim`](Stream::claim) | none |
/// | [`record`](Stream::record) | `cuEventRecord` |
/// | [`wait`](Stream::wait) | `cuStreamWaitEvent` |
/// | [`sync`](Stream::sync) | `cuStreamSynchronize` |
pub struct Stream<S, D = crate::Primary> {
    core: &'static StreamCore,
    _brands: PhantomData<(S, fn(S, D) -> (S, D))>,
}

impl<S, D> Stream<S, D> {
    /// # Safety
    /// 1. `core` is the one stream of brand `S` on the device of brand `D`.
    pub(super) unsafe fn new(core: &'static StreamCore) -> Self {
        Stream { core, _brands: PhantomData }
    }

    pub(super) fn core(self) -> &'static StreamCore {
        self.core
    }

    /// The name of its brand.
    pub fn name(self) -> &'static str {
        self.core.name
    }
}

impl<S, D> Clone for Stream<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, D> Copy for Stream<S, D> {}

/// Two streams are equal if they are one stream.
impl<S, D> PartialEq for Stream<S, D> {
    fn eq(&self, other: &Self) -> bool {
        self.core.id() == other.core.id()
    }
}

impl<S, D> Eq for Stream<S, D> {}

impl<S, D> fmt::Debug for Stream<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({})", self.core.name)
    }
}
