//! The one module of this crate that contains `unsafe` code: it takes parcels back, makes buffers of what arrives, and
//! receives messages with their descriptors (`socket.rs`).
//!
//! # Why it is sound
//!
//! The claim: safe code in processes that speak to each other by this crate's [`Exporter`](crate::Exporter) and
//! [`Importer`](crate::Importer) alone has no race on memory that goes between them, over a driver that keeps the promises of
//! [`Driver`](antecede::driver::Driver). (Frames and the socket below them are no part of the public interface: who speaks to
//! a peer by other means is a program that the types hold to nothing.)
//!
//! 1. **Out.** What leaves is locked in a [`Parcel`]. A debt is noted *before* its importer is told of the memory, and is
//!    cancelled only when for certain nothing was sent. It is settled by a receipt that names the export's own number,
//!    128 random bits, which only that importer was told, over that importer's own connection, once. The parcel is opened
//!    when all debts are settled. It is given by value, so no importer is told later.
//! 2. **In.** An importer sends a receipt in two cases: it has refused the offer, and never mapped the memory; or the free
//!    of its import has been *seen* to take effect. The first ends the offer, the second the import: there is one receipt for
//!    one offer, for either consumes it. An import that fails after the memory was mapped is one like any other: it ends in
//!    the order of its stream, and that is seen; or the device is poisoned, and there is no receipt.
//! 3. **Access.** What is lent has one debt at most. What is published is imported as memory that is not
//!    [`Writable`](antecede::Writable). The kind of access travels with the offer and is checked against the type.
//! 4. **Ready.** A parcel without an event has nothing in flight. One with an event is imported on a stream that waits for
//!    it first; it is recorded again only after the parcel was opened.
//! 5. **Who.** The kernel says who sent each message: another user's, and those of a process that merely inherited the
//!    socket, are refused. A program of the same user that speaks this protocol and lies is not kept out by anything: it could
//!    as well write into this process's memory. Peers that say that they are not this crate are let in by `unsafe` calls.
#![expect(unsafe_code, reason = "parcels, imports, and messages with descriptors, each with its proof")]

mod control;
mod doors;
mod import;
mod out;
mod socket;

pub(crate) use import::import;
#[allow(unreachable_pub, reason = "hidden methods of a public trait name it")]
pub use out::Out;
pub(crate) use socket::{Received, Sender, receive};
