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
//!   after the event's latest record *at the time of the wait*. Nothing else is ordered. See [`Order`] for who goes next.
//! - **Lateness.** A stream, event or context sync runs what it needs, and now and then something that it does not. A
//!   query lets a small, seeded number of operations run, so that polling loops end. `cuMemFreeHost`, `cuModuleUnload`
//!   and the last close of a context run everything in the context first. Destroying an event or a stream runs nothing.
//!   What nobody asks for never runs.
//! - **Memory.** An allocation gets its address at submission; it is [poisoned](Poison) when the allocation takes effect,
//!   and again when its free does. Freed memory is used again at once: on the stream that freed it, on streams that an
//!   event orders after the free, and anywhere once the free has taken effect. Every range that is passed in must lie
//!   inside one allocation whose free has not been submitted, else the call returns
//!   [`InvalidValue`](antecede::driver::ErrorKind::InvalidValue).
//! - **Handles.** The handle of a destroyed stream or event comes back with the next one that is created.
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
//! - *May report falsely*: devices do not reach each other's memory, but through copies, unless
//!   [`peer_access`](Builder::peer_access) is on; on a device it depends on the machine.
//! - *May report falsely*: within one launch a written slice may not overlap another slice, as the twin takes them as
//!   `&mut [T]` and `&[T]`.
//! - *May report falsely*: a driver call made by a twin is refused.
mod call;
mod devices;
mod error;
mod faults;
mod foreign;
mod memory;
mod objects;
mod order;
mod pools;
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
pub use order::Order;
pub use sim::{Builder, Live, Poison, Sim};
