//! The wire and the socket, from outside.

mod handshake;
mod support;
