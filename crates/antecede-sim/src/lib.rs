//! A CUDA-like device on the CPU that runs work as late, and in as unkind an order, as the stream rules allow.
//!
//! [`Sim`] is a [`Driver`](antecede::driver::Driver): a program written for `antecede` runs on it unchanged. It copies,
//! fills and launches for real, in host memory (a device pointer *is* the host address, a launch runs the kernel's host
//! twin), but **late**: nothing that is submitted takes effect until a sync or a query asks for it. Then operations run
//! one at a time, in an order drawn from a seed among all that the rules of streams and events allow. So a missing wait
//! shows as wrong data, in most runs and not once a month.
//!
//! ```
//! use antecede_sim::{Order, Sim};
//! use antecede::driver::Driver;
//!
//! let sim = Sim::builder().devices(2).seed(7).mode(Order::Adversarial).build();
//! assert_eq!(sim.device_count(), Ok(2));
//! assert_eq!(sim.clone().id(), sim.id());
//! assert!(format!("{sim:?}").contains("seed: 7"));
//! ```
//!
//! # What it simulates
//!
//! - **Order.** Operations of one stream take effect in the order of submission. What follows an event wait takes effect
//!   after the event's latest record *at the time of the wait*. See [`Order`] for who goes next.
//! - **The legacy default stream.** What is submitted to it takes effect after everything that was submitted before to a
//!   blocking stream of its context (the per-thread streams are such), and before everything that is submitted later to
//!   one. An allocation on it, a sync or a query makes no such edge; but these two wait for blocking streams as well.
//!   Nothing else is ordered. A per-thread stream is refused on any thread but its own.
//! - **Lateness.** A stream, event or context sync runs what it needs, and now and then something that it does not. A
//!   query lets a small, seeded number of operations run, so that polling loops end. `cuMemFreeHost`, `cuModuleUnload`
//!   and the last close of a context run everything in the context first. Destroying an event or a stream runs nothing.
//!   What nobody asks for never runs.
//! - **Memory.** An allocation gets its address at submission; it is [poisoned](Poison) when the allocation takes effect,
//!   and again when its free does. Freed memory is used again at once: on the stream that freed it, on streams that an
//!   event orders after the free, and anywhere once the free has taken effect. Memory stays in its pool until a sync or a
//!   trim gives it back to the system, from which any pool of that space may take it. Every range that is passed in must lie
//!   inside one allocation whose free has not been submitted, else the call returns
//!   [`InvalidValue`](antecede::driver::ErrorKind::InvalidValue).
//! - **Host functions.** Each is called in stream order, on a thread of its own, while no lock of the simulator is held; none
//!   in a context that has failed. A driver call that it makes is refused.
//! - **Several devices.** Copies reach everywhere; launches and fills reach another device's memory after `peer_enable`, and
//!   never that of a pool which was created: there is no call that opens it.
//! - **Other code.** [`Sim::foreign_stream`] makes streams behind the library's back, [`Sim::begin_capture`] captures any
//!   stream: what is submitted to it then is accepted and never runs, syncs of it fail, and whichever stream waits for an
//!   event recorded there is drawn in.
//! - **Handles.** The handle of a destroyed stream or event comes back with the next one that is created.
//! - **Several processes** (on Linux). An exportable pool is a file of memory, of a fixed [room](Builder::exportable), that
//!   importers map: what one process writes, the others see. Its fresh memory holds zeros until its allocation takes effect.
//!   An importer's free ends its own use and writes nothing; the exporter's poisons the bytes for everyone. A wait for an
//!   imported event is for the records submitted until then. The exporter is as late as ever: its work runs when *it* asks,
//!   or when a sync or a query in an importer needs it, on a thread of the exporter's that sleeps until then. What a process
//!   that has ended, or a simulator that was dropped, had submitted never runs, and waits for it end. Two simulators in one
//!   process stand to each other as in two, and one may import what it has itself exported, at another address.
//! - **Errors.** A twin that panics makes a sticky
//!   [`LaunchFailed`](antecede::driver::ErrorKind::LaunchFailed) error of its context. [`Faults`] makes chosen calls fail.
//! - **Counts.** [`Sim::calls`] counts driver calls by [`Call`], [`Sim::live`] what exists.
//!
//! # Replay
//!
//! The `Debug` form of a [`Sim`] shows its seed, and so does the message of a failed launch. The same program on one
//! thread with the same seed runs in the same order. `ANTECEDE_SIM_SEED` sets the seed of every simulator that is built
//! without one.
//!
//! # Limits
//!
//! *May miss*: a fault of the program that this simulator does not show. *May report falsely*: wrong data or an error
//! where a real device has neither.
//!
//! - *May miss*: operations run one at a time and whole. Two that would overlap on a device, each seeing half of the
//!   other's writes, are seen here in one order or the other.
//! - *May miss*: one run shows one order. A race shows for most seeds, not for each; several seeds are better than one.
//! - *May miss*: with several host threads the order of submission, and so the run, is not fixed by the seed.
//! - *May miss*: a twin runs as one sequential function. Races and barriers *within* a kernel are not there, nor is its
//!   use of shared memory. Grid and block are checked against CUDA's limits and have no other effect.
//! - *May miss*: PTX is not looked at. That the twin and the PTX do the same is the declaration's promise.
//! - *May miss*: work behind a failed launch still takes effect; on a device it is lost.
//! - *May miss*: the memory limit counts an allocation from its submission to the submission of its free, so memory whose
//!   free has not taken effect yet, and fragmentation, never cause an out-of-memory error.
//! - *May miss*: a host access of pinned memory is seen only through the wrong data that it gives.
//! - *May miss*: handles made before the last close of a context work again when it is opened again.
//! - *May miss*: a host access of managed memory while a device works is not noticed, whatever
//!   [`concurrent_managed_access`](Builder::concurrent_managed_access) says.
//! - *May miss*: a capture ends well whatever happened to its streams; on a device a sync invalidates it.
//! - *May miss*: priorities are clamped and kept, and order nothing.
//! - *May miss*: with several processes that share events the order is not fixed by the seed.
//! - *May miss*: a wait for an imported event is for every record of it up to the latest, also on other streams.
//! - *May miss*: a process that ends looks to waiting importers as if its records had taken effect.
//! - *May report falsely*: an imported event cannot be recorded by its importer, and what is exported can be reached by
//!   processes of the same user that share `/proc` and the network namespace alone.
//! - *May report falsely*: a host function that is never asked for is never called.
//! - *May report falsely*: with [`Order::Eager`] a host function that waits for something the host does later never ends.
//! - *May report falsely*: within one launch a written slice may not overlap another slice, as the twin takes them as
//!   `&mut [T]` and `&[T]`.
//! - *May report falsely*: a driver call made by a twin is refused.
//! - *May report falsely*: a pool is not destroyed while a free of its memory has not taken effect.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "nothing is shared between processes elsewhere"))]

mod call;
mod devices;
mod error;
mod faults;
mod foreign;
mod live;
mod memory;
mod objects;
mod order;
mod pools;
mod processes;
mod queue;
mod rng;
mod sim;
mod state;
mod streams;
mod submit;
mod thread;
mod trusted;

pub use call::{Call, Calls};
pub use faults::{Fault, Faults};
pub use live::Live;
pub use order::Order;
pub use sim::{Builder, Poison, Sim};
