//! The one module of this crate that contains `unsafe` code: host memory, the operations on it, and the thread that may
//! run them.
#![expect(unsafe_code, reason = "device memory is host memory behind plain addresses; kernels are run on it here")]

mod driver;
mod executor;
mod host;
mod launch;
mod mapping;
mod owner;

pub(crate) use executor::Shared;
pub(crate) use host::{ALIGNMENT, Arena, Span, Work};
pub(crate) use mapping::Mapping;
pub(crate) use owner::Owner;
