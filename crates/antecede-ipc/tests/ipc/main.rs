//! The wire and the socket, from outside.

mod golden;
mod handshake;
mod support;
mod wire;
