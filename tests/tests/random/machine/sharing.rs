//! Buffers that several streams read at once.

use super::{Machine, operations::within};
use crate::lanes::{K, L, Lane, on};
use crate::memory::{Held, Mem, Views, leased, loose, using, view_mut};
use crate::model::Node;
use crate::program::{EndOfLease, Inside, Route};
use antecede::{Lease, Legacy, Loose, On, Result, Shared, Stream};
use antecede_tests::{A, B};
use std::ops::Range;

type Batch<D> = Vec<Mem<Loose<D>>>;
type LeaseOn<'a, S, D> = Lease<'a, Vec<Views<'a, On<S, D>>>>;

/// A lease that is kept for a while. Of a stream without a brand there is none: its brand ends with each use.
enum Kept<'a, D> {
    A(Stream<A, D>, LeaseOn<'a, A, D>),
    B(Stream<B, D>, LeaseOn<'a, B, D>),
    K(Stream<K, D>, LeaseOn<'a, K, D>),
    L(Stream<L, D>, LeaseOn<'a, L, D>),
    Legacy(Stream<Legacy, D>, LeaseOn<'a, Legacy, D>),
}

macro_rules! with_lease {
    ($kept:expr, |$stream:ident, $lease:ident| $body:expr) => {
        match $kept {
            Kept::A($stream, $lease) => $body,
            Kept::B($stream, $lease) => $body,
            Kept::K($stream, $lease) => $body,
            Kept::L($stream, $lease) => $body,
            Kept::Legacy($stream, $lease) => $body,
        }
    };
}

/// What the model knows of shared buffers.
struct Known {
    slots: Vec<usize>,
    home: usize,
    written: Node,
    readers: Vec<Reader>,
}

struct Reader {
    lane: usize,
    /// Leases that were not ended, alive or forgotten.
    leases: usize,
    released: Option<Node>,
}

/// A read through a lease.
#[derive(Clone)]
struct Read {
    which: usize,
    write: usize,
    range: Range<usize>,
    seed: u32,
    route: Route,
}

impl<D> Machine<D> {
    /// `end` is the stream that reunites them; dropped if there is none.
    pub(super) fn share(
        &mut self,
        slots: &[usize],
        lane: usize,
        route: Route,
        inside: &[Inside],
        end: Option<usize>,
    ) -> Result<()> {
        self.arrive(slots, lane, route)?;
        let slots = self.on_lane(slots, lane);
        let batch = self.batch(&slots);
        let shared: Shared<Batch<D>, D> = on!(self.lanes[lane], |s| match s.claim(batch) {
            Ok(batch) => s.share(batch).map_err(antecede::Error::from),
            Err(failed) => Err(failed.into()),
        })?;
        let written = self.graph.submit(lane, Vec::new());
        let mut known = Known { slots, home: lane, written, readers: Vec::new() };
        self.inside(&shared, &mut known, inside)?;
        // See `lives_on`.
        let must_live = known.slots.iter().any(|&slot| self.lives_on(slot));
        match end.or(must_live.then_some(lane)) {
            Some(to) => {
                let batch = on!(self.lanes[to], |s| s
                    .reunite(shared)
                    .map(|batch| batch.into_iter().map(loose).collect::<Vec<_>>()))?;
                self.joined(&known, to);
                self.unbatch(&known.slots, batch.into_iter().map(Held::Loose));
                known.slots.iter().for_each(|&slot| self.known(slot).home = to);
            }
            None => {
                drop(shared);
                if !known.readers.is_empty() {
                    self.reach("dropped with readers");
                }
                self.joined(&known, lane);
                known.slots.iter().for_each(|&slot| self.freed(slot, true));
            }
        }
        Ok(())
    }

    fn inside(&mut self, shared: &Shared<Batch<D>, D>, known: &mut Known, inside: &[Inside]) -> Result<()> {
        let mut leases: Vec<(usize, Kept<'_, D>)> = Vec::new();
        for step in inside {
            match *step {
                Inside::Other { ref step } => self.step(step)?,
                Inside::Lease { lane } => {
                    let lease = match self.lanes[lane] {
                        Lane::A(s) => Kept::A(s, s.lease(shared)?),
                        Lane::B(s) => Kept::B(s, s.lease(shared)?),
                        Lane::K(s) => Kept::K(s, s.lease(shared)?),
                        Lane::L(s) => Kept::L(s, s.lease(shared)?),
                        Lane::Legacy(s) => Kept::Legacy(s, s.lease(shared)?),
                        Lane::PerThread(_) | Lane::Any(_) => continue,
                    };
                    self.leased(known, lane);
                    leases.push((lane, lease));
                }
                Inside::Read { lease, which, write, ref range, seed, route } => {
                    let Some((lane, lease)) = leases.get(lease) else { continue };
                    let read = Read { which, write, range: range.clone(), seed, route };
                    self.reach("read through a kept lease");
                    with_lease!(lease, |s, lease| self.read_shared(*s, *lane, known, lease, read))?;
                }
                Inside::ReadNow { lane, which, write, ref range, seed, route, end } => {
                    let read = Read { which, write, range: range.clone(), seed, route };
                    match self.lanes[lane] {
                        Lane::A(s) => self.read_now(s, lane, shared, known, read, end)?,
                        Lane::B(s) => self.read_now(s, lane, shared, known, read, end)?,
                        Lane::K(s) => self.read_now(s, lane, shared, known, read, end)?,
                        Lane::L(s) => self.read_now(s, lane, shared, known, read, end)?,
                        Lane::Legacy(s) => self.read_now(s, lane, shared, known, read, end)?,
                        Lane::Any(any) => {
                            self.reach("read on a stream without a brand");
                            any.with(|s| self.read_now(s, lane, shared, known, read, end))?;
                        }
                        Lane::PerThread(_) => {}
                    }
                }
                Inside::End { lease, end } if lease < leases.len() => {
                    let (lane, lease) = leases.remove(lease);
                    with_lease!(lease, |_s, lease| self.end_of_lease(lane, known, lease, end))?;
                }
                Inside::End { .. } => {}
            }
        }
        Ok(())
    }

    /// The model's side of a lease: the first of a stream waits for the last write.
    fn leased(&mut self, known: &mut Known, lane: usize) {
        match known.readers.iter_mut().find(|reader| reader.lane == lane) {
            Some(reader) => {
                reader.leases += 1;
                if reader.released.take().is_some() {
                    self.reach("leased again after a release");
                }
            }
            None => {
                if lane != known.home {
                    self.graph.wait(lane, known.written);
                }
                known.readers.push(Reader { lane, leases: 1, released: None });
                if known.readers.len() == 2 {
                    self.reach("read by two streams");
                }
            }
        }
    }

    /// The model's side of a join: each other reader is handed over, or the end of its reads waited for.
    fn joined(&mut self, known: &Known, to: usize) {
        for reader in known.readers.iter().filter(|reader| reader.lane != to) {
            match reader.released {
                Some(end) => {
                    self.reach("joined after a release");
                    self.graph.wait(to, end);
                }
                None => {
                    self.reach("joined after reads");
                    self.hand_over(reader.lane, to);
                }
            }
        }
        if known.readers.is_empty() && known.home != to {
            self.reach("joined without readers");
            self.graph.wait(to, known.written);
        }
    }

    fn end_of_lease<V>(&mut self, lane: usize, known: &mut Known, lease: Lease<'_, V>, end: EndOfLease) -> Result<()> {
        let reader = known.readers.iter_mut().find(|reader| reader.lane == lane).expect("it has a lease");
        match end {
            EndOfLease::Forget => {
                std::mem::forget(lease);
                self.reach("forgotten");
                return Ok(());
            }
            EndOfLease::Drop => drop(lease),
            EndOfLease::Release => {
                lease.release()?;
                match reader.leases {
                    1 => reader.released = Some(self.graph.submit(lane, Vec::new())),
                    _ => self.reach("released beside another lease"),
                }
            }
        }
        reader.leases -= 1;
        Ok(())
    }

    fn read_now<S>(
        &mut self,
        stream: Stream<S, D>,
        lane: usize,
        shared: &Shared<Batch<D>, D>,
        known: &mut Known,
        read: Read,
        end: EndOfLease,
    ) -> Result<()>
    where
        Stream<S, D>: Sync,
    {
        let lease = stream.lease(shared)?;
        self.leased(known, lane);
        self.read_shared(stream, lane, known, &lease, read)?;
        self.end_of_lease(lane, known, lease, end)
    }

    /// Mixes a shared buffer into one that is not.
    fn read_shared<S>(
        &mut self,
        stream: Stream<S, D>,
        lane: usize,
        known: &Known,
        views: &[Views<'_, On<S, D>>],
        Read { which, write, range, seed, route }: Read,
    ) -> Result<()> {
        if views.is_empty() || !self.is_there(write) {
            return Ok(());
        }
        let which = which % views.len();
        self.arrive(&[write], lane, route)?;
        let (read, x) = (known.slots[which], leased(&views[which]));
        let range = within(range, self.len(read).min(self.len(write)));
        let (mixer, held, r) = (self.mixers[self.device_of(lane)], &mut self.slots[write], || range.clone());
        using(stream, held, |y| match seed % 2 {
            0 => stream.copy(&x[r()], &mut view_mut(y)[r()]),
            _ => mixer.mix(stream, seed, &x[r()], &mut view_mut(y)[r()]),
        })?;
        match seed % 2 {
            0 => self.copied([read, write], lane, range),
            _ => self.mixed([read, write], lane, range, seed),
        }
        Ok(())
    }
}
