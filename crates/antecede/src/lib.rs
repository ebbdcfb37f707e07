//! CUDA stream ordering, checked by the compiler.
//!
//! A [`Buffer`]'s type says on which stream it is ready. Using it on another stream, or on the host, without an explicit
//! event wait or sync does not compile. At run time nothing is tracked on the launch and hand-over paths (shared buffers
//! keep a list of their readers, parts of one allocation a count): the library makes the driver calls that a careful
//! engineer would write by hand, and no others.
//!
//! ```
//! use antecede::{Device, Result, kernels, streams};
//! use antecede_sim::Sim;
//!
//! streams! { Upload, Compute }
//!
//! kernels! {
//!     Math {
//!         /// y = a x + y
//!         unsafe fn saxpy(n: u32, a: f32, x: &[f32], y: &mut [f32])
//!         where [n as usize <= x.len(), n as usize <= y.len()]
//!         {
//!             for i in 0..n as usize {
//!                 y[i] += a * x[i];
//!             }
//!         }
//!     }
//! }
//!
//! fn main() -> Result<()> {
//!     let device = Device::primary(Sim::new())?; // on a GPU: antecede_cust::Cuda::new()?
//!     let (upload, compute) = device.streams::<(Upload, Compute)>()?;
//!     let math = device.load::<Math>()?;
//!
//!     let x = upload.upload(&[1.0, 2.0, 3.0])?; // Buffer<f32, On<Upload>>
//!     let mut y = compute.zeroed(3)?; // Buffer<f32, On<Compute>>
//!
//!     // Without this line the launch is an error: this buffer is not ready on stream `Compute`.
//!     let x = compute.take(x)?; // one event record, one event wait; the host does not block
//!     math.saxpy(compute, 3, 2.0, &x, &mut y)?;
//!
//!     let y = compute.sync(y)?; // Buffer<f32, Synced>
//!     assert_eq!(y.to_vec()?, [2.0, 4.0, 6.0]);
//!     Ok(())
//! }
//! ```
//!
//! # Map
//!
//! | | |
//! |---|---|
//! | Names | [`streams!`] declares stream brands ([`StreamBrand`]); a device brand ([`DeviceBrand`]) is [`Primary`], which does not show, one that [`devices!`] declares, or [`Scoped`] |
//! | Kinds of streams | [`NonBlocking`], [`Blocking`]; built in: [`Legacy`] ([`Device::legacy`]), [`PerThread`] ([`Device::per_thread`]) |
//! | Handles | [`Device`] opens streams, loads kernels and waits for all its streams ([`Device::sync`]); [`Stream`] has the operations. Both are `Copy` |
//! | At run time | [`AnyStream`] is a stream without a name: [`lane!`] or [`AnyStream::with`] gives it a brand ([`Lane`]) for a while. [`Several`] is the brand of all devices of a [`Device::scope_all`] |
//! | Memory | [`Buffer`] owns elements in [`Vram`], [`Pinned`] or [`Managed`] memory; [`View`] is part of one, in place; a [`Pool`] is one of your own, whose host memory is [`Pooled`] |
//! | Readers | [`Stream::share`] makes a [`Shared`], [`Stream::lease`] gives a [`Lease`] of it to one stream, [`Stream::reunite`] joins all |
//! | Parts | [`Buffer::into_parts_at`], [`Buffer::into_parts`], [`Buffer::into_chunks`]: buffers of their own; [`Buffer::unsplit`] joins them |
//! | Devices | [`Stream::copy_across`] copies from one to another, directly where there is a [`Peer`] ([`Device::peer`]) |
//! | Other code | [`Device::adopt`] uses a stream of its, [`Stream::take_unchecked`] believes in its order. Both are `unsafe` |
//! | Host functions | [`Stream::host_fn`] calls Rust code in stream order, with slices of host-visible buffers |
//! | States | [`On`] a stream; [`Synced`] with the host; [`Loose`], on the stream that it remembers; or inside a [`Recorded`] or a [`Shared`] |
//! | Batches | [`Batch`]: a buffer, tuples, arrays, `Vec`, `Option`, and structs with `#[derive(Batch)]` |
//! | Kernels | [`kernels!`] declares modules, whose kernels are methods of the loaded module |
//! | Errors | [`Error`]; [`Failed`] gives buffers back |
//! | Bounds in messages | [`ReadyOn`], [`HostReady`], [`AllOn`], [`OnDevice`], [`SameDevice`], [`HostVisible`], [`HostSlices`], [`SyncsWithLegacy`], [`State`], [`Memory`], [`PoolMemory`]. All are sealed |
//! | Below | [`driver`]: the trait that a GPU, the simulator and the trace implement, and what they promise |
//!
//! Types follow from the operations: they are written in fields and signatures only.
//!
//! # Changing a state
//!
//! | From | To | By | Driver calls |
//! |---|---|---|---|
//! | `On<A>`, `Loose`, `Synced` | `On<B>` | [`Stream::take`] | a record and a wait for each distinct other stream; none for [`Synced`] |
//! | `Loose` | `On<A>` | [`Stream::claim`] | none; an error if it is on another stream |
//! | `Synced` | `On<A>` | [`Buffer::on`] | none |
//! | `On<A>`, `Synced` | `Loose` | [`Buffer::loose`] | none |
//! | `On<A>` | `Synced` | [`Stream::sync`] | `cuStreamSynchronize` |
//! | `On<A>` | [`Recorded`] | [`Stream::record`] | `cuEventRecord` |
//! | [`Recorded`] | `On<B>` | [`Stream::wait`] | `cuStreamWaitEvent` |
//! | [`Recorded`] | `Synced` | [`Recorded::synchronize`], [`Recorded::query`] | `cuEventSynchronize`, `cuEventQuery` |
//! | any, on one device | `Synced` | [`Device::sync`] | `cuCtxSynchronize` |
//! | `On<A>` | [`Shared`] | [`Stream::share`] | `cuEventRecord` |
//! | [`Shared`] | `On<B>` | [`Stream::reunite`] | a record and a wait for each distinct other reader |
//! | `On<A>`, `A` blocking | `On<Legacy>` | [`Stream::after_blocking`], [`Stream::take`] | none |
//!
//! A hand-over is a `let`, never an assignment: `let x = compute.take(x)?`. Out of a field:
//! `let x = compute.take_from(&mut self.x)?`.
//!
//! # Features
//!
//! - `anyhow`: [`Failed`] converts into `anyhow::Error`.

