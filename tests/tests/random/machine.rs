//! Runs a program through the library, and its model beside it.

mod moves;
mod operations;
mod parts;
mod records;
mod sharing;

use crate::Waits;
use crate::lanes::{self, Lane, LaneKind, on};
use crate::memory::{Held, IntoMem, Kind, Mem, host_slice_mut, to_vec};
use crate::model::{Access, Graph, Memory, Node, Words, sequence};
use crate::program::{LANES, LEN, Route, SLOTS, Source, Step};
use antecede::{
    Buffer, Device, DeviceBrand, Loose, Managed, On, Pinned, Pool, Recorded, Result, Several, State, Vram, kernels,
};
use std::collections::HashMap;
use std::ops::Range;

kernels! {
    Mixer {
        unsafe fn mix(seed: u32, x: &[u32], y: &mut [u32]) where [x.len() == y.len()] {
            for (y, x) in y.iter_mut().zip(x) {
                *y = crate::model::mixed(*x, *y, seed);
            }
        }
    }
}

/// What the model knows of a buffer.
#[derive(Clone)]
struct Known {
    kind: Kind,
    memory: Memory,
    /// Where it begins in its memory.
    offset: usize,
    words: Words,
    /// The stream that it is on, or was last on.
    home: usize,
}

/// What the model knows of memory.
struct Parent {
    len: usize,
    device: usize,
    parts: usize,
    /// The ends of the work on parts that are gone: for each stream the latest.
    ended: Vec<(usize, Node)>,
}

/// Buffers in a record.
struct Shelved<D> {
    record: Recorded<Vec<Mem<Loose<D>>>, D>,
    node: Node,
    /// Its stream.
    lane: usize,
    slots: Vec<usize>,
}

pub(crate) struct Machine<D> {
    devices: Vec<Device<D>>,
    lanes: Vec<Lane<D>>,
    mixers: Vec<Mixer<D>>,
    pools: Option<(Pool<Vram, D>, Pool<Pinned, D>, Pool<Managed, D>)>,
    waits: Waits,
    slots: [Held<D>; SLOTS],
    known: [Option<Known>; SLOTS],
    records: Vec<Shelved<D>>,
    parents: HashMap<Memory, Parent>,
    graph: Graph,
}

impl<D: DeviceBrand> Machine<D> {
    /// On one device, with streams of every kind.
    pub(crate) fn on_one(device: Device<D>, waits: Waits) -> Result<Self> {
        let pools = (device.pool()?, device.pool()?, device.pool()?);
        Machine::new(vec![device], lanes::of_one(device)?, Some(pools), waits)
    }
}

impl<'id> Machine<Several<'id>> {
    /// On two devices, with streams that are chosen at run time.
    pub(crate) fn on_two(devices: Vec<Device<Several<'id>>>, waits: Waits) -> Result<Self> {
        let _ = devices[0].peer(devices[1])?;
        let lanes = lanes::of_two(&devices)?;
        Machine::new(devices, lanes, None, waits)
    }
}

impl<D> Machine<D> {
    fn new(
        devices: Vec<Device<D>>,
        lanes: Vec<Lane<D>>,
        pools: Option<(Pool<Vram, D>, Pool<Pinned, D>, Pool<Managed, D>)>,
        waits: Waits,
    ) -> Result<Self> {
        let named = lanes.iter().enumerate().map(|(number, lane)| (lane.kind(), number * devices.len() / LANES));
        // The stream that a device's fresh pinned and managed memory is on. Nothing can be submitted to it.
        let hidden = (0..devices.len()).map(|device| (LaneKind::NonBlocking, device));
        Ok(Machine {
            graph: Graph::new(named.chain(hidden)),
            mixers: devices.iter().map(|device| device.load::<Mixer>()).collect::<Result<_>>()?,
            devices,
            lanes,
            pools,
            waits,
            slots: Default::default(),
            known: Default::default(),
            records: Vec::new(),
            parents: HashMap::new(),
        })
    }

    /// Checks what is left, drops it, and returns how many operations race by the model.
    pub(crate) fn finish(mut self) -> Result<usize> {
        while !self.records.is_empty() {
            self.drop_record(0)?;
        }
        for slot in 0..SLOTS {
            self.download(slot, 0, 0..LEN, Route::Stripped)?;
            self.drop_buffer(slot, false);
        }
        Ok(self.graph.racing())
    }

