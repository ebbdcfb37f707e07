//! One stream of an opened device.

use super::device::DeviceCore;
use super::driver::{Driver, DriverError, ErrorKind, EventRef, StreamId, StreamKind, StreamRef};
use super::host_fn;
use super::place::Place;
use super::thread::{ThreadNumber, this_thread};
use crate::error::StreamName;
use crate::{Error, Result};
use std::sync::{PoisonError, RwLock};

/// A stream of an opened device. Lives as long as its device.
pub(super) struct StreamCore {
    pub(super) device: &'static DeviceCore,
    pub(super) stream: StreamRef,
    name: &'static str,
    /// Recorded by `take`, and waited on in the same call. One for a stream is enough, also for two threads at once: a
    /// record by the other thread is *later* on this stream, so a wait on it covers this thread's work as well.
    hand_over: EventRef,
    /// The one thread that may use it, for a per-thread stream: its handle means another stream elsewhere.
    owner: Option<Owner>,
    /// For a stream that something else made and will destroy.
    adopted: Option<Adopted>,
    /// Neither the legacy default stream, nor bound to a thread, nor adopted: no order but events, and nobody else has
    /// it. Then a hand-over is the two calls and nothing to decide.
    plain: bool,
}

#[derive(Clone, Copy)]
struct Owner {
    thread: ThreadNumber,
    /// Stands in on other threads for what is complete.
    elsewhere: &'static StreamCore,
}

/// The end of an adoption. What was ready on the stream then is ready on the heir.
#[derive(Default)]
struct Adopted {
    heir: RwLock<Option<&'static StreamCore>>,
}

impl StreamCore {
    /// Creates a stream (for the built-in kinds: names it), and the event for its hand-overs.
    pub(super) fn create(
        device: &'static DeviceCore,
        kind: StreamKind,
        priority: i32,
        name: &'static str,
    ) -> Result<Place<StreamCore>> {
        device.usable()?;
        let (id, owner) = match kind {
            StreamKind::LegacyStream => (device.context.legacy, None),
            StreamKind::PerThreadStream => {
                let thread = this_thread().ok_or(Error::ThreadEnding)?;
                (StreamId::fresh(), Some(Owner { thread, elsewhere: device.stream_of_its_own()? }))
            }
            StreamKind::NonBlockingStream | StreamKind::BlockingStream => (StreamId::fresh(), None),
        };
        StreamCore::with_event(device, |hand_over| {
            // SAFETY: (1) the context is open.
            let handle = unsafe { device.driver.stream_create(&device.context, id, kind, priority, name) }?;
            let stream = StreamRef { id, context: device.context, handle, kind };
            Ok(StreamCore::new(device, stream, name, hand_over, owner, None))
        })
    }

    /// Adopts a stream that something else made, until [`disown`](StreamCore::disown).
    ///
    /// # Safety
    /// 1. `handle` is live until then.
    pub(super) unsafe fn adopt(device: &'static DeviceCore, handle: u64) -> Result<Place<StreamCore>> {
        device.usable()?;
        refuse_built_in(handle)?;
        StreamCore::with_event(device, |hand_over| {
            let id = StreamId::fresh();
            // SAFETY: (1) of this function.
            let kind = unsafe { device.driver.stream_adopt(&device.context, handle, id) }?;
            let stream = StreamRef { id, context: device.context, handle, kind };
            let adopted = Some(Adopted::default());
            Ok(StreamCore::new(device, stream, "adopted", hand_over, None, adopted))
        })
    }

    fn new(
        device: &'static DeviceCore,
        stream: StreamRef,
        name: &'static str,
        hand_over: EventRef,
        owner: Option<Owner>,
        adopted: Option<Adopted>,
    ) -> StreamCore {
        let plain = stream.kind != StreamKind::LegacyStream && owner.is_none() && adopted.is_none();
        StreamCore { device, stream, name, hand_over, owner, adopted, plain }
    }

    fn with_event(
        device: &'static DeviceCore,
        make: impl FnOnce(EventRef) -> Result<StreamCore>,
    ) -> Result<Place<StreamCore>> {
        let hand_over = device.new_event()?;
        make(hand_over).map(Place::new).inspect_err(|_| {
            // SAFETY: (1) created above, used by nothing. That it may fail loses an event, no order.
            let _ = unsafe { device.driver.event_destroy(&hand_over) };
        })
    }

