//! Which thread this is, as long as it can be told.

use std::sync::atomic::{AtomicU64, Ordering};

/// A thread of this process. Never used again for another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ThreadNumber(u64);

/// Its destructor does nothing, but its being there tells the standard library to say when it is gone: in a destructor
/// that runs later, at the thread's end, the per-thread stream is not to be touched any more.
struct ThisThread(ThreadNumber);

impl Drop for ThisThread {
    fn drop(&mut self) {}
}

thread_local! {
    static THIS_THREAD: ThisThread = {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        ThisThread(ThreadNumber(NEXT.fetch_add(1, Ordering::Relaxed)))
    };
}

/// `None` late in the thread's end.
pub(super) fn this_thread() -> Option<ThreadNumber> {
    THIS_THREAD.try_with(|this| this.0).ok()
}
