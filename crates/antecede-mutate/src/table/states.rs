//! Which state allows what, and which memory.

use crate::{Mutation, asserted, edit, mutation, refused};

const STATE: &str = "crates/antecede/src/state.rs";
const MEMORY: &str = "crates/antecede/src/memory.rs";
const BRAND: &str = "crates/antecede/src/brand.rs";
const EXPORT: &str = "crates/antecede/src/trusted/ipc/export.rs";

const READY: &str =
    "    impl<S, D> ReadyOn<S, D> for On<S, D> {}\n    impl<S, D> ReadyOn<NoStream<S>, D> for On<S, D> {}\n";
const HOST_READY: &str = "impl<D> HostReady for Synced<D> {}\n\n/// Device";
const HOST_READY_SEAL: &str = "    pub trait HostReady {}\n";
const IN_FLIGHT: &str = "impl<D> NothingInFlight<D> for Synced<D> {}\n\n/// Memory";
const IN_FLIGHT_SEAL: &str = "    pub trait NothingInFlight<D> {}\n";
const LEAVES: &str = "impl LeavesProcess for Exportable {}\n\n/// Access";
const LEAVES_SEAL: &str = "    pub trait LeavesProcess {}\n";
const HOST_VISIBLE: &str = "impl HostVisible for Pinned {}\n#[diagnostic";
const HOST_VISIBLE_SEAL: &str = "    pub trait HostVisible {}\n";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "`On` is ready on every stream",
        &[edit(STATE, READY, "    impl<S, S2, D> ReadyOn<S, D> for On<S2, D> {}\n")],
        "a buffer used on another stream without an event",
        refused("order/fill_on_another_stream"),
    ),
    mutation(
        "`On` is ready on the stream of that name of every device",
        &[edit(
            STATE,
            READY,
            "    impl<S, D, E> ReadyOn<S, D> for On<S, E> {}\n    impl<S, D> ReadyOn<NoStream<S>, D> for On<S, D> {}\n",
        )],
        "a buffer used on another device's stream",
        refused("scope/use_the_primary_device_in_a_scope"),
    ),
    mutation(
        "`Synced` is ready on every stream",
        &[
            edit(STATE, "    impl<S> GivenTo<S> for NotTheReason {}\n", "    impl<S, X> GivenTo<S> for X {}\n"),
            edit(STATE, "pub trait GivenTo<S>: super::sealed::Never<S> {}", "pub trait GivenTo<S> {}"),
        ],
        "a buffer that the host may be reading written by a stream",
        refused("order/use_with_the_host"),
    ),
    mutation(
        "`Loose` is ready on every stream",
        &[
            edit(STATE, "    impl<S> ClaimedBy<S> for NotTheReason {}\n", "    impl<S, X> ClaimedBy<S> for X {}\n"),
            edit(STATE, "pub trait ClaimedBy<S>: super::sealed::Never<S> {}", "pub trait ClaimedBy<S> {}"),
        ],
        "a buffer used on another stream than the one that it remembers",
        refused("order/use_loose"),
    ),
    mutation(
        "`On` is ready for the host",
        &[
            edit(
                STATE,
                HOST_READY,
                "impl<D> HostReady for Synced<D> {}\nimpl<S, D> HostReady for On<S, D> {}\n\n/// Device",
            ),
            edit(STATE, HOST_READY_SEAL, "    pub trait HostReady {}\n    impl<S, D> HostReady for On<S, D> {}\n"),
        ],
        "the host reading what a stream is writing",
        refused("host/read_in_flight"),
    ),
    mutation(
        "`Loose` is ready for the host",
        &[
            edit(
                STATE,
                HOST_READY,
                "impl<D> HostReady for Synced<D> {}\nimpl<D> HostReady for Loose<D> {}\n\n/// Device",
            ),
            edit(STATE, HOST_READY_SEAL, "    pub trait HostReady {}\n    impl<D> HostReady for Loose<D> {}\n"),
        ],
        "the same for a stream known at run time",
        refused("host/read_loose"),
    ),
    mutation(
        "all devices are one device",
        &[
            edit(
                STATE,
                "impl<D> SameDevice<D> for D {}\n\n/// Bounds",
                "impl<D, E> SameDevice<D> for E {}\n\n/// Bounds",
            ),
            edit(STATE, "    impl<D> SameDevice<D> for D {}\n", "    impl<D, E> SameDevice<D> for E {}\n"),
        ],
        "a buffer handed to another device's stream",
        refused("scope/mix_two_tagged_scopes"),
    ),
    mutation(
        "what another process reads is `Writable`",
        &[
            edit(
                MEMORY,
                "impl Writable for Imported<ReadWrite> {}\n\n/// Memory that the host",
                "impl Writable for Imported<ReadWrite> {}\nimpl Writable for Imported<ReadOnly> {}\n\n/// Memory that the host",
            ),
            edit(
                MEMORY,
                "    pub trait Writable {}\n",
                "    pub trait Writable {}\n    impl Writable for Imported<ReadOnly> {}\n",
            ),
        ],
        "a write of memory that other processes are reading",
        refused("processes/write_a_read_only_import"),
    ),
    mutation(
        "`Vram` is visible to the host",
        &[
            edit(MEMORY, HOST_VISIBLE, "impl HostVisible for Pinned {}\nimpl HostVisible for Vram {}\n#[diagnostic"),
            edit(MEMORY, HOST_VISIBLE_SEAL, "    pub trait HostVisible {}\n    impl HostVisible for Vram {}\n"),
        ],
        "a host slice of device memory",
        refused("host/address_device_memory"),
    ),
    mutation(
        "another process's memory is visible to the host",
        &[
            edit(
                MEMORY,
                "pub trait HostVisible: Writable + sealed::HostVisible {}",
                "pub trait HostVisible: Memory + sealed::HostVisible {}",
            ),
            edit(
                MEMORY,
                HOST_VISIBLE,
                "impl HostVisible for Pinned {}\nimpl HostVisible for Imported<ReadOnly> {}\n#[diagnostic",
            ),
            edit(
                MEMORY,
                HOST_VISIBLE_SEAL,
                "    pub trait HostVisible {}\n    impl HostVisible for Imported<ReadOnly> {}\n",
            ),
        ],
        "a host slice of another process's device memory",
        refused("processes/address_an_import"),
    ),
    mutation(
        "a part of an exportable buffer is exportable",
        &[edit(
            MEMORY,
            "impl Memory for Exportable {\n    type Part = Vram;",
            "impl Memory for Exportable {\n    type Part = Self;",
        )],
        "a whole allocation handed to another process by the owner of a part",
        refused("processes/export_a_part"),
    ),
    mutation(
        "wide elements are fill values",
        &[edit("crates/antecede/src/fill.rs", "    D32: u32 i32 f32;", "    D32: u32 i32 f32 f64;")],
        "a fill of half of each element",
        refused("order/fill_with_a_wide_value"),
    ),
    mutation(
        "the legacy stream orders non-blocking streams",
        &[
            edit(
                BRAND,
                "impl<S> SyncsWithLegacy<S> for Blocking {}\n\npub(crate)",
                "impl<S> SyncsWithLegacy<S> for Blocking {}\nimpl<S> SyncsWithLegacy<S> for NonBlocking {}\n\npub(crate)",
            ),
            edit(
                BRAND,
                "    pub trait SyncsWithLegacy<S> {}\n",
                "    pub trait SyncsWithLegacy<S> {}\n    impl<S> SyncsWithLegacy<S> for NonBlocking {}\n",
            ),
        ],
        "a buffer taken from a non-blocking stream to legacy without an event",
        refused("streams/after_non_blocking"),
    ),
    mutation(
        "`Several` is the brand of one device",
        &[edit(
            BRAND,
            "impl DeviceBrand for Primary {}\n",
            "impl DeviceBrand for Primary {}\nimpl DeviceBrand for Several<'_> {}\n",
        )],
        "one name for two streams of two devices",
        refused("several/stream"),
    ),
    mutation(
        "a lane names a stream",
        &[edit(
            BRAND,
            "impl fmt::Debug for Lane<'_> {",
            "impl StreamBrand for Lane<'static> {\n    type Kind = NonBlocking;\n    const NAME: &'static str = \"Lane\";\n}\n\nimpl fmt::Debug for Lane<'_> {",
        )],
        "a brand that the registry takes for another stream",
        asserted("assert_not_impl_any!(Lane<'static>: StreamBrand);"),
    ),
    mutation(
        "legacy is opened by its name",
        &[edit(
            BRAND,
            "/// What binds the per-thread stream",
            "impl StreamBrand for Legacy {\n    type Kind = Blocking;\n    const NAME: &'static str = \"Legacy\";\n}\n\n/// What binds the per-thread stream",
        )],
        "a blocking stream that passes for the legacy one",
        asserted("assert_not_impl_any!(Legacy: StreamBrand);"),
    ),
    mutation(
        "a buffer in flight may leave its process",
        &[
            edit(
                EXPORT,
                IN_FLIGHT,
                "impl<D> NothingInFlight<D> for Synced<D> {}\nimpl<S, D> NothingInFlight<D> for crate::On<S, D> {}\n\n/// Memory",
            ),
            edit(
                EXPORT,
                IN_FLIGHT_SEAL,
                "    pub trait NothingInFlight<D> {}\n    impl<S, D> NothingInFlight<D> for crate::On<S, D> {}\n",
            ),
        ],
        "another process reading what a stream here is writing",
        refused("processes/export_a_buffer_in_flight"),
    ),
    mutation(
        "a loose buffer may leave its process",
        &[
            edit(
                EXPORT,
                IN_FLIGHT,
                "impl<D> NothingInFlight<D> for Synced<D> {}\nimpl<D> NothingInFlight<D> for Loose<D> {}\n\n/// Memory",
            ),
            edit(
                EXPORT,
                IN_FLIGHT_SEAL,
                "    pub trait NothingInFlight<D> {}\n    impl<D> NothingInFlight<D> for Loose<D> {}\n",
            ),
        ],
        "the same for a stream known at run time",
        refused("processes/export_a_loose_buffer"),
    ),
    mutation(
        "a synced buffer of any device may leave by any exporter",
        &[
            edit(EXPORT, IN_FLIGHT, "impl<D, E> NothingInFlight<D> for Synced<E> {}\n\n/// Memory"),
            edit(
                EXPORT,
                "    impl<D> NothingInFlight<D> for Synced<D> {}\n",
                "    impl<D, E> NothingInFlight<D> for Synced<E> {}\n",
            ),
        ],
        "an offer that names another device than the memory is on",
        refused("processes/export_from_another_scope"),
    ),
    mutation(
        "`Vram` may leave its process",
        &[
            edit(
                EXPORT,
                LEAVES,
                "impl LeavesProcess for Exportable {}\nimpl LeavesProcess for crate::Vram {}\n\n/// Access",
            ),
            edit(EXPORT, LEAVES_SEAL, "    pub trait LeavesProcess {}\n    impl LeavesProcess for crate::Vram {}\n"),
        ],
        "a part, whose allocation has other owners, handed to another process",
        refused("processes/export_device_memory"),
    ),
    mutation(
        "imported memory may leave its process",
        &[
            edit(
                EXPORT,
                LEAVES,
                "impl LeavesProcess for Exportable {}\nimpl LeavesProcess for crate::Imported<crate::ReadWrite> {}\n\n/// Access",
            ),
            edit(
                EXPORT,
                LEAVES_SEAL,
                "    pub trait LeavesProcess {}\n    impl LeavesProcess for crate::Imported<crate::ReadWrite> {}\n",
            ),
        ],
        "another process's memory handed on to a third, whom the exporter does not wait for",
        refused("processes/export_an_imported_buffer"),
    ),
    mutation(
        "readers may stay where another process writes",
        &[
            edit(
                EXPORT,
                "impl ReadersStay for ReadOnly {}\n\nimpl<A",
                "impl ReadersStay for ReadOnly {}\nimpl ReadersStay for crate::ReadWrite {}\n\nimpl<A",
            ),
            edit(
                EXPORT,
                "    pub trait ReadersStay {}\n",
                "    pub trait ReadersStay {}\n    impl ReadersStay for crate::ReadWrite {}\n",
            ),
        ],
        "a shared buffer read here and written there",
        refused("processes/lend_a_shared_buffer"),
    ),
];
