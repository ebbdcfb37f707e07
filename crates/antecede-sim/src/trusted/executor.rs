//! Who runs operations: the thread that waits for them, one operation at a time, without holding the lock.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use antecede::driver::{DriverId, DriverResult, ErrorKind, StreamId};

use super::host::in_twin;
use crate::Call;
use crate::error::error;
use crate::faults::Strike;
use crate::order::{Mood, Order};
use crate::queue::Point;
use crate::sim::Builder;
use crate::state::State;
use crate::thread::ThreadNumber;

/// What the handles of one simulator share.
#[derive(Debug)]
pub(crate) struct Shared {
    id: DriverId,
    state: Mutex<State>,
    /// Told whenever an operation has taken effect.
    progress: Condvar,
}

impl Shared {
    pub(crate) fn new(builder: &Builder, seed: u64) -> Self {
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
                let _later = self.force(call, &goal);
            }
            Ok(value)
        })
    }

    /// Runs operations until the goal is reached.
    pub(super) fn force(&self, call: Call, goal: &[Point]) -> DriverResult {
        let mut state = self.lock();
        let mood = state.mood();
        let needed = state.queues.needed(goal);
        while !state.queues.all_reached(goal) {
            if state.running {
                state = self.progress.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let heads = state.queues.heads(&needed);
            let Some(stream) = mood.pick(&heads, &mut state.rng) else {
                // Waits point backwards in the order of submission, so this cannot be; better an error than a hang.
                return Err(error(call, ErrorKind::Other, "no operation can run"));
            };
            state = self.run_head(state, stream);
        }
        Ok(())
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
            let heads = state.queues.heads(&needed);
            let Some(stream) = mood.pick(&heads, &mut state.rng) else { return };
            state = self.run_head(state, stream);
        }
    }

    /// Runs the head of a stream. Nothing runs when this is called.
    fn run_head<'a>(&'a self, mut state: MutexGuard<'a, State>, stream: StreamId) -> MutexGuard<'a, State> {
        let Some(work) = state.queues.start(stream).filter(|work| !work.is_host_fn() || !state.has_failed(stream))
        else {
            // CUDA calls no host function in a context that has failed.
            state.queues.finish(stream);
            return state;
        };
        state.running = true;
        drop(state);
        // SAFETY: 1: arenas are dropped with `self`. 2: operations run one at a time (`running`), and what the host
        // accesses is ordered with the operation, by promise 3 of the caller who submitted it. 3: `start` took it out.
        let outcome = unsafe { work.run() };
        let mut state = self.lock();
        state.running = false;
        if let Err(cause) = outcome {
            state.fail(stream, &cause);
        }
        state.queues.finish(stream);
        self.progress.notify_all();
        state
    }
}

impl State {
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
