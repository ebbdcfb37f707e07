//! Which addresses are in use, and which are free for whom.

mod shared;

use std::collections::BTreeMap;

use antecede::driver::{DevicePtr, StreamId};

use crate::queue::{Point, Queues};
use crate::sim::Poison;
use crate::trusted::{ALIGNMENT, Arena, Span};

pub(crate) use shared::Refusal;

/// Where memory lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Device(u32),
    Pinned,
    Managed,
}

/// What an allocation asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) place: Place,
    /// `None`: from the system, usable at once.
    pub(crate) source: Option<Source>,
    pub(crate) bytes: usize,
}

impl Request {
    /// The pool that it can have memory of no other than.
    fn home(&self) -> Option<u64> {
        self.source.filter(|source| source.at_home).map(|source| source.pool)
    }
}

/// Where a stream-ordered allocation comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// The handle of the pool.
    pub(crate) pool: u64,
    /// Whether all memory of the pool is its home, an arena of its own.
    pub(crate) at_home: bool,
    pub(crate) stream: StreamId,
    /// Whether memory is used again on another stream that an event has ordered after its free.
    pub(crate) follow_events: bool,
    /// Whether memory is used again on another stream once its free has taken effect.
    pub(crate) opportunistic: bool,
    /// Whether it is part of a captured graph, and never to be given back.
    pub(crate) captured: bool,
}

/// An allocation as others see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) span: Span,
    pub(crate) place: Place,
    /// The pool that it came from.
    pub(crate) pool: Option<u64>,
    pub(crate) captured: bool,
    /// Whether it is another simulator's.
    pub(crate) imported: bool,
}

/// A piece of an arena.
#[derive(Clone, Copy, Debug)]
struct Block {
    arena: usize,
    offset: usize,
    len: usize,
    place: Place,
    /// The pool that holds it; `None`: the system does, or an allocation that is from no pool.
    pool: Option<u64>,
    /// The pool whose home the arena is: no other one takes memory from there.
    home: Option<u64>,
    /// The free that gave it back, until that is known to have taken effect.
    freed: Option<Point>,
}

impl Block {
    /// Its first `len` bytes, and the rest.
    fn split(self, len: usize) -> (Block, Block) {
        (Block { len, ..self }, Block { offset: self.offset + len, len: self.len - len, ..self })
    }

    /// Adds the block behind this one. Frees on one stream stay known as such.
    fn join(&mut self, next: &Block) {
        self.len += next.len;
        let one_stream = self.freed.zip(next.freed).filter(|(first, second)| first.stream == second.stream);
        self.freed = one_stream.map(|(first, second)| if first.position < second.position { second } else { first });
    }

    /// Whether nothing in flight that is ordered before its free can touch it.
    fn is_settled(&self, queues: &Queues) -> bool {
        self.freed.is_none_or(|point| queues.reached(point))
    }

    fn is_followed_by(&self, next: &Block) -> bool {
        self.arena == next.arena && self.offset + self.len == next.offset
    }
}

/// An allocation whose free has not been submitted.
#[derive(Clone, Copy, Debug)]
struct Allocation {
    block: Block,
    /// As asked for; the block is rounded up.
    bytes: usize,
    captured: bool,
    imported: bool,
}

/// The memory of a simulator: arenas cut into blocks. Those that are not shared with other simulators live as long as
/// this one does.
#[derive(Debug)]
pub(crate) struct Memory {
    arenas: BTreeMap<usize, Arena>,
    next_arena: usize,
    /// Arenas of pools that were destroyed, until everything that was submitted before has taken effect: a program that
    /// lacks a wait is to see wrong data, and no fault of the host.
    retired: Vec<(Arena, Vec<Point>)>,
    /// Frees of imported memory that have not taken effect, by pool.
    imported_frees: Vec<(u64, Point)>,
    live: BTreeMap<u64, Allocation>,
    /// In the order of their frees, the latest last.
    free: Vec<Block>,
    poison: Poison,
}

impl Memory {
    pub(crate) fn new(poison: Poison) -> Self {
        let (arenas, live) = Default::default();
        let (retired, imported_frees, free) = Default::default();
        Memory { arenas, next_arena: 0, retired, imported_frees, live, free, poison }
    }

    /// Takes memory. `None` when the host has no more. A pool uses its own again first, then takes from the system.
    pub(crate) fn allocate(&mut self, request: &Request, queues: &Queues) -> Option<Span> {
        let len = rounded(request.bytes)?;
        let place = self.find(request, len, queues).or_else(|| {
            self.merge(queues);
            self.find(request, len, queues)
        });
        let block = match place {
            Some(place) => self.cut(place, len),
            None if request.home().is_some() => return None,
            None => {
                let arena = self.add(Arena::new(len, self.poison.unused)?);
                Block { arena, offset: 0, len, place: request.place, pool: None, home: None, freed: None }
            }
        };
        let block = Block { pool: request.source.map(|source| source.pool), freed: None, ..block };
        let span = self.arenas.get(&block.arena)?.span(block.offset, request.bytes)?;
        let captured = request.source.is_some_and(|source| source.captured);
        self.live.insert(span.address(), Allocation { block, bytes: request.bytes, captured, imported: false });
        Some(span)
    }

    fn add(&mut self, arena: Arena) -> usize {
        self.next_arena += 1;
        self.arenas.insert(self.next_arena, arena);
        self.next_arena
    }

    /// The allocation that starts at `ptr`.
    pub(crate) fn allocation(&self, ptr: DevicePtr) -> Option<Region> {
        let allocation = self.live.get(&ptr.0)?;
        self.region(ptr, allocation.bytes)
    }

