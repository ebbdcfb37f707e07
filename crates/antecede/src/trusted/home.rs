//! The stream that a buffer remembers, and whether the buffer is a part.

use super::stream_core::StreamCore;
use std::ptr::NonNull;

/// A reference to a stream, with one bit beside it: 8 bytes, so that parts are buffers like any other and cost buffers
/// that are whole nothing.
#[derive(Clone, Copy)]
pub(super) struct Home(NonNull<StreamCore>);

const PART: usize = 1;

// SAFETY: a `&'static StreamCore`, which is `Send` and `Sync` (asserted below), with a bit.
unsafe impl Send for Home {}
// SAFETY: as above.
unsafe impl Sync for Home {}

const _: () = {
    const fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<&'static StreamCore>();
    assert!(align_of::<StreamCore>() > PART, "the bit is free");
};

impl Home {
    /// The home of a whole buffer.
    #[inline]
    pub(super) fn whole(stream: &'static StreamCore) -> Home {
        Home(NonNull::from(stream))
    }

    /// The same stream, of a part or not.
    #[inline]
    pub(super) fn with_part(self, part: bool) -> Home {
        let bit = if part { PART } else { 0 };
        // The address stays that of a live value, with or without the bit: never zero.
        Home(self.0.map_addr(|address| (address.get() & !PART | bit).try_into().unwrap_or(address)))
    }

    /// The same bit on another stream.
    #[inline]
    pub(super) fn on(self, stream: &'static StreamCore) -> Home {
        Home(NonNull::from(stream).map_addr(|address| address | (self.0.addr().get() & PART)))
    }

    /// On `stream`, if there is one; no home stays none.
    #[inline]
    pub(super) fn settled(home: Option<Home>, stream: Option<&'static StreamCore>) -> Option<Home> {
        match (home, stream) {
            (Some(home), Some(stream)) => Some(home.on(stream)),
            (home, _) => home,
        }
    }

    #[inline]
    pub(super) fn is_part(self) -> bool {
        self.0.addr().get() & PART != 0
    }

    #[inline]
    pub(super) fn stream(self) -> &'static StreamCore {
        // SAFETY: without the bit it is the reference that it was made from (`whole`).
        unsafe { &*self.0.as_ptr().map_addr(|address| address & !PART) }
    }
}
