//! Buffers between processes, with an order that is checked on both sides.
//!
//! An [`Exporter`] hands buffers of its device to other processes and takes them back. An [`Importer`] uses them like
//! buffers of its own and lets go of them. They speak over a Unix socket.
//!
//! - **Nothing leaves before it is ready.** What is exported is a [`Synced`](antecede::Synced) buffer, or a
//!   [`Recorded`](antecede::Recorded) one: then the importer's stream waits for the record, and no host blocks. A buffer
//!   that is only on a stream does not compile.
//! - **Nothing is freed before it is let go.** An exported buffer can be neither written nor freed. It comes back when every
//!   importer that was told of it has said that it has let go, and an importer says so when the free of its import has been
//!   seen to take effect.
//! - **One writes, or many read.** [`Exporter::lend`] gives a buffer to one importer, which may write, and to nobody else.
//!   [`Exporter::publish`] lets any number read, this process included. On the other side the one is
//!   [`Imported<ReadWrite>`](antecede::Imported), the other `Imported<ReadOnly>`.
//!
//! ```
//! use antecede::{Device, Exportable, ReadWrite, streams};
//! use antecede_ipc::{Exporter, Importer, pair};
//! # use antecede_sim::Sim;
//!
//! streams! { Compute }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (here, there) = pair()?;
//!
//! // One process. (A thread here; `Command::stdin(there)` starts a process with it.)
//! let child = std::thread::spawn(move || {
//!     Device::scope(Sim::new(), 0, |device| {
//!         let compute = device.stream::<Compute>()?;
//!         let mut importer = Importer::over(device, there).unwrap();
//!         let mut x = importer.import::<u32, ReadWrite, _>(compute).unwrap(); // `compute` waits for the other's record
//!         assert_eq!(compute.download(&x)?, [7; 4]);
//!         compute.fill(&mut x, 8)?;
//!         importer.release(compute.sync(x)?).unwrap();
//!         Ok(())
//!     })
//! });
//!
//! // The other process.
//! Device::scope(Sim::new(), 0, |device| {
//!     let compute = device.stream::<Compute>()?;
//!     let pool = device.pool::<Exportable>()?;
//!     let mut exporter = Exporter::new(device).unwrap();
//!     let child = exporter.add(here).unwrap();
//!
//!     let mut x = compute.alloc_in(pool, 4)?;
//!     compute.fill(&mut x, 7_u32)?;
//!     let lent = exporter.lend(compute.record(x)?, child).unwrap(); // the fill may still be in flight
//!     let x = compute.claim(exporter.reclaim(lent).unwrap())?; // the child has let go
//!     assert_eq!(compute.download(&x)?, [8; 4]);
//!     Ok(())
//! })?;
//! # child.join().unwrap()?;
//! # Ok(()) }
//! ```
//!
//! # Which call
//!
//! | Exporter | Importer |
//! |---|---|
//! | [`Exporter::listen`]`(device, path)`, [`accept`](Exporter::accept) | [`Importer::connect`]`(device, path)` |
//! | [`pair`], [`Exporter::add`] | [`Importer::over`] |
//! | [`lend`](Exporter::lend)`(buf, importer)` | [`import`](Importer::import)`::<T, ReadWrite, _>(stream)` |
//! | [`publish`](Exporter::publish)`(buf)`, [`offer`](Exporter::offer)`(&mut published, importer)` | [`import`](Importer::import)`::<T, ReadOnly, _>(stream)` |
//! | | [`release`](Importer::release)`(stream.sync(buf)?)`; or drop it, and [`settle`](Importer::settle) |
//! | [`reclaim`](Exporter::reclaim)`(lent)` | |
//!
//! Both processes use the same device, by its UUID, and run as one user; both use this crate. A program that does not, in
//! Python say, is let in by an `unsafe` call ([`Exporter::accept_foreign`]).
//!
//! # When the other process dies
//!
//! Nothing hangs: each wait has a time limit. If an importer is gone without its receipt, its work may still be going on:
//! the buffer stays out, and is leaked and counted when it is dropped ([`Device::leaked`](antecede::Device::leaked)).
//! [`Exporter::reclaim_after_exit`] takes it back once the process's end has been seen, with obligations of yours. If the
//! exporter is gone the importer's memory stays valid until it lets go.
#![warn(missing_docs)]

mod connection;
mod debts;
mod element;
mod error;
mod exported;
mod exporter;
mod importer;
mod let_go;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod link;
#[cfg(not(feature = "internals"))]
#[allow(dead_code, unreachable_pub, reason = "what only tests of this crate use")]
mod link;
mod offer;
mod owed;
mod pause;
mod trusted;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod wire;
#[cfg(not(feature = "internals"))]
#[allow(dead_code, unused_imports, unreachable_pub, reason = "what only tests of this crate use")]
mod wire;

pub use element::Element;
pub use error::{Error, Failed, Result};
pub use exported::{Exported, Kept, Lent, NotLent, Published};
pub use exporter::{Exporter, ImporterId};
pub use importer::Importer;
pub use let_go::LetGo;
pub use link::{Awaited, HandshakeError, LinkError};
pub use offer::Offer;
pub use wire::{Access, ElementName, ExportId, Kind, Nonce, PoolId, Refusal, WireError};

use std::os::fd::OwnedFd;
use std::time::Duration;

/// How long a wait for another process lasts at most, unless set.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Both ends of a connection, each closed on `exec`: one for this process, one for a child.
///
/// The child gets it as its standard input, say: `Command::new(program).stdin(there)`, and in the child
/// `Importer::over(device, std::io::stdin().as_fd().try_clone_to_owned()?)`.
///
/// # Errors
/// [`Error::Link`] if the process may not open more descriptors.
pub fn pair() -> Result<(OwnedFd, OwnedFd)> {
    let (one, other) = link::pair()?;
    Ok((one.into_fd(), other.into_fd()))
}