    /// Gives the allocation at `ptr` back; other streams may have its memory once `freed` is reached. What is part of a
    /// graph that never runs goes to nobody.
    pub(crate) fn free(&mut self, ptr: DevicePtr, freed: Option<Point>) {
        let Some(allocation) = self.live.remove(&ptr.0).filter(|allocation| !allocation.captured) else { return };
        if allocation.imported {
            self.imported_frees.extend(allocation.block.pool.zip(freed));
        } else {
            self.free.push(Block { freed, ..allocation.block });
        }
    }

    /// The range, if it lies inside one allocation whose free has not been submitted.
    pub(crate) fn region(&self, ptr: DevicePtr, bytes: usize) -> Option<Region> {
        let (&start, allocation) = self.live.range(..=ptr.0).next_back()?;
        let inside = usize::try_from(ptr.0 - start).ok()?;
        if inside.checked_add(bytes)? > allocation.bytes {
            return None;
        }
        let block = &allocation.block;
        let span = self.arenas.get(&block.arena)?.span(block.offset + inside, bytes)?;
        let Allocation { captured, imported, .. } = *allocation;
        Some(Region { span, place: block.place, pool: block.pool, captured, imported })
    }

    /// Number of this simulator's own allocations and of bytes asked for, where `filter` holds.
    pub(crate) fn live(&self, filter: impl Fn(Place) -> bool) -> (usize, u64) {
        self.count(|allocation| !allocation.imported && filter(allocation.block.place))
    }

    /// The same for imported ones.
    pub(crate) fn imported(&self) -> (usize, u64) {
        self.count(|allocation| allocation.imported)
    }

    fn count(&self, filter: impl Fn(&Allocation) -> bool) -> (usize, u64) {
        let counted = self.live.values().filter(|allocation| filter(allocation));
        counted.fold((0, 0), |(count, bytes), allocation| (count + 1, bytes + allocation.bytes as u64))
    }

    /// Bytes of a pool: those in allocations, and those that are free.
    pub(crate) fn held(&self, pool: u64) -> (u64, u64) {
        let sum = |blocks: &mut dyn Iterator<Item = &Block>| {
            blocks.filter(|block| block.pool == Some(pool)).map(|block| block.len as u64).sum()
        };
        (sum(&mut self.live.values().map(|allocation| &allocation.block)), sum(&mut self.free.iter()))
    }

    /// Whether a free of the pool's memory has not taken effect.
    pub(crate) fn awaits_free(&self, pool: u64, queues: &Queues) -> bool {
        let imported = self.imported_frees.iter().any(|&(from, free)| from == pool && !queues.reached(free));
        imported || self.free.iter().any(|block| block.pool == Some(pool) && !block.is_settled(queues))
    }

    /// Gives up to `bytes` of a pool's free memory back to the system, the earliest freed first.
    pub(crate) fn release(&mut self, pool: u64, bytes: u64, queues: &Queues) {
        let mut excess = usize::try_from(bytes).unwrap_or(usize::MAX) / ALIGNMENT * ALIGNMENT;
        let mut kept = Vec::with_capacity(self.free.len() + 1);
        for block in self.free.drain(..) {
            if block.pool != Some(pool) || !block.is_settled(queues) {
                kept.push(block);
                continue;
            }
            let len = block.len.min(excess);
            excess -= len;
            let (released, rest) = block.split(len);
            if let Some(arena) = self.arenas.get(&block.arena) {
                arena.discard(released.offset, released.len);
            }
            kept.extend([Block { pool: None, freed: None, ..released }, rest].into_iter().filter(|part| part.len > 0));
        }
        self.free = kept;
    }

    /// The latest freed block of that length, else the latest that is longer, of those that the request may have.
    fn find(&self, request: &Request, len: usize, queues: &Queues) -> Option<usize> {
        let in_pool = |block: &Block| {
            let Some(source) = request.source.filter(|source| block.pool == Some(source.pool)) else { return false };
            let Some(point) = block.freed else { return source.opportunistic };
            point.stream == source.stream
                || (source.opportunistic && queues.reached(point))
                || (source.follow_events && queues.is_followed_by(point, source.stream))
        };
        // Only what is settled goes back to the system.
        let in_system = |block: &Block| block.pool.is_none() && block.home == request.home();
        self.latest(request.place, len, in_pool).or_else(|| self.latest(request.place, len, in_system))
    }

    fn latest(&self, place: Place, len: usize, usable: impl Fn(&Block) -> bool) -> Option<usize> {
        let usable = |block: &Block| block.place == place && usable(block);
        let exact = self.free.iter().rposition(|block| block.len == len && usable(block));
        exact.or_else(|| self.free.iter().rposition(|block| block.len > len && usable(block)))
    }

    /// Takes the first `len` bytes of a free block; the rest stays free.
    fn cut(&mut self, place: usize, len: usize) -> Block {
        let whole = self.free[place];
        if whole.len == len {
            self.free.remove(place);
        } else {
            self.free[place] = whole.split(len).1;
        }
        whole.split(len).0
    }

    /// Joins free neighbours that nothing in flight can touch. Done only when nothing fits, so that until then the
    /// block freed last is the one found first. Joined blocks count as freed earliest.
    fn merge(&mut self, queues: &Queues) {
        let (mut settled, pending): (Vec<_>, Vec<_>) = self.free.drain(..).partition(|block| block.is_settled(queues));
        settled.sort_by_key(|block| (block.arena, block.offset));
        for block in settled {
            match self.free.last_mut() {
                Some(last) if last.pool == block.pool && last.is_followed_by(&block) => last.join(&block),
                _ => self.free.push(block),
            }
        }
        self.free.extend(pending);
    }
}

/// The size of an allocation in whole units of its alignment.
pub(crate) fn rounded(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(ALIGNMENT)
}
