//! Traces as drivers: what is forwarded, logged and counted.
#![expect(unsafe_code, reason = "driver methods are unsafe to call, and a driver that fails on demand is implemented")]

mod bench;
mod concurrency;
mod counting;
mod entries;
mod hooked;
mod host_functions;
mod kinds;
mod null;
#[cfg(unix)]
mod processes;
mod timed;
