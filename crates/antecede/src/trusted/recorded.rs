//! An event recorded now, to be waited on later.

use super::event::PooledEvent;
use super::handover::Fact;
use super::stream_core::StreamCore;
use crate::batch::{Batch, Buffers, OnDevice};
use crate::brand::Invariant;
use crate::{Failed, Primary, Result, Synced};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Buffers, packed with the event that was recorded after their last use.
///
/// Nothing of its contents can be used, so nothing can happen to them between the record and the wait.
/// [`wait`](crate::Stream::wait) on it on any stream of the device, [`synchronize`](Recorded::synchronize) it,
/// [`query`](Recorded::query) it, or [`split`](Recorded::split) it. Dropping it frees the buffers on their stream.
///
/// The stream is remembered at run time, so that records of several streams fit in one queue. The device is in the type:
/// a batch may have no buffer that would name it, and the event must not outlive the device.
#[must_use = "the buffers in it are freed if it is dropped: `wait` on it, or `synchronize` it"]
pub struct Recorded<B: Batch, D = Primary> {
    parts: B::Parts,
    event: RecordedEvent,
    source: &'static StreamCore,
    _device: Invariant<D>,
}

/// The event of a record, or of what a record was taken apart into. On the heap only for the latter.
enum RecordedEvent {
    Whole(PooledEvent),
    Apart(Arc<PooledEvent>),
}

impl RecordedEvent {
    fn pooled(&self) -> &PooledEvent {
        match self {
            RecordedEvent::Whole(event) => event,
            RecordedEvent::Apart(event) => event,
        }
    }

    fn apart(self) -> Arc<PooledEvent> {
        match self {
            RecordedEvent::Whole(event) => Arc::new(event),
            RecordedEvent::Apart(event) => event,
        }
    }
}

/// What [`Recorded::query`] found.
#[derive(Debug)]
#[must_use = "it holds the buffers"]
pub enum Query<R, P> {
    /// Everything before the record has completed: the buffers are with the host.
    Finished(R),
    /// Not yet.
    InFlight(P),
}

impl<B: Batch, D> Recorded<B, D> {
    /// # Safety
    /// 1. `event` has been recorded on `source`, a stream of device `D`, after all earlier work on the buffers.
    pub(super) unsafe fn new(parts: B::Parts, event: PooledEvent, source: &'static StreamCore) -> Self {
        Recorded { parts, event: RecordedEvent::Whole(event), source, _device: PhantomData }
    }

    /// Makes a stream wait for the record, unless it is the stream of the record.
    pub(super) fn waited_on_by(&self, stream: &StreamCore) -> Result<()> {
        if self.source.id() == stream.id() {
            return Ok(());
        }
        stream.device.reaches(self.source.device)?;
        stream.wait(self.event.pooled().event())
    }

    #[cfg(unix)]
    pub(super) fn parts(&self) -> &B::Parts {
        &self.parts
    }

    /// The stream that it was recorded on, and on which the buffers are still ready.
    #[cfg(unix)]
    pub(super) fn source(&self) -> &'static StreamCore {
        self.source
    }

    pub(super) fn into_parts(self) -> B::Parts {
        self.parts
    }
}

impl<B: OnDevice<D>, D> Recorded<B, D> {
    /// Makes the host wait for the record (`cuEventSynchronize`): not for what was submitted to the stream later.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned); the record comes back.
    pub fn synchronize(self) -> Result<B::With<Synced<D>>, Failed<Self>> {
        match self.event.pooled().sync() {
            Ok(()) => Ok(self.synced()),
            Err(error) => Err(Failed::new(error, self)),
        }
    }

    /// Asks whether the record has completed (`cuEventQuery`). The host does not block.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned); the record comes back.
    pub fn query(self) -> Result<Query<B::With<Synced<D>>, Self>, Failed<Self>> {
        match self.event.pooled().query() {
            Ok(true) => Ok(Query::Finished(self.synced())),
            Ok(false) => Ok(Query::InFlight(self)),
            Err(error) => Err(Failed::new(error, self)),
        }
    }

    /// The host has seen the record complete.
    fn synced(self) -> B::With<Synced<D>> {
        // SAFETY: (1) everything earlier on the buffers is before the record, which the host has seen.
        B::With::raise(self.parts.retype(unsafe { Fact::where_it_is() }))
    }
}

macro_rules! splits {
    ($($($name:ident)+;)+) => { $(
        #[allow(non_snake_case, reason = "one body for every length")]
        impl<$($name: Batch),+, Dev> Recorded<($($name,)+), Dev> {
            /// Takes a record apart: one event, its buffers waited on separately. No driver call.
            pub fn split(self) -> ($(Recorded<$name, Dev>,)+) {
                let Recorded { parts: ($($name,)+), event, source, _device } = self;
                let event = event.apart();
                ($(Recorded { parts: $name, event: RecordedEvent::Apart(event.clone()), source, _device },)+)
            }
        }
    )+ };
}

splits! {
    A B;
    A B C;
    A B C E;
    A B C E F;
    A B C E F G;
    A B C E F G H;
    A B C E F G H I;
    A B C E F G H I J;
    A B C E F G H I J K;
    A B C E F G H I J K L;
    A B C E F G H I J K L M;
}

impl<B: Batch, D> Recorded<Vec<B>, D> {
    /// Takes a record apart: one event, each batch waited on separately. No driver call.
    pub fn each(self) -> impl ExactSizeIterator<Item = Recorded<B, D>> {
        let Recorded { parts, event, source, _device } = self;
        let event = event.apart();
        let one = move |parts| Recorded { parts, event: RecordedEvent::Apart(event.clone()), source, _device };
        parts.into_iter().map(one)
    }
}

impl<B: Batch, D> fmt::Debug for Recorded<B, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recorded(on {})", self.source.name())
    }
}
