//! How buffers get from one stream to another.

use super::device::DeviceCore;
use super::home::Home;
use super::stream_core::StreamCore;
use crate::Result;
use crate::batch::Buffers;

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
    except: Option<&'static StreamCore>,
    /// The one that was found first: mostly the only one.
    first: Option<&'static StreamCore>,
    few: [Option<&'static StreamCore>; 7],
    more: Vec<&'static StreamCore>,
    /// A device with buffers in the batch that have nothing in flight, whose memory that one stream's does not reach.
    unreached: Option<&'static DeviceCore>,
}

impl Sources {
    pub(super) fn of<B: Buffers>(parts: &B, except: &'static StreamCore) -> Sources {
        let mut sources = Sources::none(Some(except));
        parts.streams(&mut sources);
        sources
    }

    pub(super) fn all<B: Buffers>(parts: &B) -> Sources {
        let mut sources = Sources::none(None);
        parts.streams(&mut sources);
        sources
    }

    #[inline]
    fn none(except: Option<&'static StreamCore>) -> Sources {
        Sources { except, first: None, few: [None; 7], more: Vec::new(), unreached: None }
    }

    /// `Err` if a buffer with nothing in flight is of a device whose memory the one stream's device does not reach. (Of
    /// the others that is asked when they are handed over.)
    pub(super) fn reached(&self) -> Result<()> {
        match (self.except, self.unreached) {
            (Some(to), Some(device)) => Err(to.device.reached_from(device)),
            _ => Ok(()),
        }
    }

    /// Whether all are streams of one device.
    pub(super) fn all_on(&self, device: &DeviceCore) -> Result<()> {
        match self.iter().find(|stream| !stream.device.is(device)) {
            None => Ok(()),
            Some(other) => Err(device.reached_from(other.device)),
        }
    }

    /// A buffer remembers this home. `None` without memory.
    #[inline]
    pub(super) fn add_buffer(&mut self, home: Option<Home>, in_flight: bool) {
        match home.map(Home::stream) {
            Some(stream) if in_flight => self.add(stream),
            Some(stream) => self.add_complete(stream),
            None => {}
        }
    }

    /// A buffer was last on this stream, and nothing is in flight on it.
    fn add_complete(&mut self, stream: &'static StreamCore) {
        if self.except.is_some_and(|to| to.device.reaches(stream.device).is_err()) {
            self.unreached = Some(stream.device);
        }
    }

    /// A buffer is on this stream.
    #[inline]
    fn add(&mut self, stream: &'static StreamCore) {
        let is = |known: Option<&'static StreamCore>| known.is_some_and(|known| std::ptr::eq(known, stream));
        if is(self.first) || is(self.except) {
            return;
        }
        match self.first {
            None if self.except.is_none_or(|except| except.id() != stream.id()) => self.first = Some(stream),
            _ => self.add_other(stream),
        }
    }

    /// Streams are told apart by their ids. The same place is the same stream, but one stream may have two places.
    #[inline(never)]
    fn add_other(&mut self, stream: &'static StreamCore) {
        let is = |known: &'static StreamCore| known.id() == stream.id();
        if self.except.is_some_and(is) || self.iter().any(is) {
            return;
        }
        let mut places = std::iter::once(&mut self.first).chain(&mut self.few);
        match places.find(|place| place.is_none()) {
            Some(place) => *place = Some(stream),
            None => self.add_one_more(stream),
        }
    }

    #[cold]
    fn add_one_more(&mut self, stream: &'static StreamCore) {
        self.more.push(stream);
    }

    pub(super) fn first(&self) -> Option<&'static StreamCore> {
        self.first
    }

    fn iter(&self) -> impl Iterator<Item = &'static StreamCore> {
        self.first.into_iter().chain(self.few.iter().flatten().chain(&self.more).copied())
    }

    /// Orders all of them before what is submitted to `to` from now on.
    fn hand_over(&self, to: &StreamCore) -> Result<()> {
        self.reached()?;
        let Some(first) = self.first else { return Ok(()) };
        first.hand_over(to)?;
        if self.few[0].is_none() { Ok(()) } else { self.hand_over_others(to) }
    }

    #[inline(never)]
    fn hand_over_others(&self, to: &StreamCore) -> Result<()> {
        self.iter().skip(1).try_for_each(|source| source.hand_over(to))
    }
}

/// Orders everything earlier on the buffers before what is submitted to `to` from now on: one `cuEventRecord` and one
/// `cuStreamWaitEvent` for each distinct other stream. On error, the waits that were submitted only add order.
#[inline]
pub(super) fn order<B: Buffers>(parts: &B, to: &'static StreamCore) -> Result<()> {
    let mut sources = Sources::none(Some(to));
    parts.streams(&mut sources);
    sources.hand_over(to)
}
