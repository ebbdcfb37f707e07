//! Which addresses are in use, and which are free for whom.

use std::collections::BTreeMap;

use antecede::driver::{DevicePtr, StreamId};

use crate::queue::{Point, Queues};
use crate::sim::Poison;
use crate::trusted::{ALIGNMENT, Arena, Span};

/// Where memory lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    Device(u32),
    Pinned,
}

/// A piece of an arena.
#[derive(Clone, Copy, Debug)]
struct Block {
    arena: usize,
    offset: usize,
    len: usize,
    space: Space,
    /// The free that gave it back, until that is known to have taken effect.
    freed: Option<Point>,
}

impl Block {
    fn end(&self) -> usize {
        self.offset + self.len
    }
}

/// An allocation whose free has not been submitted.
#[derive(Clone, Copy, Debug)]
struct Allocation {
    block: Block,
    /// As asked for; the block is rounded up.
    bytes: usize,
}

/// The memory of a simulator: arenas that live as long as it does, cut into blocks.
#[derive(Debug)]
pub(crate) struct Memory {
    arenas: Vec<Arena>,
    live: BTreeMap<u64, Allocation>,
    /// In the order of their frees, the latest last.
    free: Vec<Block>,
    poison: Poison,
}

impl Memory {
    pub(crate) fn new(poison: Poison) -> Self {
        Memory { arenas: Vec::new(), live: BTreeMap::new(), free: Vec::new(), poison }
    }

    /// Takes memory for an allocation on `stream` (`None`: usable at once). `None` when the host has no more.
    pub(crate) fn allocate(
        &mut self,
        space: Space,
        bytes: usize,
        stream: Option<StreamId>,
        queues: &Queues,
    ) -> Option<Span> {
        let len = rounded(bytes)?;
        let place = self.find(space, len, stream, queues).or_else(|| {
            self.merge(queues);
            self.find(space, len, stream, queues)
        });
        let block = match place {
            Some(place) => self.cut(place, len),
            None => {
                self.arenas.push(Arena::new(len, self.poison.unused)?);
                Block { arena: self.arenas.len() - 1, offset: 0, len, space, freed: None }
            }
        };
        let span = self.arenas[block.arena].span(block.offset, bytes)?;
        self.live.insert(span.address(), Allocation { block, bytes });
        Some(span)
    }

    /// The allocation that starts at `ptr` in the given kind of space.
    pub(crate) fn allocation(&self, ptr: DevicePtr) -> Option<(Span, Space)> {
        let allocation = self.live.get(&ptr.0)?;
        self.span(ptr, allocation.bytes)
    }

    /// Gives the allocation at `ptr` back; other streams may have its memory once `freed` is reached.
    pub(crate) fn free(&mut self, ptr: DevicePtr, freed: Option<Point>) {
        if let Some(allocation) = self.live.remove(&ptr.0) {
            self.free.push(Block { freed, ..allocation.block });
        }
    }

    /// The range, if it lies inside one allocation whose free has not been submitted.
    pub(crate) fn span(&self, ptr: DevicePtr, bytes: usize) -> Option<(Span, Space)> {
        let (&start, allocation) = self.live.range(..=ptr.0).next_back()?;
        let inside = usize::try_from(ptr.0 - start).ok()?;
        if inside.checked_add(bytes)? > allocation.bytes {
            return None;
        }
        let block = &allocation.block;
        let span = self.arenas[block.arena].span(block.offset + inside, bytes)?;
        Some((span, block.space))
    }

    /// Number of allocations and of bytes asked for, where `filter` holds.
    pub(crate) fn live(&self, filter: impl Fn(Space) -> bool) -> (usize, u64) {
        let counted = self.live.values().filter(|allocation| filter(allocation.block.space));
        counted.fold((0, 0), |(count, bytes), allocation| (count + 1, bytes + allocation.bytes as u64))
    }

    /// The latest freed block of that length, else the latest that is longer, of those that `stream` may have.
    fn find(&self, space: Space, len: usize, stream: Option<StreamId>, queues: &Queues) -> Option<usize> {
        let usable = |block: &Block| {
            let ordered = |point| queues.reached(point) || stream.is_some_and(|s| queues.ordered_before(point, s));
            block.space == space && block.freed.is_none_or(ordered)
        };
        let exact = self.free.iter().rposition(|block| block.len == len && usable(block));
        exact.or_else(|| self.free.iter().rposition(|block| block.len > len && usable(block)))
    }

    /// Takes the first `len` bytes of a free block; the rest stays free.
    fn cut(&mut self, place: usize, len: usize) -> Block {
        let whole = self.free[place];
        if whole.len == len {
            self.free.remove(place);
        } else {
            self.free[place] = Block { offset: whole.offset + len, len: whole.len - len, ..whole };
        }
        Block { len, freed: None, ..whole }
    }

    /// Joins free neighbours that nothing in flight can touch. Done only when nothing fits, so that until then the
    /// block freed last is the one found first. Joined blocks count as freed earliest.
    fn merge(&mut self, queues: &Queues) {
        let is_settled = |block: &Block| block.freed.is_none_or(|point| queues.reached(point));
        let (mut settled, pending): (Vec<_>, Vec<_>) = self.free.drain(..).partition(is_settled);
        settled.sort_by_key(|block| (block.arena, block.offset));
        for block in settled {
            match self.free.last_mut() {
                Some(last) if last.arena == block.arena && last.end() == block.offset => last.len += block.len,
                _ => self.free.push(Block { freed: None, ..block }),
            }
        }
        self.free.extend(pending);
    }
}

/// The size of an allocation in whole units of its alignment.
pub(crate) fn rounded(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(ALIGNMENT)
}
