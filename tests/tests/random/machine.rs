//! Runs a program through the library, and its model beside it.

use crate::Waits;
use crate::lanes::{Held, Lane, in_any_state, with_lane};
use crate::model::{Access, Graph, Memory, Node, Words, mixed, sequence};
use crate::program::{BUFFERS, DEVICE, HOST_LANE, LEN, Route, Step};
use antecede::{
    Buffer, Device, DeviceBrand, Error, Loose, Pinned, Query, Recorded, Result, Stream, View, Vram, kernels,
};
use antecede_tests::{A, B, C, E};
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

type Streams<D> = (Stream<A, D>, Stream<B, D>, Stream<C, D>, Stream<E, D>);
type Batch<D> = (Vec<Buffer<u32, Loose<D>>>, Vec<Buffer<u32, Loose<D>, Pinned>>);

/// What the model knows of a buffer.
#[derive(Clone, Copy)]
struct Known {
    memory: Memory,
    words: Words,
    /// Where it is, if it is not with the host.
    lane: Option<usize>,
    /// Where it would be freed.
    home: usize,
}

/// Buffers in a record.
struct Shelved<D> {
    record: Recorded<Batch<D>, D>,
    node: Node,
    buffers: Vec<usize>,
}

pub(crate) struct Machine<D> {
    device: Device<D>,
    streams: Streams<D>,
    mixer: Mixer<D>,
    waits: Waits,
    device_memory: [Held<D, Vram>; DEVICE],
    pinned_memory: [Held<D, Pinned>; BUFFERS - DEVICE],
    records: Vec<Shelved<D>>,
    known: [Option<Known>; BUFFERS],
    graph: Graph,
}

/// Runs `$body` on the place of a buffer, wherever its memory is.
macro_rules! place {
    ($machine:ident, $buffer:expr, |$held:ident| $body:expr) => {
        match $buffer.checked_sub(DEVICE) {
            None => {
                let $held = &mut $machine.device_memory[$buffer];
                $body
            }
            Some(pinned) => {
                let $held = &mut $machine.pinned_memory[pinned];
                $body
            }
        }
    };
}

impl<D: DeviceBrand> Machine<D> {
    pub(crate) fn new(device: Device<D>, waits: Waits) -> Result<Self> {
        let mut machine = Machine {
            device,
            streams: device.streams::<(A, B, C, E)>()?,
            mixer: device.load::<Mixer>()?,
            waits,
            device_memory: Default::default(),
            pinned_memory: Default::default(),
            records: Vec::new(),
            known: [None; BUFFERS],
            graph: Graph::default(),
        };
        (DEVICE..BUFFERS).try_for_each(|buffer| machine.pinned(buffer, 0))?;
        Ok(machine)
    }

    /// Checks what is left, drops it, and returns how many operations race by the model.
    pub(crate) fn finish(mut self) -> Result<usize> {
        while !self.records.is_empty() {
            self.drop_record(0);
        }
        for buffer in 0..BUFFERS {
            self.download(buffer, 0, 0..LEN, Route::Stripped)?;
            self.drop_buffer(buffer);
        }
        Ok(self.graph.racing())
    }

    pub(crate) fn step(&mut self, step: &Step) -> Result<()> {
        match *step {
            Step::Alloc { buffer, lane, zeroed } => self.alloc(buffer, lane, zeroed),
            Step::Upload { buffer, lane, first } => self.upload(buffer, lane, first),
            Step::Pinned { buffer, first } => self.pinned(buffer, first),
            Step::HostWrite { buffer, first } => {
                self.host_write(buffer, first);
                Ok(())
            }
            Step::HostRead { buffer } => {
                self.host_read(buffer);
                Ok(())
            }
            Step::Fill { buffer, lane, ref range, value, route } => {
                self.fill(buffer, lane, range.clone(), value, route)
            }
            Step::Mix { read, write, .. } | Step::Copy { from: read, to: write, .. } if read == write => Ok(()),
            Step::Mix { read, write, lane, ref range, seed, route } => {
                self.mix([read, write], lane, range.clone(), seed, route)
            }
            Step::MixHalves { buffer, lane, route } => self.mix_halves(buffer, lane, route),
            Step::Copy { from, to, lane, ref range, route } => self.copy([from, to], lane, range.clone(), route),
            Step::Download { buffer, lane, ref range, route } => self.download(buffer, lane, range.clone(), route),
            Step::Take { ref buffers, lane, route } => self.arrive(&distinct(buffers), lane, route),
            Step::Record { ref buffers, lane } => self.record(&distinct(buffers), lane),
            Step::Wait { record, lane } => self.wait(record, lane),
            Step::Synchronize { record } => self.synchronize(record),
            Step::Query { record } => self.query(record),
            Step::DropRecord { record } => {
                self.drop_record(record);
                Ok(())
            }
            Step::Sync { ref buffers, lane } => self.sync(&distinct(buffers), lane),
            Step::Loose { buffer } => {
                self.loose(buffer);
                Ok(())
            }
            Step::Claim { buffer, lane } => self.claim(buffer, lane),
            Step::Drop { buffer } if self.lives_on(buffer) => Ok(()),
            Step::Drop { buffer } => {
                self.drop_buffer(buffer);
                Ok(())
            }
        }
    }

