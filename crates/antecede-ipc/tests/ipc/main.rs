//! The wire and the socket, from outside.

mod fork;
mod golden;
mod handshake;
mod link;
mod processes;
mod support;
mod wire;
