//! Seals.

use crate::{Mutation, edit, mutation, refused};

const BRAND: &str = "crates/antecede/src/brand.rs";
const EXPORT: &str = "crates/antecede/src/trusted/ipc/export.rs";
const MEMORY: &str = "crates/antecede/src/memory.rs";
const STATE: &str = "crates/antecede/src/state.rs";

pub(super) const TABLE: &[Mutation] = &[
    mutation(
        "`ReadyOn` is not sealed",
        &[edit(STATE, "pub trait ReadyOn<S, D>: sealed::ReadyOn<S, D> {}", "pub trait ReadyOn<S, D> {}")],
        "a state of a program's own that is ready everywhere",
        refused("implement/ready_on_for_a_state_of_mine"),
    ),
    mutation(
        "`SameDevice` is not sealed",
        &[edit(STATE, "pub trait SameDevice<D>: sealed::SameDevice<D> {}", "pub trait SameDevice<D> {}")],
        "a device of a program's own that passes for another",
        refused("implement/same_device"),
    ),
    mutation(
        "`GivenTo` is not sealed",
        &[edit(STATE, "pub trait GivenTo<S>: super::sealed::Never<S> {}", "pub trait GivenTo<S> {}")],
        "a synced buffer made ready on a stream by an `impl`",
        refused("implement/given_to"),
    ),
    mutation(
        "`ClaimedBy` is not sealed",
        &[edit(STATE, "pub trait ClaimedBy<S>: super::sealed::Never<S> {}", "pub trait ClaimedBy<S> {}")],
        "a loose buffer made ready on a stream by an `impl`",
        refused("implement/claimed_by"),
    ),
    mutation(
        "`SyncsWithLegacy` is not sealed",
        &[edit(BRAND, "pub trait SyncsWithLegacy<S>: kind::SyncsWithLegacy<S> {}", "pub trait SyncsWithLegacy<S> {}")],
        "a non-blocking stream taken for one that legacy orders",
        refused("implement/syncs_with_legacy"),
    ),
    mutation(
        "`Kind` is not sealed",
        &[
            edit(BRAND, "pub trait Kind: kind::Sealed + 'static {}", "pub trait Kind: 'static {}"),
            edit(
                "crates/antecede/src/trusted/registry.rs",
                "<S::Kind as kind::Sealed>::KIND",
                "<NonBlocking as kind::Sealed>::KIND",
            ),
        ],
        "a kind that says one thing to the types and another to the driver",
        refused("implement/kind"),
    ),
    mutation(
        "`PeerAccess` is not sealed",
        &[edit(MEMORY, "pub trait PeerAccess: sealed::PeerAccess + 'static {}", "pub trait PeerAccess: 'static {}")],
        "an access that is neither, for which nothing is checked",
        refused("implement/peer_access"),
    ),
    mutation(
        "`Buffers` is not sealed",
        &[edit(
            "crates/antecede/src/batch.rs",
            "pub trait Buffers: sealed::Buffers + Sized {",
            "pub trait Buffers: Sized {",
        )],
        "a batch whose states are changed by a program's own code",
        refused("implement/buffers"),
    ),
    mutation(
        "`FillValue` is not sealed",
        &[edit(
            "crates/antecede/src/fill.rs",
            "pub trait FillValue: Pod + sealed::Sealed {",
            "pub trait FillValue: Pod {",
        )],
        "a fill that is not aligned to its value",
        refused("implement/fill_value"),
    ),
    mutation(
        "`Integer` is not sealed",
        &[edit(
            "crates/antecede/src/private.rs",
            "pub trait Integer: integer::Sealed + Copy {",
            "pub trait Integer: Copy {",
        )],
        "a contract told another number than the kernel sees",
        refused("implement/integer"),
    ),
    mutation(
        "`StreamList` is not sealed",
        &[edit(
            "crates/antecede/src/trusted/registry.rs",
            "pub trait StreamList<D>: list::Sealed<D> {",
            "pub trait StreamList<D> {",
        )],
        "code of a program's own in the place of the registry",
        refused("implement/stream_list"),
    ),
    mutation(
        "`ViewRange` is not sealed",
        &[edit("crates/antecede/src/trusted/view.rs", "pub trait ViewRange: range::Sealed {", "pub trait ViewRange {")],
        "a view that goes beyond its buffer",
        refused("implement/view_range"),
    ),
    mutation(
        "`ReadyFor` is not sealed",
        &[edit(
            EXPORT,
            "pub trait ReadyFor<A, D>: sealed::ReadyFor<A, D> + Sized {",
            "pub trait ReadyFor<A, D>: Sized {",
        )],
        "something in flight handed to another process",
        refused("implement/ready_for"),
    ),
    mutation(
        "`NothingInFlight` is not sealed",
        &[
            edit(
                EXPORT,
                "pub trait NothingInFlight<D>: sealed::NothingInFlight<D> {}",
                "pub trait NothingInFlight<D> {}",
            ),
            edit(
                EXPORT,
                "    impl<A: PeerAccess, D, T: Pod, St: State + NothingInFlight<D>, M: Memory + LeavesProcess> ReadyFor<A, D>\n",
                "    impl<A: PeerAccess, D, T: Pod, St: State + super::NothingInFlight<D>, M: Memory + LeavesProcess> ReadyFor<A, D>\n",
            ),
        ],
        "a buffer in flight called complete by an `impl`",
        refused("implement/nothing_in_flight"),
    ),
    mutation(
        "`LeavesProcess` is not sealed",
        &[
            edit(
                EXPORT,
                "pub trait LeavesProcess: Memory + sealed::LeavesProcess {}",
                "pub trait LeavesProcess: Memory {}",
            ),
            edit(
                EXPORT,
                "    impl<A: PeerAccess, D, T: Pod, St: State + NothingInFlight<D>, M: Memory + LeavesProcess> ReadyFor<A, D>\n",
                "    impl<A: PeerAccess, D, T: Pod, St: State + NothingInFlight<D>, M: Memory + super::LeavesProcess> ReadyFor<A, D>\n",
            ),
            edit(
                EXPORT,
                "    impl<A: PeerAccess, D, T: Pod, M: Memory + LeavesProcess> ReadyFor<A, D> for Recorded",
                "    impl<A: PeerAccess, D, T: Pod, M: Memory + super::LeavesProcess> ReadyFor<A, D> for Recorded",
            ),
            edit(
                EXPORT,
                "    impl<A: ReadersStay, D, T: Pod, M: Memory + LeavesProcess> ReadyFor<A, D> for Shared",
                "    impl<A: ReadersStay, D, T: Pod, M: Memory + super::LeavesProcess> ReadyFor<A, D> for Shared",
            ),
        ],
        "memory called exportable by an `impl`",
        refused("implement/leaves_process"),
    ),
    mutation(
        "`ReadersStay` is not sealed",
        &[
            edit(
                EXPORT,
                "pub trait ReadersStay: PeerAccess + sealed::ReadersStay {}",
                "pub trait ReadersStay: PeerAccess {}",
            ),
            edit(
                EXPORT,
                "    impl<A: ReadersStay, D, T: Pod, M: Memory + LeavesProcess> ReadyFor<A, D> for Shared",
                "    impl<A: super::ReadersStay, D, T: Pod, M: Memory + LeavesProcess> ReadyFor<A, D> for Shared",
            ),
        ],
        "readers beside a writer in another process",
        refused("implement/readers_stay"),
    ),
    mutation(
        "`LetGo` is not sealed",
        &[edit(
            "crates/antecede-ipc/src/let_go.rs",
            "pub trait LetGo<D>: State + sealed::LetGo<D> {",
            "pub trait LetGo<D>: State {",
        )],
        "another process's memory let go with work in flight on it",
        refused("implement/let_go"),
    ),
    mutation(
        "`Exported` is not sealed",
        &[edit(
            "crates/antecede-ipc/src/exported.rs",
            "pub trait Exported: sealed::Exported + Sized {",
            "pub trait Exported: Sized {",
        )],
        "something taken back that was not handed out",
        refused("implement/exported"),
    ),
];
