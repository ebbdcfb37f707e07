//! Parts of one allocation, each a buffer of its own.

use super::cache::Freed;
use super::device::{DeviceCore, lock};
use super::driver::DevicePtr;
use super::event::PooledEvent;
use super::stream_core::StreamCore;
use crate::Result;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The allocations of a group of devices that are in parts, by address.
#[derive(Default)]
pub(super) struct Parents {
    parents: Mutex<BTreeMap<DevicePtr, Parent>>,
}

struct Parent {
    bytes: usize,
    /// How many buffers are parts of it: it is freed with the last. Ownership is this count, never how much is covered.
    parts: usize,
    /// The end of the work on parts that are gone: one event for each stream, its latest.
    ended: Vec<(&'static StreamCore, PooledEvent)>,
    /// An end of work could not be recorded: nobody knows when the memory is free.
    lost: bool,
}

impl Parents {
    /// One part, or the whole, becomes two.
    pub(super) fn split(&self, ptr: DevicePtr, bytes: usize, is_part: bool) {
        let mut parents = lock(&self.parents);
        match is_part {
            true => parent_of(&mut parents, ptr).1.parts += 1,
            false => drop(parents.insert(ptr, Parent { bytes, parts: 2, ended: Vec::new(), lost: false })),
        }
    }

    /// Two parts become one, if they are of one parent.
    pub(super) fn unsplit(&self, left: DevicePtr, right: DevicePtr) -> bool {
        let mut parents = lock(&self.parents);
        if parent_of(&mut parents, left).0 != parent_of(&mut parents, right).0 {
            return false;
        }
        parent_of(&mut parents, left).1.parts -= 1;
        true
    }

    /// Where the allocation starts that the part at `ptr` is of.
    #[cfg(unix)]
    pub(super) fn start_of(&self, ptr: DevicePtr) -> DevicePtr {
        parent_of(&mut lock(&self.parents), ptr).0
    }

    /// Whether the part is the whole again: then it is one no more.
    #[cfg(unix)]
    pub(super) fn rejoin(&self, ptr: DevicePtr, bytes: usize) -> bool {
        let mut parents = lock(&self.parents);
        let (start, parent) = parent_of(&mut parents, ptr);
        // The only owner of every byte: no other part has been dropped, so none has left an event.
        let is_whole = (start, parent.bytes, parent.parts) == (ptr, bytes, 1);
        if is_whole {
            parents.remove(&start);
        }
        is_whole
    }

    /// Gives the events back, at the end of a scope: before their devices are closed. What is left are parts that were
    /// forgotten.
    pub(super) fn close(&self) {
        lock(&self.parents).clear();
    }

    /// A part is dropped. One that is not the last records an event if work may be in flight on it; the last gives the
    /// whole allocation back, on a stream that has waited for all those events. `None`: not the last, or lost.
    pub(super) fn release(&self, device: &DeviceCore, part: Freed) -> Option<Freed> {
        let mut parents = lock(&self.parents);
        let (start, parent) = parent_of(&mut parents, part.ptr);
        parent.parts -= 1;
        if parent.parts > 0 {
            if part.in_flight {
                parent.note_end(part.home);
            }
            return None;
        }
        let parent = parents.remove(&start)?;
        match part.home.as_home(|home| parent.all_ended_on(home)) {
            Ok(waited) if !parent.lost => {
                Some(Freed { ptr: start, bytes: parent.bytes, in_flight: part.in_flight || waited, ..part })
            }
            _ => {
                device.leak();
                None
            }
        }
    }
}

impl Parent {
    fn note_end(&mut self, stream: &'static StreamCore) {
        let event = stream.as_home(PooledEvent::recorded);
        self.ended.retain(|(known, _)| event.is_err() || known.id() != stream.id());
        match event {
            Ok(event) => self.ended.push((stream, event)),
            Err(_) => self.lost = true,
        }
    }

    /// Makes `stream` wait for the end of the work on all parts; whether there was any.
    fn all_ended_on(&self, stream: &StreamCore) -> Result<bool> {
        for (other, event) in &self.ended {
            if other.id() != stream.id() {
                stream.wait(event.event())?;
            }
        }
        Ok(!self.ended.is_empty())
    }
}

/// The parent of the part that starts at `ptr`. Parts have bytes, so `ptr` lies inside.
fn parent_of(parents: &mut BTreeMap<DevicePtr, Parent>, ptr: DevicePtr) -> (DevicePtr, &mut Parent) {
    let (start, parent) = parents.range_mut(..=ptr).next_back().expect("a part's parent is known until its last part");
    debug_assert!(ptr < start.offset(parent.bytes));
    (*start, parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_two_parents_do_not_join() {
        let parents = Parents::default();
        let (low, high) = (DevicePtr(0x1000), DevicePtr(0x1200));
        parents.split(low, 0x200, false);
        parents.split(high, 0x200, false);
        assert!(!parents.unsplit(low.offset(0x100), high), "adjacent, but of two allocations");
        assert!(parents.unsplit(low, low.offset(0x100)));
        assert_eq!(lock(&parents.parents)[&low].parts, 1);
        assert_eq!(lock(&parents.parents)[&high].parts, 2);
    }
}
