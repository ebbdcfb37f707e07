//! What is submitted to a stream: checked and queued, to take effect later.

use antecede::driver::{Access, DevicePtr, DriverResult, EventRef, Pattern, StreamRef};

use crate::Call;
use crate::error::{CaptureRefusal, capture_refuses, invalid_handle, invalid_value, out_of_memory};
use crate::memory::{Place, Region, rounded};
use crate::processes::{Beyond, Sharing};
use crate::queue::Point;
use crate::state::{Latest, State};
use crate::trusted::Work;

/// What a host wait for an event waits for.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    Here(Point),
    /// In another simulator.
    Beyond(Beyond),
}

impl State {
    pub(crate) fn record(&mut self, event: &EventRef, stream: &StreamRef) -> DriverResult {
        let call = Call::EventRecord;
        let queue = self.usable(call, stream)?;
        self.event(call, event)?;
        if event.context.id != stream.context.id {
            return Err(invalid_handle(call, "event and stream are of different contexts"));
        }
        let signal = match self.event(call, event)?.sharing {
            Sharing::Private => None,
            Sharing::Made(slot) => self.exports.as_ref().and_then(|exports| exports.next(slot)),
            Sharing::Opened(..) => return Err(invalid_value(call, "the event is another process's to record")),
        };
        let latest = match self.queues.capture(queue) {
            Some(capture) => Latest::Captured(capture),
            None => {
                let record = self.queues.record(queue, signal);
                if let (Some(signal), Some(exports)) = (signal, &mut self.exports) {
                    exports.submitted(signal, record.point);
                }
                Latest::Submitted(record)
            }
        };
        self.event(call, event)?.latest = Some(latest);
        Ok(())
    }

    /// The streams may be of different contexts. A wait for an event of a capture draws the stream into it.
    pub(crate) fn wait(&mut self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        let call = Call::EventWait;
        let queue = self.usable(call, stream)?;
        let refused = |refusal| Err(capture_refuses(call, refusal));
        if let Sharing::Opened(link, slot) = &self.event(call, event)?.sharing {
            let beyond = Self::latest_beyond(link, *slot);
            if self.queues.capture(queue).is_some() {
                return refused(CaptureRefusal::Isolation);
            }
            self.queues.wait_beyond(queue, beyond);
            return Ok(());
        }
        // An event that was never recorded holds nothing back.
        let Some(latest) = self.event(call, event)?.latest.clone() else { return Ok(()) };
        match (latest, self.queues.capture(queue)) {
            (Latest::Submitted(record), None) => self.queues.wait(queue, &record),
            (Latest::Submitted(_), Some(_)) => return refused(CaptureRefusal::Isolation),
            (Latest::Captured(theirs), _) if !self.queues.is_open(theirs) => {
                return refused(CaptureRefusal::CapturedEvent);
            }
            (Latest::Captured(_), None) if queue == stream.context.legacy => return refused(CaptureRefusal::Implicit),
            (Latest::Captured(theirs), None) => self.queues.join_capture(queue, theirs),
            (Latest::Captured(theirs), Some(mine)) if mine != theirs => return refused(CaptureRefusal::Merge),
            (Latest::Captured(_), Some(_)) => {}
        }
        Ok(())
    }

    /// What a host wait for the event's latest record waits for; `None` for an event that was never recorded.
    pub(crate) fn goal_of_event(&mut self, call: Call, event: &EventRef) -> DriverResult<Option<Goal>> {
        let entry = self.event(call, event)?;
        if let Sharing::Opened(link, slot) = &entry.sharing {
            return Ok(Some(Goal::Beyond(Self::latest_beyond(link, *slot))));
        }
        match &entry.latest {
            None => Ok(None),
            Some(Latest::Submitted(record)) => Ok(Some(Goal::Here(record.point))),
            Some(Latest::Captured(_)) => Err(capture_refuses(call, CaptureRefusal::CapturedEvent)),
        }
    }

