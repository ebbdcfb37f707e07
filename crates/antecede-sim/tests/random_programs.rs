//! Random programs against a model of happens-before.

mod common;

use antecede::driver::{DevicePtr, EventRef, StreamKind, StreamRef};
use antecede_sim::{Order, Sim};
use common::kernels::{MODULE, STAMP};
use common::{Dice, Param, Rig};

const STREAMS: usize = 4;
const PROGRAMS: u64 = 1500;

/// For each stream, how many of its operations come before.
type Before = [usize; STREAMS];

/// A stamped operation.
struct Stamped {
    stream: usize,
    /// From 1.
    position: usize,
    before: Before,
}

/// A program under way, with what the rules say of it.
struct Program {
    rig: Rig,
    streams: Vec<StreamRef>,
    before: [Before; STREAMS],
    /// What the latest operation on the legacy stream is after, itself included, but for allocations.
    legacy: Before,
    events: Vec<(EventRef, Before)>,
    stamped: Vec<Stamped>,
}

impl Program {
    /// Of non-blocking streams alone, or of each kind one.
    fn new(seed: u64, order: Order) -> Self {
        let rig = Rig::ordered(seed, order);
        let kinds = match seed % 3 {
            0 => [StreamKind::NonBlockingStream; STREAMS],
            _ => [
                StreamKind::LegacyStream,
                StreamKind::BlockingStream,
                StreamKind::PerThreadStream,
                StreamKind::NonBlockingStream,
            ],
        };
        let streams = kinds.into_iter().map(|kind| rig.stream_of(kind)).collect();
        let (before, legacy) = Default::default();
        Program { rig, streams, before, legacy, events: Vec::new(), stamped: Vec::new() }
    }

    fn learn(&mut self, stream: usize, known: Before) {
        for (mine, theirs) in self.before[stream].iter_mut().zip(known) {
            *mine = theirs.max(*mine);
        }
    }

    /// The rule of the legacy stream, for what is about to be submitted.
    fn draw_implicit_edges(&mut self, stream: usize) {
        match self.streams[stream].kind {
            StreamKind::LegacyStream => {
                for other in 0..STREAMS {
                    if self.streams[other].kind.is_blocking() {
                        self.learn(stream, self.before[other]);
                    }
                }
            }
            kind if kind.is_blocking() => self.learn(stream, self.legacy),
            _ => {}
        }
    }

    /// The same, for what has been submitted.
    fn submitted(&mut self, stream: usize) {
        if self.streams[stream].kind == StreamKind::LegacyStream {
            self.legacy = self.before[stream];
        }
    }

    fn record(&mut self, stream: usize, dice: &mut Dice) {
        self.draw_implicit_edges(stream);
        self.submitted(stream);
        let snapshot = self.before[stream];
        if !self.events.is_empty() && dice.below(3) == 0 {
            let place = dice.below(self.events.len());
            self.events[place].1 = snapshot;
            self.rig.record(&self.events[place].0, &self.streams[stream]).unwrap();
        } else {
            self.events.push((self.rig.recorded(&self.streams[stream]), snapshot));
        }
    }

    fn wait(&mut self, stream: usize, dice: &mut Dice) {
        if self.events.is_empty() {
            return;
        }
        let place = dice.below(self.events.len());
        let (event, snapshot) = self.events[place];
        self.rig.wait(&self.streams[stream], &event).unwrap();
        self.draw_implicit_edges(stream);
        self.learn(stream, snapshot);
        self.submitted(stream);
        if dice.below(4) == 0 {
            self.rig.destroy_event(&event).unwrap();
            self.events.remove(place);
        }
    }

    /// What the host has seen is before everything that it submits.
    fn host_saw(&mut self, seen: usize) {
        let covers_blocking = self.streams[seen].kind == StreamKind::LegacyStream;
        for other in 0..STREAMS {
            if other == seen || (covers_blocking && self.streams[other].kind.is_blocking()) {
                let known = self.before[other];
                (0..STREAMS).for_each(|stream| self.learn(stream, known));
            }
        }
    }

    fn stamp(&mut self, stream: usize, launch: impl FnOnce(&Rig, &StreamRef, usize)) {
        launch(&self.rig, &self.streams[stream], self.stamped.len());
        self.draw_implicit_edges(stream);
        let before = self.before[stream];
        self.before[stream][stream] += 1;
        self.stamped.push(Stamped { stream, position: before[stream] + 1, before });
        self.submitted(stream);
    }

    fn is_before(&self, first: usize, second: usize) -> bool {
        let first = &self.stamped[first];
        self.stamped[second].before[first.stream] >= first.position
    }
}

