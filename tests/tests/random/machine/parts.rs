//! Buffers in parts, and what becomes of memory.

use super::{Known, Machine};
use crate::memory::{Held, into_parts_at, unsplit};
use crate::model::Access;
use crate::program::{LANES, LEN, Route, SLOTS};
use antecede::{Error, Result};

impl<D> Machine<D> {
    /// The right part goes to another place, if there is one.
    pub(super) fn split(&mut self, slot: usize, into: usize, mid: usize) {
        let is_free = |&place: &usize| !self.is_there(place) && !self.is_away(place);
        let Some(into) = [into].into_iter().chain(0..self.slots.len()).find(is_free) else { return };
        let mid = mid.min(self.len(slot));
        let (left, right) = match std::mem::take(&mut self.slots[slot]) {
            Held::Nothing => return,
            Held::Loose(x) => {
                let (left, right) = into_parts_at(x, mid);
                (Held::Loose(left), Held::Loose(right))
            }
            Held::Synced(x) => {
                let (left, right) = into_parts_at(x, mid);
                (Held::Synced(left), Held::Synced(right))
            }
        };
        (self.slots[slot], self.slots[into]) = (left, right);
        let known = self.known(slot);
        let words = known.words.split_off(mid);
        let right = Known { words, offset: known.offset + mid, ..known.clone() };
        if mid > 0 && !right.words.is_empty() {
            self.parents.get_mut(&right.memory).expect("memory has a parent").parts += 1;
        }
        self.known[into] = Some(right);
    }

    /// Three parts, each to its own stream.
    pub(super) fn cut(&mut self, slot: usize, lanes: [usize; 3]) -> Result<()> {
        let third = self.len(slot) / 3;
        let mut rest = slot;
        for lane in lanes {
            let part = rest;
            self.split(part, (part + 1) % SLOTS, third);
            rest = self.right_of(part).unwrap_or(part);
            self.arrive(&[part], lane, Route::Take)?;
        }
        Ok(())
    }

    /// Uses and drops the parts of one memory one after the other, from a place on.
    pub(super) fn drop_parts(&mut self, slot: usize, first: usize, value: u32, synced: bool) -> Result<()> {
        if !self.is_there(slot) || self.lives_on(slot) {
            return Ok(());
        }
        let memory = self.known(slot).memory;
        let is_part =
            |&slot: &usize| self.is_there(slot) && self.known[slot].as_ref().is_some_and(|k| k.memory == memory);
        let parts: Vec<usize> = (first..SLOTS).chain(0..first).filter(is_part).collect();
        for (number, &part) in parts.iter().enumerate() {
            if let Some(home) = self.source(part).filter(|&home| home < LANES) {
                self.fill(part, home, 0..LEN, value, Route::Take)?;
                if synced && number + 1 == parts.len() {
                    self.sync(&[part], home)?;
                }
            }
            if number > 1 {
                self.reach("three parts dropped");
            }
            self.drop_buffer(part, false);
        }
        Ok(())
    }

    /// The place of the part that follows in memory.
    pub(super) fn right_of(&self, left: usize) -> Option<usize> {
        let left = self.known[left].as_ref()?;
        let follows = |right: &Known| {
            right.memory == left.memory && right.offset == left.offset + left.words.len() && !right.words.is_empty()
        };
        (0..self.slots.len()).find(|&slot| self.is_there(slot) && self.known[slot].as_ref().is_some_and(follows))
    }

    pub(super) fn unsplit(&mut self, left: usize, right: usize, gather: bool) -> Result<()> {
        if left == right || !self.is_there(left) || !self.is_there(right) || self.kind(left) != self.kind(right) {
            return Ok(());
        }
        if let Some(home) = self.source(left).filter(|&home| gather && home < LANES) {
            self.arrive(&[right], home, Route::Take)?;
        }
        let adjacent = self.right_of(left) == Some(right);
        let (x, y) = (std::mem::take(&mut self.slots[left]), std::mem::take(&mut self.slots[right]));
        let (held, synced) = match (x, y) {
            (Held::Synced(x), Held::Synced(y)) => match unsplit(x, y) {
                Ok(x) => (Ok(Held::Synced(x)), true),
                Err((error, x, y)) => (Err((error, Held::Synced(x), Held::Synced(y))), true),
            },
            (x, y) => match unsplit(x.loose().expect("it is there"), y.loose().expect("it is there")) {
                Ok(x) => (Ok(Held::Loose(x)), false),
                Err((error, x, y)) => (Err((error, Held::Loose(x), Held::Loose(y))), false),
            },
        };
        let (here, there) = (self.known(left).clone(), self.known(right).clone());
        let same = synced || here.home == there.home;
        match held {
            Err((error, x, y)) => {
                (self.slots[left], self.slots[right]) = (x, y);
                assert!(!here.words.is_empty() && !there.words.is_empty(), "nothing is joined with everything");
                match same {
                    false => assert!(matches!(error, Error::StreamMismatch { .. }), "{error:?}"),
                    true => assert!(matches!(error, Error::NotAdjacent) && !adjacent, "{error:?}"),
                }
                self.reach(match adjacent {
                    true => "parts on two streams not joined",
                    false => "parts of two buffers not joined",
                });
            }
            Ok(x) => {
                self.slots[left] = x;
                self.known[right] = None;
                self.reach(match (here.words.is_empty() || there.words.is_empty(), synced) {
                    (true, _) => "joined with nothing",
                    (_, true) => "parts joined with the host",
                    _ => "parts joined",
                });
                if here.words.is_empty() {
                    // Two that are empty are one that is.
                    self.known[left] = Some(there);
                } else if !there.words.is_empty() {
                    assert!(same && adjacent, "only neighbours on one stream are joined");
                    self.known(left).words.extend(there.words);
                    self.parents.get_mut(&here.memory).expect("memory has a parent").parts -= 1;
                }
            }
        }
        Ok(())
    }

    /// The model's side of a drop. A part that is not the last of its memory notes the end of its work; the last one's
    /// stream waits for those, and then gives the memory back: to a pool by a free, to a cache after a record.
    pub(super) fn freed(&mut self, slot: usize, in_flight: bool) {
        let Some(Known { kind, memory, home, words, .. }) = self.known[slot].take() else { return };
        if words.is_empty() {
            return;
        }
        let parent = self.parents.get_mut(&memory).expect("memory has a parent");
        parent.parts -= 1;
        if parent.parts > 0 {
            if in_flight {
                let node = self.graph.submit(home, Vec::new());
                parent.ended.retain(|&(lane, _)| lane != home);
                parent.ended.push((home, node));
            }
            return;
        }
        let parent = self.parents.remove(&memory).expect("memory has a parent");
        for &(lane, node) in &parent.ended {
            if lane != home {
                self.graph.wait(home, node);
                self.reach(match kind.is_cached() {
                    true => "cached after parts on other streams",
                    false => "freed after parts on other streams",
                });
            }
        }
        if !kind.is_cached() {
            self.graph.submit(home, vec![Access { memory, range: 0..parent.len, write: true }]);
        } else if in_flight || !parent.ended.is_empty() {
            self.graph.submit(home, Vec::new());
        }
    }
}
