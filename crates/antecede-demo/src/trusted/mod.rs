//! The one module of this crate that contains `unsafe` code: the declarations of the kernels, and the door that `race`
//! goes through to show what is behind it.
#![expect(unsafe_code, reason = "kernels are declared here, and one read goes without a wait on purpose")]

mod kernels;
mod unchecked;

pub(crate) use kernels::{Busy, Chacha};
pub(crate) use unchecked::read_without_waiting;