    fn is_there(&mut self, buffer: usize) -> bool {
        place!(self, buffer, |held| held.is_there())
    }

    fn is_synced(&mut self, buffer: usize) -> bool {
        place!(self, buffer, |held| held.is_synced())
    }

    fn known(&mut self, buffer: usize) -> &mut Known {
        self.known[buffer].as_mut().expect("the model knows every buffer that is there")
    }

    fn access(&mut self, buffer: usize, range: Range<usize>, write: bool) -> Access {
        Access { memory: self.known(buffer).memory, range, write }
    }

    /// In a stripped program a pinned buffer lives to the end: its memory would come out of the cache again, and old
    /// accesses, which nothing orders, would meet the new buffer's.
    fn lives_on(&self, buffer: usize) -> bool {
        buffer >= DEVICE && self.waits == Waits::Stripped
    }

    fn in_record(&self, buffer: usize) -> bool {
        self.records.iter().any(|record| record.buffers.contains(&buffer))
    }

    fn drop_buffer(&mut self, buffer: usize) {
        if !self.is_there(buffer) {
            return;
        }
        place!(self, buffer, |held| *held = Held::Nothing);
        self.freed(buffer);
    }

    fn freed(&mut self, buffer: usize) {
        let Some(known) = self.known[buffer].take() else { return };
        if buffer < DEVICE {
            self.graph.submit(known.home, vec![Access { memory: known.memory, range: 0..LEN, write: true }]);
        }
    }

    fn allocated(&mut self, buffer: usize, lane: usize, words: Words) {
        let memory = self.graph.memory();
        self.graph.submit(lane, vec![Access { memory, range: 0..LEN, write: true }]);
        self.known[buffer] = Some(Known { memory, words, lane: Some(lane), home: lane });
    }

    fn alloc(&mut self, buffer: usize, lane: usize, zeroed: bool) -> Result<()> {
        if self.in_record(buffer) {
            return Ok(());
        }
        self.drop_buffer(buffer);
        self.device_memory[buffer] =
            with_lane!(self.streams, lane, |s| hold(if zeroed { s.zeroed(LEN)? } else { s.alloc(LEN)? }));
        self.allocated(buffer, lane, [zeroed.then_some(0); LEN]);
        if zeroed {
            let access = self.access(buffer, 0..LEN, true);
            self.graph.submit(lane, vec![access]);
        }
        Ok(())
    }

    fn upload(&mut self, buffer: usize, lane: usize, first: u32) -> Result<()> {
        if self.in_record(buffer) {
            return Ok(());
        }
        self.drop_buffer(buffer);
        let words = sequence(first);
        self.device_memory[buffer] = with_lane!(self.streams, lane, |s| hold(s.upload(&words)?));
        self.allocated(buffer, lane, words.map(Some));
        let access = self.access(buffer, 0..LEN, true);
        self.graph.submit(lane, vec![access]);
        self.graph.sync(lane);
        Ok(())
    }

    fn pinned(&mut self, buffer: usize, first: u32) -> Result<()> {
        if self.in_record(buffer) || (self.is_there(buffer) && self.lives_on(buffer)) {
            return Ok(());
        }
        self.drop_buffer(buffer);
        self.pinned_memory[buffer - DEVICE] = Held::Synced(self.device.pinned(LEN)?);
        let memory = self.graph.memory();
        self.known[buffer] = Some(Known { memory, words: [None; LEN], lane: None, home: HOST_LANE });
        self.host_write(buffer, first);
        Ok(())
    }

