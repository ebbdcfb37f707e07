//! What crosses between two processes on a real GPU, and what becomes of it when one of them ends.
//!
//! Every test starts this program twice more, as an exporter and an importer (`pair`). What hangs or crashes is a process
//! that the test ends; the test itself calls no driver. Where CUDA's documentation is silent, a test prints what it sees
//! (`measured: ..`) and asserts only what the driver contract promises.

#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "the driver's methods are called one by one, with no typed layer above")]

#[path = "../common/mod.rs"]
mod common;
#[macro_use]
mod pair;
mod shared;

mod ends;
mod events;
mod memory;
mod one_process;
mod returns;
