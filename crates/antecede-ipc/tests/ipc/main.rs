//! The wire and the socket, from outside.

mod assertions;
mod fork;
mod golden;
mod handshake;
mod killed;
mod link;
mod listener;
mod processes;
mod python;
mod support;
mod wire;
