//! Bounds of hand-overs, records, shares and syncs.

use crate::{Mutation, edit, mutation, refused};

const ANY: &str = "crates/antecede/src/trusted/any_stream.rs";
const REGISTRY: &str = "crates/antecede/src/trusted/registry.rs";
const STREAM: &str = "crates/antecede/src/trusted/stream.rs";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "`take` asks for no device",
        &[edit(STREAM, "pub fn take<B: OnDevice<D>>(self", "pub fn take<B: Batch>(self")],
        "a buffer handed to another device's stream",
        refused("scope/mix_two_tagged_scopes"),
    ),
    mutation(
        "`take` of generic code asks for no device",
        &[edit(STREAM, "pub fn take<B: OnDevice<D>>(self", "pub fn take<B: Batch>(self")],
        "the same in generic code",
        refused("batch/take_without_the_bound"),
    ),
    mutation(
        "`claim` asks for no device",
        &[edit(STREAM, "pub fn claim<B: OnDevice<D>>(self", "pub fn claim<B: Batch>(self")],
        "a synced buffer of another device claimed",
        refused("scope/hand_over_to_another_device"),
    ),
    mutation(
        "`AnyStream::take` asks for no device",
        &[edit(ANY, "pub fn take<B: OnDevice<D>>(self", "pub fn take<B: Batch>(self")],
        "a buffer handed to another device's run-time stream",
        refused("scope/hand_over_to_another_device"),
    ),
    mutation(
        "`AnyStream::sync` asks for no device",
        &[edit(ANY, "pub fn sync<B: OnDevice<D>>(self", "pub fn sync<B: Batch>(self")],
        "another device's buffer under the brand of this one",
        refused("scope/hand_over_to_another_device"),
    ),
    mutation(
        "`Device::sync` asks for no device",
        &[edit(REGISTRY, "pub fn sync<B: OnDevice<D>>(self", "pub fn sync<B: Batch>(self")],
        "a buffer called complete after a wait for another device",
        refused("cases/sync_the_wrong_device"),
    ),
    mutation(
        "`record` asks for no stream",
        &[edit(STREAM, "pub fn record<B: AllOn<S, D>>(self", "pub fn record<B: Batch>(self")],
        "an event of a stream that the buffer is not on",
        refused("handover/record_on_another_stream"),
    ),
    mutation(
        "`share` asks for no stream",
        &[edit(STREAM, "pub fn share<B: AllOn<S, D>>(self", "pub fn share<B: Batch>(self")],
        "readers that wait for a stream that the last write is not on",
        refused("readers/share_on_another_stream"),
    ),
    mutation(
        "`sync` asks for no stream",
        &[edit(STREAM, "pub fn sync<B: AllOn<S, D>>(self", "pub fn sync<B: Batch>(self")],
        "a buffer called complete after a wait for another stream",
        refused("handover/sync_through_another_stream"),
    ),
    mutation(
        "`host_fn` asks for no stream",
        &[edit(
            STREAM,
            "        B: AllOn<S, D>,\n        B::Parts: HostSlices,",
            "        B: Batch,\n        B::Parts: HostSlices,",
        )],
        "a host function on what another stream is writing",
        refused("host/host_function_on_another_stream"),
    ),
    mutation(
        "`wait` takes the record of another device",
        &[edit(
            STREAM,
            "pub fn wait<B: OnDevice<D>>(self, recorded: Recorded<B, D>) -> Result<B::With<On<S, D>>, Failed<Recorded<B, D>>>",
            "pub fn wait<B: OnDevice<D>, E>(self, recorded: Recorded<B, E>) -> Result<B::With<On<S, D>>, Failed<Recorded<B, E>>>",
        )],
        "a wait for an event of another device, which may be gone",
        refused("scope/wait_for_an_empty_record_elsewhere"),
    ),
    mutation(
        "`wait` asks for no device",
        &[edit(
            STREAM,
            "pub fn wait<B: OnDevice<D>>(self, recorded: Recorded<B, D>) -> Result<B::With<On<S, D>>, Failed<Recorded<B, D>>>",
            "pub fn wait<B: Batch, E>(self, recorded: Recorded<B, E>) -> Result<B::With<On<S, D>>, Failed<Recorded<B, E>>>",
        )],
        "a recorded buffer moved to another device",
        refused("scope/wait_on_another_device"),
    ),
    mutation(
        "`lease` takes what another device shares",
        &[
            edit(STREAM, "    pub fn lease<B: OnDevice<D>>(\n", "    pub fn lease<B: Batch, E>(\n"),
            edit(STREAM, "        shared: &Shared<B, D>,\n", "        shared: &Shared<B, E>,\n"),
        ],
        "a read on another device's stream",
        refused("readers/lease_on_another_device"),
    ),
    mutation(
        "`reunite` takes what another device shares",
        &[edit(
            STREAM,
            "pub fn reunite<B: OnDevice<D>>(self, shared: Shared<B, D>) -> Result<B::With<On<S, D>>, Failed<Shared<B, D>>>",
            "pub fn reunite<B: OnDevice<D>, E>(self, shared: Shared<B, E>) -> Result<B::With<On<S, D>>, Failed<Shared<B, E>>>",
        )],
        "readers joined on another device's stream",
        refused("readers/reunite_on_another_device"),
    ),
    mutation(
        "`reunite` asks for no device",
        &[edit(STREAM, "pub fn reunite<B: OnDevice<D>>(self, shared", "pub fn reunite<B: Batch>(self, shared")],
        "a shared buffer of another device's memory",
        refused("scope/hand_over_to_another_device"),
    ),
    mutation(
        "`lease` asks for no `Sync`",
        &[edit(STREAM, "    where\n        Self: Sync,\n", "    where\n        Self: Sized,\n")],
        "a thread's own stream as a reader that another thread joins",
        refused("thread/lease_on_a_per_thread_stream"),
    ),
    mutation(
        "`alloc_in` takes another device's pool",
        &[
            edit(
                STREAM,
                "    pub fn alloc_in<T: Pod, M: PoolMemory>(\n",
                "    pub fn alloc_in<T: Pod, M: PoolMemory, E>(\n",
            ),
            edit(STREAM, "        pool: Pool<M, D>,\n", "        pool: Pool<M, E>,\n"),
        ],
        "memory of another device under this one's brand",
        refused("scope/allocate_from_a_pool_of_another_device"),
    ),
    mutation(
        "`after_blocking` asks for no stream",
        &[edit("crates/antecede/src/trusted/built_in.rs", "        B: AllOn<S, D>,\n", "        B: Batch,\n")],
        "a buffer of another stream taken to legacy without an event",
        refused("streams/after_another_blocking_stream"),
    ),
    mutation(
        "`after_blocking` asks for no kind",
        &[edit("crates/antecede/src/trusted/built_in.rs", "        S::Kind: SyncsWithLegacy<S>,\n", "")],
        "a buffer of a non-blocking stream taken to legacy without an event",
        refused("streams/after_non_blocking"),
    ),
];
