//! What is done on one stream.

use super::Machine;
use crate::lanes::on;
use crate::memory::{from_host, into_host, slice, using, view, view_mut};
use crate::model::mixed;
use crate::program::{LANES, Route};
use antecede::{Failed, Result};
use std::ops::Range;

impl<D> Machine<D> {
    pub(super) fn fill(
        &mut self,
        slot: usize,
        lane: usize,
        range: Range<usize>,
        value: u32,
        route: Route,
    ) -> Result<()> {
        if !self.is_there(slot) {
            return Ok(());
        }
        self.arrive(&[slot], lane, route)?;
        let range = within(range, self.len(slot));
        let (held, view) = (&mut self.slots[slot], range.clone());
        on!(self.lanes[lane], |s| using(s, held, |x| s.fill(&mut view_mut(x)[view], value)))?;
        self.known(slot).words[range.clone()].fill(Some(value));
        let access = self.access(slot, range, true);
        self.graph.operate(lane, vec![access]);
        Ok(())
    }

    /// Gets the two to the stream, if they are there and not one.
    fn both(&mut self, [read, write]: [usize; 2], lane: usize, route: Route) -> Result<bool> {
        if read == write || !self.is_there(read) || !self.is_there(write) {
            return Ok(false);
        }
        self.arrive(&[read, write], lane, route)?;
        Ok(true)
    }

    /// The range, within both.
    fn within_both(&self, [read, write]: [usize; 2], range: Range<usize>) -> Range<usize> {
        within(range, self.len(read).min(self.len(write)))
    }

    pub(super) fn mix(
        &mut self,
        both: [usize; 2],
        lane: usize,
        range: Range<usize>,
        seed: u32,
        route: Route,
    ) -> Result<()> {
        if !self.both(both, lane, route)? {
            return Ok(());
        }
        let (range, mixer) = (self.within_both(both, range), self.mixers[self.device_of(lane)]);
        let r = || range.clone();
        let mut source = std::mem::take(&mut self.slots[both[0]]);
        let target = &mut self.slots[both[1]];
        let done = on!(self.lanes[lane], |s| using(s, &mut source, |x| using(s, target, |y| {
            mixer.mix(s, seed, &view(x)[r()], &mut view_mut(y)[r()])
        })));
        self.slots[both[0]] = source;
        done?;
        self.mixed(both, lane, range, seed);
        Ok(())
    }

    /// The model's side of a `mix`.
    pub(super) fn mixed(&mut self, [read, write]: [usize; 2], lane: usize, range: Range<usize>, seed: u32) {
        let words = self.known(read).words.clone();
        for (y, x) in self.known(write).words[range.clone()].iter_mut().zip(&words[range.clone()]) {
            *y = x.zip(*y).map(|(x, y)| mixed(x, y, seed));
        }
        let accesses = vec![self.access(read, range.clone(), false), self.access(write, range, true)];
        self.graph.operate(lane, accesses);
    }

    /// Two parts of one buffer, one read and one written.
    pub(super) fn mix_halves(&mut self, slot: usize, lane: usize, route: Route) -> Result<()> {
        if !self.is_there(slot) {
            return Ok(());
        }
        self.arrive(&[slot], lane, route)?;
        let (half, mixer, held) = (self.len(slot) / 2, self.mixers[self.device_of(lane)], &mut self.slots[slot]);
        on!(self.lanes[lane], |s| using(s, held, |x| {
            let (left, right) = view_mut(x).split_at_mut(half);
            mixer.mix(s, 7, left, &mut right[..half])
        }))?;
        let (left, right) = self.known(slot).words.split_at_mut(half);
        for (y, x) in right.iter_mut().zip(left) {
            *y = x.zip(*y).map(|(x, y)| mixed(x, y, 7));
        }
        let accesses = vec![self.access(slot, 0..half, false), self.access(slot, half..2 * half, true)];
        self.graph.operate(lane, accesses);
        Ok(())
    }

    pub(super) fn copy(&mut self, both: [usize; 2], lane: usize, range: Range<usize>, route: Route) -> Result<()> {
        if !self.both(both, lane, route)? {
            return Ok(());
        }
        let range = self.within_both(both, range);
        let r = || range.clone();
        let mut source = std::mem::take(&mut self.slots[both[0]]);
        let target = &mut self.slots[both[1]];
        let done = on!(self.lanes[lane], |s| using(s, &mut source, |x| using(s, target, |y| {
            s.copy(&view(x)[r()], &mut view_mut(y)[r()])
        })));
        self.slots[both[0]] = source;
        done?;
        self.copied(both, lane, range);
        Ok(())
    }

    /// The model's side of a copy.
    pub(super) fn copied(&mut self, [read, write]: [usize; 2], lane: usize, range: Range<usize>) {
        let words = self.known(read).words[range.clone()].to_vec();
        self.known(write).words[range.clone()].clone_from_slice(&words);
        let accesses = vec![self.access(read, range.clone(), false), self.access(write, range, true)];
        self.graph.operate(lane, accesses);
    }

