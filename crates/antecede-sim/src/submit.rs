//! What is submitted to a stream: checked and queued, to take effect later.

use antecede::driver::{ContextRef, DevicePtr, DriverResult, EventRef, Pattern, StreamRef};

use crate::Call;
use crate::error::{invalid_handle, invalid_value, out_of_memory};
use crate::memory::{Space, rounded};
use crate::state::State;
use crate::trusted::{Span, Work};

impl State {
    pub(crate) fn record(&mut self, event: &EventRef, stream: &StreamRef) -> DriverResult {
        let call = Call::EventRecord;
        self.stream(call, stream)?;
        self.event(call, event)?;
        if event.context.id != stream.context.id {
            return Err(invalid_handle(call, "event and stream are of different contexts"));
        }
        let record = self.queues.record(stream.id);
        self.event(call, event)?.latest = Some(record);
        Ok(())
    }

    /// The streams may be of different contexts.
    pub(crate) fn wait(&mut self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        self.stream(Call::EventWait, stream)?;
        // An event that was never recorded holds nothing back.
        if let Some(record) = self.event(Call::EventWait, event)?.latest.clone() {
            self.queues.wait(stream.id, &record);
        }
        Ok(())
    }

    pub(crate) fn allocate(&mut self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        let call = Call::Alloc;
        self.stream(call, stream)?;
        let len = self.fits(call, &stream.context, bytes)?;
        let span = self
            .memory
            .allocate(Space::Device(stream.context.ordinal), bytes, Some(stream.id), &self.queues)
            .ok_or_else(|| out_of_memory(call, bytes))?;
        self.context(call, &stream.context)?.used += len;
        self.queues.submit(stream.id, Vec::new(), Work::fill(span, Pattern::D8(self.poison.fresh)));
        Ok(span.ptr())
    }

    /// Any device's memory may be freed on any stream; it goes back to its own device.
    pub(crate) fn free(&mut self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        self.stream(Call::Free, stream)?;
        let Some((span, Space::Device(home))) = self.memory.allocation(ptr) else {
            return Err(invalid_value(Call::Free, format!("no device memory is allocated at {ptr:?}")));
        };
        let freed = self.queues.submit(stream.id, Vec::new(), Work::fill(span, Pattern::D8(self.poison.freed)));
        self.memory.free(ptr, Some(freed));
        if let Some(context) = self.contexts.get_mut(home as usize) {
            context.used = context.used.saturating_sub(rounded(span.len()).unwrap_or(0) as u64);
        }
        Ok(())
    }

    pub(crate) fn fill(&mut self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
        let (call, width) = (Call::Fill, pattern.width());
        self.stream(call, stream)?;
        if !dst.0.is_multiple_of(width as u64) {
            return Err(invalid_value(call, format!("{dst:?} is not aligned to {width} bytes")));
        }
        let work = match count.saturating_mul(width) {
            0 => Work::nothing(),
            bytes => {
                let (span, space) = self.range(call, dst, bytes)?;
                self.check_reach(stream.context.ordinal, space).map_err(|cause| invalid_value(call, cause))?;
                Work::fill(span, pattern)
            }
        };
        self.queues.submit(stream.id, Vec::new(), work);
        Ok(())
    }

    pub(crate) fn copy(&mut self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        let call = Call::Copy;
        self.stream(call, stream)?;
        let work = match bytes {
            0 => Work::nothing(),
            bytes => {
                let ((dst, _), (src, _)) = (self.range(call, dst, bytes)?, self.range(call, src, bytes)?);
                if dst.overlaps(&src) {
                    return Err(invalid_value(call, "source and destination overlap"));
                }
                Work::copy(dst, src)
            }
        };
        self.queues.submit(stream.id, Vec::new(), work);
        Ok(())
    }

    /// The rounded size of an allocation that the device has room for.
    fn fits(&mut self, call: Call, context: &ContextRef, bytes: usize) -> DriverResult<u64> {
        if bytes == 0 {
            return Err(invalid_value(call, "no bytes"));
        }
        let (used, limit) = (self.context(call, context)?.used, self.memory_limit);
        let len = rounded(bytes).map(|len| len as u64);
        len.filter(|len| used.checked_add(*len).is_some_and(|sum| sum <= limit))
            .ok_or_else(|| out_of_memory(call, bytes))
    }

    fn range(&self, call: Call, ptr: DevicePtr, bytes: usize) -> DriverResult<(Span, Space)> {
        let range = self.memory.span(ptr, bytes);
        range.ok_or_else(|| invalid_value(call, format!("{bytes} bytes at {ptr:?} lie in no allocation")))
    }

    /// Whether fills and launches on a device reach memory there.
    pub(crate) fn check_reach(&self, ordinal: u32, space: Space) -> Result<(), String> {
        match space {
            Space::Device(home) if home != ordinal && !self.peer_access => {
                Err(format!("memory of device {home}, and no peer access"))
            }
            _ => Ok(()),
        }
    }
}
