//! Which thread calls.

use std::cell::Cell;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells threads apart. Unlike `std::thread::current`, which panics once a thread's local data is gone, it can be asked
/// for in any destructor: buffers are dropped there too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ThreadNumber(NonZeroU64);

impl ThreadNumber {
    pub(crate) fn current() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        thread_local! {
            static NUMBER: Cell<Option<NonZeroU64>> = const { Cell::new(None) };
        }
        let number = NUMBER.get().unwrap_or_else(|| {
            let fresh = NEXT.fetch_add(1, Ordering::Relaxed);
            NonZeroU64::MIN.saturating_add(fresh)
        });
        NUMBER.set(Some(number));
        ThreadNumber(number)
    }
}
