//! Memory that other simulators have as well: the homes of exportable pools, and imported allocations.

use antecede::driver::DevicePtr;

use super::{Allocation, Block, Memory, Place};
use crate::queue::Queues;
use crate::trusted::{ALIGNMENT, Arena};

/// Why an allocation cannot be imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    Outside,
    InUse,
}

impl Memory {
    /// Adds the arena that a pool takes all its memory from, but for its first bytes.
    pub(crate) fn add_home(&mut self, pool: u64, place: Place, arena: Arena, reserved: usize) {
        let len = arena.len().saturating_sub(reserved) / ALIGNMENT * ALIGNMENT;
        let arena = self.add(arena);
        self.free.push(Block { arena, offset: reserved, len, place, pool: None, home: Some(pool), freed: None });
    }

    /// Adds an arena whose blocks others give out.
    pub(crate) fn add_foreign(&mut self, arena: Arena) -> usize {
        self.add(arena)
    }

    /// Takes note of an allocation that another simulator made.
    pub(crate) fn import(
        &mut self,
        pool: u64,
        place: Place,
        arena: usize,
        offset: usize,
        bytes: usize,
    ) -> Result<DevicePtr, Refusal> {
        let span = self.arenas.get(&arena).and_then(|arena| arena.span(offset, bytes));
        let span = span.filter(|span| span.address().is_multiple_of(ALIGNMENT as u64)).ok_or(Refusal::Outside)?;
        let (start, end) = (span.address(), span.address() + bytes as u64);
        let before = self.live.range(..end).next_back();
        if before.is_some_and(|(&other, allocation)| other + allocation.bytes as u64 > start) {
            return Err(Refusal::InUse);
        }
        let block = Block { arena, offset, len: bytes, place, pool: Some(pool), home: None, freed: None };
        self.live.insert(start, Allocation { block, bytes, captured: false, imported: true });
        Ok(span.ptr())
    }

    /// Lets go of a pool's home, all of which is free.
    pub(crate) fn retire_home(&mut self, pool: u64, queues: &Queues) {
        let homes: Vec<_> =
            self.free.iter().filter(|block| block.home == Some(pool)).map(|block| block.arena).collect();
        self.free.retain(|block| block.home != Some(pool));
        homes.into_iter().for_each(|arena| self.retire(arena, queues));
    }

    /// Lets go of an arena.
    pub(crate) fn retire(&mut self, arena: usize, queues: &Queues) {
        if let Some(arena) = self.arenas.remove(&arena) {
            self.retired.push((arena, queues.ends(None)));
        }
        self.reap(queues);
    }

    /// Drops the arenas that nothing can touch any more.
    pub(crate) fn reap(&mut self, queues: &Queues) {
        self.retired.retain(|(_, before)| !queues.all_reached(before));
        self.imported_frees.retain(|&(_, free)| !queues.reached(free));
    }

    /// How far into its arena the allocation at `ptr` starts.
    pub(crate) fn offset(&self, ptr: DevicePtr) -> Option<usize> {
        let allocation = self.live.get(&ptr.0)?;
        let arena = self.arenas.get(&allocation.block.arena)?;
        arena.offset_of(&arena.span(allocation.block.offset, allocation.bytes)?)
    }
}
