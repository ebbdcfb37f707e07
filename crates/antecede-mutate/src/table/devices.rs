//! Bounds of batches, of devices, and of functions that are given a brand.

use crate::{Mutation, edit, mutation, refused};

const ANY: &str = "crates/antecede/src/trusted/any_stream.rs";
const BATCH: &str = "crates/antecede/src/batch.rs";
const BUFFER: &str = "crates/antecede/src/trusted/buffer.rs";
const REGISTRY: &str = "crates/antecede/src/trusted/registry.rs";
const SCOPE: &str = "crates/antecede/src/trusted/scope.rs";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "a member of any state is ready",
        &[edit(
            BATCH,
            "impl<S, D, T, St: State + ReadyOn<S, D>, M: Memory> EachOn<S, D> for Buffer<T, St, M> {}",
            "impl<S, D, T, St: State, M: Memory> EachOn<S, D> for Buffer<T, St, M> {}",
        )],
        "a batch synced through a stream that it is not on",
        refused("handover/sync_through_another_stream"),
    ),
    mutation(
        "a tuple is ready whatever its members are",
        &[edit(
            BATCH,
            "impl<S, D, $($name: parts::EachOn<S, D>),*> parts::EachOn<S, D> for ($($name,)*) {}",
            "impl<S, D, $($name),*> parts::EachOn<S, D> for ($($name,)*) {}",
        )],
        "an event that covers some members of a batch",
        refused("handover/record_a_foreign_member"),
    ),
    mutation(
        "a container is ready whatever its members are",
        &[edit(
            BATCH,
            "impl<S, D, $item: parts::EachOn<S, D>, $($generics)*> parts::EachOn<S, D> for $own {}",
            "impl<S, D, $item, $($generics)*> parts::EachOn<S, D> for $own {}",
        )],
        "the same in a `Vec`",
        refused("handover/record_a_foreign_member"),
    ),
    mutation(
        "a buffer lives on every device",
        &[edit(
            BATCH,
            "impl<D, T, St: State, M: Memory> EachOnDevice<D> for Buffer<T, St, M> where St::Device: SameDevice<D> {}",
            "impl<D, T, St: State, M: Memory> EachOnDevice<D> for Buffer<T, St, M> {}",
        )],
        "a buffer handed to another device's stream",
        refused("scope/mix_two_tagged_scopes"),
    ),
    mutation(
        "a tuple lives on every device",
        &[edit(
            BATCH,
            "impl<D, $($name: parts::EachOnDevice<D>),*> parts::EachOnDevice<D> for ($($name,)*) {}",
            "impl<D, $($name),*> parts::EachOnDevice<D> for ($($name,)*) {}",
        )],
        "another device's buffer handed over in a tuple",
        refused("scope/hand_over_to_another_device"),
    ),
    mutation(
        "a container lives on every device",
        &[edit(
            BATCH,
            "impl<D, $item: parts::EachOnDevice<D>, $($generics)*> parts::EachOnDevice<D> for $own {}",
            "impl<D, $item, $($generics)*> parts::EachOnDevice<D> for $own {}",
        )],
        "the same in a `Vec`",
        refused("scope/hand_over_to_another_device"),
    ),
    mutation(
        "a bound stream forgets its brand",
        &[edit(ANY, "impl<S: Send + Sync + 'static, D> Stream<S, D> {", "impl<S: 'static, D> Stream<S, D> {")],
        "a thread's own stream in a collection that goes to other threads",
        refused("thread/forget_the_brand_of_a_per_thread_stream"),
    ),
    mutation(
        "an adopted stream forgets its brand",
        &[edit(ANY, "impl<S: Send + Sync + 'static, D> Stream<S, D> {", "impl<S: Send + Sync, D> Stream<S, D> {")],
        "work on a stream that its owner has destroyed",
        refused("adopt/escape_by_any"),
    ),
    mutation(
        "`stream` asks for no single device",
        &[edit(
            REGISTRY,
            "    pub fn stream<S: StreamBrand>(self) -> Result<Stream<S, D>>\n    where\n        D: DeviceBrand,\n",
            "    pub fn stream<S: StreamBrand>(self) -> Result<Stream<S, D>>\n",
        )],
        "one name for streams of several devices",
        refused("several/stream"),
    ),
    mutation(
        "`legacy` asks for no single device",
        &[edit(
            "crates/antecede/src/trusted/built_in.rs",
            "    pub fn legacy(self) -> Result<Stream<Legacy, D>>\n    where\n        D: DeviceBrand,\n",
            "    pub fn legacy(self) -> Result<Stream<Legacy, D>>\n",
        )],
        "one name for the legacy streams of several devices",
        refused("several/legacy"),
    ),
    mutation(
        "`per_thread` asks for no single device",
        &[edit(
            "crates/antecede/src/trusted/built_in.rs",
            "    pub fn per_thread(self) -> Result<Stream<PerThread, D>>\n    where\n        D: DeviceBrand,\n",
            "    pub fn per_thread(self) -> Result<Stream<PerThread, D>>\n",
        )],
        "one name for a thread's streams of several devices",
        refused("several/per_thread"),
    ),
    mutation(
        "`pool` asks for no single device",
        &[edit(
            REGISTRY,
            "    pub fn pool<M: PoolMemory>(self) -> Result<Pool<M, D>>\n    where\n        D: DeviceBrand,\n",
            "    pub fn pool<M: PoolMemory>(self) -> Result<Pool<M, D>>\n",
        )],
        "an allocation from a pool that its stream's device does not reach",
        refused("several/pool"),
    ),
    mutation(
        "`import_pool` asks for no single device",
        &[edit(
            "crates/antecede/src/trusted/ipc/import.rs",
            "impl<D: DeviceBrand> Device<D> {\n    /// Opens another process's pool",
            "impl<D> Device<D> {\n    /// Opens another process's pool",
        )],
        "memory of one device imported on a stream of another",
        refused("several/import_a_pool"),
    ),
    mutation(
        "`on` asks for no single device",
        &[edit(BUFFER, "        D: SameDevice<E>,\n        E: DeviceBrand,\n", "        D: SameDevice<E>,\n")],
        "a buffer given to a stream of another of several devices",
        refused("several/give_to_one"),
    ),
    mutation(
        "`on` asks for no device",
        &[edit(BUFFER, "        D: SameDevice<E>,\n        E: DeviceBrand,\n", "        E: DeviceBrand,\n")],
        "a synced buffer given to another device's stream",
        refused("scope/give_to_another_device"),
    ),
    mutation(
        "`bind` asks for no device brand",
        &[edit(REGISTRY, "impl<D: DeviceBrand + 'static> Device<D> {", "impl<D: 'static> Device<D> {")],
        "a device under a name that is none",
        refused("streams/bind_without_a_brand"),
    ),
    mutation(
        "a scope's function accepts one lifetime",
        &[
            edit(
                REGISTRY,
                "    pub fn scope<R>(\n        driver: impl Into<Arc<dyn Driver>>,\n        ordinal: u32,\n        f: impl for<'id> FnOnce",
                "    pub fn scope<'id, R>(\n        driver: impl Into<Arc<dyn Driver>>,\n        ordinal: u32,\n        f: impl FnOnce",
            ),
            edit(
                REGISTRY,
                "    pub fn scope_as<Tag, R>(\n        driver: impl Into<Arc<dyn Driver>>,\n        ordinal: u32,\n        f: impl for<'id> FnOnce",
                "    pub fn scope_as<'id, Tag, R>(\n        driver: impl Into<Arc<dyn Driver>>,\n        ordinal: u32,\n        f: impl FnOnce",
            ),
            edit(
                SCOPE,
                "pub(super) fn run<Tag, R>(\n    driver: Arc<dyn Driver>,\n    ordinal: u32,\n    f: impl for<'id> FnOnce",
                "pub(super) fn run<'id, Tag, R>(\n    driver: Arc<dyn Driver>,\n    ordinal: u32,\n    f: impl FnOnce",
            ),
        ],
        "a buffer that outlives the device of its scope",
        refused("scope/escape_by_return"),
    ),
    mutation(
        "the function of a scope of several devices accepts one lifetime",
        &[
            edit(
                REGISTRY,
                "    pub fn scope_all<R>(\n        driver: impl Into<Arc<dyn Driver>>,\n        f: impl for<'id> FnOnce",
                "    pub fn scope_all<'id, R>(\n        driver: impl Into<Arc<dyn Driver>>,\n        f: impl FnOnce",
            ),
            edit(
                SCOPE,
                "pub(super) fn run_all<R>(\n    driver: Arc<dyn Driver>,\n    f: impl for<'id> FnOnce",
                "pub(super) fn run_all<'id, R>(\n    driver: Arc<dyn Driver>,\n    f: impl FnOnce",
            ),
        ],
        "a stream that outlives the devices of its scope",
        refused("several/escape"),
    ),
    mutation(
        "`with` accepts a function for one lifetime",
        &[edit(
            ANY,
            "pub fn with<R>(self, f: impl for<'id> FnOnce(Stream<Lane<'id>, D>) -> R) -> R {",
            "pub fn with<'id, R>(self, f: impl FnOnce(Stream<Lane<'id>, D>) -> R) -> R {",
        )],
        "one brand for two run-time streams",
        refused("lane/mix_two_brands_of_with"),
    ),
    mutation(
        "`with` lets its brand out",
        &[edit(
            ANY,
            "pub fn with<R>(self, f: impl for<'id> FnOnce(Stream<Lane<'id>, D>) -> R) -> R {",
            "pub fn with<'id, R>(self, f: impl FnOnce(Stream<Lane<'id>, D>) -> R) -> R {",
        )],
        "a buffer whose brand names no stream any more",
        refused("lane/escape_of_with"),
    ),
    mutation(
        "`adopt` accepts a function for one lifetime",
        &[edit(
            ANY,
            "pub unsafe fn adopt<R>(self, handle: u64, f: impl for<'id> FnOnce",
            "pub unsafe fn adopt<'id, R>(self, handle: u64, f: impl FnOnce",
        )],
        "a stream that outlives its adoption",
        refused("adopt/escape_by_return"),
    ),
];