    fn host_write(&mut self, buffer: usize, first: u32) {
        if let Held::Synced(x) = &mut self.pinned_memory[buffer - DEVICE] {
            x.as_mut_slice().copy_from_slice(&sequence(first));
            self.known(buffer).words = sequence(first).map(Some);
            let access = self.access(buffer, 0..LEN, true);
            self.graph.host_access(access);
        }
    }

    fn host_read(&mut self, buffer: usize) {
        if let Held::Synced(x) = &self.pinned_memory[buffer - DEVICE] {
            let found = x.as_slice().to_vec();
            let access = self.access(buffer, 0..LEN, false);
            self.graph.host_access(access);
            self.check(buffer, 0..LEN, &found);
        }
    }

    /// Compares with the sequential run, where the program is what the API lets through.
    fn check(&mut self, buffer: usize, range: Range<usize>, found: &[u32]) {
        if self.waits == Waits::Stripped {
            return;
        }
        let expected = &self.known(buffer).words[range];
        let right = expected.iter().zip(found).all(|(expected, found)| expected.is_none_or(|word| word == *found));
        assert!(right && expected.len() == found.len(), "buffer {buffer}: {expected:?} expected, {found:?} found");
    }

    /// Gets buffers to a stream.
    fn arrive(&mut self, buffers: &[usize], lane: usize, route: Route) -> Result<()> {
        let buffers: Vec<usize> = buffers.iter().copied().filter(|&buffer| self.is_there(buffer)).collect();
        with_lane!(self.streams, lane, |stream| self.arrive_on(stream, &buffers, route))
    }

    fn arrive_on<S: Lane>(&mut self, stream: Stream<S, D>, buffers: &[usize], route: Route) -> Result<()> {
        match route {
            Route::Stripped if self.waits == Waits::Stripped => {
                for &buffer in buffers {
                    let device = self.device;
                    place!(self, buffer, |held| *held = std::mem::take(held).take_without_waiting(device, stream));
                    self.arrived(buffer, S::NUMBER);
                }
                Ok(())
            }
            Route::Take | Route::Stripped => buffers.iter().try_for_each(|&buffer| {
                self.ordered(&[buffer], S::NUMBER);
                place!(self, buffer, |held| *held = std::mem::take(held).take(stream)?);
                Ok(())
            }),
            Route::Batch => {
                // What is synced would be loose, hence on its home stream.
                let (synced, others): (Vec<_>, Vec<_>) = buffers.iter().partition(|&&buffer| self.is_synced(buffer));
                self.arrive_on(stream, &synced, Route::Take)?;
                self.ordered(&others, S::NUMBER);
                let (device, pinned) = stream.take(self.batch(&others))?;
                self.unbatch(&others, device.into_iter().map(S::held), pinned.into_iter().map(S::held));
                Ok(())
            }
            Route::Record => buffers.iter().try_for_each(|&buffer| match self.known(buffer).lane {
                None | Some(HOST_LANE) => self.arrive_on(stream, &[buffer], Route::Take),
                Some(lane) => {
                    self.record(&[buffer], lane)?;
                    self.wait(self.records.len() - 1, S::NUMBER)
                }
            }),
            Route::Host => buffers.iter().try_for_each(|&buffer| {
                match self.known(buffer).lane {
                    None => {}
                    Some(HOST_LANE) => return self.arrive_on(stream, &[buffer], Route::Take),
                    Some(lane) => self.sync(&[buffer], lane)?,
                }
                place!(self, buffer, |held| match std::mem::take(held) {
                    Held::Synced(x) => *held = S::held(x.on(stream)),
                    _ => unreachable!("it was just synced"),
                });
                self.arrived(buffer, S::NUMBER);
                Ok(())
            }),
        }
    }

    /// One record and one wait for each distinct other stream.
    fn ordered(&mut self, buffers: &[usize], lane: usize) {
        let mut sources: Vec<usize> = buffers.iter().filter_map(|&buffer| self.known(buffer).lane).collect();
        sources.sort_unstable();
        sources.dedup();
        for source in sources.into_iter().filter(|&source| source != lane) {
            let record = self.graph.submit(source, Vec::new());
            self.graph.wait(lane, record);
        }
        buffers.iter().for_each(|&buffer| self.arrived(buffer, lane));
    }

    fn arrived(&mut self, buffer: usize, lane: usize) {
        let known = self.known(buffer);
        (known.lane, known.home) = (Some(lane), lane);
    }

