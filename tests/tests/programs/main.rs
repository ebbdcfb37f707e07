//! Realistic programs, written as their authors would: on `Primary`, with structs, queues, threads and traits. Each is
//! checked on the simulator, without a change.

mod collections;
mod default_streams;
mod engine;
mod errors;
mod every_device;
mod fork;
mod generic;
mod halo;
mod lanes;
mod lend;
mod library;
mod optional;
mod paged_cache;
mod ping_pong;
mod pipeline;
mod ring;
mod tasks;
mod unit_tests;
mod workers;
