//! An event recorded now, to be waited on later.

use super::device::StreamCore;
use super::event::PooledEvent;
use super::handover::Fact;
use super::stream::Stream;
use crate::batch::{AllOn, Batch, Buffers, OnDevice};
use crate::{Failed, Loose, On, Result, Synced};
use std::fmt;
use std::sync::Arc;

/// Buffers, packed with the event that was recorded after their last use.
///
/// Nothing of its contents can be used, so nothing can happen to them between the record and the wait.
/// [`wait`](Stream::wait) on it on any stream of the device, [`synchronize`](Recorded::synchronize) it,
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

impl<S, D> Stream<S, D> {
    /// Records an event after all earlier work of this stream, and packs the buffers with it.
    ///
    /// One `cuEventRecord` for a batch of any size. For an event earlier than the hand-over; otherwise
    /// [`take`](Stream::take) does both.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned); the buffers come back.
    pub fn record<B: AllOn<S, D>>(self, buffers: B) -> Result<Recorded<B::With<Loose<D>>>, Failed<B>> {
        let core = self.core();
        // Before the record: `lower` may be a user's code, and use the buffers.
        let parts = buffers.lower();
        let recorded = PooledEvent::new(core.device).and_then(|event| {
            core.record(event.event())?;
            Ok(event)
        });
        match recorded {
            Ok(event) => {
                // SAFETY: (1) each buffer remembers this stream, or has no memory.
                let parts = parts.retype(unsafe { Fact::where_it_is() });
                Ok(Recorded { parts, event: Arc::new(event), source: core })
            }
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }

    /// Makes this stream wait for a record, and takes its buffers over.
    ///
    /// One `cuStreamWaitEvent`, or none if the record is of this stream. The host does not block.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned); the record comes back.
    pub fn wait<B: OnDevice<D>>(self, recorded: Recorded<B>) -> Result<B::With<On<S, D>>, Failed<Recorded<B>>> {
        let core = self.core();
        if recorded.source.id() != core.id()
            && let Err(error) = core.wait(recorded.event.event())
        {
            return Err(Failed::new(error, recorded));
        }
        // SAFETY: (1) everything earlier on the buffers is before the record (nobody could use them since), hence
        // before what follows the wait, or on the same stream.
        let fact = unsafe { Fact::ready_on(core) };
        Ok(B::With::raise(recorded.parts.retype(fact)))
    }

    /// Makes the host wait for all earlier work of this stream (`cuStreamSynchronize`).
    ///
    /// `stream.sync(())?` waits with no buffer at all.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), [`Error::Poisoned`](crate::Error::Poisoned); the buffers come back.
    pub fn sync<B: AllOn<S, D>>(self, buffers: B) -> Result<B::With<Synced<D>>, Failed<B>> {
        // Before the sync: `lower` may be a user's code, and use the buffers.
        let parts = buffers.lower();
        match self.core().sync() {
            // SAFETY: (1) everything earlier on the buffers is before the end of this stream (I1), which the host has
            // seen.
            Ok(()) => Ok(B::With::raise(parts.retype(unsafe { Fact::where_it_is() }))),
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }
}

impl<B: Batch> Recorded<B> {
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
