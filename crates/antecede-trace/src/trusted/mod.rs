//! The one module of this crate that contains `unsafe` code.
#![expect(
    unsafe_code,
    reason = "drivers are implemented here: one that forwards every call, and one that does nothing"
)]

mod backlog;
mod forward;
mod host_memory;
mod null;
mod pool_memory;
mod timed;
mod trace;

pub use null::NullDriver;
pub use timed::Stopwatch;
pub use trace::Trace;
