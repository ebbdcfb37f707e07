//! New buffers, what the host does with them, and their drop.

use super::{Known, Machine, Parent};
use crate::Waits;
use crate::lanes::on;
use crate::memory::{Held, IntoMem, Kind, Mem, host_slice_mut, to_vec};
use crate::model::{Access, sequence};
use crate::program::{LANES, LEN, Source};
use antecede::{Buffer, Loose, On, Result, State};
use std::ops::Range;

impl<D> Machine<D> {
    /// Drops what is in a place, if that may be done.
    fn make_room(&mut self, slot: usize) -> bool {
        if self.is_away(slot) || self.lives_on(slot) {
            return false;
        }
        self.drop_buffer(slot, false);
        true
    }

    pub(super) fn drop_buffer(&mut self, slot: usize, typed: bool) {
        let held = std::mem::take(&mut self.slots[slot]);
        let (in_flight, home) = (!held.is_synced(), self.known[slot].as_ref().map(|known| known.home));
        match (held, home) {
            (Held::Nothing, _) => return,
            (Held::Loose(x), Some(home)) if typed && home < LANES => on!(self.lanes[home], |s| drop(s.claim(x))),
            (held, _) => drop(held),
        }
        self.freed(slot, in_flight);
    }

    /// The model's side of a new buffer.
    fn allocated(&mut self, slot: usize, kind: Kind, home: usize) {
        let memory = self.graph.memory();
        let device = self.device_of(home);
        self.parents.insert(memory, Parent { len: LEN, device, parts: 1, ended: Vec::new() });
        self.known[slot] = Some(Known { kind, memory, offset: 0, words: vec![None; LEN], home });
        if !kind.is_cached() {
            self.graph.allocate(home, Access { memory, range: 0..LEN, write: true });
        }
    }

    pub(super) fn fresh(&mut self, slot: usize, lane: usize, source: Source, first: u32) -> Result<()> {
        if !self.make_room(slot) {
            return Ok(());
        }
        let device = self.device_of(lane);
        let hidden = LANES + device;
        let ready = |x: Mem<Loose<D>>| Held::Loose(x);
        let words = sequence(first, LEN);
        let (kind, held) = match (source, self.pools) {
            (Source::Pinned, _) => (Kind::Pinned, Held::Synced(self.devices[device].pinned::<u32>(LEN)?.mem())),
            (Source::Managed, _) => (Kind::Managed, Held::Synced(self.devices[device].managed::<u32>(LEN)?.mem())),
            (Source::Zeroed, _) => (Kind::Vram, ready(on!(self.lanes[lane], |s| loosened(s.zeroed(LEN)))?)),
            (Source::Upload, _) => (Kind::Vram, ready(on!(self.lanes[lane], |s| loosened(s.upload(&words)))?)),
            (Source::Pool, Some((pool, ..))) => {
                (Kind::Vram, ready(on!(self.lanes[lane], |s| loosened(s.alloc_in(pool, LEN)))?))
            }
            (Source::PinnedPool, Some((_, pool, _))) => {
                (Kind::PooledPinned, ready(on!(self.lanes[lane], |s| loosened(s.alloc_in(pool, LEN)))?))
            }
            (Source::ManagedPool, Some((.., pool))) => {
                (Kind::PooledManaged, ready(on!(self.lanes[lane], |s| loosened(s.alloc_in(pool, LEN)))?))
            }
            _ => (Kind::Vram, ready(on!(self.lanes[lane], |s| loosened(s.alloc(LEN)))?)),
        };
        self.slots[slot] = held;
        self.allocated(slot, kind, if kind.is_cached() { hidden } else { lane });
        let access = self.access(slot, 0..LEN, true);
        match source {
            Source::Zeroed => {
                self.known(slot).words.fill(Some(0));
                self.graph.submit(lane, vec![access]);
            }
            Source::Upload => {
                self.known(slot).words = words.into_iter().map(Some).collect();
                self.graph.submit(lane, vec![access]);
                self.graph.drain(lane);
            }
            Source::Pinned | Source::Managed => self.host_write(slot, first),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn host_write(&mut self, slot: usize, first: u32) {
        let words = sequence(first, self.len(slot));
        let Held::Synced(x) = &mut self.slots[slot] else { return };
        let Some(elements) = host_slice_mut(x) else { return };
        elements.copy_from_slice(&words);
        let access = self.access(slot, 0..words.len(), true);
        self.graph.host_access(access);
        self.known(slot).words = words.into_iter().map(Some).collect();
    }

    pub(super) fn host_read(&mut self, slot: usize) -> Result<()> {
        let Held::Synced(x) = &self.slots[slot] else { return Ok(()) };
        let found = to_vec(x)?;
        let range = 0..self.len(slot);
        let access = self.access(slot, range.clone(), false);
        let &mut Known { kind, home, .. } = self.known(slot);
        if kind.is_host() {
            self.graph.host_access(access);
        } else if !range.is_empty() {
            self.reach("device memory read with the host");
            self.graph.submit(home, vec![access]);
            self.graph.drain(home);
        }
        self.check(slot, range, &found);
        Ok(())
    }

    /// Compares with the sequential run, where the program is what the API lets through and its calls succeed.
    pub(super) fn check(&mut self, slot: usize, range: Range<usize>, found: &[u32]) {
        if self.waits != Waits::Kept {
            return;
        }
        let expected = &self.known(slot).words[range];
        let right = expected.iter().zip(found).all(|(expected, found)| expected.is_none_or(|word| word == *found));
        assert!(right && expected.len() == found.len(), "buffer {slot}: {expected:?} expected, {found:?} found");
    }
}

/// A new buffer, without its brand.
fn loosened<S, D, M: antecede::Memory>(fresh: Result<Buffer<u32, On<S, D>, M>>) -> Result<Mem<Loose<D>>>
where
    Buffer<u32, Loose<D>, M>: IntoMem<Loose<D>>,
    On<S, D>: State,
{
    Ok(fresh?.loose().mem())
}