    fn batch(&mut self, buffers: &[usize]) -> Batch<D> {
        let mut batch = (Vec::new(), Vec::new());
        for &buffer in buffers {
            match buffer.checked_sub(DEVICE) {
                None => batch.0.extend(std::mem::take(&mut self.device_memory[buffer]).loose()),
                Some(pinned) => batch.1.extend(std::mem::take(&mut self.pinned_memory[pinned]).loose()),
            }
        }
        batch
    }

    fn unbatch(
        &mut self,
        buffers: &[usize],
        mut device: impl Iterator<Item = Held<D, Vram>>,
        mut pinned: impl Iterator<Item = Held<D, Pinned>>,
    ) {
        for &buffer in buffers {
            match buffer.checked_sub(DEVICE) {
                None => self.device_memory[buffer] = device.next().expect("as many as went in"),
                Some(place) => self.pinned_memory[place] = pinned.next().expect("as many as went in"),
            }
        }
    }

    /// Those that are on the lane, as far as the library can know it.
    fn on_lane(&mut self, buffers: &[usize], lane: usize) -> Vec<usize> {
        let mut on_lane = buffers.to_vec();
        on_lane.retain(|&buffer| self.is_there(buffer) && self.known(buffer).lane == Some(lane));
        on_lane
    }

    fn record(&mut self, buffers: &[usize], lane: usize) -> Result<()> {
        let buffers = self.on_lane(buffers, lane);
        let batch = self.batch(&buffers);
        let record = with_lane!(self.streams, lane, |stream| stream.record(stream.claim(batch)?)?);
        let node = self.graph.submit(lane, Vec::new());
        self.records.push(Shelved { record, node, buffers });
        Ok(())
    }

    fn shelved(&mut self, record: usize) -> Option<Shelved<D>> {
        (record < self.records.len()).then(|| self.records.remove(record))
    }

    fn wait(&mut self, record: usize, lane: usize) -> Result<()> {
        let Some(Shelved { record, node, buffers }) = self.shelved(record) else { return Ok(()) };
        with_lane!(self.streams, lane, |stream| {
            let (device, pinned) = stream.wait(record)?;
            self.unbatch(&buffers, device.into_iter().map(hold), pinned.into_iter().map(hold));
        });
        // Of its own stream no wait is submitted, nor is one needed.
        self.graph.wait(lane, node);
        buffers.iter().for_each(|&buffer| self.arrived(buffer, lane));
        Ok(())
    }

    fn synchronize(&mut self, record: usize) -> Result<()> {
        let Some(Shelved { record, node, buffers }) = self.shelved(record) else { return Ok(()) };
        let batch = record.synchronize()?;
        self.seen(node, &buffers, batch);
        Ok(())
    }

    fn query(&mut self, record: usize) -> Result<()> {
        let Some(Shelved { record, node, buffers }) = self.shelved(record) else { return Ok(()) };
        match record.query()? {
            Query::Finished(batch) => self.seen(node, &buffers, batch),
            Query::InFlight(record) => self.records.push(Shelved { record, node, buffers }),
        }
        Ok(())
    }

    fn seen(&mut self, node: Node, buffers: &[usize], (device, pinned): Synced<D>) {
        self.unbatch(buffers, device.into_iter().map(Held::Synced), pinned.into_iter().map(Held::Synced));
        self.graph.seen(node);
        buffers.iter().for_each(|&buffer| self.known(buffer).lane = None);
    }

    fn drop_record(&mut self, record: usize) {
        let lives_on = |machine: &Self, shelved: &Shelved<D>| shelved.buffers.iter().any(|&b| machine.lives_on(b));
        match self.records.get(record) {
            Some(shelved) if !lives_on(self, shelved) => {}
            // See `lives_on`.
            Some(_) => return self.wait(record, 0).expect("nothing fails"),
            None => return,
        }
        let Some(Shelved { record, buffers, .. }) = self.shelved(record) else { return };
        drop(record);
        buffers.into_iter().for_each(|buffer| self.freed(buffer));
    }

    fn sync(&mut self, buffers: &[usize], lane: usize) -> Result<()> {
        let buffers = self.on_lane(buffers, lane);
        let batch = self.batch(&buffers);
        let (device, pinned) = with_lane!(self.streams, lane, |stream| stream.sync(stream.claim(batch)?)?);
        self.unbatch(&buffers, device.into_iter().map(Held::Synced), pinned.into_iter().map(Held::Synced));
        self.graph.sync(lane);
        buffers.iter().for_each(|&buffer| self.known(buffer).lane = None);
        Ok(())
    }

