//! Runs a program through the library, and its model beside it.

mod buffers;
mod moves;
mod operations;
mod parts;
mod records;
mod sharing;

use crate::Waits;
use crate::lanes::{self, Lane, LaneKind};
use crate::memory::{Held, Kind, Mem};
use crate::model::{Access, Graph, Memory, Node, Words};
use crate::program::{LANES, LEN, Route, SLOTS, Step};
use antecede::{Device, DeviceBrand, Loose, Managed, Pinned, Pool, Recorded, Result, Several, Vram, kernels};
use std::collections::{BTreeSet, HashMap};
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

/// What the model says of a program.
#[derive(Default)]
pub(crate) struct Outcome {
    /// How many operations race with an earlier one.
    pub(crate) racing: usize,
    /// What happened in it, of [`CORNERS`].
    pub(crate) reached: BTreeSet<&'static str>,
}

/// What random programs have to reach: steps that do nothing prove nothing.
pub(crate) const CORNERS: &[&str] = &[
    "from blocking to legacy",
    "from legacy to blocking",
    "from device to device",
    "after_blocking",
    "copied across streams",
    "copied across devices",
    "mixed by the host",
    "one mixed by the host",
    "parts joined",
    "parts joined with the host",
    "parts on two streams not joined",
    "parts of two buffers not joined",
    "joined with nothing",
    "freed after parts on other streams",
    "cached after parts on other streams",
    "three parts dropped",
    "read through a kept lease",
    "read on a stream without a brand",
    "leased again after a release",
    "released beside another lease",
    "forgotten",
    "joined after a release",
    "joined after reads",
    "joined without readers",
    "dropped with readers",
    "read by two streams",
    "finished by a query",
    "claimed elsewhere",
    "device memory read with the host",
];

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
    reached: BTreeSet<&'static str>,
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
            reached: BTreeSet::new(),
        })
    }

    /// Checks what is left, drops it, and says what the model does of the whole.
    pub(crate) fn finish(mut self) -> Result<Outcome> {
        while !self.records.is_empty() {
            self.drop_record(0)?;
        }
        for slot in 0..SLOTS {
            self.download(slot, 0, 0..LEN, Route::Stripped)?;
            self.drop_buffer(slot, false);
        }
        Ok(Outcome { racing: self.graph.racing(), reached: self.reached })
    }

    pub(crate) fn step(&mut self, step: &Step) -> Result<()> {
        // Where a place is empty, the next one that is not.
        let there = |slot| self.next(slot, |slot| self.is_there(slot));
        let synced = |slot| self.next(slot, |slot| self.slots[slot].is_synced());
        let host = |slot| self.next(slot, |slot| self.is_there(slot) && self.kind(slot).is_some_and(Kind::is_host));
        let all = |slots: &[usize]| distinct(slots.iter().map(|&slot| there(slot)));
        match *step {
            Step::New { slot, lane, source, first } => self.fresh(slot, lane, source, first)?,
            Step::HostWrite { slot, first } => self.host_write(synced(slot), first),
            Step::HostRead { slot } => self.host_read(synced(slot))?,
            Step::Fill { slot, lane, ref range, value, route } => {
                self.fill(there(slot), lane, range.clone(), value, route)?;
            }
            Step::Mix { read, write, lane, ref range, seed, route } => {
                self.mix([there(read), there(write)], lane, range.clone(), seed, route)?;
            }
            Step::MixHalves { slot, lane, route } => self.mix_halves(there(slot), lane, route)?,
            Step::Copy { read, write, lane, ref range, route } => {
                self.copy([there(read), there(write)], lane, range.clone(), route)?;
            }
            Step::CopyAcross { read, write, lane, ref range, route } => {
                let of = |slot, is: &dyn Fn(usize) -> bool| self.next(slot, |slot| self.is_there(slot) && is(slot));
                let read = of(read, &|slot| self.source(slot).is_some_and(|from| self.is_local(slot, from)));
                let write = of(write, &|slot| slot != read && self.is_local(slot, lane));
                self.copy_across([read, write], lane, range.clone(), route)?;
            }
            Step::Download { slot, lane, ref range, route } => {
                self.download(there(slot), lane, range.clone(), route)?;
            }
            Step::HostFn { read, write, lane, seed, route } => {
                self.host_fn([host(read), host(write)], lane, seed, route)?;
            }
            Step::Take { ref slots, lane, route } => self.arrive(&all(slots), lane, route)?,
            Step::Record { ref slots, lane } => self.record(&all(slots), lane)?,
            Step::Wait { record, lane } => self.wait(record, lane)?,
            Step::Synchronize { record } => self.synchronize(record)?,
            Step::Query { record } => self.query(record)?,
            Step::DropRecord { record } => self.drop_record(record)?,
            Step::Sync { ref slots, lane } => {
                // That of one of them, if it has one.
                let lane = self.source(there(slots[0])).filter(|&home| home < LANES).unwrap_or(lane);
                self.sync(&all(slots), lane)?;
            }
            Step::SyncDevice { ref slots, device } => self.sync_device(&all(slots), device % self.devices.len())?,
            Step::Loose { slot } => {
                let slot = synced(slot);
                if let Some(x) = std::mem::take(&mut self.slots[slot]).loose() {
                    self.slots[slot] = Held::Loose(x);
                }
            }
            Step::Claim { slot, lane } => self.claim(there(slot), lane)?,
            Step::Split { slot, into, mid } => self.split(there(slot), into, mid),
            Step::Cut { slot, lanes } => self.cut(there(slot), lanes)?,
            Step::DropParts { slot, first, value, synced } => self.drop_parts(there(slot), first, value, synced)?,
            Step::Unsplit { left, right, gather } => {
                let left = match right % 4 {
                    0 => there(left),
                    _ => self.next(left, |slot| self.is_there(slot) && self.right_of(slot).is_some()),
                };
                // Else there would seldom be two that fit.
                let right = self.right_of(left).filter(|_| right % 4 > 1).unwrap_or(there(right));
                self.unsplit(left, right, gather)?;
            }
            Step::Drop { slot, typed } => {
                if !self.lives_on(slot) {
                    self.drop_buffer(slot, typed);
                }
            }
            Step::Share { ref slots, lane, route, ref inside, end } => {
                self.share(&all(slots), lane, route, inside, end)?;
            }
        }
        Ok(())
    }

    /// After a step that failed: buffers that it took out of their places are dropped.
    pub(crate) fn forget_what_is_lost(&mut self) {
        for slot in 0..SLOTS {
            if !self.is_there(slot) && !self.records.iter().any(|record| record.slots.contains(&slot)) {
                self.known[slot] = None;
            }
        }
    }

    /// The first place from there on, around, for which that is so; else the place itself.
    fn next(&self, slot: usize, is: impl Fn(usize) -> bool) -> usize {
        (slot..SLOTS).chain(0..slot).find(|&slot| is(slot)).unwrap_or(slot)
    }

    fn reach(&mut self, corner: &'static str) {
        debug_assert!(CORNERS.contains(&corner), "{corner}");
        self.reached.insert(corner);
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
        // An empty part may outlive its memory.
        self.parents.get(memory).is_some_and(|parent| parent.device == self.device_of(lane))
    }

    /// In a stripped program memory that is cached lives to the end: it would come out of the cache again, and old
    /// accesses, which nothing orders, would meet the new buffer's.
    fn lives_on(&self, slot: usize) -> bool {
        self.waits == Waits::Stripped && self.kind(slot).is_some_and(Kind::is_cached)
    }
}

fn distinct(slots: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut distinct = Vec::new();
    for slot in slots {
        if !distinct.contains(&slot) {
            distinct.push(slot);
        }
    }
    distinct
}