    pub(super) fn id(&self) -> StreamId {
        self.stream.id
    }

    /// What messages call it: its brand; for a stream without one of its own, its number too.
    pub(super) fn name(&self) -> StreamName {
        StreamName::new(self.name, self.stream.id)
    }

    pub(super) fn is_built_in(&self, kind: StreamKind, thread: Option<ThreadNumber>) -> bool {
        let here = kind != StreamKind::PerThreadStream || self.owner.map(|owner| owner.thread) == thread;
        self.adopted.is_none() && self.stream.kind == kind && here
    }

    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    pub(super) fn driver(&self) -> &dyn Driver {
        &*self.device.driver
    }

    /// `Err` where nothing may be submitted: the device is poisoned, or this is another thread's own stream.
    pub(super) fn usable(&self) -> Result<()> {
        self.device.usable()?;
        match self.owner {
            None => Ok(()),
            Some(owner) => self.on_the_thread_of(owner.thread),
        }
    }

    #[cold]
    fn on_the_thread_of(&self, owner: ThreadNumber) -> Result<()> {
        match this_thread() {
            Some(this) if this == owner => Ok(()),
            Some(_) => Err(Error::WrongThread { stream: self.name }),
            None => Err(Error::ThreadEnding),
        }
    }

    /// `Err` while foreign code captures the stream: work submitted then is not run, and makes no order. Asked of streams
    /// that foreign code can reach.
    pub(super) fn not_captured(&self) -> Result<()> {
        if self.owner.is_none() && self.adopted.is_none() {
            return Ok(());
        }
        // SAFETY: (1) the stream is live. (7) `usable` has been asked by the callers.
        match unsafe { self.driver().stream_is_capturing(&self.stream) }? {
            false => Ok(()),
            true => Err(Error::Capturing { stream: self.name }),
        }
    }

    /// Orders everything submitted here so far before everything submitted to `to` from now on. No lock, no allocation.
    ///
    /// `cuEventRecord` and `cuStreamWaitEvent`. Where the legacy default stream orders the two by itself: nothing from a
    /// blocking stream to legacy, and from legacy to a blocking stream the record alone, for the edge is made by an
    /// operation on legacy (measured on hardware: a record is one; an allocation is none).
    pub(super) fn hand_over(&'static self, to: &StreamCore) -> Result<()> {
        if !(self.plain && to.plain && self.device.is(to.device)) {
            return self.hand_over_by_kind(to);
        }
        // What follows is what `hand_over_by_kind` comes to.
        self.device.usable()?;
        let driver = self.driver();
        // SAFETY: (1) streams and event live as long as the device, and are of its context. (7) neither is bound to a
        // thread.
        unsafe { driver.event_record(&self.hand_over, &self.stream) }?;
        // SAFETY: as above; recorded just now.
        Ok(unsafe { driver.event_wait(&to.stream, &self.hand_over) }?)
    }

    #[inline(never)]
    fn hand_over_by_kind(&'static self, to: &StreamCore) -> Result<()> {
        self.as_home(|from| {
            from.usable()?;
            to.device.reaches(from.device)?;
            from.order_before(to)
        })
    }

    /// The calls of [`hand_over`](StreamCore::hand_over), whatever devices the two are of.
    pub(super) fn order_before(&self, to: &StreamCore) -> Result<()> {
        match (self.stream.kind, to.stream.kind) {
            (kind, StreamKind::LegacyStream) if kind.is_blocking() && self.same_context(to) => {
                to.usable()?;
                self.not_captured()
            }
            (StreamKind::LegacyStream, kind) if kind.is_blocking() && self.same_context(to) => {
                to.usable()?;
                to.not_captured()?;
                self.record(&self.hand_over)
            }
            _ => {
                self.record(&self.hand_over)?;
                to.wait(&self.hand_over)
            }
        }
    }

    fn same_context(&self, other: &StreamCore) -> bool {
        self.stream.context.id == other.stream.context.id
    }

    /// `cuEventRecord`.
    pub(super) fn record(&self, event: &EventRef) -> Result<()> {
        self.usable()?;
        self.not_captured()?;
        // SAFETY: (1) both live as long as the device, and are of its context. (7) `usable`.
        Ok(unsafe { self.driver().event_record(event, &self.stream) }?)
    }

