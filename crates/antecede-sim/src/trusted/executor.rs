//! Who runs operations: the thread that waits for them, one operation at a time, without holding the lock.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use antecede::driver::{DriverId, DriverResult, ErrorKind, StreamId};

use super::host::in_twin;
use crate::Call;
use crate::error::error;
use crate::faults::Strike;
use crate::order::{Mood, Order};
use crate::processes::{Beyond, Link, Signal};
use crate::queue::{Clock, Point};
use crate::sim::Builder;
use crate::state::State;
use crate::thread::ThreadNumber;

/// The simulator itself, as its threads see it.
#[derive(Debug)]
pub(crate) struct Shared {
    id: DriverId,
    state: Mutex<State>,
    /// Told whenever an operation has taken effect.
    progress: Condvar,
}

impl Shared {
    pub(super) fn new(builder: &Builder, seed: u64) -> Self {
        Shared { id: DriverId::fresh(), state: Mutex::new(State::new(builder, seed)), progress: Condvar::new() }
    }

    pub(crate) fn id(&self) -> DriverId {
        self.id
    }

    /// The state. A thread that panicked with the lock has left nothing half done that matters: each change is made
    /// after its checks.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes one driver call: counts it, lets it fail if it is meant to, else does `body`.
    pub(super) fn call<T>(&self, call: Call, body: impl FnOnce() -> DriverResult<T>) -> DriverResult<T> {
        if in_twin() {
            return Err(error(call, ErrorKind::NotSupported, "called by a kernel or a host function"));
        }
        let strike = {
            let mut state = self.lock();
            let this = ThreadNumber::current();
            state.calls.count(call);
            state.calls_by_thread.entry(this).or_default().count(call);
            state.faults.meet(call, this)
        };
        let injected = || error(call, ErrorKind::Injected, "a failure asked for by a test");
        match strike {
            None => body(),
            Some(Strike::Before) => Err(injected()),
            Some(Strike::AfterSubmitting) => body().and(Err(injected())),
        }
    }

    /// Makes a driver call that only changes the state.
    pub(super) fn change<T>(&self, call: Call, body: impl FnOnce(&mut State) -> DriverResult<T>) -> DriverResult<T> {
        self.call(call, || body(&mut self.lock()))
    }

    /// Makes a driver call that submits something.
    pub(super) fn submit<T>(&self, call: Call, body: impl FnOnce(&mut State) -> DriverResult<T>) -> DriverResult<T> {
        self.call(call, || {
            let (value, eager) = {
                let mut state = self.lock();
                let value = body(&mut state)?;
                let eager = state.order == Order::Eager;
                (value, eager.then(|| state.queues.ends(None)))
            };
            if let Some(goal) = eager {
                // What was submitted counts as such, whatever comes of running it; a sync tells.
                let _later = self.run_up_to(call, &goal, Patience::Short);
            }
            Ok(value)
        })
    }

    /// Runs operations until the goal is reached.
    pub(super) fn force(&self, call: Call, goal: &[Point]) -> DriverResult {
        self.run_up_to(call, goal, Patience::Long)
    }

    /// Waits until a record of another simulator has taken effect.
    pub(super) fn await_beyond(&self, beyond: &Beyond) {
        let mut state = self.lock();
        while !beyond.is_reached() {
            state.demand(std::slice::from_ref(beyond));
            state = self.wait(state);
        }
    }

    fn run_up_to(&self, call: Call, goal: &[Point], patience: Patience) -> DriverResult {
        let mut state = self.lock();
        let mood = state.mood();
        let needed = state.queues.needed(goal);
        while !state.queues.all_reached(goal) {
            if state.running {
                state = self.wait(state);
                continue;
            }
            let held = state.queues.held(&needed);
            state = match state.pick(mood, &needed) {
                Some(stream) => self.run_head(state, stream),
                // Waits point backwards in the order of submission, so this cannot be; better an error than a hang.
                None if held.is_empty() => return Err(error(call, ErrorKind::Other, "no operation can run")),
                None if patience == Patience::Short => {
                    state.demanded.extend(goal);
                    self.progress.notify_all();
                    return Ok(());
                }
                None => {
                    state.demand(&held);
                    self.wait(state)
                }
            };
        }
        Ok(())
    }

    /// Waits for progress, here or elsewhere.
    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.progress.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs what other simulators have asked for, until this one ends. Everything that is asked for at a time is one goal:
    /// what holds back one record must not hold back another.
    pub(super) fn run_for_others(&self) {
        let mut state = self.lock();
        let mut mood = None;
        while !state.closing {
            let mut demanded = std::mem::take(&mut state.demanded);
            demanded.retain(|&point| !state.queues.reached(point));
            state.demanded = demanded;
            if state.demanded.is_empty() {
                mood = None;
            }
            if state.running || state.demanded.is_empty() {
                state = self.wait(state);
                continue;
            }
            let drawn = *mood.get_or_insert_with(|| state.mood());
            let needed = state.queues.needed(&state.demanded);
            let held = state.queues.held(&needed);
            state = match state.pick(drawn, &needed) {
                Some(stream) => self.run_head(state, stream),
                None => {
                    state.demand(&held);
                    self.wait(state)
                }
            };
        }
    }