    /// Any device's memory may be freed on any stream; it goes back to its own pool. Of imported memory only the use ends:
    /// bytes and memory are another simulator's. In a capture, only what was allocated
    /// in one; outside, only what was not.
    pub(crate) fn free(&mut self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        let call = Call::Free;
        let queue = self.usable(call, stream)?;
        let captured = self.queues.capture(queue).is_some();
        let region = self.memory.allocation(ptr).filter(|region| region.pool.is_some() && region.captured == captured);
        let Some(Region { span, place, imported, .. }) = region else {
            return Err(invalid_value(call, format!("no memory that this call frees here is allocated at {ptr:?}")));
        };
        if imported {
            let ended = self.queues.submit(queue, Vec::new(), Work::nothing());
            self.memory.free(ptr, Some(ended));
            return Ok(());
        }
        let freed = self.queues.submit(queue, Vec::new(), Work::fill(span, Pattern::D8(self.poison.freed)));
        self.memory.free(ptr, Some(freed));
        let len = rounded(span.len()).unwrap_or(0) as u64;
        self.count_used(place, |used| used.saturating_sub(len));
        Ok(())
    }

    pub(crate) fn fill(&mut self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
        let (call, width) = (Call::Fill, pattern.width());
        let queue = self.usable(call, stream)?;
        if !dst.0.is_multiple_of(width as u64) {
            return Err(invalid_value(call, format!("{dst:?} is not aligned to {width} bytes")));
        }
        let work = match count.saturating_mul(width) {
            0 => Work::nothing(),
            bytes => {
                let region = self.range(call, dst, bytes)?;
                self.check_reach(stream.context.ordinal, &region).map_err(|cause| invalid_value(call, cause))?;
                Work::fill(region.span, pattern)
            }
        };
        self.queues.submit(queue, Vec::new(), work);
        Ok(())
    }

    pub(crate) fn copy(&mut self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        let call = Call::Copy;
        let queue = self.usable(call, stream)?;
        let work = match bytes {
            0 => Work::nothing(),
            bytes => {
                let (dst, src) = (self.range(call, dst, bytes)?.span, self.range(call, src, bytes)?.span);
                if dst.overlaps(&src) {
                    return Err(invalid_value(call, "source and destination overlap"));
                }
                Work::copy(dst, src)
            }
        };
        self.queues.submit(queue, Vec::new(), work);
        Ok(())
    }

    /// Checks what a host function says that it touches.
    pub(crate) fn check_host_accesses(&self, accesses: &[Access]) -> DriverResult {
        let call = Call::HostFn;
        for access in accesses.iter().filter(|access| access.bytes > 0) {
            if let Place::Device(_) = self.range(call, access.ptr, access.bytes)?.place {
                return Err(invalid_value(call, format!("{:?} is device memory", access.ptr)));
            }
        }
        Ok(())
    }

    /// The rounded size of an allocation for which there is room. Only memory of devices is limited.
    pub(crate) fn fits(&self, call: Call, place: Place, bytes: usize) -> DriverResult<u64> {
        if bytes == 0 {
            return Err(invalid_value(call, "no bytes"));
        }
        let used = match place {
            Place::Device(ordinal) => self.contexts.get(ordinal as usize).map_or(0, |context| context.used),
            Place::Pinned | Place::Managed => 0,
        };
        let limit = if let Place::Device(_) = place { self.memory_limit } else { u64::MAX };
        let len = rounded(bytes).map(|len| len as u64);
        len.filter(|len| used.checked_add(*len).is_some_and(|sum| sum <= limit))
            .ok_or_else(|| out_of_memory(call, bytes))
    }

    /// Counts what is allocated of a device's memory.
    pub(crate) fn count_used(&mut self, place: Place, count: impl FnOnce(u64) -> u64) {
        let Place::Device(ordinal) = place else { return };
        if let Some(context) = self.contexts.get_mut(ordinal as usize) {
            context.used = count(context.used);
        }
    }

    pub(crate) fn range(&self, call: Call, ptr: DevicePtr, bytes: usize) -> DriverResult<Region> {
        let range = self.memory.region(ptr, bytes);
        range.ok_or_else(|| invalid_value(call, format!("{bytes} bytes at {ptr:?} lie in no allocation")))
    }
}