#[cfg(test)]
mod assertions;
mod batch;
mod brand;
mod error;
mod fill;
mod memory;
mod state;
mod trusted;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use antecede_macros::{Batch, kernels};
pub use batch::{AllOn, Batch, Buffers, Kept, OnDevice};
pub use brand::{
    Anonymous, Blocking, DeviceBrand, Kind, Lane, Legacy, NonBlocking, PerThread, Primary, Scoped, Several,
    StreamBrand, SyncsWithLegacy,
};
pub use error::{Error, Failed, Result, StreamName};
pub use fill::FillValue;
pub use memory::{
    Exportable, HostVisible, Imported, Managed, Memory, PeerAccess, Pinned, PoolMemory, Pooled, ReadOnly, ReadWrite,
    Vram, Writable,
};
#[doc(hidden)]
pub use state::never;
pub use state::{HostReady, Loose, On, ReadyOn, SameDevice, State, Synced};
pub use trusted::driver;
#[cfg(unix)]
pub use trusted::ipc;
pub use trusted::{
    AnyStream, Buffer, Device, Foreign, HostSlices, Kernels, Lease, Peer, Pool, PoolStatistics, Query, Reading,
    Recorded, Reuse, Shared, Stream, StreamList, View, ViewRange,
};

/// The README and the book, as tests.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/src/attacks.md")]
    mod attacks {}
    #[doc = include_str!("../../../docs/src/batches.md")]
    mod batches {}
    #[doc = include_str!("../../../docs/src/cases.md")]
    mod cases {}
    #[doc = include_str!("../../../docs/src/costs.md")]
    mod costs {}
    #[doc = include_str!("../../../docs/src/devices.md")]
    mod devices {}
    #[doc = include_str!("../../../docs/src/errors.md")]
    mod errors {}
    #[doc = include_str!("../../../docs/src/evidence.md")]
    mod evidence {}
    #[doc = include_str!("../../../docs/src/failures.md")]
    mod failures {}
    #[doc = include_str!("../../../docs/src/first-stream.md")]
    mod first_stream {}
    #[doc = include_str!("../../../docs/src/gpu.md")]
    mod gpu {}
    #[doc = include_str!("../../../docs/src/host-functions.md")]
    mod host_functions {}
    #[doc = include_str!("../../../docs/src/index.md")]
    mod index {}
    #[doc = include_str!("../../../docs/src/interop.md")]
    mod interop {}
    #[doc = include_str!("../../../docs/src/kernels.md")]
    mod kernels {}
    #[doc = include_str!("../../../docs/src/memory.md")]
    mod memory {}
    #[doc = include_str!("../../../docs/src/model.md")]
    mod model {}
    #[doc = include_str!("../../../docs/src/mutations.md")]
    mod mutations {}
    #[doc = include_str!("../../../docs/src/not-enforced.md")]
    mod not_enforced {}
    #[doc = include_str!("../../../docs/src/parts.md")]
    mod parts {}
    #[cfg(unix)]
    #[doc = include_str!("../../../docs/src/processes.md")]
    mod processes {}
    #[doc = include_str!("../../../docs/src/readers.md")]
    mod readers {}
    #[doc = include_str!("../../../docs/src/run-time.md")]
    mod run_time {}
    #[doc = include_str!("../../../docs/src/simulator.md")]
    mod simulator {}
    #[doc = include_str!("../../../docs/src/stream-kinds.md")]
    mod stream_kinds {}
    #[doc = include_str!("../../../docs/src/testing.md")]
    mod testing {}
    #[doc = include_str!("../../../docs/src/timelines.md")]
    mod timelines {}
    #[doc = include_str!("../../../docs/src/two-streams.md")]
    mod two_streams {}
}