    pub(crate) fn step(&mut self, step: &Step) -> Result<()> {
        match *step {
            Step::New { slot, lane, source, first } => self.fresh(slot, lane, source, first),
            Step::HostWrite { slot, first } => {
                self.host_write(slot, first);
                Ok(())
            }
            Step::HostRead { slot } => self.host_read(slot),
            Step::Fill { slot, lane, ref range, value, route } => self.fill(slot, lane, range.clone(), value, route),
            Step::Mix { read, write, lane, ref range, seed, route } => {
                self.mix([read, write], lane, range.clone(), seed, route)
            }
            Step::MixHalves { slot, lane, route } => self.mix_halves(slot, lane, route),
            Step::Copy { read, write, lane, ref range, route } => self.copy([read, write], lane, range.clone(), route),
            Step::CopyAcross { read, write, lane, ref range, route } => {
                self.copy_across([read, write], lane, range.clone(), route)
            }
            Step::Download { slot, lane, ref range, route } => self.download(slot, lane, range.clone(), route),
            Step::HostFn { read, write, lane, seed, route } => self.host_fn([read, write], lane, seed, route),
            Step::Take { ref slots, lane, route } => self.arrive(&distinct(slots), lane, route),
            Step::Record { ref slots, lane } => self.record(&distinct(slots), lane),
            Step::Wait { record, lane } => self.wait(record, lane),
            Step::Synchronize { record } => self.synchronize(record),
            Step::Query { record } => self.query(record),
            Step::DropRecord { record } => self.drop_record(record),
            Step::Sync { ref slots, lane } => self.sync(&distinct(slots), lane),
            Step::SyncDevice { ref slots, device } => self.sync_device(&distinct(slots), device % self.devices.len()),
            Step::Loose { slot } => {
                if let Some(x) = std::mem::take(&mut self.slots[slot]).loose() {
                    self.slots[slot] = Held::Loose(x);
                }
                Ok(())
            }
            Step::Claim { slot, lane } => self.claim(slot, lane),
            Step::Split { slot, into, mid } => {
                self.split(slot, into, mid);
                Ok(())
            }
            Step::Unsplit { left, right, gather } => self.unsplit(left, right, gather),
            Step::Drop { slot, .. } if self.lives_on(slot) => Ok(()),
            Step::Drop { slot, typed } => {
                self.drop_buffer(slot, typed);
                Ok(())
            }
            Step::Share { ref slots, lane, route, ref inside, end } => {
                self.share(&distinct(slots), lane, route, inside, end)
            }
        }
    }

    fn device_of(&self, lane: usize) -> usize {
        match lane.checked_sub(LANES) {
            Some(hidden) => hidden,
            None => lane * self.devices.len() / LANES,
        }
    }

    fn is_there(&self, slot: usize) -> bool {
        self.slots[slot].is_there()
    }

    /// In a record, or shared.
    fn is_away(&self, slot: usize) -> bool {
        !self.is_there(slot) && self.known[slot].is_some()
    }

    fn known(&mut self, slot: usize) -> &mut Known {
        self.known[slot].as_mut().expect("the model knows every buffer that is there")
    }

    fn len(&self, slot: usize) -> usize {
        self.known[slot].as_ref().map_or(0, |known| known.words.len())
    }

    fn kind(&self, slot: usize) -> Option<Kind> {
        self.known[slot].as_ref().map(|known| known.kind)
    }

    /// The stream that work on it may be in flight on.
    fn source(&self, slot: usize) -> Option<usize> {
        let known = self.known[slot].as_ref()?;
        (!self.slots[slot].is_synced() && !known.words.is_empty()).then_some(known.home)
    }

    fn access(&mut self, slot: usize, range: Range<usize>, write: bool) -> Access {
        let &mut Known { memory, offset, .. } = self.known(slot);
        Access { memory, range: offset + range.start..offset + range.end, write }
    }

    /// Whether it is memory of the device that the stream is of.
    fn is_local(&self, slot: usize, lane: usize) -> bool {
        let Some(Known { kind: Kind::Vram, memory, .. }) = &self.known[slot] else { return false };
        self.parents[memory].device == self.device_of(lane)
    }

    /// In a stripped program memory that is cached lives to the end: it would come out of the cache again, and old
    /// accesses, which nothing orders, would meet the new buffer's.
    fn lives_on(&self, slot: usize) -> bool {
        self.waits == Waits::Stripped && self.kind(slot).is_some_and(Kind::is_cached)
    }

    /// Drops what is in a place, if that may be done.
    fn make_room(&mut self, slot: usize) -> bool {
        if self.is_away(slot) || self.lives_on(slot) {
            return false;
        }
        self.drop_buffer(slot, false);
        true
    }

    fn drop_buffer(&mut self, slot: usize, typed: bool) {
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

    fn fresh(&mut self, slot: usize, lane: usize, source: Source, first: u32) -> Result<()> {
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

    fn host_write(&mut self, slot: usize, first: u32) {
        let words = sequence(first, self.len(slot));
        let Held::Synced(x) = &mut self.slots[slot] else { return };
        let Some(elements) = host_slice_mut(x) else { return };
        elements.copy_from_slice(&words);
        let access = self.access(slot, 0..words.len(), true);
        self.graph.host_access(access);
        self.known(slot).words = words.into_iter().map(Some).collect();
    }

    fn host_read(&mut self, slot: usize) -> Result<()> {
        let Held::Synced(x) = &self.slots[slot] else { return Ok(()) };
        let found = to_vec(x)?;
        let range = 0..self.len(slot);
        let access = self.access(slot, range.clone(), false);
        let &mut Known { kind, home, .. } = self.known(slot);
        if kind.is_host() {
            self.graph.host_access(access);
        } else if !range.is_empty() {
            self.graph.submit(home, vec![access]);
            self.graph.drain(home);
        }
        self.check(slot, range, &found);
        Ok(())
    }

    /// Compares with the sequential run, where the program is what the API lets through.
    fn check(&mut self, slot: usize, range: Range<usize>, found: &[u32]) {
        if self.waits == Waits::Stripped {
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

fn distinct(slots: &[usize]) -> Vec<usize> {
    let mut distinct = Vec::new();
    for &slot in slots {
        if !distinct.contains(&slot) {
            distinct.push(slot);
        }
    }
    distinct
}