/// Runs one program; returns for each pair of operations (in order of submission) whether the rules order it and
/// whether it ran in that order.
fn run(seed: u64, order: Order) -> Vec<(bool, bool)> {
    const OPERATIONS: usize = 24;
    let (mut program, mut dice) = (Program::new(seed, order), Dice::new(seed));
    let module = program.rig.load(&MODULE);
    let clock = program.rig.pinned(4).unwrap();
    program.rig.host_write(clock, 0, 4);
    let slots = program.rig.pinned(4 * OPERATIONS).unwrap();
    while program.stamped.len() < OPERATIONS {
        let stream = dice.below(STREAMS);
        match dice.below(17) {
            0..=7 => program.stamp(stream, |rig, stream, place| {
                let slot = slots.offset(4 * place);
                rig.launch(stream, &module, STAMP, &[Param::Write(clock, 4), Param::Write(slot, 4)]).unwrap();
            }),
            8..=10 => program.record(stream, &mut dice),
            11..=13 => program.wait(stream, &mut dice),
            // Allocations on the legacy stream order nothing.
            14 => drop(program.rig.alloc(&program.streams[stream], 8).unwrap()),
            15 => {
                program.rig.sync(&program.streams[stream]).unwrap();
                program.host_saw(stream);
            }
            _ => {
                if program.rig.query(&program.streams[stream]).unwrap() {
                    program.host_saw(stream);
                }
            }
        }
    }
    program.rig.sync_all().unwrap();
    let bytes = program.rig.bytes(slots, 4 * OPERATIONS);
    let times: Vec<u32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    let pairs = (0..OPERATIONS).flat_map(|second| (0..second).map(move |first| (first, second)));
    pairs.map(|(first, second)| (program.is_before(first, second), times[first] < times[second])).collect()
}

#[test]
fn ordered_pairs_never_swap_and_unordered_ones_do() {
    for order in [Order::Adversarial, Order::Random, Order::Eager] {
        let (mut ordered, mut unordered, mut swapped) = (0, 0, 0);
        for seed in 0..PROGRAMS {
            for (is_before, in_order) in run(seed, order) {
                assert!(!is_before || in_order, "an ordered pair ran the other way round: {order:?}, seed {seed}");
                ordered += u64::from(is_before);
                unordered += u64::from(!is_before);
                swapped += u64::from(!is_before && !in_order);
            }
        }
        assert!(ordered > 10 * PROGRAMS && unordered > 10 * PROGRAMS, "{ordered} ordered, {unordered} not");
        match order {
            Order::Eager => assert_eq!(swapped, 0),
            _ => assert!(swapped > unordered / 6, "{order:?}: {swapped} of {unordered} swapped"),
        }
    }
}

/// A buffer that moves between streams, always with an event, and the byte that it must hold.
struct Owned {
    ptr: DevicePtr,
    len: usize,
    stream: usize,
    byte: u8,
}

#[test]
fn reuse_and_poison_never_touch_a_program_that_waits() {
    let mut reused = 0;
    for seed in 0..PROGRAMS {
        let rig = Rig::of(Sim::builder().seed(seed));
        let mut dice = Dice::new(seed);
        let streams: Vec<_> = (0..STREAMS).map(|_| rig.stream()).collect();
        let (mut owned, mut addresses, mut copies) = (Vec::<Owned>::new(), Vec::new(), Vec::new());
        for step in 0..60 {
            let byte = step as u8 + 1;
            match dice.below(6) {
                0 | 1 => {
                    let (stream, len) = (dice.below(STREAMS), [100, 256, 700][dice.below(3)]);
                    let ptr = rig.alloc(&streams[stream], len).unwrap();
                    reused += u64::from(addresses.contains(&ptr));
                    addresses.push(ptr);
                    rig.fill(&streams[stream], ptr, byte, len).unwrap();
                    owned.push(Owned { ptr, len, stream, byte });
                }
                _ if owned.is_empty() => {}
                2 => {
                    let buffer = owned.swap_remove(dice.below(owned.len()));
                    rig.free(&streams[buffer.stream], buffer.ptr).unwrap();
                }
                3 => {
                    let (place, to) = (dice.below(owned.len()), dice.below(STREAMS));
                    let buffer = &mut owned[place];
                    rig.hand_over(&streams[buffer.stream], &streams[to]);
                    buffer.stream = to;
                }
                4 => {
                    let buffer = &owned[dice.below(owned.len())];
                    let copy = rig.pinned(buffer.len).unwrap();
                    rig.copy(&streams[buffer.stream], copy, buffer.ptr, buffer.len).unwrap();
                    copies.push((copy, buffer.len, buffer.byte));
                }
                _ => rig.sync(&streams[dice.below(STREAMS)]).unwrap(),
            }
        }
        rig.sync_all().unwrap();
        for (copy, len, byte) in copies {
            assert!(rig.bytes(copy, len).iter().all(|found| *found == byte), "seed {seed}");
        }
    }
    assert!(reused > 5 * PROGRAMS, "{reused}");
}