    /// The source stays on its own stream. Both are device memory of their streams' devices: the driver is told these.
    pub(super) fn copy_across(
        &mut self,
        [read, write]: [usize; 2],
        lane: usize,
        range: Range<usize>,
        route: Route,
    ) -> Result<()> {
        let Some(from) = self.source(read).filter(|&from| from < LANES && self.is_there(read)) else { return Ok(()) };
        if read == write || !self.is_there(write) || !self.is_local(read, from) || !self.is_local(write, lane) {
            return Ok(());
        }
        self.arrive(&[write], lane, route)?;
        let range = self.within_both([read, write], range);
        let r = || range.clone();
        let mut source = std::mem::take(&mut self.slots[read]);
        let target = &mut self.slots[write];
        let (here, there) = (self.lanes[lane], self.lanes[from]);
        let done = on!(there, |t| using(t, &mut source, |x| on!(here, |s| using(s, target, |y| {
            s.copy_across(t, &view(x)[r()], &mut view_mut(y)[r()])
        }))));
        self.slots[read] = source;
        done?;
        if !range.is_empty() {
            self.reach(match self.device_of(from) == self.device_of(lane) {
                true => "copied across streams",
                false => "copied across devices",
            });
            self.hand_over(from, lane);
            self.copied([read, write], lane, range);
            self.hand_over(lane, from);
        }
        Ok(())
    }

    pub(super) fn download(&mut self, slot: usize, lane: usize, range: Range<usize>, route: Route) -> Result<()> {
        if !self.is_there(slot) {
            return Ok(());
        }
        self.arrive(&[slot], lane, route)?;
        let range = within(range, self.len(slot));
        let (held, view_of) = (&mut self.slots[slot], range.clone());
        let found = on!(self.lanes[lane], |s| using(s, held, |x| s.download(&view(x)[view_of])))?;
        if !range.is_empty() {
            let access = self.access(slot, range.clone(), false);
            self.graph.submit(lane, vec![access]);
            self.graph.drain(lane);
        }
        self.check(slot, range, &found);
        Ok(())
    }

    /// A host function mixes two buffers, or one with itself.
    pub(super) fn host_fn(&mut self, [read, write]: [usize; 2], lane: usize, seed: u32, route: Route) -> Result<()> {
        let slots = super::distinct([read, write]);
        if !slots.iter().all(|&slot| self.is_there(slot) && self.kind(slot).is_some_and(|kind| kind.is_host())) {
            return Ok(());
        }
        self.arrive(&slots, lane, route)?;
        let mut source = std::mem::take(&mut self.slots[read]);
        let target = &mut self.slots[write];
        let done = on!(self.lanes[lane], |s| using(s, &mut source, |x| {
            let x_there = into_host(std::mem::take(x));
            if read == write {
                let (there, done) = outcome(s.host_fn(x_there, move |x| mix_with_itself(slice(x), seed)));
                *x = from_host(there);
                return done;
            }
            using(s, target, |y| {
                let both = (x_there, into_host(std::mem::take(y)));
                let (there, done) = outcome(s.host_fn(both, move |(x, y)| mix_both(slice(x), slice(y), seed)));
                (*x, *y) = (from_host(there.0), from_host(there.1));
                done
            })
        }));
        self.slots[read] = source;
        done?;
        let words = self.known(read).words.clone();
        for (y, x) in self.known(write).words.iter_mut().zip(&words) {
            *y = x.zip(*y).map(|(x, y)| mixed(x, y, seed));
        }
        self.reach(if read == write { "one mixed by the host" } else { "mixed by the host" });
        if read != write {
            let shorter = self.len(read).min(self.len(write));
            self.known(read).words[..shorter].iter_mut().flatten().for_each(|x| *x ^= seed);
        }
        let accesses = slots.iter().map(|&slot| self.access(slot, 0..self.len(slot), true)).collect();
        self.graph.submit(lane, accesses);
        Ok(())
    }
}

pub(super) fn within(range: Range<usize>, len: usize) -> Range<usize> {
    range.start.min(len)..range.end.min(len)
}

/// What the host functions do. The first of two buffers changes as well.
fn mix_both(x: &mut [u32], y: &mut [u32], seed: u32) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = mixed(*x, *y, seed);
        *x ^= seed;
    }
}

fn mix_with_itself(x: &mut [u32], seed: u32) {
    x.iter_mut().for_each(|x| *x = mixed(*x, *x, seed));
}

/// The buffers, also of a call that failed.
fn outcome<B>(result: std::result::Result<B, Failed<B>>) -> (B, Result<()>) {
    match result {
        Ok(buffers) => (buffers, Ok(())),
        Err(failed) => (failed.buffers, Err(failed.error)),
    }
}
