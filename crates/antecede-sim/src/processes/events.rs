//! Interprocess events: made here for others, and opened here.

use std::sync::Arc;

use antecede::driver::{ContextRef, DriverError, DriverResult, ErrorKind, EventData, EventId, EventRef};

use super::board::Count;
use super::courier::unavailable;
use super::exports::{Exports, Origin, Signal};
use super::{Beyond, Link};
use crate::Call;
use crate::error::{error, invalid_handle, invalid_value, out_of_memory};
use crate::state::{EventEntry, State};
use crate::trusted::Owner;

/// How an event stands to other processes.
#[derive(Clone, Debug)]
pub(crate) enum Sharing {
    /// They know nothing of it.
    Private,
    /// It was made for them, in this slot of the board.
    Made(u32),
    /// It is one of theirs.
    Opened(Arc<Link>, u32),
}

impl Owner {
    pub(crate) fn create_interprocess_event(&self, context: &ContextRef, id: EventId) -> DriverResult<u64> {
        let call = Call::InterprocessEventCreate;
        self.lock().context(call, context)?;
        self.start_courier().map_err(|cause| no_events(call, &cause))?;
        let mut state = self.lock();
        if state.exports.is_none() {
            let nonce = state.courier.as_ref().map(|courier| courier.nonce);
            let exports = nonce.map(Exports::new).transpose().map_err(|cause| no_events(call, &cause))?;
            state.exports = exports;
        }
        state.may_add(call, context, id)?;
        let slot = state.exports.as_mut().and_then(Exports::take).ok_or_else(|| out_of_memory(call, 0))?;
        Ok(state.add_event(context, id, Sharing::Made(slot)))
    }

    /// Other processes are spoken to with no lock held.
    pub(crate) fn import_event(&self, context: &ContextRef, id: EventId, data: &EventData) -> DriverResult<u64> {
        let call = Call::EventImport;
        self.lock().context(call, context)?;
        // Elsewhere than on Linux, this is where it ends.
        self.start_courier().map_err(|cause| no_events(call, &cause))?;
        let origin = Origin::of(data).ok_or_else(|| invalid_value(call, "the data are not of an event"))?;
        let known = self.lock().courier.as_ref().and_then(|courier| courier.link(origin.nonce));
        let opened = match known {
            Some(_) => None,
            None => Some(Link::open(&origin).map_err(|cause| invalid_handle(call, cause))?),
        };
        let mut state = self.lock();
        state.may_add(call, context, id)?;
        let link = state.courier.as_mut().and_then(|courier| match (courier.link(origin.nonce), opened) {
            (None, Some(opened)) => Some(courier.add(opened)),
            (link, _) => link,
        });
        let link = link.ok_or_else(|| invalid_handle(call, "the exporter is gone"))?;
        if link.board().count(origin.slot, Count::Destroyed) != origin.generation {
            return Err(invalid_handle(call, "the event has been destroyed"));
        }
        Ok(state.add_event(context, id, Sharing::Opened(link, origin.slot)))
    }
}

impl State {
    pub(crate) fn export_event(&mut self, event: &EventRef) -> DriverResult<EventData> {
        let call = Call::EventExport;
        let data = match self.event(call, event)?.sharing {
            Sharing::Made(slot) => self.exports.as_ref().and_then(|exports| exports.data(slot)),
            _ => None,
        };
        data.ok_or_else(|| invalid_value(call, "the event was not made for other processes"))
    }

    /// The latest record of an event of another simulator.
    pub(crate) fn latest_beyond(link: &Arc<Link>, slot: u32) -> Beyond {
        let signal = Signal { slot, number: link.board().count(slot, Count::Submitted) };
        Beyond { link: Arc::clone(link), signal }
    }

    /// Notes that other simulators want these records, and returns those that have not taken effect.
    pub(crate) fn want(&mut self, signals: &[Signal]) -> Vec<Signal> {
        let Some(exports) = &self.exports else { return Vec::new() };
        let mut open = Vec::new();
        for &signal in signals {
            let points = exports.open(signal);
            if !points.is_empty() {
                open.push(signal);
                let new = points.into_iter().filter(|point| !self.demanded.contains(point)).collect::<Vec<_>>();
                self.demanded.extend(new);
            }
        }
        open
    }

    fn may_add(&mut self, call: Call, context: &ContextRef, id: EventId) -> DriverResult {
        self.context(call, context)?;
        match self.events.contains_key(&id) {
            true => Err(invalid_value(call, format!("{id:?} is in use"))),
            false => Ok(()),
        }
    }

    fn add_event(&mut self, context: &ContextRef, id: EventId, sharing: Sharing) -> u64 {
        let handle = self.event_handles.issue();
        self.events.insert(id, EventEntry { context: *context, handle, latest: None, sharing });
        handle
    }
}

fn no_events(call: Call, cause: &std::io::Error) -> DriverError {
    let kind = match cause.kind() {
        std::io::ErrorKind::Unsupported => ErrorKind::NotSupported,
        _ => ErrorKind::OutOfMemory,
    };
    error(call, kind, unavailable(cause))
}
