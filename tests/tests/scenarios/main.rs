//! Scenarios that are written once and run on the simulator (`on_sim`, eight seeds each) and on a GPU (`on_cust`).

mod batches;
mod copies;
mod drops;
mod errors;
mod fills;
mod handover;
mod kernels;
mod library;
mod loose;
mod pinned;
mod records;
mod scopes;
mod threads;
mod views;
