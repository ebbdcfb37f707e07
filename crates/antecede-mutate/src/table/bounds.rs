//! Bounds of operations.

use crate::{Mutation, edit, mutation, refused};

const ANY: &str = "crates/antecede/src/trusted/any_stream.rs";
const BATCH: &str = "crates/antecede/src/batch.rs";
const BUFFER: &str = "crates/antecede/src/trusted/buffer.rs";
const HOST_FN: &str = "crates/antecede/src/trusted/host_fn.rs";
const REGISTRY: &str = "crates/antecede/src/trusted/registry.rs";
const SCOPE: &str = "crates/antecede/src/trusted/scope.rs";
const STREAM: &str = "crates/antecede/src/trusted/stream.rs";

const FUNCTION: &str = "        F: for<'a> FnOnce(<B::Parts as HostSlices>::Slices<'a>) + Send + 'static,\n";
const SUBMITTED: &str = "    F: for<'a> FnOnce(P::Slices<'a>) + Send + 'static,\n{\n    stream.usable()?;";
const CALLED: &str = "    F: for<'a> FnOnce(P::Slices<'a>) + Send + 'static,\n{\n    let inside";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "`fill` asks for no state",
        &[edit(
            STREAM,
            "pub fn fill<T: FillValue>(self, target: &mut View<T, impl ReadyOn<S, D>>, value: T)",
            "pub fn fill<T: FillValue>(self, target: &mut View<T, impl Sized>, value: T)",
        )],
        "a fill on another stream",
        refused("order/fill_on_another_stream"),
    ),
    mutation(
        "`clear` asks for no state",
        &[edit(
            STREAM,
            "pub fn clear<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>)",
            "pub fn clear<T: Pod>(self, target: &mut View<T, impl Sized>)",
        )],
        "a fill with zeros on another stream",
        refused("order/clear_on_another_stream"),
    ),
    mutation(
        "`copy` asks for no state of its source",
        &[edit(
            STREAM,
            "        source: &View<T, impl ReadyOn<S, D>>,\n        target: &mut View<T, impl ReadyOn<S, D>>,",
            "        source: &View<T, impl Sized>,\n        target: &mut View<T, impl ReadyOn<S, D>>,",
        )],
        "a copy of what another stream is writing",
        refused("order/copy_from_another_stream"),
    ),
    mutation(
        "`copy` asks for no state of its target",
        &[edit(
            STREAM,
            "        source: &View<T, impl ReadyOn<S, D>>,\n        target: &mut View<T, impl ReadyOn<S, D>>,",
            "        source: &View<T, impl ReadyOn<S, D>>,\n        target: &mut View<T, impl Sized>,",
        )],
        "a copy over what another stream is reading",
        refused("order/copy_to_another_stream"),
    ),
    mutation(
        "`write` asks for no state",
        &[edit(
            STREAM,
            "pub fn write<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>, source: &[T])",
            "pub fn write<T: Pod>(self, target: &mut View<T, impl Sized>, source: &[T])",
        )],
        "a copy from the host over what another stream is reading",
        refused("order/write_on_another_stream"),
    ),
    mutation(
        "`read` asks for no state",
        &[edit(
            STREAM,
            "pub fn read<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>, target: &mut [T])",
            "pub fn read<T: Pod>(self, source: &View<T, impl Sized>, target: &mut [T])",
        )],
        "a copy to the host of what another stream is writing",
        refused("order/read_on_another_stream"),
    ),
    mutation(
        "`read` and `download` ask for no state",
        &[
            edit(
                STREAM,
                "pub fn read<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>, target: &mut [T])",
                "pub fn read<T: Pod>(self, source: &View<T, impl Sized>, target: &mut [T])",
            ),
            edit(
                STREAM,
                "pub fn download<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>)",
                "pub fn download<T: Pod>(self, source: &View<T, impl Sized>)",
            ),
        ],
        "the same, into a new `Vec`",
        refused("order/download_on_another_stream"),
    ),
    mutation(
        "`copy_across` asks for no state of its source",
        &[edit(
            "crates/antecede/src/trusted/peer.rs",
            "        source: &View<T, impl ReadyOn<S2, D2>>,",
            "        source: &View<T, impl Sized>,",
        )],
        "a copy of what another stream of the other device is writing",
        refused("order/copy_across_another_source"),
    ),
    mutation(
        "`copy_across` asks for no state of its target",
        &[edit(
            "crates/antecede/src/trusted/peer.rs",
            "        target: &mut View<T, impl ReadyOn<S, D>>,",
            "        target: &mut View<T, impl Sized>,",
        )],
        "a copy over what another stream of this device is reading",
        refused("order/copy_across_another_target"),
    ),
    mutation(
        "what a kernel is given asks for no state",
        &[edit(
            "crates/antecede-macros/src/kernels/expand.rs",
            "impl #start #stream, #device #end>)",
            "impl ::core::marker::Sized>)",
        )],
        "a launch on another stream",
        refused("launch/write_on_another_stream"),
    ),
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
        "a host function may borrow",
        &[
            edit(STREAM, FUNCTION, "        F: for<'a> FnOnce(<B::Parts as HostSlices>::Slices<'a>) + Send,\n"),
            edit(HOST_FN, SUBMITTED, "    F: for<'a> FnOnce(P::Slices<'a>) + Send,\n{\n    stream.usable()?;"),
            edit(HOST_FN, CALLED, "    F: for<'a> FnOnce(P::Slices<'a>) + Send,\n{\n    let inside"),
        ],
        "a function that uses its caller's variables after they are gone",
        refused("host/borrow_a_local_in_a_host_function"),
    ),
    mutation(
        "a host function need not be `Send`",
        &[
            edit(STREAM, FUNCTION, "        F: for<'a> FnOnce(<B::Parts as HostSlices>::Slices<'a>) + 'static,\n"),
            edit(HOST_FN, SUBMITTED, "    F: for<'a> FnOnce(P::Slices<'a>) + 'static,\n{\n    stream.usable()?;"),
            edit(HOST_FN, CALLED, "    F: for<'a> FnOnce(P::Slices<'a>) + 'static,\n{\n    let inside"),
        ],
        "a reference count changed by two threads",
        refused("host/share_with_a_host_function_what_stays_on_a_thread"),
    ),
    mutation(
        "a host function has its slices for ever",
        &[
            edit(STREAM, FUNCTION, "        F: FnOnce(<B::Parts as HostSlices>::Slices<'static>) + Send + 'static,\n"),
            edit(HOST_FN, SUBMITTED, "    F: FnOnce(P::Slices<'static>) + Send + 'static,\n{\n    stream.usable()?;"),
            edit(HOST_FN, CALLED, "    F: FnOnce(P::Slices<'static>) + Send + 'static,\n{\n    let inside"),
        ],
        "a slice that outlives the function, while the device writes",
        refused("host/keep_a_slice_of_a_host_function"),
    ),
    mutation(
        "a host function has slices of device memory",
        &[
            edit(
                "crates/antecede/src/trusted/host_slices.rs",
                "impl<T: Pod + Send, St: State, M: HostVisible> sealed::HostSlices",
                "impl<T: Pod + Send, St: State, M: crate::Memory> sealed::HostSlices",
            ),
            edit(
                "crates/antecede/src/trusted/host_slices.rs",
                "impl<T: Pod + Send, St: State, M: HostVisible> HostSlices",
                "impl<T: Pod + Send, St: State, M: crate::Memory> HostSlices",
            ),
        ],
        "a host slice of device memory",
        refused("host/give_device_memory_to_a_host_function"),
    ),
    mutation(
        "`as_slice` asks for no host memory",
        &[edit(
            BUFFER,
            "    pub fn as_slice(&self) -> &[T]\n    where\n        St: HostReady,\n        M: HostVisible,",
            "    pub fn as_slice(&self) -> &[T]\n    where\n        St: HostReady,",
        )],
        "a slice of bytes that the host has no pointer to",
        refused("host/address_device_memory"),
    ),
    mutation(
        "`as_mut_slice` asks for no host memory",
        &[edit(
            BUFFER,
            "    pub fn as_mut_slice(&mut self) -> &mut [T]\n    where\n        St: HostReady,\n        M: HostVisible,",
            "    pub fn as_mut_slice(&mut self) -> &mut [T]\n    where\n        St: HostReady,",
        )],
        "a write through a device address",
        refused("host/write_device_memory_in_place"),
    ),
    mutation(
        "`as_mut_slice` asks for no wait",
        &[edit(
            BUFFER,
            "    pub fn as_mut_slice(&mut self) -> &mut [T]\n    where\n        St: HostReady,\n        M: HostVisible,",
            "    pub fn as_mut_slice(&mut self) -> &mut [T]\n    where\n        M: HostVisible,",
        )],
        "the host writing the source of a copy in flight",
        refused("host/write_a_source_in_flight"),
    ),
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
