//! Programs as plain data: any sequence of steps is one.

use proptest::prelude::*;
use std::ops::Range;

/// Elements of every buffer.
pub(crate) const LEN: usize = 16;
/// Buffers in device memory.
pub(crate) const DEVICE: usize = 6;
/// Buffers in device memory, then those in pinned memory.
pub(crate) const BUFFERS: usize = DEVICE + 2;
pub(crate) const LANES: usize = 4;
/// The stream that fresh pinned memory is on. It has no name, so nothing can be submitted to it.
pub(crate) const HOST_LANE: usize = LANES;

/// A program, and the seed of the simulator that it runs on.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) seed: u64,
    pub(crate) steps: Vec<Step>,
}

/// How a buffer gets to the stream that it is used on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Route {
    /// `take`, each buffer on its own.
    Take,
    /// One `take` of all.
    Batch,
    /// `record` and `wait`.
    Record,
    /// `sync` and `on`.
    Host,
    /// `take_unchecked`, where waits are stripped; else as `Take`.
    Stripped,
}

macro_rules! steps {
    ($($name:ident { $($field:ident: $type:ty),* $(,)? },)+) => {
        /// One step. Buffers are named by number, streams by lane. A step whose buffers are not there does nothing.
        #[derive(Clone, Debug)]
        pub(crate) enum Step { $($name { $($field: $type),* }),+ }

        impl Step {
            pub(crate) const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            pub(crate) fn name(&self) -> &'static str {
                match self { $(Step::$name { .. } => stringify!($name)),+ }
            }
        }
    };
}

steps! {
    Alloc { buffer: usize, lane: usize, zeroed: bool },
    Upload { buffer: usize, lane: usize, first: u32 },
    Pinned { buffer: usize, first: u32 },
    HostWrite { buffer: usize, first: u32 },
    HostRead { buffer: usize },
    Fill { buffer: usize, lane: usize, range: Range<usize>, value: u32, route: Route },
    Mix { read: usize, write: usize, lane: usize, range: Range<usize>, seed: u32, route: Route },
    MixHalves { buffer: usize, lane: usize, route: Route },
    Copy { from: usize, to: usize, lane: usize, range: Range<usize>, route: Route },
    Download { buffer: usize, lane: usize, range: Range<usize>, route: Route },
    Take { buffers: Vec<usize>, lane: usize, route: Route },
    Record { buffers: Vec<usize>, lane: usize },
    Wait { record: usize, lane: usize },
    Synchronize { record: usize },
    Query { record: usize },
    DropRecord { record: usize },
    Sync { buffers: Vec<usize>, lane: usize },
    Loose { buffer: usize },
    Claim { buffer: usize, lane: usize },
    Drop { buffer: usize },
}

/// Any program.
pub(crate) fn program() -> impl Strategy<Value = Program> {
    let first = proptest::collection::vec((0..DEVICE, 0..LANES, any::<u32>()), 1..4).prop_map(|uploads| {
        let upload = |(buffer, lane, first)| Step::Upload { buffer, lane, first };
        uploads.into_iter().map(upload).collect::<Vec<_>>()
    });
    (any::<u64>(), first, proptest::collection::vec(step(), 1..40)).prop_map(|(seed, mut steps, more)| {
        steps.extend(more);
        Program { seed, steps }
    })
}

fn route() -> impl Strategy<Value = Route> {
    prop_oneof![
        4 => Just(Route::Take),
        2 => Just(Route::Batch),
        2 => Just(Route::Record),
        1 => Just(Route::Host),
        2 => Just(Route::Stripped),
    ]
}

fn range() -> impl Strategy<Value = Range<usize>> {
    (0..=LEN, 0..=LEN).prop_map(|(a, b)| a.min(b)..a.max(b))
}

fn step() -> impl Strategy<Value = Step> {
    let (device, pinned, any_buffer) = (0..DEVICE, DEVICE..BUFFERS, 0..BUFFERS);
    let some = || proptest::collection::vec(0..BUFFERS, 1..5);
    let lane = 0..LANES;
    let word = any::<u32>();
    let record = 0..3usize;
    prop_oneof![
        2 => (device.clone(), lane.clone(), any::<bool>())
            .prop_map(|(buffer, lane, zeroed)| Step::Alloc { buffer, lane, zeroed }),
        2 => (device.clone(), lane.clone(), word).prop_map(|(buffer, lane, first)| Step::Upload { buffer, lane, first }),
        2 => (pinned.clone(), word).prop_map(|(buffer, first)| Step::Pinned { buffer, first }),
        1 => (pinned.clone(), word).prop_map(|(buffer, first)| Step::HostWrite { buffer, first }),
        1 => pinned.prop_map(|buffer| Step::HostRead { buffer }),
        5 => (any_buffer.clone(), lane.clone(), range(), word, route())
            .prop_map(|(buffer, lane, range, value, route)| Step::Fill { buffer, lane, range, value, route }),
        8 => (any_buffer.clone(), any_buffer.clone(), lane.clone(), range(), word, route())
            .prop_map(|(read, write, lane, range, seed, route)| Step::Mix { read, write, lane, range, seed, route }),
        1 => (any_buffer.clone(), lane.clone(), route())
            .prop_map(|(buffer, lane, route)| Step::MixHalves { buffer, lane, route }),
        5 => (any_buffer.clone(), any_buffer.clone(), lane.clone(), range(), route())
            .prop_map(|(from, to, lane, range, route)| Step::Copy { from, to, lane, range, route }),
        1 => (any_buffer.clone(), lane.clone(), range(), route())
            .prop_map(|(buffer, lane, range, route)| Step::Download { buffer, lane, range, route }),
        3 => (some(), lane.clone(), route()).prop_map(|(buffers, lane, route)| Step::Take { buffers, lane, route }),
        3 => (some(), lane.clone()).prop_map(|(buffers, lane)| Step::Record { buffers, lane }),
        3 => (record.clone(), lane.clone()).prop_map(|(record, lane)| Step::Wait { record, lane }),
        1 => record.clone().prop_map(|record| Step::Synchronize { record }),
        1 => record.clone().prop_map(|record| Step::Query { record }),
        1 => record.prop_map(|record| Step::DropRecord { record }),
        1 => (some(), lane.clone()).prop_map(|(buffers, lane)| Step::Sync { buffers, lane }),
        2 => any_buffer.clone().prop_map(|buffer| Step::Loose { buffer }),
        1 => (any_buffer.clone(), lane).prop_map(|(buffer, lane)| Step::Claim { buffer, lane }),
        2 => any_buffer.prop_map(|buffer| Step::Drop { buffer }),
    ]
}
