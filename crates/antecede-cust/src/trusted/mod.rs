//! The one module of this crate that contains `unsafe` code: the calls of the CUDA driver API.

#![expect(unsafe_code, reason = "the CUDA driver API is a C interface")]

mod attributes;
mod call;
mod context;
mod cuda;
mod memory;
mod module;
mod operations;
mod peers;
mod pool_props;
mod pools;
mod processes;
mod streams;
mod timer;

pub use cuda::Cuda;
pub use timer::Timer;
