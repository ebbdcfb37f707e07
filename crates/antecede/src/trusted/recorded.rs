//! An event recorded now, to be waited on later.

use super::device::StreamCore;
use super::event::PooledEvent;
use super::handover::Fact;
use crate::batch::{Batch, Buffers, OnDevice};
use crate::{Failed, Result, Synced};
use std::fmt;
use std::sync::Arc;

/// Buffers, packed with the event that was recorded after their last use.
///
/// Nothing of its contents can be used, so nothing can happen to them between the record and the wait.
/// [`wait`](crate::Stream::wait) on it on any stream of the device, [`synchronize`](Recorded::synchronize) it,
/// [`query`](Recorded::query) it, or [`split`](Recorded::split) it. Dropping it frees the buffers on their stream.
///
/// The stream is remembered at run time, so that records of several streams fit in one queue.
#[must_use = "the buffers in it are freed if it is dropped: `wait` on it, or `synchronize` it"]
pub struct Recorded<B: Batch> {
    parts: B::Parts,
    event: Arc<PooledEvent>,
    source: &'static StreamCore,
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

impl<B: Batch> Recorded<B> {
    /// `event` has been recorded on `source`, after all earlier work on the buffers.
    pub(super) fn new(parts: B::Parts, event: PooledEvent, source: &'static StreamCore) -> Self {
        Recorded { parts, event: Arc::new(event), source }
    }

    /// Makes a stream wait for the record, unless it is the stream of the record.
    pub(super) fn waited_on_by(&self, stream: &StreamCore) -> Result<()> {
        if self.source.id() == stream.id() { Ok(()) } else { stream.wait(self.event.event()) }
    }

    pub(super) fn into_parts(self) -> B::Parts {
        self.parts
    }

    /// Makes the host wait for the record (`cuEventSynchronize`): not for what was submitted to the stream later.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned); the record comes back.
    pub fn synchronize<D>(self) -> Result<B::With<Synced<D>>, Failed<Self>>
    where
        B: OnDevice<D>,
    {
        match self.event.sync() {
            Ok(()) => Ok(self.synced()),
            Err(error) => Err(Failed::new(error, self)),
        }
    }

    /// Asks whether the record has completed (`cuEventQuery`). The host does not block.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned); the record comes back.
    pub fn query<D>(self) -> Result<Query<B::With<Synced<D>>, Self>, Failed<Self>>
    where
        B: OnDevice<D>,
    {
        match self.event.query() {
            Ok(true) => Ok(Query::Finished(self.synced())),
            Ok(false) => Ok(Query::InFlight(self)),
            Err(error) => Err(Failed::new(error, self)),
        }
    }

    /// The host has seen the record complete.
    fn synced<D>(self) -> B::With<Synced<D>>
    where
        B: OnDevice<D>,
    {
        // SAFETY: (1) everything earlier on the buffers is before the record, which the host has seen.
        B::With::raise(self.parts.retype(unsafe { Fact::where_it_is() }))
    }
}

macro_rules! splits {
    ($($($name:ident)+;)+) => { $(
        #[allow(non_snake_case, reason = "one body for every length")]
        impl<$($name: Batch),+> Recorded<($($name,)+)> {
            /// Takes a record apart: one event, its buffers waited on separately. No driver call.
            pub fn split(self) -> ($(Recorded<$name>,)+) {
                let Recorded { parts: ($($name,)+), event, source } = self;
                ($(Recorded { parts: $name, event: event.clone(), source },)+)
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

impl<B: Batch> Recorded<Vec<B>> {
    /// Takes a record apart: one event, each batch waited on separately. No driver call.
    pub fn each(self) -> impl ExactSizeIterator<Item = Recorded<B>> {
        let Recorded { parts, event, source } = self;
        parts.into_iter().map(move |parts| Recorded { parts, event: event.clone(), source })
    }
}

impl<B: Batch> fmt::Debug for Recorded<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recorded(on {})", self.source.name)
    }
}
