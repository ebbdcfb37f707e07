//! What is shared with simulators in other processes: memory through files of memory, order through counters on a board
//! that each simulator shows, and a connection over which one asks another to get on with its work.

mod board;
mod courier;
mod data;
mod events;
mod exports;
mod file;
mod link;
mod pools;

pub(crate) use courier::Courier;
pub(crate) use events::Sharing;
pub(crate) use exports::{Exports, Signal};
pub(crate) use file::Nonce;
pub(crate) use link::{Beyond, Link};
