//! Devices that may hold each other's memory.

use super::parts::Parents;
use std::sync::atomic::{AtomicBool, Ordering};

/// What one device has for itself, and the devices of one `Device::scope_all` have together: a buffer of one may be on a
/// stream of another there.
#[derive(Default)]
pub(super) struct Group {
    /// The allocations that are in parts: a part is looked up by its address, whatever device it is on by now.
    pub(super) parents: Parents,
    /// Whether each device may address the memory of each other one.
    meshed: AtomicBool,
    /// Of all at once: what was in flight when a wait failed may be in the memory of another.
    poisoned: AtomicBool,
}

impl Group {
    pub(super) fn set_meshed(&self) {
        self.meshed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_meshed(&self) -> bool {
        self.meshed.load(Ordering::Relaxed)
    }

    pub(super) fn poison(&self) {
        self.poisoned.store(true, Ordering::Relaxed);
    }

    /// A plain load: on the path of every launch.
    pub(super) fn is_poisoned(&self) -> bool {
        self.poisoned.load(Ordering::Relaxed)
    }
}
