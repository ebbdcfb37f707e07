//! The one module of this crate that contains `unsafe` code: the calls of the CUDA driver API.

#![expect(unsafe_code, reason = "the CUDA driver API is a C interface")]

mod call;
mod context;
mod cuda;
mod module;
mod operations;

pub use cuda::Cuda;
