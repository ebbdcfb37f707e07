//! [`Sim`]: the handle of a simulator, and how one is built.

use std::fmt;
use std::sync::Arc;

use antecede::driver::{Driver, Space, StreamId};

use crate::call::Calls;
use crate::faults::Faults;
use crate::live::Live;
use crate::order::Order;
use crate::rng::Rng;
use crate::thread::ThreadNumber;
use crate::trusted::Owner;

/// The seed of a simulator that is given none, where `ANTECEDE_SIM_SEED` is not set either.
const DEFAULT_SEED: u64 = 0x0a17_ecede;

/// A handle of a simulated driver. Clones are the same driver. Its memory lives until the last handle is gone. One that
/// shares events with other processes has two threads; the last handle waits for what they run just then, and ends them.
#[derive(Clone)]
pub struct Sim {
    pub(crate) shared: Arc<Owner>,
}

impl Sim {
    /// One device, the default seed and order.
    ///
    /// # Panics
    /// As [`Builder::build`].
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Chooses devices, seed, order and memory.
    pub fn builder() -> Builder {
        let (order, features) = (Order::default(), Features::default());
        Builder { devices: 1, seed: None, order, memory: 64 << 30, exportable: 1 << 30, features }
    }

    /// The seed that the order of this simulator is drawn from.
    pub fn seed(&self) -> u64 {
        self.shared.lock().seed
    }

    /// Makes calls fail.
    pub fn faults(&self) -> Faults<'_> {
        Faults::new(&self.shared)
    }

    /// The driver calls made so far, by all threads.
    pub fn calls(&self) -> Calls {
        self.shared.lock().calls
    }

    /// The driver calls made so far by the calling thread.
    pub fn calls_on_this_thread(&self) -> Calls {
        self.shared.lock().calls_by_thread.get(&ThreadNumber::current()).copied().unwrap_or_default()
    }

    /// What exists now.
    pub fn live(&self) -> Live {
        Live::of(&self.shared.lock())
    }

    /// The priority that a stream has, clamped to what there is: the order of operations does not depend on it. `None`
    /// for a stream that is not there.
    pub fn stream_priority(&self, stream: StreamId) -> Option<i32> {
        self.shared.lock().streams.priority(stream)
    }

    /// The bytes that memory without contents is filled with.
    pub fn poison(&self) -> Poison {
        self.shared.lock().poison
    }
}

impl Default for Sim {
    fn default() -> Self {
        Self::new()
    }
}

/// Shows the seed, so that a failed assertion that prints the driver says how to run it again.
impl fmt::Debug for Sim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.shared.lock();
        f.debug_struct("Sim")
            .field("id", &self.shared.id())
            .field("devices", &state.contexts.len())
            .field("seed", &state.seed)
            .field("order", &state.order)
            .field("pending", &state.queues.pending())
            .finish()
    }
}

impl From<Sim> for Arc<dyn Driver> {
    fn from(sim: Sim) -> Self {
        Arc::new(sim)
    }
}

/// How a [`Sim`] is set up.
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    pub(crate) devices: u32,
    pub(crate) seed: Option<u64>,
    pub(crate) order: Order,
    pub(crate) memory: u64,
    pub(crate) exportable: u64,
    pub(crate) features: Features,
}

/// What the devices have and have not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    pub(crate) peer_access: bool,
    pub(crate) concurrent_managed_access: bool,
    pub(crate) device_pools: bool,
    pub(crate) pinned_pools: bool,
    pub(crate) managed_pools: bool,
}

impl Features {
    pub(crate) fn has_pools(&self, space: Space) -> bool {
        match space {
            Space::DeviceMemory => self.device_pools,
            Space::PinnedMemory => self.pinned_pools,
            Space::ManagedMemory => self.managed_pools,
        }
    }
}

impl Default for Features {
    fn default() -> Self {
        Features {
            peer_access: true,
            concurrent_managed_access: true,
            device_pools: true,
            pinned_pools: true,
            managed_pools: true,
        }
    }
}