    fn loose(&mut self, buffer: usize) {
        if self.is_there(buffer) {
            place!(self, buffer, |held| *held = std::mem::take(held).loose().map_or(Held::Nothing, Held::Loose));
            let known = self.known(buffer);
            known.lane = Some(known.home);
        }
    }

    /// Works on the buffer's own stream and for synced buffers, and is refused elsewhere.
    fn claim(&mut self, buffer: usize, lane: usize) -> Result<()> {
        if !self.is_there(buffer) {
            return Ok(());
        }
        let fits = self.known(buffer).lane.is_none_or(|on| on == lane);
        let claimed = with_lane!(self.streams, lane, |stream| place!(self, buffer, |held| {
            in_any_state!(std::mem::take(held), |x| match stream.claim(x) {
                Ok(x) => {
                    *held = hold(x);
                    true
                }
                Err(failed) => {
                    assert!(matches!(failed.error, Error::StreamMismatch { .. }), "{failed:?}");
                    *held = failed.buffers.held_again();
                    false
                }
            }, nothing => unreachable!("it is there"))
        }));
        assert_eq!(claimed, fits, "a claim succeeds on the buffer's own stream");
        if claimed {
            self.arrived(buffer, lane);
        }
        Ok(())
    }

    fn fill(&mut self, buffer: usize, lane: usize, range: Range<usize>, value: u32, route: Route) -> Result<()> {
        if !self.is_there(buffer) {
            return Ok(());
        }
        self.arrive(&[buffer], lane, route)?;
        with_lane!(self.streams, lane, |stream| place!(self, buffer, |held| {
            on(stream, held, |x| stream.fill(&mut x[range.clone()], value))
        }))?;
        self.known(buffer).words[range.clone()].fill(Some(value));
        let access = self.access(buffer, range, true);
        self.graph.submit(lane, vec![access]);
        Ok(())
    }

    /// Runs an operation that reads one buffer and writes another.
    fn two(
        &mut self,
        [read, write]: [usize; 2],
        lane: usize,
        range: &Range<usize>,
        route: Route,
        operation: impl Operation<D>,
    ) -> Result<bool> {
        if !self.is_there(read) || !self.is_there(write) {
            return Ok(false);
        }
        self.arrive(&[read, write], lane, route)?;
        with_lane!(self.streams, lane, |stream| {
            // One of the two places has to be emptied meanwhile: both are fields of `self`.
            if read < DEVICE {
                let mut source = std::mem::take(&mut self.device_memory[read]);
                let done = on(stream, &mut source, |x| {
                    place!(self, write, |held| on(stream, held, |y| {
                        operation.run(stream, &x[range.clone()], &mut y[range.clone()])
                    }))
                });
                self.device_memory[read] = source;
                done
            } else {
                let mut source = std::mem::take(&mut self.pinned_memory[read - DEVICE]);
                let done = on(stream, &mut source, |x| {
                    place!(self, write, |held| on(stream, held, |y| {
                        operation.run(stream, &x[range.clone()], &mut y[range.clone()])
                    }))
                });
                self.pinned_memory[read - DEVICE] = source;
                done
            }
        })?;
        let accesses = vec![self.access(read, range.clone(), false), self.access(write, range.clone(), true)];
        self.graph.submit(lane, accesses);
        Ok(true)
    }

    fn mix(&mut self, both: [usize; 2], lane: usize, range: Range<usize>, seed: u32, route: Route) -> Result<()> {
        let mixer = self.mixer;
        if self.two(both, lane, &range, route, Mix { mixer, seed })? {
            let read = self.known(both[0]).words;
            for (y, x) in self.known(both[1]).words[range.clone()].iter_mut().zip(&read[range]) {
                *y = x.zip(*y).map(|(x, y)| mixed(x, y, seed));
            }
        }
        Ok(())
    }

    fn copy(&mut self, both: [usize; 2], lane: usize, range: Range<usize>, route: Route) -> Result<()> {
        if self.two(both, lane, &range, route, Copy)? {
            let read = self.known(both[0]).words;
            self.known(both[1]).words[range.clone()].copy_from_slice(&read[range]);
        }
        Ok(())
    }

