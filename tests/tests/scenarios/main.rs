//! Scenarios that are written once and run on the simulator (`on_sim`, eight seeds each) and on a GPU (`on_cust`).

mod across;
mod any_streams;
mod batches;
mod copies;
mod drops;
mod errors;
mod fills;
mod handover;
mod host_functions;
mod kernels;
mod library;
mod loose;
mod memory_kinds;
mod parts;
mod pinned;
mod pools;
mod readers;
mod records;
mod scopes;
mod stream_kinds;
mod threads;
mod views;
