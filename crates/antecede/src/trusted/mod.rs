//! The one module of this crate that contains `unsafe` code: it turns typed operations into driver calls.
//!
//! # Why the typed layer is sound
//!
//! *Two accesses of the same bytes, one of them a write (an allocation and a free count as writes), that no
//! happens-before path orders are a race.* The claim: safe code that uses this crate, over a driver that keeps the
//! promises of [`driver::Driver`], and kernels that keep those of their declarations, has none.
//!
//! The proof rests on one **invariant**, of every owning buffer value with memory:
//!
//! - **I1** (state). The fact that its state asserts is true: see [`State`](crate::State). For `On<S, D>` and `Loose<D>`
//!   the stream of the fact is the stream that the value remembers (`home`), and for `On<S, D>` that is the one stream
//!   of brand `S` on `D`'s device.
//! - **I2** (ownership). No other value owns any of its bytes, and nobody accesses them but through it.
//!
//! It is kept by:
//!
//! 1. **One brand, one stream.** `Stream<S, D>` is made by the device's registry only (`registry.rs`), under its lock,
//!    from `TypeId::of::<S>()`; `D` is bound to one device: `Primary` once a process, `Scoped<'id>` once a scope, `'id`
//!    being generative. Both parameters are invariant everywhere, so no coercion changes them.
//! 2. **Operations stay on the stream of the type.** A launch, copy or fill on `Stream<S, D>` accepts views in a state
//!    `ReadyOn<S, D>`, which `On<S, D>` alone satisfies (the relation is sealed with its own parameters). By I1 the
//!    operation is ordered after everything earlier on those bytes; by stream order everything later is ordered after
//!    it. So I1 holds again. Nothing in the call borrows past the call but bytes of the view.
//! 3. **A state changes in few places**, all in `stream.rs`, `buffer.rs`, `recorded.rs`, `shared.rs`,
//!    `registry.rs`, `built_in.rs` and `any_stream.rs`, each by value: `take` (event record on the old stream, wait on the
//!    new one), `claim` (the same stream, by its id), `wait`, and a host wait that
//!    returned `Ok`. Each makes a [`Fact`], whose constructor names what must be true. Each takes the batch apart
//!    *before* its driver call: `Batch::lower` may be a user's code, and use the buffers; nobody has the parts.
//! 4. **Views borrow.** `&View` and `&mut View` come from `Deref` of an owning value and slices of one another. `View` is
//!    unsized, so `mem::swap` and `mem::replace` cannot exchange what two owners own. No view is a batch: what is handed
//!    over is owned.
//! 5. **Frees are ordered.** `Drop` frees device memory on `home`: by I1 after every use (for `Synced` every use is
//!    over, so any stream of the device would do). So for all memory from a pool, which any stream of the
//!    device may free. Pinned and managed memory in flight is returned to a cache with an event recorded on `home`, and
//!    comes out of it only when that event is complete.
//!    A part is one owner among those of one allocation (`parts.rs`): it is counted, never measured, and the last one frees
//!    the whole on a stream that has waited for the end of the work on all others.
//! 6. **Readers are joined** (`shared.rs`). A `Shared` gives out reads only, on streams that have waited for the last
//!    write; a stream is in its list once that wait has succeeded, under the lock of the wait. Leases borrow it, so none is
//!    alive when it is taken back or dropped, and then every stream of the list is ordered before: whether its leases
//!    were dropped, forgotten or lost makes no difference.
//! 7. **Forgetting is harmless**: nothing is freed, nothing changes hands, no invariant speaks of a value that is gone.
//!    Only the guard of a scope relies on its drop, and it stands on this library's own frame.
//! 8. **The host waits only on what it was told of.** Host slices exist for host-visible memory in state `Synced` only,
//!    under the borrow of the owner; of managed memory only where the host may touch it while the device works on
//!    something else, for the borrow stops no other launch. In a host function the stream's order stands for the wait
//!    (`host_fn.rs`, with its own proof). Copies from and to other slices go through staging memory that the device never shares
//!    with anyone else; if the wait for such a copy fails the staging is leaked and the device is poisoned.
//! 9. **Failures keep I1.** A failed driver call may or may not have been submitted; either way it was ordered on the
//!    stream of the type. A failed record or wait leaves the buffers in their old state, which is still true: an extra
//!    event or wait only adds order.
//!
//! 10. **Run-time brands.** `with` and `adopt` accept a function for *any* `'id`, so it cannot tell its brand from another;
//!     the tag of `lane!` is gone right after the guard that has the brand. `Lane` is no `StreamBrand`, and `Several` no
//!     `DeviceBrand`: neither names a stream. At run time streams are told apart by ids that are never used again.
//! 11. **Legacy.** A kind has one source, and the driver's flags follow from it. From a blocking stream to legacy nothing is
//!     submitted: legacy's operations are after it (driver promise 11). From legacy to a blocking stream a record is, for
//!     only an operation makes that order; so the host's wait for a blocking stream records there first.
//! 12. **Per-thread.** The brand is neither `Send` nor `Sync`. What remembers the stream without naming it asks for its
//!     thread before each call.
//! 13. **Adoption.** It ends in an event, under a lock that every use of the stream as a home takes; what remembers the
//!     stream is on the heir from then, or the device is poisoned.
//! 14. **Devices.** No hand-over changes a device brand. `copy_across` orders there and back. Where a brand stands for
//!     several devices each use asks at run time, and all are drained before one is closed.
//! 15. **A failed report is no failed wait.** A panic of a host function is reported after the wait of the host has
//!     returned `Ok`; that the state does not change then is the weaker claim.
//!
//! 16. **Between processes.** A [`Parcel`](ipc::Parcel) locks its buffer away: what only readers elsewhere read, safe code here
//!     reads too, and nothing more; what one other process writes, safe code here does not reach. It comes out by an `unsafe`
//!     call, whose caller has learnt that the others have let go. An imported buffer is made by an `unsafe` call and keeps
//!     I1 and I2 within this process from then on; one memory is imported once at a time (`ipc/imports.rs`). Its drop ends
//!     this process's use in stream order, and only a free that was seen to take effect counts as let go.
//!
//! What breaks without each bound is shown by a program in `ui-tests/fail`. Refutations are welcome.
#![expect(unsafe_code, reason = "the typed operations are turned into driver calls here, each with its proof")]

pub mod driver;

mod any_stream;
mod arrays;
mod buffer;
mod built_in;
mod cache;
mod copies;
mod device;
mod event;
mod group;
mod handover;
mod home;
mod host_fn;
mod host_slices;
#[cfg(unix)]
pub mod ipc;
mod managed;
mod module;
mod operations;
mod parts;
mod peer;
mod place;
mod pool;
mod raw;
mod recorded;
mod registry;
mod scope;
mod shared;
mod staging;
mod stream;
mod stream_core;
mod thread;
mod view;

pub use any_stream::{AnyStream, LaneGuard, LaneTag};
pub(crate) use arrays::map_array;
pub use buffer::Buffer;
pub(crate) use cache::Freed;
pub(crate) use handover::{Fact, Sources};
pub use host_slices::HostSlices;
pub use module::{Geometry, Kernels, Launcher, Module};
pub use peer::Peer;
pub use pool::{Pool, PoolStatistics, Reuse};
pub use raw::Foreign;
pub use recorded::{Query, Recorded};
pub use registry::{Device, StreamList};
pub use shared::{Lease, Reading, Shared};
pub use stream::Stream;
pub use view::{View, ViewRange};

pub(crate) use module::{geometry, geometry_for_threads};
