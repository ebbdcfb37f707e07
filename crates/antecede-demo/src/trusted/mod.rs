//! The one module of this crate that contains `unsafe` code: the declarations of the kernels, the door that `race` goes
//! through to show what is behind it, and the marks that `timeline` makes on streams.
#![expect(
    unsafe_code,
    reason = "kernels are declared here, one read goes without a wait on purpose, and streams are marked"
)]

mod kernels;
#[cfg(feature = "cuda")]
mod timing;
mod unchecked;

pub(crate) use kernels::{Busy, Chacha};
#[cfg(feature = "cuda")]
pub(crate) use timing::TimingEvents;
pub(crate) use unchecked::read_without_waiting;
