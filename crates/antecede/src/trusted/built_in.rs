//! The two streams that every context has: the legacy default stream, and each thread's own.

use super::device::lock;
use super::driver::StreamKind;
use super::handover::Fact;
use super::host_fn;
use super::registry::Device;
use super::stream::Stream;
use super::stream_core::StreamCore;
use super::thread::this_thread;
use crate::batch::{AllOn, Batch, Buffers};
use crate::brand::{Legacy, PerThread, SyncsWithLegacy};
use crate::{DeviceBrand, On, Result, StreamBrand};

impl<D> Device<D> {
    /// The legacy default stream of the device's context (`CU_STREAM_LEGACY`).
    ///
    /// It and the *blocking* streams order each other: [`take`](Stream::take) from a blocking stream costs nothing, and
    /// to a blocking stream one event record. To and from non-blocking streams a hand-over costs what it always does: the
    /// legacy default stream gives them no order.
    ///
    /// # Errors
    /// [`Error::Poisoned`](crate::Error::Poisoned), [`Error::Driver`](crate::Error::Driver).
    pub fn legacy(self) -> Result<Stream<Legacy, D>>
    where
        D: DeviceBrand,
    {
        let core = self.built_in(StreamKind::Legacy, "Legacy")?;
        // SAFETY: (1) found by its kind: one for a device, and `D` is one device.
        Ok(unsafe { Stream::new(core) })
    }

    /// The calling thread's own default stream (`CU_STREAM_PER_THREAD`).
    ///
    /// It, and what is ready on it, stays on its thread: its handle means another stream on every thread. To leave, hand
    /// the buffers over to another stream first. What gets to another thread all the same, as a [`Loose`](crate::Loose)
    /// buffer or a record, can be waited for there, but not freed: it is leaked and counted.
    ///
    /// # Errors
    /// [`Error::Capturing`](crate::Error::Capturing), [`Error::ThreadEnding`](crate::Error::ThreadEnding),
    /// [`Error::Poisoned`](crate::Error::Poisoned), [`Error::Driver`](crate::Error::Driver).
    pub fn per_thread(self) -> Result<Stream<PerThread, D>>
    where
        D: DeviceBrand,
    {
        let core = self.built_in(StreamKind::PerThread, "PerThread")?;
        core.not_captured()?;
        // SAFETY: (1) found by its kind and this thread; the brand is neither `Send` nor `Sync`, so on this thread it
        // names this one stream.
        Ok(unsafe { Stream::new(core) })
    }

    fn built_in(self, kind: StreamKind, name: &'static str) -> Result<&'static StreamCore> {
        host_fn::outside()?;
        let mut streams = lock(&self.core().more_streams);
        let thread = this_thread();
        let known = streams.iter().find(|stream| stream.get().is_built_in(kind, thread));
        if let Some(known) = known {
            return Ok(known.get());
        }
        let core = StreamCore::create(self.core(), kind, 0, name)?;
        let found = core.get();
        streams.push(core);
        Ok(found)
    }
}

impl<D> Stream<Legacy, D> {
    /// Takes over buffers from a blocking stream. No driver call, and so no error: the driver orders the legacy default
    /// stream after every blocking stream.
    pub fn after_blocking<S, B>(self, from: Stream<S, D>, buffers: B) -> B::With<On<Legacy, D>>
    where
        S: StreamBrand,
        S::Kind: SyncsWithLegacy<S>,
        B: AllOn<S, D>,
    {
        let _ = from;
        // SAFETY: (1) the brand's kind is blocking, and the driver's flags follow from the kind alone. Everything earlier
        // was submitted to that stream, and legacy takes effect after it (driver promise 11).
        let fact = unsafe { Fact::ready_on(self.core()) };
        B::With::raise(buffers.lower().retype(fact))
    }
}
