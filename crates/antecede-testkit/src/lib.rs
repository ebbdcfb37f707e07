//! Fixtures for tests of code that uses antecede.
//!
//! # Which fixture
//!
//! | The code under test | The test | What it gets |
//! |---|---|---|
//! | generic over the device: `fn f<D: DeviceBrand>(device: Device<D>)` | [`on_sim`], [`Fixture`] | a fresh simulator, many seeds, faults and races of its own |
//! | written for [`Primary`](antecede::Primary), as ordinary code is | [`shared_device`] | one simulator for the whole process; counts and faults of the calling thread |
//! | written for `Primary`, and the test loses the device, or binds it itself | [`in_own_process!`] | a process, hence a `Primary`, of its own |
//! | any of these, on a GPU | [`on_cust`] | the real thing |
//!
//! Every fixture watches the calls through a [`Trace`](antecede_trace::Trace) and fails the test if the judge finds a
//! race in them.
//!
//! # A test of ordinary code
//!
//! Ordinary code does not mention the device: it uses `Primary`, which a process binds once. It needs no change to be
//! tested:
//!
//! ```
//! use antecede::{Buffer, On, Result, Stream, streams};
//! use antecede_testkit::shared_device;
//! use antecede_trace::{Call, Counts};
//!
//! streams! { Upload, Compute }
//!
//! // The code under test, as most users would write it.
//! fn stage(upload: Stream<Upload>, compute: Stream<Compute>, host: &[u32]) -> Result<Buffer<u32, On<Compute>>> {
//!     Ok(compute.take(upload.upload(host)?)?)
//! }
//!
//! # fn main() -> Result<()> {
//! // #[test]
//! let shared = shared_device();
//! let (upload, compute) = shared.device().streams::<(Upload, Compute)>()?;
//! let before = shared.mark();
//! let x = stage(upload, compute, &[1, 2])?;
//! let calls = shared.counts_since(&before);
//! assert_eq!((calls.of(Call::EventRecord), calls.of(Call::EventWait)), (1, 1));
//! assert_eq!(compute.download(&x)?, [1, 2]);
//! # Ok(()) }
//! ```
//!
//! Tests on [`shared_device`] run at the same time in threads of one process: the counts and faults that they see are
//! those of their own thread. Two things are the whole process's, and a test that needs one of them asks for a process
//! of its own: a device that a failed wait has poisoned stays poisoned, and a `Primary` that is bound stays bound.
//!
//! ```no_run
//! use antecede::{Device, streams};
//! use antecede_testkit::{in_own_process, shared_device};
//! use antecede_sim::{Call, Fault};
//!
//! streams! { Compute }
//!
//! # fn main() {
//! // #[test] fn a_failed_wait_poisons_the_device() {
//! in_own_process!({
//!     let shared = shared_device();
//!     let compute = shared.device().stream::<Compute>().unwrap();
//!     shared.sim().faults().inject(Fault::nth(1).of(Call::StreamSync));
//!     assert!(compute.upload(&[1u8]).is_err());
//!     assert!(shared.device().is_poisoned());
//! });
//! # }
//! ```

mod bench;
mod fixture;
mod kernels;
mod mount;
mod pattern;
mod process;
#[cfg(test)]
mod racing;
mod shared;
#[cfg(unix)]
mod theatre;

pub use bench::Bench;
pub use fixture::{Fixture, on_sim};
pub use kernels::{Burn, Histogram, Math, Pattern, pattern_word};
pub use mount::{driver_on_cust, on_cust, report_on_cust};
pub use pattern::{Mismatch, PatternGen};
#[doc(hidden)]
pub use process::run_in_own_process;
pub use shared::{Shared, shared_device};
#[cfg(unix)]
pub use theatre::{Actor, House, Running, Theatre};
