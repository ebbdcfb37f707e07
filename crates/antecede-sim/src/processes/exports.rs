//! The interprocess events that this simulator made.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;

use antecede::driver::EventData;

use super::Nonce;
use super::board::{Board, Count, SLOTS};
use super::data::{decode, encode};
use crate::queue::Point;

const MARK: u64 = u64::from_le_bytes(*b"ante-evt");

/// A record of an interprocess event, which is told on the board when it takes effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Signal {
    pub(super) slot: u32,
    pub(super) number: u64,
}

/// What [`EventData`] says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) nonce: Nonce,
    pub(super) process: u64,
    pub(super) descriptor: u64,
    pub(super) slot: u32,
    /// Of [`Count::Destroyed`] while the event lives.
    pub(super) generation: u64,
}

impl Origin {
    pub(super) fn of(data: &EventData) -> Option<Self> {
        let (nonce, [process, descriptor, slot, generation]) = decode(MARK, &data.0)?;
        let slot = u32::try_from(slot).ok().filter(|&slot| slot < SLOTS)?;
        Some(Origin { nonce, process, descriptor, slot, generation })
    }
}

#[derive(Debug, Default)]
struct Slot {
    submitted: u64,
    generation: u64,
    destroyed: bool,
    /// Records that have not taken effect.
    open: BTreeMap<u64, Point>,
}

/// Those events, and the board that tells of them. What is true is kept here: the board is only written.
#[derive(Debug)]
pub(crate) struct Exports {
    board: Board,
    file: File,
    slots: Vec<Slot>,
    vacant: Vec<u32>,
}

impl Exports {
    pub(crate) fn new(nonce: Nonce) -> io::Result<Self> {
        let (board, file) = Board::create(nonce)?;
        Ok(Exports { board, file, slots: Vec::new(), vacant: Vec::new() })
    }

    /// A slot for a new event; `None` when there are too many.
    pub(super) fn take(&mut self) -> Option<u32> {
        let slot = self.vacant.pop().or_else(|| {
            let fresh = u32::try_from(self.slots.len()).ok().filter(|&fresh| fresh < SLOTS)?;
            self.slots.push(Slot::default());
            Some(fresh)
        })?;
        self.slots[slot as usize].destroyed = false;
        Some(slot)
    }

    /// The event is destroyed. Its records keep the slot until they have taken effect.
    pub(crate) fn give_back(&mut self, slot: u32) {
        if let Some(entry) = self.slots.get_mut(slot as usize) {
            entry.generation += 1;
            entry.destroyed = true;
            self.board.set(slot, Count::Destroyed, entry.generation);
        }
        self.reuse_if_idle(slot);
    }

    #[cfg(unix)]
    pub(super) fn data(&self, slot: u32) -> Option<EventData> {
        use std::os::fd::AsRawFd;
        let entry = self.slots.get(slot as usize)?;
        let descriptor = u64::try_from(self.file.as_raw_fd()).ok()?;
        let numbers = [std::process::id().into(), descriptor, slot.into(), entry.generation];
        Some(EventData(encode(MARK, self.board.nonce, numbers)))
    }

    #[cfg(not(unix))]
    pub(super) fn data(&self, _: u32) -> Option<EventData> {
        let _ = (&self.file, encode);
        None
    }

    /// The signal of a record that is submitted next.
    pub(crate) fn next(&self, slot: u32) -> Option<Signal> {
        Some(Signal { slot, number: self.slots.get(slot as usize)?.submitted + 1 })
    }

    /// That record has been submitted, and ends at `point`.
    pub(crate) fn submitted(&mut self, signal: Signal, point: Point) {
        if let Some(entry) = self.slots.get_mut(signal.slot as usize) {
            entry.submitted = signal.number;
            entry.open.insert(signal.number, point);
            self.board.set(signal.slot, Count::Submitted, signal.number);
        }
    }

    /// That record has taken effect.
    pub(crate) fn executed(&mut self, signal: Signal) {
        if let Some(entry) = self.slots.get_mut(signal.slot as usize) {
            entry.open.remove(&signal.number);
            let executed = entry.open.first_key_value().map_or(entry.submitted, |(&first, _)| first - 1);
            self.board.set(signal.slot, Count::Executed, executed);
        }
        self.reuse_if_idle(signal.slot);
    }

    /// What has to be reached before all records up to this one have taken effect.
    pub(super) fn open(&self, signal: Signal) -> Vec<Point> {
        let entry = self.slots.get(signal.slot as usize);
        entry.map_or_else(Vec::new, |entry| entry.open.range(..=signal.number).map(|(_, &point)| point).collect())
    }

    fn reuse_if_idle(&mut self, slot: u32) {
        let entry = self.slots.get(slot as usize);
        if entry.is_some_and(|entry| entry.destroyed && entry.open.is_empty()) && !self.vacant.contains(&slot) {
            self.vacant.push(slot);
        }
    }
}
