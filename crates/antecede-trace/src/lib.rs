//! A driver around any driver: logs calls, counts them, and judges races.
//!
//! A [`Trace`] is given to the library in place of the driver that it wraps. It forwards every call, and keeps them in
//! the order in which the inner driver saw them. Tests ask it for [`Counts`], to assert that a hand-over is one record
//! and one wait and nothing else; and [`judge`] looks in its [`Log`] for accesses that nothing orders. Neither knows
//! anything of brands and states: what the compiler promised is checked on the calls that were made.
//!
//! ```
//! use antecede::{Device, streams};
//! use antecede_trace::{Call, Counts, NullDriver, Trace, judge};
//!
//! streams! { Upload, Compute }
//!
//! # fn main() -> antecede::Result<()> {
//! let trace = Trace::new(NullDriver::new()); // a driver that does nothing: the calls are the point here
//! Device::scope(trace.clone(), 0, |device| {
//!     let (upload, compute) = device.streams::<(Upload, Compute)>()?;
//!     let x = upload.zeroed::<f32>(1024)?;
//!     let before = trace.mark();
//!     let mut x = compute.take(x)?;
//!     let made = trace.counts_since(&before);
//!     assert_eq!((made.of(Call::EventRecord), made.of(Call::EventWait)), (1, 1));
//!     compute.fill(&mut x, 1.0)
//! })?;
//! judge(&trace.log()).assert_silent();
//! # Ok(())
//! # }
//! ```
//!
//! A report names both operations and the edge that is missing. Code that compiles has none to show, so here the log is
//! written by hand:
//!
//! ```
//! use antecede_trace::{LogBuilder, RaceKind, judge};
//!
//! let mut log = LogBuilder::new();
//! let (upload, compute) = (log.stream("Upload"), log.stream("Compute"));
//! let x = log.alloc(upload, 4096);
//! let event = log.event();
//! log.record(event, upload); // too early: the fill comes after it
//! log.fill(upload, x);
//! log.wait(compute, event);
//! log.launch(compute, "saxpy", &[x], &[]);
//!
//! let report = judge(&log.finish());
//! assert_eq!(report.races()[0].kind, RaceKind::ReadAfterWrite);
//! assert_eq!(
//!     report.races()[0].to_string(),
//!     "read after write: `fill` on stream `Upload` (#5) writes 4096 bytes at 0x1000, `saxpy` on stream `Compute` (#7) \
//!      reads them; nothing orders #7 after #5: record an event on `Upload` after #5 and make `Compute` wait for it \
//!      before #7 (the latest wait of `Compute` for `Upload`, #6, covers it only up to #4)"
//! );
//! ```
//!
//! With the feature `draw`, the module `draw` makes pictures of logs. A trace with a [`Stopwatch`] measures
//! when operations take effect.
//!
//! # What is judged
//!
//! [`Judge`] states the rules. A log can be judged from any [`Mark`] on: operations before it are unknown, so nothing is
//! said of them, and nothing false of what follows.
//!
//! # Limits
//!
//! - *May miss*: races between host threads. All host threads are one agent, whose order is the log's: values move
//!   between threads in ways that a log cannot see. Rust's own types exclude such races.
//! - *May miss*: accesses that no call declares: a kernel that touches more than its arguments, memory that the host
//!   reaches through a slice long after the access was noted, work submitted to the inner driver directly or by foreign
//!   code.
//! - *May miss*: uses of memory before an allocation that the log holds later, or not at all; uses of a block after it
//!   was freed and its address given away, where they are ordered after the new allocation.
//! - *May report falsely*: where order comes from calls that bypass the trace, an allocation whose free did so included;
//!   and where a failed call was not submitted ([`Judge::without_failed_calls`] leaves those out).
//! - *May report falsely*: where foreign memory operations or semaphores in kernels order streams.
//! - *May miss*: what a stream capture takes away: captured work is judged as if it had run.
//! - *May miss*: what another process does to memory that is shared with it; and what is done to one block under two
//!   addresses, as when a process imports its own.
//! - *May miss*: uses after the free of an imported block, beyond its first byte, where the driver was not asked for the
//!   block's size.
//! - *May miss*: the host on managed memory while the device works, where the device does not allow that.

mod builder;
mod call;
mod counts;
mod draft;
#[cfg(feature = "draw")]
pub mod draw;
mod entry;
mod judge;
mod log;
mod recorder;
mod stamps;
mod times;
mod trusted;

pub use builder::{Block, LogBuilder};
pub use call::Call;
pub use counts::Counts;
pub use entry::{Entry, HostThread, Outcome, TracedStream};
pub use judge::{Judge, Race, RaceKind, Report, Side, judge};
pub use log::Log;
pub use recorder::Mark;
pub use times::{Span, Times};
pub use trusted::{NullDriver, Stopwatch, Trace};
