//! Order under a latch: a stream is held, and what must and must not wait for it is seen.
//!
//! A latch is opened by the test itself. So between closing and opening it a test calls nothing that may wait for the held
//! stream, unless the test is about that call: contexts, modules and memory are made before.
//!
//! One test at a time (`--test-threads=1`): a held legacy stream holds the other tests' blocking streams, and calls that
//! wait for the whole device would wait for a latch of another test.

#![expect(unsafe_code, reason = "the driver's methods are called one by one, with no typed layer above")]

#[path = "../common/mod.rs"]
mod common;

mod across;
mod copies;
mod host;
mod legacy;
mod order;
mod per_thread;
mod returns;
mod timer;