    /// Two parts of one buffer, one read and one written.
    fn mix_halves(&mut self, buffer: usize, lane: usize, route: Route) -> Result<()> {
        if !self.is_there(buffer) {
            return Ok(());
        }
        self.arrive(&[buffer], lane, route)?;
        let mixer = self.mixer;
        with_lane!(self.streams, lane, |stream| place!(self, buffer, |held| on(stream, held, |x| {
            let (left, right) = x.split_at_mut(LEN / 2);
            mixer.mix(stream, 7, left, right)
        })))?;
        let (left, right) = self.known(buffer).words.split_at_mut(LEN / 2);
        for (y, x) in right.iter_mut().zip(left) {
            *y = x.zip(*y).map(|(x, y)| mixed(x, y, 7));
        }
        let accesses = vec![self.access(buffer, 0..LEN / 2, false), self.access(buffer, LEN / 2..LEN, true)];
        self.graph.submit(lane, accesses);
        Ok(())
    }

    fn download(&mut self, buffer: usize, lane: usize, range: Range<usize>, route: Route) -> Result<()> {
        if !self.is_there(buffer) {
            return Ok(());
        }
        self.arrive(&[buffer], lane, route)?;
        let mut found = Vec::new();
        with_lane!(self.streams, lane, |stream| place!(self, buffer, |held| on(stream, held, |x| {
            found = stream.download(&x[range.clone()])?;
            Ok(())
        })))?;
        if !range.is_empty() {
            let access = self.access(buffer, range.clone(), false);
            self.graph.submit(lane, vec![access]);
            self.graph.sync(lane);
        }
        self.check(buffer, range, &found);
        Ok(())
    }
}

type Synced<D> = (Vec<Buffer<u32, antecede::Synced<D>>>, Vec<Buffer<u32, antecede::Synced<D>, Pinned>>);

/// Something done on a stream with what it reads and what it writes.
trait Operation<D> {
    fn run<S>(
        &self,
        stream: Stream<S, D>,
        x: &View<u32, antecede::On<S, D>>,
        y: &mut View<u32, antecede::On<S, D>>,
    ) -> Result<()>;
}

struct Copy;

impl<D> Operation<D> for Copy {
    fn run<S>(
        &self,
        stream: Stream<S, D>,
        x: &View<u32, antecede::On<S, D>>,
        y: &mut View<u32, antecede::On<S, D>>,
    ) -> Result<()> {
        stream.copy(x, y)
    }
}

struct Mix<D> {
    mixer: Mixer<D>,
    seed: u32,
}

impl<D> Operation<D> for Mix<D> {
    fn run<S>(
        &self,
        stream: Stream<S, D>,
        x: &View<u32, antecede::On<S, D>>,
        y: &mut View<u32, antecede::On<S, D>>,
    ) -> Result<()> {
        self.mixer.mix(stream, self.seed, x, y)
    }
}

fn hold<S: Lane, D, M: antecede::Memory>(buffer: Buffer<u32, antecede::On<S, D>, M>) -> Held<D, M> {
    S::held(buffer)
}

/// A failed claim gives its buffer back in the state it had.
trait HeldAgain<D, M: antecede::Memory> {
    fn held_again(self) -> Held<D, M>;
}

impl<S: Lane, D, M: antecede::Memory> HeldAgain<D, M> for Buffer<u32, antecede::On<S, D>, M> {
    fn held_again(self) -> Held<D, M> {
        S::held(self)
    }
}

impl<D, M: antecede::Memory> HeldAgain<D, M> for Buffer<u32, Loose<D>, M> {
    fn held_again(self) -> Held<D, M> {
        Held::Loose(self)
    }
}

impl<D, M: antecede::Memory> HeldAgain<D, M> for Buffer<u32, antecede::Synced<D>, M> {
    fn held_again(self) -> Held<D, M> {
        Held::Synced(self)
    }
}

/// Runs an operation on a buffer that is on this stream by its type.
fn on<S: Lane, D, M: antecede::Memory>(
    _: Stream<S, D>,
    held: &mut Held<D, M>,
    operation: impl FnOnce(&mut Buffer<u32, antecede::On<S, D>, M>) -> Result<()>,
) -> Result<()> {
    let Ok(mut buffer) = S::typed(std::mem::take(held)) else { unreachable!("it has arrived on this stream") };
    let done = operation(&mut buffer);
    *held = S::held(buffer);
    done
}

fn distinct(buffers: &[usize]) -> Vec<usize> {
    let mut distinct = Vec::new();
    for &buffer in buffers {
        if !distinct.contains(&buffer) {
            distinct.push(buffer);
        }
    }
    distinct
}
