//! Programs as plain data: any sequence of steps is one.

use proptest::prelude::*;
use std::ops::Range;

/// Elements of a buffer that is no part.
pub(crate) const LEN: usize = 16;
/// Places for buffers.
pub(crate) const SLOTS: usize = 8;
pub(crate) const LANES: usize = 8;

/// A program, and what it runs on.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// Of the simulator.
    pub(crate) seed: u64,
    /// On two devices of one brand, with four run-time streams each; else one device with streams of every kind.
    pub(crate) two_devices: bool,
    pub(crate) steps: Vec<Step>,
}

/// How a buffer gets to the stream that it is used on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Route {
    /// `take`, each buffer on its own.
    Take,
    /// The same with the source in the buffer's type; from a blocking stream to the legacy one `after_blocking`.
    Typed,
    /// One `take` of all.
    Batch,
    /// `record` and `wait`.
    Record,
    /// `sync` and `take`.
    Host,
    /// `take_unchecked`, where waits are stripped; else as `Take`.
    Stripped,
}

/// Where a new buffer's memory is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Alloc,
    Zeroed,
    Upload,
    /// Host memory, written by the host. Belongs to the lane's device only.
    Pinned,
    Managed,
    /// Pools of the user's own. Where there are none, as `Alloc`.
    Pool,
    PinnedPool,
    ManagedPool,
}

/// What happens to a lease that was used at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndOfLease {
    Drop,
    Forget,
    Release,
}

