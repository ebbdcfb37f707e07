//! Buffers between processes, over a Unix socket.
#![warn(missing_docs)]

#[doc(hidden)]
pub mod link;
mod trusted;
#[doc(hidden)]
pub mod wire;