    /// `cuStreamWaitEvent`.
    pub(super) fn wait(&self, event: &EventRef) -> Result<()> {
        self.usable()?;
        self.not_captured()?;
        // SAFETY: (1) both live as long as the device; the callers have recorded the event. (7) `usable`.
        Ok(unsafe { self.driver().event_wait(&self.stream, event) }?)
    }

    /// Makes the host wait for everything that is ordered before what would be submitted here now.
    ///
    /// `cuStreamSynchronize`; on a blocking stream an event record before it. What legacy handed over to a blocking stream
    /// is ordered before later *operations* there, and the end of the stream, with no operation since, is before that.
    pub(super) fn sync_with_legacy(&self) -> Result<()> {
        if self.stream.kind.is_blocking() {
            self.record(&self.hand_over)?;
        }
        self.sync()
    }

    /// `cuStreamSynchronize`. Reports a panic of a host function.
    pub(super) fn sync(&self) -> Result<()> {
        self.drain()?;
        self.device.panics.report()
    }

    /// `cuStreamSynchronize`.
    pub(super) fn drain(&self) -> Result<()> {
        self.usable()?;
        self.not_captured()?;
        // SAFETY: (1) the stream lives as long as the device. (7) `usable`.
        Ok(unsafe { self.driver().stream_sync(&self.stream) }?)
    }

    /// Does something on the stream that a buffer remembers: on the stream itself, or on the heir of an adoption that has
    /// ended. The adoption cannot end meanwhile.
    pub(super) fn as_home<R>(&'static self, f: impl FnOnce(&'static StreamCore) -> R) -> R {
        match &self.adopted {
            None => f(self),
            // Whatever it does there makes no driver call; and the lock may be held during one.
            Some(_) if host_fn::is_inside() => f(self),
            Some(adopted) => {
                let heir = adopted.heir.read().unwrap_or_else(PoisonError::into_inner);
                f(heir.unwrap_or(self))
            }
        }
    }

    /// The stream that stands in for this one on this thread, for a buffer on which nothing is in flight.
    pub(super) fn if_complete(&'static self) -> &'static StreamCore {
        match self.owner {
            Some(owner) if this_thread().is_some_and(|this| this != owner.thread) => owner.elsewhere,
            _ => self,
        }
    }

    /// Ends an adoption: everything submitted here is ordered before what is submitted to `heir`, which buffers that
    /// still remember this stream are on from now. If that fails nobody knows how far the work is: the device is
    /// poisoned.
    pub(super) fn disown(&'static self, heir: &'static StreamCore) -> Result<()> {
        let Some(adopted) = &self.adopted else { return Ok(()) };
        let mut place = adopted.heir.write().unwrap_or_else(PoisonError::into_inner);
        let ordered = self.record(&self.hand_over).and_then(|()| heir.wait(&self.hand_over));
        *place = Some(heir);
        ordered.inspect_err(|_| self.device.poison())
    }

    /// Destroys the stream and its event, at the end of a scope.
    ///
    /// # Safety
    /// 1. Nothing is submitted to the stream any more, and everything that was has taken effect.
    pub(super) unsafe fn destroy(&self) {
        // SAFETY: (1, 5) drained, by 1. An error here loses a handle of a context that is about to go.
        unsafe {
            // The built-in ones are not ours, and a per-thread stream is another thread's.
            if self.adopted.is_none()
                && matches!(self.stream.kind, StreamKind::NonBlockingStream | StreamKind::BlockingStream)
            {
                let _ = self.driver().stream_destroy(&self.stream);
            }
            let _ = self.driver().event_destroy(&self.hand_over);
        }
    }
}

/// Null, `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD` name another stream in each context, and the last one in each
/// thread.
fn refuse_built_in(handle: u64) -> Result<()> {
    const INVALID_HANDLE: i32 = 400;
    match handle {
        0..=2 => Err(Error::Driver(DriverError {
            call: "cuStreamGetFlags",
            kind: ErrorKind::InvalidHandle,
            code: INVALID_HANDLE,
            message: "a built-in stream is not adopted: use `device.legacy()` or `device.per_thread()`".into(),
        })),
        _ => Ok(()),
    }
}
