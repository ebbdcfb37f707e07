//! Values at a fixed address, freed by hand.

use std::ptr::NonNull;

/// A value that lives until it is [freed](Place::free), or for ever: dropping the `Place` frees nothing.
///
/// Streams and buffers refer to their device and stream by plain `'static` references, so that they can be copied and
/// cost nothing. For `Primary` those live for ever; those of a scope are freed with the scope, which nothing outlives.
pub(super) struct Place<T>(NonNull<T>);

// SAFETY: it gives out shared references only, as `&'static T` does.
unsafe impl<T: Sync> Send for Place<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Place<T> {}

impl<T> Place<T> {
    pub(super) fn new(value: T) -> Self {
        Place(NonNull::from(Box::leak(Box::new(value))))
    }

    /// Truly `'static` only as long as nobody frees it: see [`free`](Place::free).
    pub(super) fn get(&self) -> &'static T {
        // SAFETY: from `Box::leak`, and whoever frees it promises that no reference is used any more.
        unsafe { self.0.as_ref() }
    }

    /// # Safety
    /// 1. No reference to the value is used any more.
    pub(super) unsafe fn free(self) {
        // SAFETY: from `Box::leak`; freed once, for `self` is consumed; (1).
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}
