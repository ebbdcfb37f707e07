//! Markers: variance, and what may go to another thread.

use crate::{Mutation, asserted, edit, mutation, refused};

const BRAND: &str = "crates/antecede/src/brand.rs";
const STATE: &str = "crates/antecede/src/state.rs";
const BUFFER: &str = "crates/antecede/src/trusted/buffer.rs";
const STREAM: &str = "crates/antecede/src/trusted/stream.rs";
const VIEW: &str = "crates/antecede/src/trusted/view.rs";
const SHARED: &str = "crates/antecede/src/trusted/shared.rs";

const ON: &str = "pub struct On<S, D = Primary>(PhantomData<(S, fn(S, D) -> (S, D))>);";
const ON_COVARIANT: &str = "pub struct On<S, D = Primary>(PhantomData<(S, fn() -> (S, D))>);";
const OF_STATE: &str = "    _state: PhantomData<(St, fn(St) -> St)>,";
const OF_STATE_COVARIANT: &str = "    _state: PhantomData<St>,";
const OF_STATE_ANYWHERE: &str = "    _state: PhantomData<fn(St) -> St>,";
const OF_OURS: &str = "variance/of_a_device_brand_of_ours";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "the marker of invariance is covariant",
        &[edit(
            BRAND,
            "pub(crate) type Invariant<X> = PhantomData<fn(X) -> X>;",
            "pub(crate) type Invariant<X> = PhantomData<fn() -> X>;",
        )],
        "a longer scope's device used as a shorter one's",
        refused("variance/of_a_device"),
    ),
    mutation(
        "`Scoped` is covariant in its lifetime",
        &[edit(
            BRAND,
            "pub struct Scoped<'id, Tag = Anonymous>(Invariant<(&'id (), Tag)>);",
            "pub struct Scoped<'id, Tag = Anonymous>(PhantomData<(&'id (), Tag)>);",
        )],
        "the brand of one scope turned into another's",
        refused("variance/of_a_brand_alone"),
    ),
    mutation(
        "`Lane` is covariant in its lifetime",
        &[edit(BRAND, "pub struct Lane<'id>(Invariant<&'id ()>);", "pub struct Lane<'id>(PhantomData<&'id ()>);")],
        "the brand of one run-time stream turned into another's",
        refused("variance/of_a_brand_alone"),
    ),
    mutation(
        "`Several` is covariant in its lifetime",
        &[edit(
            BRAND,
            "pub struct Several<'id>(Invariant<&'id ()>);",
            "pub struct Several<'id>(PhantomData<&'id ()>);",
        )],
        "the brand of one scope's devices turned into another's",
        refused("variance/of_a_brand_alone"),
    ),
    mutation(
        "`On` is covariant",
        &[edit(STATE, ON, ON_COVARIANT)],
        "the state of one stream turned into another's by subtyping",
        refused("variance/of_a_state_alone"),
    ),
    mutation(
        "`Synced` is covariant",
        &[edit(
            STATE,
            "pub struct Synced<D = Primary>(Invariant<D>);",
            "pub struct Synced<D = Primary>(PhantomData<D>);",
        )],
        "a synced buffer moved to a device whose brand is a supertype",
        refused(OF_OURS),
    ),
    mutation(
        "`Loose` is covariant",
        &[edit(
            STATE,
            "pub struct Loose<D = Primary>(Invariant<D>);",
            "pub struct Loose<D = Primary>(PhantomData<D>);",
        )],
        "a loose buffer moved to a device whose brand is a supertype",
        refused(OF_OURS),
    ),
    mutation(
        "`Buffer` and `On` are covariant",
        &[edit(STATE, ON, ON_COVARIANT), edit(BUFFER, OF_STATE, OF_STATE_COVARIANT)],
        "a buffer ready on one stream used on another, both named by function pointers of higher rank",
        refused("variance/of_a_buffer"),
    ),
    mutation(
        "`View` and `On` are covariant",
        &[edit(STATE, ON, ON_COVARIANT), edit(VIEW, OF_STATE, OF_STATE_COVARIANT)],
        "the same by a view",
        refused("variance/of_a_view"),
    ),
    mutation(
        "`Stream` is covariant in its brands",
        &[edit(
            STREAM,
            "    _brands: PhantomData<(S, fn(S, D) -> (S, D))>,",
            "    _brands: PhantomData<(S, fn() -> (S, D))>,",
        )],
        "one stream under the name of another",
        refused("variance/of_a_stream"),
    ),
    mutation(
        "`Device` is covariant",
        &[edit(
            "crates/antecede/src/trusted/registry.rs",
            "    core: &'static DeviceCore,\n    _brand: Invariant<D>,",
            "    core: &'static DeviceCore,\n    _brand: PhantomData<D>,",
        )],
        "one device under the name of another",
        refused(OF_OURS),
    ),
    mutation(
        "`AnyStream` is covariant",
        &[edit(
            "crates/antecede/src/trusted/any_stream.rs",
            "    core: &'static StreamCore,\n    _device: Invariant<D>,",
            "    core: &'static StreamCore,\n    _device: PhantomData<D>,",
        )],
        "a run-time stream of another device",
        refused(OF_OURS),
    ),
    mutation(
        "`Recorded` is covariant in its device",
        &[edit(
            "crates/antecede/src/trusted/recorded.rs",
            "    source: &'static StreamCore,\n    _device: Invariant<D>,",
            "    source: &'static StreamCore,\n    _device: PhantomData<D>,",
        )],
        "an event without buffers waited on by another device's stream",
        refused(OF_OURS),
    ),
    mutation(
        "`Shared` is covariant in its device",
        &[edit(
            SHARED,
            "    readers: Mutex<Readers>,\n    _device: Invariant<D>,",
            "    readers: Mutex<Readers>,\n    _device: PhantomData<D>,",
        )],
        "readers joined by another device's stream",
        refused(OF_OURS),
    ),
    mutation(
        "`Pool` is covariant",
        &[edit(
            "crates/antecede/src/trusted/pool.rs",
            "    core: &'static PoolCore,\n    _brands: Invariant<(M, D)>,",
            "    core: &'static PoolCore,\n    _brands: PhantomData<(M, D)>,",
        )],
        "memory of another device's pool allocated on a stream",
        refused(OF_OURS),
    ),
    mutation(
        "`Peer` is covariant",
        &[edit(
            "crates/antecede/src/trusted/peer.rs",
            "    _devices: Invariant<(D, E)>,",
            "    _devices: PhantomData<(D, E)>,",
        )],
        "a witness of two other devices",
        refused(OF_OURS),
    ),
    mutation(
        "`Parcel` is covariant",
        &[edit(
            "crates/antecede/src/trusted/ipc/export.rs",
            "    _brands: Invariant<(A, D)>,",
            "    _brands: PhantomData<(A, D)>,",
        )],
        "a parcel of another device's memory",
        refused(OF_OURS),
    ),
    mutation(
        "`Import` is covariant",
        &[edit(
            "crates/antecede/src/trusted/ipc/imports.rs",
            "    core: Arc<ImportCore>,\n    _device: Invariant<D>,",
            "    core: Arc<ImportCore>,\n    _device: PhantomData<D>,",
        )],
        "an import that outlives the scope of its device",
        refused(OF_OURS),
    ),
    mutation(
        "`ImportedPool` is covariant",
        &[edit(
            "crates/antecede/src/trusted/ipc/import.rs",
            "    core: Arc<ImportedPoolCore>,\n    _device: Invariant<D>,",
            "    core: Arc<ImportedPoolCore>,\n    _device: PhantomData<D>,",
        )],
        "memory imported on another device's stream",
        refused(OF_OURS),
    ),
    mutation(
        "`PeerEvent` is covariant",
        &[edit(
            "crates/antecede/src/trusted/ipc/import.rs",
            "    event: EventRef,\n    _device: Invariant<D>,",
            "    event: EventRef,\n    _device: PhantomData<D>,",
        )],
        "another process's event that outlives the scope of its device",
        refused(OF_OURS),
    ),
    mutation(
        "`Module` is covariant",
        &[edit(
            "crates/antecede/src/trusted/module.rs",
            "    core: &'static ModuleCore,\n    _brands: Invariant<(K, D)>,",
            "    core: &'static ModuleCore,\n    _brands: PhantomData<(K, D)>,",
        )],
        "a kernel launched on a device that it was not loaded on",
        refused(OF_OURS),
    ),
    mutation(
        "`PerThread` is `Send`",
        &[edit(
            BRAND,
            "pub struct PerThread(PhantomData<dyn StaysOnItsThread>);",
            "pub struct PerThread(PhantomData<dyn StaysOnItsThread + Send>);",
        )],
        "a thread's own stream used on another thread, where its handle means another one",
        refused("thread/send_a_per_thread_stream"),
    ),
    mutation(
        "`PerThread` is `Sync`",
        &[edit(
            BRAND,
            "pub struct PerThread(PhantomData<dyn StaysOnItsThread>);",
            "pub struct PerThread(PhantomData<dyn StaysOnItsThread + Sync>);",
        )],
        "a buffer on a thread's own stream lent to another thread",
        refused("thread/share_a_per_thread_buffer"),
    ),
    mutation(
        "`On` is `Send` whatever its brand is",
        &[edit(STATE, ON, "pub struct On<S, D = Primary>(PhantomData<fn(S, D) -> (S, D)>);")],
        "a buffer of a stream that is bound to its thread sent to another one",
        asserted("assert_not_impl_any!(On<OfThread>: Send, Sync);"),
    ),
    mutation(
        "`Buffer` is `Send` whatever its state is",
        &[edit(BUFFER, OF_STATE, OF_STATE_ANYWHERE)],
        "the same, past the state",
        refused("thread/send_a_bound_buffer"),
    ),
    mutation(
        "`Buffer` is `Sync` whatever its state is",
        &[edit(BUFFER, OF_STATE, OF_STATE_ANYWHERE)],
        "a buffer of a bound stream lent to another thread",
        refused("thread/share_a_bound_buffer"),
    ),
    mutation(
        "`View` is `Sync` whatever its state is",
        &[edit(VIEW, OF_STATE, OF_STATE_ANYWHERE)],
        "a view of a bound stream's buffer lent to another thread",
        refused("thread/share_a_bound_view"),
    ),
    mutation(
        "`Reading` is `Send` whatever its state is",
        &[edit(SHARED, OF_STATE, OF_STATE_ANYWHERE)],
        "a leased view of a bound stream sent to another thread",
        refused("thread/send_a_bound_lease"),
    ),
    mutation(
        "`Foreign` is `Send` whatever its state is",
        &[edit("crates/antecede/src/trusted/raw.rs", OF_STATE, OF_STATE_ANYWHERE)],
        "borrowed memory of a thread's own stream sent to another thread",
        asserted("assert_not_impl_any!(Foreign<'static, f32, On<PerThread>>: Send, Sync);"),
    ),
    mutation(
        "`Stream` is `Send` whatever its brand is",
        &[edit(
            STREAM,
            "    _brands: PhantomData<(S, fn(S, D) -> (S, D))>,",
            "    _brands: PhantomData<fn(S, D) -> (S, D)>,",
        )],
        "a bound stream sent to another thread",
        refused("thread/send_a_bound_stream"),
    ),
];
