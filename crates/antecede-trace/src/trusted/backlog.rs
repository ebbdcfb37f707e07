//! Host functions in line.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use antecede::driver::HostFn;

use super::host_memory::Block;

/// Host functions, and frees behind them, done one after the other in the order in which they came.
///
/// One line for all streams is an order that every stream's own order, and every event, allows. The thread that does
/// them ends when there is nothing left; so nothing need be joined when the driver goes.
#[derive(Clone, Default)]
pub(super) struct Backlog(Arc<Line>);

#[derive(Default)]
struct Line {
    state: Mutex<State>,
    one_done: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// Jobs that have come so far, and those of them that are done.
    come: u64,
    done: u64,
    has_thread: bool,
}

enum Job {
    Call(HostFn),
    Free(Block),
}

// SAFETY: a host function may be called from any thread (the caller's promise to `Driver::host_fn`); a block is the
// driver's own memory, which no thread owns.
unsafe impl Send for Job {}

impl Backlog {
    /// Puts a function in line. An error says that it will not be called.
    pub(super) fn call(&self, function: HostFn) -> io::Result<()> {
        let mut state = self.0.lock();
        if !state.has_thread {
            let backlog = self.clone();
            Builder::new().name("host functions".into()).spawn(move || backlog.work())?;
            state.has_thread = true;
        }
        state.come += 1;
        state.jobs.push_back(Job::Call(function));
        Ok(())
    }

    /// Frees a block once every function that came before has returned.
    pub(super) fn free(&self, block: Block) {
        let mut state = self.0.lock();
        if state.has_thread {
            state.come += 1;
            state.jobs.push_back(Job::Free(block));
        } else {
            drop(state);
            drop(block);
        }
    }

    /// Whether everything that has come is done.
    pub(super) fn is_done(&self) -> bool {
        let state = self.0.lock();
        state.done == state.come
    }

    /// Returns once everything that has come by now is done.
    pub(super) fn wait(&self) {
        let state = self.0.lock();
        let come = state.come;
        drop(self.0.one_done.wait_while(state, |state| state.done < come));
    }

    fn work(self) {
        let mut state = self.0.lock();
        while let Some(job) = state.jobs.pop_front() {
            drop(state);
            match job {
                // SAFETY: the function is called once, with its data, on a thread of the driver's; no lock is held.
                Job::Call(HostFn { call, data }) => unsafe { call(data) },
                Job::Free(block) => drop(block),
            }
            state = self.0.lock();
            state.done += 1;
            self.0.one_done.notify_all();
        }
        state.has_thread = false;
    }
}

impl Line {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic halfway changes the state: it is whole whatever unwound elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Backlog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0.lock();
        f.debug_struct("Backlog").field("come", &state.come).field("done", &state.done).finish()
    }
}
