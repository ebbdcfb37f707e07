//! What the typed layer costs, beside the same driver calls made by hand.
//!
//! | What | Command |
//! |---|---|
//! | Nanoseconds an operation, over a driver that does nothing | `cargo bench -p antecede-bench` |
//! | Instructions an operation | `cargo run --release -p antecede-bench --bin instructions` |
//! | No allocation, no lock, no atomic read-modify-write | `cargo test --release -p antecede-bench` |
//!
//! The book's page on costs has the figures.

pub mod assembly;
pub mod callgrind;
pub mod compile;
pub mod cpu;
pub mod trusted;