    /// The other simulators that are there; `None` when this one ends.
    pub(crate) fn links(&self) -> Option<Vec<Arc<Link>>> {
        let mut state = self.lock();
        if state.closing {
            return None;
        }
        let courier = state.courier.as_mut()?;
        courier.forget_the_gone();
        Some(courier.links())
    }

    /// Takes up what other simulators ask for, and returns what of it has not taken effect. With `news` of what is done
    /// elsewhere, everyone who waits looks again.
    pub(crate) fn serve(&self, wanted: &[Signal], news: bool) -> Vec<Signal> {
        let mut state = self.lock();
        let open = state.want(wanted);
        if news || !open.is_empty() {
            self.progress.notify_all();
        }
        open
    }

    /// Ends the threads.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closing = true;
        if let Some(courier) = &state.courier {
            courier.bell().ring();
        }
        self.progress.notify_all();
    }

    /// Runs a few operations for a query: fewer than 3 and an eighth of what is pending, and sometimes none.
    pub(super) fn advance(&self, goal: &[Point]) {
        let mut state = self.lock();
        let mood = state.mood();
        let needed = state.queues.needed(goal);
        let bound = 3 + state.queues.pending() / 8;
        for _ in 0..state.rng.below(bound) {
            // A query does not wait for another thread's operation.
            if state.running || state.queues.all_reached(goal) {
                return;
            }
            let held = state.queues.held(&needed);
            let Some(stream) = state.pick(mood, &needed) else {
                // So that a loop of queries ends.
                state.demand(&held);
                return;
            };
            state = self.run_head(state, stream);
        }
    }

    /// Runs the head of a stream. Nothing runs when this is called.
    fn run_head<'a>(&'a self, mut state: MutexGuard<'a, State>, stream: StreamId) -> MutexGuard<'a, State> {
        let Some(work) = state.queues.start(stream).filter(|work| !work.is_host_fn() || !state.has_failed(stream))
        else {
            // CUDA calls no host function in a context that has failed.
            state.finish(stream);
            self.progress.notify_all();
            return state;
        };
        state.running = true;
        drop(state);
        // SAFETY: 1: arenas are dropped with `self`, or when everything that was submitted before their pool's end has been
        // finished, as this has not. 2: operations run one at a time (`running`), and what the host
        // accesses is ordered with the operation, by promise 3 of the caller who submitted it. 3: `start` took it out.
        let outcome = unsafe { work.run() };
        let mut state = self.lock();
        state.running = false;
        if let Err(cause) = outcome {
            state.fail(stream, &cause);
        }
        state.finish(stream);
        self.progress.notify_all();
        state
    }
}

/// Whether to wait for other simulators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Patience {
    Long,
    /// Leaves the rest to the runner.
    Short,
}

impl State {
    fn pick(&mut self, mood: Mood, needed: &Clock) -> Option<StreamId> {
        let heads = self.queues.heads(needed);
        mood.pick(&heads, &mut self.rng)
    }

    /// Asks other simulators for these records. What is looked at *before* it is found that nothing can run is asked for
    /// here, so that the answer comes later, and wakes whoever waits then.
    pub(super) fn demand(&self, beyond: &[Beyond]) {
        beyond.iter().for_each(Beyond::demand);
        if let Some(courier) = self.courier.as_ref().filter(|_| !beyond.is_empty()) {
            courier.bell().ring();
        }
    }

    /// The stream's head has taken effect; those who wait elsewhere are told.
    fn finish(&mut self, stream: StreamId) {
        let Some(signal) = self.queues.finish(stream) else { return };
        if let Some(exports) = &mut self.exports {
            exports.executed(signal);
        }
        if let Some(courier) = &self.courier {
            courier.bell().ring();
        }
    }

    fn mood(&mut self) -> Mood {
        Mood::draw(self.order, &mut self.rng)
    }

    fn has_failed(&self, stream: StreamId) -> bool {
        let context = self.queues.context(stream);
        self.contexts.iter().any(|entry| Some(entry.id) == context && entry.failed.is_some())
    }

    /// The stream's context has failed for good. The first cause stays.
    fn fail(&mut self, stream: StreamId, cause: &str) {
        let seed = self.seed;
        let context = self.queues.context(stream);
        if let Some(context) = self.contexts.iter_mut().find(|entry| Some(entry.id) == context) {
            context.failed.get_or_insert_with(|| format!("{cause} (seed {seed})").into());
        }
    }
}
