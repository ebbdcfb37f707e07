//! How buffers get from one stream to another.

use super::device::StreamCore;
use super::driver::StreamId;
use super::stream::Stream;
use crate::batch::{Batch, Buffers, OnDevice};
use crate::{Error, Failed, On, Result};

/// What makes a change of state true. Made in this module's parent only.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, reason = "it never leaves this crate")]
pub struct Fact {
    home: Option<&'static StreamCore>,
}

impl Fact {
    /// # Safety
    /// 1. Everything earlier on the buffers it is used for happens before anything submitted to `stream` from now on.
    pub(super) unsafe fn ready_on(stream: &'static StreamCore) -> Fact {
        Fact { home: Some(stream) }
    }

    /// # Safety
    /// 1. The new state's fact is true of the stream that each buffer remembers.
    pub(super) unsafe fn where_it_is() -> Fact {
        Fact { home: None }
    }

    pub(super) fn home(self) -> Option<&'static StreamCore> {
        self.home
    }
}

/// The distinct streams, other than one, that a batch's buffers are on. No allocation for up to eight.
#[allow(missing_debug_implementations, reason = "it never leaves this crate")]
pub struct Sources {
    except: StreamId,
    few: [Option<&'static StreamCore>; 8],
    len: usize,
    more: Vec<&'static StreamCore>,
}

impl Sources {
    fn of<B: Buffers>(parts: &B, except: &StreamCore) -> Sources {
        let mut sources = Sources { except: except.id(), few: [None; 8], len: 0, more: Vec::new() };
        parts.streams(&mut sources);
        sources
    }

    pub(super) fn add(&mut self, stream: &'static StreamCore) {
        if stream.id() == self.except || self.iter().any(|known| known.id() == stream.id()) {
            return;
        }
        match self.few.get_mut(self.len) {
            Some(place) => *place = Some(stream),
            None => self.more.push(stream),
        }
        self.len += 1;
    }

    fn iter(&self) -> impl Iterator<Item = &'static StreamCore> {
        self.few.iter().flatten().chain(&self.more).copied()
    }
}

impl<S, D> Stream<S, D> {
    /// The hand-over: takes over buffers of this device, whatever stream they are on.
    ///
    /// One `cuEventRecord` and one `cuStreamWaitEvent` for each *distinct other* stream in the batch; nothing for this
    /// stream, for [`Synced`](crate::Synced) buffers and for empty ones. The host does not block. A join of four streams
    /// is one line: `let (a, b, c, d) = stream.take((a, b, c, d))?;`
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the buffers come back as they were.
    pub fn take<B: OnDevice<D>>(self, buffers: B) -> Result<B::With<On<S, D>>, Failed<B>> {
        let parts = buffers.lower();
        for source in Sources::of(&parts, self.core()).iter() {
            if let Err(error) = source.hand_over(self.core()) {
                // Waits that were submitted only add order.
                return Err(Failed::new(error, B::raise(parts)));
            }
        }
        // SAFETY: (1) everything earlier on each buffer is before the record on its stream (I1), hence before what
        // follows the wait; on this stream, by stream order; for a synced buffer it is complete.
        let fact = unsafe { Fact::ready_on(self.core()) };
        Ok(B::With::raise(parts.retype(fact)))
    }

    /// [`take`](Stream::take) out of a field: the place is left empty, or as it was if the call fails.
    ///
    /// `let x = stream.take_from(&mut self.x)?;`
    ///
    /// # Errors
    /// As for [`take`](Stream::take).
    pub fn take_from<B: OnDevice<D> + Default>(self, place: &mut B) -> Result<B::With<On<S, D>>> {
        self.take(std::mem::take(place)).map_err(|failed| failed.restore(place))
    }

    /// Makes buffers typed again that are on this stream already. No driver call.
    ///
    /// # Errors
    /// [`Error::StreamMismatch`] if one of them is on another stream; all come back as they were.
    pub fn claim<B: OnDevice<D>>(self, buffers: B) -> Result<B::With<On<S, D>>, Failed<B>> {
        let parts = buffers.lower();
        if let Some(other) = Sources::of(&parts, self.core()).iter().next() {
            let error = Error::StreamMismatch { expected: self.name(), found: other.name };
            return Err(Failed::new(error, B::raise(parts)));
        }
        // SAFETY: (1) each buffer is on this stream (by its id), or synced, or has no memory.
        let fact = unsafe { Fact::ready_on(self.core()) };
        Ok(B::With::raise(parts.retype(fact)))
    }

    /// The unchecked door: takes over buffers as if they were ready on this stream. No driver call.
    ///
    /// For order that this crate cannot see, and for showing what happens without it.
    ///
    /// # Safety
    /// 1. Everything earlier on each buffer, its allocation included, happens before anything that is submitted to this
    ///    stream from now on.
    pub unsafe fn take_unchecked<B: OnDevice<D>>(self, buffers: B) -> B::With<On<S, D>> {
        // SAFETY: (1) the caller's promise.
        let fact = unsafe { Fact::ready_on(self.core()) };
        B::With::raise(buffers.lower().retype(fact))
    }
}
