//! What an importer owes its exporter: a receipt for each offer, once.

use crate::link::{Deadline, Link, LinkError, Peer};
use crate::wire::{ExportId, Frame, How, Receipt};
use crate::{Error, Result};
use antecede::ipc::{Import, ImportId, ImportState};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The connection to an exporter, and what it is still to be told. Shared by an importer and its offers.
pub(crate) struct Owed<D> {
    link: Link,
    peer: Peer,
    time_limit: Mutex<Duration>,
    held: Mutex<HashMap<ImportId, Held<D>>>,
    /// Receipts that are due and have not been sent.
    due: Mutex<Vec<Receipt>>,
}

/// What was imported.
struct Held<D> {
    export: ExportId,
    import: Import<D>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<D> Owed<D> {
    pub(crate) fn new(link: Link, peer: Peer) -> Self {
        let time_limit = Mutex::new(crate::TIME_LIMIT);
        Owed { link, peer, time_limit, held: Mutex::default(), due: Mutex::default() }
    }

    pub(crate) fn link(&self) -> &Link {
        &self.link
    }

    pub(crate) fn peer(&self) -> &Peer {
        &self.peer
    }

    pub(crate) fn set_time_limit(&self, limit: Duration) {
        *lock(&self.time_limit) = limit;
    }

    /// The end of a wait that begins now.
    pub(crate) fn deadline(&self) -> Deadline {
        Deadline::after(*lock(&self.time_limit))
    }

    /// `Err` once the exporter's process has ended.
    pub(crate) fn exporter_lives(&self) -> Result<()> {
        if self.peer.has_exited(Deadline::now())? { Err(LinkError::PeerGone.into()) } else { Ok(()) }
    }

    /// An offer was imported: the end of the import is its answer.
    pub(crate) fn hold(&self, export: ExportId, import: Import<D>) {
        lock(&self.held).insert(import.id(), Held { export, import });
    }

    pub(crate) fn holds(&self, id: ImportId) -> bool {
        lock(&self.held).contains_key(&id)
    }

    /// How many imports have not been seen to end.
    pub(crate) fn held(&self) -> usize {
        lock(&self.held).len()
    }

    /// Whether the free of some import is queued, and its receipt still to come.
    pub(crate) fn is_ending(&self) -> Result<bool> {
        for held in lock(&self.held).values() {
            if matches!(held.import.state()?, ImportState::Ending | ImportState::Ended) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// An offer is not taken: the exporter is told.
    pub(crate) fn decline(&self, export: ExportId, deadline: Deadline) -> Result<()> {
        lock(&self.due).push(Receipt { export, how: How::Declined });
        self.send_due(deadline)
    }

    /// Tells the exporter of every import that is found to have ended.
    pub(crate) fn tell_what_has_ended(&self) -> Result<()> {
        self.note_what_has_ended()?;
        self.send_due(self.deadline())
    }

    /// The receipts of imports that are found to have ended become due: each once, for it leaves the list.
    fn note_what_has_ended(&self) -> Result<()> {
        let mut held = lock(&self.held);
        let ids: Vec<ImportId> = held.keys().copied().collect();
        for id in ids {
            if let Entry::Occupied(place) = held.entry(id)
                && place.get().import.state()? == ImportState::Ended
            {
                lock(&self.due).push(Receipt { export: place.remove().export, how: How::Released });
            }
        }
        Ok(())
    }

    fn send_due(&self, deadline: Deadline) -> Result<(), Error> {
        loop {
            let Some(receipt) = lock(&self.due).pop() else { return Ok(()) };
            if let Err(error) = self.link.send(&Frame::Receipt(receipt), None, deadline) {
                if !error.may_have_left {
                    lock(&self.due).push(receipt);
                }
                return Err(error.cause.into());
            }
        }
    }
}

/// Tells the exporter of what has ended by now, without waiting.
impl<D> Drop for Owed<D> {
    fn drop(&mut self) {
        // Nobody is left to hear of an error.
        let _ = self.note_what_has_ended().and_then(|()| self.send_due(Deadline::now()));
    }
}