impl Builder {
    /// The number of devices; 1 unless set.
    pub fn devices(self, devices: u32) -> Self {
        Builder { devices, ..self }
    }

    /// The seed; unless set, `ANTECEDE_SIM_SEED` or a fixed number.
    pub fn seed(self, seed: u64) -> Self {
        Builder { seed: Some(seed), ..self }
    }

    /// When and in which order operations take effect; [`Order::Adversarial`] unless set.
    pub fn mode(self, order: Order) -> Self {
        Builder { order, ..self }
    }

    /// The memory of each device in bytes, 64 GiB unless set. It is only counted: what is not allocated is not taken
    /// from the host.
    pub fn memory(self, bytes: u64) -> Self {
        Builder { memory: bytes, ..self }
    }

    /// The room of each pool that other processes can import from, in bytes; 1 GiB unless set, and never more than the
    /// device's memory. It is reserved as address space alone: what is not written to is not taken from the host. With 0
    /// there are no such pools.
    pub fn exportable(self, bytes: u64) -> Self {
        Builder { exportable: bytes, ..self }
    }

    /// Whether a device can be given access to another's memory for launches and fills
    /// ([`peer_enable`](antecede::driver::Driver::peer_enable)); it can unless set.
    pub fn peer_access(mut self, possible: bool) -> Self {
        self.features.peer_access = possible;
        self
    }

    /// Whether the host may touch managed memory while a device works; it may unless set.
    pub fn concurrent_managed_access(mut self, allowed: bool) -> Self {
        self.features.concurrent_managed_access = allowed;
        self
    }

    /// Whether pools of memory in this space can be created; they can unless set.
    pub fn pools(mut self, space: Space, exist: bool) -> Self {
        match space {
            Space::DeviceMemory => self.features.device_pools = exist,
            Space::PinnedMemory => self.features.pinned_pools = exist,
            Space::ManagedMemory => self.features.managed_pools = exist,
        }
        self
    }

    /// Builds a simulator, a new driver with an identity of its own.
    ///
    /// # Panics
    /// When no seed was set and `ANTECEDE_SIM_SEED` is not a number (decimal, or hexadecimal after `0x`): a replay that
    /// quietly ran another order would mislead.
    pub fn build(self) -> Sim {
        let seed = self.seed.or_else(seed_from_environment).unwrap_or(DEFAULT_SEED);
        Sim { shared: Arc::new(Owner::new(&self, seed)) }
    }
}

/// The bytes that memory without contents is filled with, drawn from the seed. Repeated, each is a huge number as an
/// `f32` or `f64` and as any integer of several bytes, so that no tolerance hides it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Poison {
    /// Allocated and not yet written: `0x7a` to `0x7e`.
    pub fresh: u8,
    /// Freed: `0xfa` to `0xfe`.
    pub freed: u8,
    /// Not yet allocated, which an operation sees that runs before the allocation it needs: `0x7f`.
    pub unused: u8,
}

impl Poison {
    pub(crate) fn draw(rng: &mut Rng) -> Self {
        let mut draw = |lowest: u8| lowest + rng.below(5) as u8;
        Poison { fresh: draw(0x7a), freed: draw(0xfa), unused: 0x7f }
    }
}

fn seed_from_environment() -> Option<u64> {
    let text = std::env::var_os("ANTECEDE_SIM_SEED")?;
    let number = text.to_str().and_then(parse_seed);
    Some(number.unwrap_or_else(|| panic!("ANTECEDE_SIM_SEED is {text:?}, which is not a number of 64 bits")))
}

fn parse_seed(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_seed;

    #[test]
    fn seeds_are_decimal_or_hexadecimal() {
        assert_eq!(parse_seed("17"), Some(17));
        assert_eq!(parse_seed("0xff"), Some(255));
        assert_eq!(parse_seed("seventeen"), None);
        assert_eq!(parse_seed(""), None);
    }
}
