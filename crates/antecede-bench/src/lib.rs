//! What the typed layer costs, beside the same driver calls made by hand.
//!
//! | What | Command |
//! |---|---|
//! | Nanoseconds an operation, over a driver that does nothing | `cargo bench -p antecede-bench` |
//! | Instructions an operation | `cargo run --release -p antecede-bench --bin instructions` |
//! | Compile time, beside raw driver calls and a plain wrapper | `scripts/with-stub.sh cargo run --release -p antecede-bench --bin compile_time` |
//! | Microseconds an operation on a GPU, beside other libraries | `scripts/gpu-bench.sh`, then `bundle/bench.sh` on the GPU's machine |
//! | No allocation, no lock, no atomic read-modify-write | `cargo test --release -p antecede-bench` |
//!
//! The book's page on costs has the figures.

pub mod assembly;
pub mod callgrind;
pub mod compile;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod gpu;
pub mod trusted;
