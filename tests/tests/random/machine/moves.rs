//! From stream to stream.

use super::Machine;
use crate::Waits;
use crate::lanes::{Lane, LaneKind, on};
use crate::memory::{Held, Mem, loose, take};
use crate::program::{LANES, Route};
use antecede::{Error, Loose, Result, Stream};
use antecede_tests::take_without_waiting;

impl<D> Machine<D> {
    /// Gets buffers to a stream.
    pub(super) fn arrive(&mut self, slots: &[usize], lane: usize, route: Route) -> Result<()> {
        let slots: Vec<usize> = slots.iter().copied().filter(|&slot| self.is_there(slot)).collect();
        match route {
            Route::Stripped if self.waits == Waits::Stripped => {
                slots.iter().for_each(|&slot| self.arrive_unordered(slot, lane));
                Ok(())
            }
            Route::Take | Route::Stripped => slots.iter().try_for_each(|&slot| self.take(slot, lane)),
            Route::Typed => slots.iter().try_for_each(|&slot| self.hop(slot, lane)),
            Route::Batch => {
                // What is synced would be loose, hence on its home stream.
                let (synced, others): (Vec<_>, Vec<_>) = slots.iter().partition(|&&slot| self.slots[slot].is_synced());
                self.arrive(&synced, lane, Route::Take)?;
                self.ordered(&others, lane);
                let batch = self.batch(&others);
                let batch = match self.lanes[lane] {
                    Lane::Any(any) => any.take(batch)?,
                    lane => on!(lane, |s| s.take(batch).map(|batch| batch.into_iter().map(loose).collect()))?,
                };
                self.unbatch(&others, batch.into_iter().map(Held::Loose));
                Ok(())
            }
            Route::Record => slots.iter().try_for_each(|&slot| match self.source(slot) {
                Some(source) if source < LANES => {
                    self.record(&[slot], source)?;
                    self.wait(self.records.len() - 1, lane)
                }
                _ => self.take(slot, lane),
            }),
            Route::Host => slots.iter().try_for_each(|&slot| {
                if let Some(source) = self.source(slot).filter(|&source| source < LANES) {
                    self.sync(&[slot], source)?;
                }
                self.take(slot, lane)
            }),
        }
    }

    fn take(&mut self, slot: usize, lane: usize) -> Result<()> {
        self.ordered(&[slot], lane);
        let held = std::mem::take(&mut self.slots[slot]);
        self.slots[slot] = on!(self.lanes[lane], |s| take(s, held))?;
        Ok(())
    }

    /// Out of its stream by type.
    fn hop(&mut self, slot: usize, lane: usize) -> Result<()> {
        let Some(source) = self.source(slot).filter(|&source| source < LANES) else { return self.take(slot, lane) };
        let Held::Loose(x) = std::mem::take(&mut self.slots[slot]) else { unreachable!("it has a source") };
        let taken = match (self.lanes[source], self.lanes[lane]) {
            (Lane::K(from), Lane::Legacy(to)) => from.claim(x).map(|x| loose(to.after_blocking(from, x)))?,
            (Lane::L(from), Lane::Legacy(to)) => from.claim(x).map(|x| loose(to.after_blocking(from, x)))?,
            (from, to) => on!(from, |from| on!(to, |to| hop(from, to, x)))?,
        };
        if matches!((self.lanes[source], self.lanes[lane]), (Lane::K(_) | Lane::L(_), Lane::Legacy(_))) {
            self.reach("after_blocking");
        }
        self.ordered(&[slot], lane);
        self.slots[slot] = Held::Loose(taken);
        Ok(())
    }

    fn arrive_unordered(&mut self, slot: usize, lane: usize) {
        let device = self.devices[0];
        let x = std::mem::take(&mut self.slots[slot]).loose().expect("it is there");
        self.slots[slot] = Held::Loose(on!(self.lanes[lane], |s| loose(take_without_waiting(device, s, x))));
        self.known(slot).home = lane;
    }

    /// The model's side of a `take`: one hand-over for each distinct other stream.
    fn ordered(&mut self, slots: &[usize], lane: usize) {
        for source in super::distinct(slots.iter().filter_map(|&slot| self.source(slot))) {
            if source != lane {
                self.hand_over(source, lane);
            }
        }
        slots.iter().for_each(|&slot| self.known(slot).home = lane);
    }

    pub(super) fn hand_over(&mut self, from: usize, to: usize) {
        match [from, to].map(|lane| self.lanes.get(lane).map(|lane| lane.kind())) {
            [Some(LaneKind::Blocking), Some(LaneKind::Legacy)] => self.reach("from blocking to legacy"),
            [Some(LaneKind::Legacy), Some(LaneKind::Blocking)] => self.reach("from legacy to blocking"),
            _ if self.device_of(from) != self.device_of(to) => self.reach("from device to device"),
            _ => {}
        }
        self.graph.hand_over(from, to);
    }

    /// Takes buffers out of their places.
    pub(super) fn batch(&mut self, slots: &[usize]) -> Vec<Mem<Loose<D>>> {
        slots.iter().filter_map(|&slot| std::mem::take(&mut self.slots[slot]).loose()).collect()
    }

    pub(super) fn unbatch(&mut self, slots: &[usize], batch: impl Iterator<Item = Held<D>>) {
        slots.iter().zip(batch).for_each(|(&slot, held)| self.slots[slot] = held);
    }

    /// Those that are loose and on that stream.
    pub(super) fn on_lane(&self, slots: &[usize], lane: usize) -> Vec<usize> {
        let on_lane = |&slot: &usize| {
            let loose = matches!(self.slots[slot], Held::Loose(_));
            loose && self.source(slot).is_none_or(|source| source == lane)
        };
        slots.iter().copied().filter(on_lane).collect()
    }

    /// Works on the buffer's own stream and for synced buffers, and is refused elsewhere.
    pub(super) fn claim(&mut self, slot: usize, lane: usize) -> Result<()> {
        let fits = self.source(slot).is_none_or(|source| source == lane);
        let refused = |error: &Error| assert!(matches!(error, Error::StreamMismatch { .. }), "{error:?}");
        let (held, claimed) = match std::mem::take(&mut self.slots[slot]) {
            Held::Nothing => return Ok(()),
            Held::Loose(x) => on!(self.lanes[lane], |s| match s.claim(x) {
                Ok(x) => (Held::Loose(loose(x)), true),
                Err(failed) => {
                    refused(&failed.error);
                    (Held::Loose(failed.buffers), false)
                }
            }),
            Held::Synced(x) => on!(self.lanes[lane], |s| match s.claim(x) {
                Ok(x) => (Held::Loose(loose(x)), true),
                Err(failed) => {
                    refused(&failed.error);
                    (Held::Synced(failed.buffers), false)
                }
            }),
        };
        assert_eq!(claimed, fits, "a claim succeeds on the buffer's own stream");
        self.slots[slot] = held;
        match claimed {
            true => self.known(slot).home = lane,
            false => self.reach("claimed elsewhere"),
        }
        Ok(())
    }
}

fn hop<S, S2, D>(from: Stream<S, D>, to: Stream<S2, D>, x: Mem<Loose<D>>) -> Result<Mem<Loose<D>>> {
    let x = from.claim(x).expect("the library knows it on the stream that the model does");
    Ok(loose(to.take(x)?))
}
