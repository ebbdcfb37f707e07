//! [`Live`]: what exists in a simulator.

use crate::memory::Place;
use crate::state::State;

/// What exists in a simulator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Live {
    /// Contexts opened and not closed; one that is open twice counts twice.
    pub contexts: u64,
    /// Streams created and not destroyed.
    pub streams: usize,
    /// Events created and not destroyed.
    pub events: usize,
    /// Modules loaded and not unloaded.
    pub modules: usize,
    /// Device allocations whose free has not been submitted.
    pub allocations: usize,
    /// The bytes that were asked for in them.
    pub bytes: u64,
    /// Pinned allocations that are not freed.
    pub pinned_allocations: usize,
    /// The bytes that were asked for in them.
    pub pinned_bytes: u64,
    /// Managed allocations that are not freed.
    pub managed_allocations: usize,
    /// The bytes that were asked for in them.
    pub managed_bytes: u64,
    /// Pools created and not destroyed.
    pub pools: usize,
    /// Allocations of other simulators that were imported, and whose free has not been submitted here. They are not
    /// counted above.
    pub imported_allocations: usize,
    /// The bytes that were asked for in them.
    pub imported_bytes: u64,
    /// Pools of other simulators that were imported and not destroyed here.
    pub imported_pools: usize,
    /// Operations that have been submitted and have not taken effect.
    pub pending: usize,
}

impl Live {
    pub(crate) fn of(state: &State) -> Self {
        let (allocations, bytes) = state.memory.live(|place| matches!(place, Place::Device(_)));
        let (pinned_allocations, pinned_bytes) = state.memory.live(|place| place == Place::Pinned);
        let (imported_allocations, imported_bytes) = state.memory.imported();
        let (managed_allocations, managed_bytes) = state.memory.live(|place| place == Place::Managed);
        Live {
            contexts: state.contexts.iter().map(|context| context.opened).sum(),
            streams: state.streams.created(),
            events: state.events.len(),
            modules: state.modules.len(),
            allocations,
            bytes,
            pinned_allocations,
            pinned_bytes,
            managed_allocations,
            managed_bytes,
            pools: state.pools.created(),
            imported_allocations,
            imported_bytes,
            imported_pools: state.pools.imported(),
            pending: state.queues.pending(),
        }
    }
}
