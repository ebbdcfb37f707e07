//! Operations over a driver that does nothing: what is left is the cost of the layer above it.

pub mod kernels;
pub mod operation;
pub mod typed;

pub use operation::{OPERATIONS, Operation};
