//! Calls that fail because a test asks for it.

use std::sync::MutexGuard;

use crate::Call;
use crate::state::State;
use crate::thread::ThreadNumber;
use crate::trusted::Shared;

/// A failure to come: which calls fail, and how. Each gives an error of kind
/// [`Injected`](antecede::driver::ErrorKind::Injected).
///
/// ```
/// use antecede::driver::{Driver, ErrorKind};
/// use antecede_sim::{Call, Fault, Sim};
///
/// let sim = Sim::new();
/// sim.faults().inject(Fault::nth(2).of(Call::DeviceCount).on_this_thread());
/// assert_eq!(sim.device_count(), Ok(1));
/// assert_eq!(sim.device_count().unwrap_err().kind(), ErrorKind::Injected);
/// assert_eq!(sim.device_count(), Ok(1));
/// ```
#[derive(Clone, Debug)]
#[must_use = "a fault does nothing until it is injected"]
pub struct Fault {
    call: Option<Call>,
    thread: Option<ThreadNumber>,
    after_submitting: bool,
    /// Matching calls to go; `None`: every one fails.
    remaining: Option<u64>,
}

impl Fault {
    /// The `n`-th call from now fails, once; 1 (and 0) is the next one.
    pub fn nth(n: u64) -> Self {
        Fault { call: None, thread: None, after_submitting: false, remaining: Some(n.max(1)) }
    }

    /// Every call fails, until the fault is cleared.
    pub fn every() -> Self {
        Fault { remaining: None, ..Fault::nth(1) }
    }

    /// Only calls of this kind count.
    pub fn of(self, call: Call) -> Self {
        Fault { call: Some(call), ..self }
    }

    /// Only calls made by the thread that calls this count.
    pub fn on_this_thread(self) -> Self {
        Fault { thread: Some(ThreadNumber::current()), ..self }
    }

    /// The call is carried out, and *then* returns the error, as CUDA does with an error of earlier work. Calls that
    /// create something ([`Call::creates`]) fail without effect all the same.
    pub fn after_submitting(self) -> Self {
        Fault { after_submitting: true, ..self }
    }

    fn matches(&self, call: Call, thread: ThreadNumber) -> bool {
        self.call.is_none_or(|wanted| wanted == call) && self.thread.is_none_or(|wanted| wanted == thread)
    }

    /// Whether the fault strikes at this call, which matches it.
    fn strikes(&mut self) -> bool {
        let Some(remaining) = &mut self.remaining else { return true };
        *remaining = remaining.saturating_sub(1);
        *remaining == 0
    }
}

/// The faults of one simulator.
#[derive(Debug)]
pub struct Faults<'sim> {
    shared: &'sim Shared,
}

impl<'sim> Faults<'sim> {
    pub(crate) fn new(shared: &'sim Shared) -> Self {
        Faults { shared }
    }

    /// Adds a fault. Several may be open at once; each counts for itself.
    pub fn inject(&self, fault: Fault) {
        self.state().faults.open.push(fault);
    }

    /// Takes all faults back.
    pub fn clear(&self) {
        self.state().faults.open.clear();
    }

    /// Takes back the faults that were limited to the calling thread.
    pub fn clear_this_thread(&self) {
        let this = ThreadNumber::current();
        self.state().faults.open.retain(|fault| fault.thread != Some(this));
    }

    /// How many faults are still to strike (one that strikes every time stays).
    pub fn open(&self) -> usize {
        self.state().faults.open.len()
    }

    /// How many calls have failed by injection so far.
    pub fn struck(&self) -> u64 {
        self.state().faults.struck
    }

    fn state(&self) -> MutexGuard<'sim, State> {
        self.shared.lock()
    }
}

/// When a call fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strike {
    Before,
    AfterSubmitting,
}

/// The open faults.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    open: Vec<Fault>,
    struck: u64,
}

impl Plan {
    /// What happens to this call.
    pub(crate) fn meet(&mut self, call: Call, thread: ThreadNumber) -> Option<Strike> {
        let mut strike = None;
        self.open.retain_mut(|fault| {
            if !fault.matches(call, thread) || !fault.strikes() {
                return true;
            }
            let late = fault.after_submitting && !call.creates() && strike != Some(Strike::Before);
            strike = Some(if late { Strike::AfterSubmitting } else { Strike::Before });
            fault.remaining.is_none()
        });
        self.struck += u64::from(strike.is_some());
        strike
    }
}
