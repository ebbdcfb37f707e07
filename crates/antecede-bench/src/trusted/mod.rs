//! The one module of this crate that contains `unsafe` code: driver calls by hand.
#![expect(unsafe_code, reason = "the calls that the library saves its users from, to compare with")]

pub mod by_hand;
#[cfg(feature = "cuda")]
pub mod cudarc_calls;
#[cfg(feature = "nvidia")]
pub mod nvidia_calls;
#[cfg(feature = "cuda")]
pub mod raw_calls;
