//! The one module of this crate that contains `unsafe` code: the declarations of the kernels, the door that `race` goes
//! through to show what is behind it, the marks that `timeline` makes on streams, and the doors through which scripts are
//! let in.
#![expect(
    unsafe_code,
    reason = "kernels, one read without a wait on purpose, marks on streams, and peers that are not this library"
)]

mod foreign;
mod kernels;
#[cfg(feature = "cuda")]
mod timing;
mod unchecked;

pub(crate) use foreign::{add_script, import_from_script};
pub(crate) use kernels::{Busy, Chacha, Pattern, pattern_word};
#[cfg(feature = "cuda")]
pub(crate) use timing::TimingEvents;
pub(crate) use unchecked::read_without_waiting;