macro_rules! steps {
    ($type:ident: $($(#[$doc:meta])* $name:ident { $($field:ident: $field_type:ty),* $(,)? },)+) => {
        /// One step. Buffers are named by place, streams by lane. A step whose buffers are not there does nothing.
        #[derive(Clone, Debug)]
        pub(crate) enum $type { $($(#[$doc])* $name { $($field: $field_type),* }),+ }

        impl $type {
            pub(crate) const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            pub(crate) fn name(&self) -> &'static str {
                match self { $($type::$name { .. } => stringify!($name)),+ }
            }
        }
    };
}

steps! { Step:
    New { slot: usize, lane: usize, source: Source, first: u32 },
    HostWrite { slot: usize, first: u32 },
    HostRead { slot: usize },
    Fill { slot: usize, lane: usize, range: Range<usize>, value: u32, route: Route },
    Mix { read: usize, write: usize, lane: usize, range: Range<usize>, seed: u32, route: Route },
    MixHalves { slot: usize, lane: usize, route: Route },
    Copy { read: usize, write: usize, lane: usize, range: Range<usize>, route: Route },
    CopyAcross { read: usize, write: usize, lane: usize, range: Range<usize>, route: Route },
    Download { slot: usize, lane: usize, range: Range<usize>, route: Route },
    HostFn { read: usize, write: usize, lane: usize, seed: u32, route: Route },
    Take { slots: Vec<usize>, lane: usize, route: Route },
    Record { slots: Vec<usize>, lane: usize },
    Wait { record: usize, lane: usize },
    Synchronize { record: usize },
    Query { record: usize },
    DropRecord { record: usize },
    Sync { slots: Vec<usize>, lane: usize },
    SyncDevice { slots: Vec<usize>, device: usize },
    Loose { slot: usize },
    Claim { slot: usize, lane: usize },
    Split { slot: usize, into: usize, mid: usize },
    /// Three parts, each to its own stream.
    Cut { slot: usize, lanes: [usize; 3] },
    /// Uses and drops the parts of one memory one after the other; the last one perhaps from the host.
    DropParts { slot: usize, first: usize, value: u32, synced: bool },
    /// With `gather`, the right one gets to the stream of the left one first.
    Unsplit { left: usize, right: usize, gather: bool },
    Drop { slot: usize, typed: bool },
    Share { slots: Vec<usize>, lane: usize, route: Route, inside: Vec<Inside>, end: Option<usize> },
}

steps! { Inside:
    Lease { lane: usize },
    Read { lease: usize, which: usize, write: usize, range: Range<usize>, seed: u32, route: Route },
    ReadNow { lane: usize, which: usize, write: usize, range: Range<usize>, seed: u32, route: Route, end: EndOfLease },
    End { lease: usize, end: EndOfLease },
    Other { step: Box<Step> },
}

/// Any program.
pub(crate) fn program() -> impl Strategy<Value = Program> {
    let first = proptest::collection::vec((0..SLOTS, 0..LANES, source(), any::<u32>()), 1..5).prop_map(|buffers| {
        let new = |(slot, lane, source, first)| Step::New { slot, lane, source, first };
        buffers.into_iter().map(new).collect::<Vec<_>>()
    });
    let device = prop_oneof![3 => Just(false), 1 => Just(true)];
    (any::<u64>(), device, first, proptest::collection::vec(step(), 1..40)).prop_map(
        |(seed, two_devices, mut steps, more)| {
            steps.extend(more);
            Program { seed, two_devices, steps }
        },
    )
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        1 => Just(Source::Alloc),
        2 => Just(Source::Zeroed),
        4 => Just(Source::Upload),
        3 => Just(Source::Pinned),
        2 => Just(Source::Managed),
        1 => Just(Source::Pool),
        1 => Just(Source::PinnedPool),
        1 => Just(Source::ManagedPool),
    ]
}

fn route() -> impl Strategy<Value = Route> {
    prop_oneof![
        3 => Just(Route::Take),
        2 => Just(Route::Typed),
        2 => Just(Route::Batch),
        2 => Just(Route::Record),
        1 => Just(Route::Host),
        2 => Just(Route::Stripped),
    ]
}

fn end_of_lease() -> impl Strategy<Value = EndOfLease> {
    prop_oneof![1 => Just(EndOfLease::Drop), 1 => Just(EndOfLease::Forget), 2 => Just(EndOfLease::Release)]
}

fn range() -> impl Strategy<Value = Range<usize>> {
    (0..=LEN, 0..=LEN).prop_map(|(a, b)| a.min(b)..a.max(b))
}

fn step() -> impl Strategy<Value = Step> {
    let some = || proptest::collection::vec(0..SLOTS, 1..5);
    let shared =
        (some(), 0..LANES, route(), proptest::collection::vec(inside(), 1..12), proptest::option::of(0..LANES))
            .prop_map(|(slots, lane, route, inside, end)| Step::Share { slots, lane, route, inside, end });
    prop_oneof![12 => plain(), 1 => shared]
}

fn inside() -> impl Strategy<Value = Inside> {
    let read = (0..4usize, 0..4usize, 0..SLOTS, range(), any::<u32>(), route());
    let now = (0..LANES, 0..4usize, 0..SLOTS, range(), any::<u32>(), route(), end_of_lease());
    prop_oneof![
        3 => (0..LANES).prop_map(|lane| Inside::Lease { lane }),
        4 => read.prop_map(|(lease, which, write, range, seed, route)|
            Inside::Read { lease, which, write, range, seed, route }),
        3 => now.prop_map(|(lane, which, write, range, seed, route, end)|
            Inside::ReadNow { lane, which, write, range, seed, route, end }),
        2 => (0..4usize, end_of_lease()).prop_map(|(lease, end)| Inside::End { lease, end }),
        3 => plain().prop_map(|step| Inside::Other { step: Box::new(step) }),
    ]
}

fn plain() -> impl Strategy<Value = Step> {
    let some = || proptest::collection::vec(0..SLOTS, 1..5);
    let (slot, lane, record) = (0..SLOTS, 0..LANES, 0..3usize);
    let word = any::<u32>();
    let two = || (0..SLOTS, 0..SLOTS, 0..LANES, range(), any::<u32>(), route());
    prop_oneof![
        5 => (slot.clone(), lane.clone(), source(), word)
            .prop_map(|(slot, lane, source, first)| Step::New { slot, lane, source, first }),
        1 => (slot.clone(), word).prop_map(|(slot, first)| Step::HostWrite { slot, first }),
        2 => slot.clone().prop_map(|slot| Step::HostRead { slot }),
        5 => (slot.clone(), lane.clone(), range(), word, route())
            .prop_map(|(slot, lane, range, value, route)| Step::Fill { slot, lane, range, value, route }),
        8 => two().prop_map(|(read, write, lane, range, seed, route)|
            Step::Mix { read, write, lane, range, seed, route }),
        1 => (slot.clone(), lane.clone(), route()).prop_map(|(slot, lane, route)| Step::MixHalves { slot, lane, route }),
        5 => two().prop_map(|(read, write, lane, range, _, route)| Step::Copy { read, write, lane, range, route }),
        4 => two()
            .prop_map(|(read, write, lane, range, _, route)| Step::CopyAcross { read, write, lane, range, route }),
        1 => (slot.clone(), lane.clone(), range(), route())
            .prop_map(|(slot, lane, range, route)| Step::Download { slot, lane, range, route }),
        3 => two().prop_map(|(read, write, lane, _, seed, route)| Step::HostFn { read, write, lane, seed, route }),
        3 => (some(), lane.clone(), route()).prop_map(|(slots, lane, route)| Step::Take { slots, lane, route }),
        3 => (some(), lane.clone()).prop_map(|(slots, lane)| Step::Record { slots, lane }),
        3 => (record.clone(), lane.clone()).prop_map(|(record, lane)| Step::Wait { record, lane }),
        1 => record.clone().prop_map(|record| Step::Synchronize { record }),
        1 => record.clone().prop_map(|record| Step::Query { record }),
        1 => record.prop_map(|record| Step::DropRecord { record }),
        2 => (some(), lane.clone()).prop_map(|(slots, lane)| Step::Sync { slots, lane }),
        3 => (some(), 0..2usize).prop_map(|(slots, device)| Step::SyncDevice { slots, device }),
        1 => slot.clone().prop_map(|slot| Step::Loose { slot }),
        1 => (slot.clone(), lane.clone()).prop_map(|(slot, lane)| Step::Claim { slot, lane }),
        4 => (slot.clone(), slot.clone(), 0..=LEN).prop_map(|(slot, into, mid)| Step::Split { slot, into, mid }),
        3 => (slot.clone(), [lane.clone(), lane.clone(), lane.clone()])
            .prop_map(|(slot, lanes)| Step::Cut { slot, lanes }),
        2 => (slot.clone(), slot.clone(), word, any::<bool>())
            .prop_map(|(slot, first, value, synced)| Step::DropParts { slot, first, value, synced }),
        3 => (slot.clone(), slot.clone(), any::<bool>())
            .prop_map(|(left, right, gather)| Step::Unsplit { left, right, gather }),
        3 => (slot, any::<bool>()).prop_map(|(slot, typed)| Step::Drop { slot, typed }),
    ]
    .boxed()
}
