//! The procedural macros of antecede: `kernels!` and `#[derive(Batch)]`
