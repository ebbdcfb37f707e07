//! Another simulator, as an importer sees it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::board::{Board, Count};
use super::exports::Signal;

/// A record of another simulator's event: what a wait for an imported event waits for.
#[derive(Clone, Debug)]
pub(crate) struct Beyond {
    pub(super) link: Arc<Link>,
    pub(super) signal: Signal,
}

impl Beyond {
    /// Whether it has taken effect, or its simulator is gone and it never will.
    pub(crate) fn is_reached(&self) -> bool {
        self.link.is_gone() || self.link.has_executed(self.signal)
    }

    /// Asks the other simulator to get there. It answers when it has.
    pub(crate) fn demand(&self) {
        self.link.demand(self.signal);
    }
}

/// The other simulator: its board, and what it is to be asked.
#[derive(Debug)]
pub(crate) struct Link {
    board: Board,
    gone: AtomicBool,
    outgoing: Mutex<Outgoing>,
    /// Carries the questions; taken away when the other side is gone.
    #[cfg(target_os = "linux")]
    pub(super) stream: std::os::unix::net::UnixStream,
}

#[derive(Debug, Default)]
struct Outgoing {
    /// Asked for and, when last looked at, not reached.
    asked: BTreeSet<Signal>,
    unsent: Vec<u8>,
}

impl Link {
    #[cfg(target_os = "linux")]
    pub(super) fn new(board: Board, stream: std::os::unix::net::UnixStream) -> Self {
        Link { board, gone: AtomicBool::new(false), outgoing: Mutex::default(), stream }
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    pub(super) fn lose(&self) {
        self.gone.store(true, Ordering::Release);
    }

    fn has_executed(&self, signal: Signal) -> bool {
        self.board.count(signal.slot, Count::Executed) >= signal.number
    }

    /// Each record is asked for once: the answer to another might come too late for who waits for this one.
    fn demand(&self, signal: Signal) {
        let mut outgoing = self.outgoing();
        outgoing.asked.retain(|&asked| !self.has_executed(asked));
        if outgoing.asked.insert(signal) {
            outgoing.unsent.extend(super::courier::question(signal));
        }
    }

    /// What is to be sent. `send` returns how much it took.
    pub(super) fn flush(&self, send: impl FnOnce(&[u8]) -> usize) {
        let mut outgoing = self.outgoing();
        let sent = if outgoing.unsent.is_empty() { 0 } else { send(&outgoing.unsent) };
        outgoing.unsent.drain(..sent);
    }

    pub(super) fn has_unsent(&self) -> bool {
        !self.outgoing().unsent.is_empty()
    }

    fn outgoing(&self) -> MutexGuard<'_, Outgoing> {
        self.outgoing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
