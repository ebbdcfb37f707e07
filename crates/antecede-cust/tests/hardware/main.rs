//! Each method of the driver on a real GPU, against what CUDA itself says of the result.

#![expect(unsafe_code, reason = "the driver's methods are called one by one, with no typed layer above")]

#[path = "../common/mod.rs"]
mod common;

mod adoption;
mod chacha20;
mod contexts;
mod exportable;
mod interop;
mod kernels;
mod memory;
mod modules;
mod peers;
mod pools;
mod streams;
mod threads;
mod timer;
