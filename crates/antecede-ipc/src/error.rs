//! What can go wrong between processes.

use crate::element::Element;
use crate::exporter::ImporterId;
use crate::link::{HandshakeError, LinkError};
use crate::wire::{Access, ExportId, Kind, PoolId};
use antecede::driver::DeviceUuid;
use std::fmt;

/// What this crate's operations return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// This process's device or driver.
    #[error(transparent)]
    Device(#[from] antecede::Error),
    /// The connection: a time limit, a message that is refused, the end of it.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The other process was refused, or has refused this one, before anything was exchanged.
    #[error(transparent)]
    Handshake(#[from] HandshakeError),
    /// The importer's connection has ended, and it has not let go of everything.
    #[error(
        "importer {importer} (process {pid}) is gone, and has not let go of {owed} buffers: its work on them may still be \
         going on, so they stay out"
    )]
    #[non_exhaustive]
    ImporterGone {
        /// Which.
        importer: ImporterId,
        /// Its process.
        pid: u32,
        /// How many buffers it owes.
        owed: usize,
    },
    /// An importer has not let go within the time limit.
    #[error("importer {importer} (process {pid}) has not let go of the buffer within the time limit")]
    #[non_exhaustive]
    NoReceipt {
        /// Which.
        importer: ImporterId,
        /// Its process.
        pid: u32,
    },
    /// The process of an importer that is gone still runs.
    #[error("process {pid} has closed its connection and still runs: its work on the buffer may be going on")]
    #[non_exhaustive]
    StillRunning {
        /// Its process.
        pid: u32,
    },
    /// An importer has not let go, though its receipts have been read.
    #[error("an importer still has the buffer")]
    StillHeld,
    /// A receipt for nothing that the importer has: a second one, or a forged one. It counts for nothing.
    #[error("process {pid} has sent a receipt for {export}, which it does not have")]
    #[non_exhaustive]
    UnknownReceipt {
        /// What the receipt names.
        export: ExportId,
        /// The sender's process.
        pid: u32,
    },
    /// A frame that has no place there. It was passed over.
    #[error("process {pid} has sent the frame `{found}`, expected `{expected}`")]
    #[non_exhaustive]
    Unexpected {
        /// What should have come.
        expected: Kind,
        /// What came.
        found: Kind,
        /// The sender's process.
        pid: u32,
    },
    /// The importer is of another exporter.
    #[error("no importer of this exporter has that id")]
    UnknownImporter,
    /// The buffer was handed out by another exporter, which has its importers.
    #[error("the buffer was handed out by another exporter: give it back to that one")]
    OtherExporter,
    /// The exporter has no socket that importers connect to.
    #[error("this exporter does not listen: make it by `Exporter::listen`, or `add` an importer's socket")]
    NotListening,
    /// The buffer came by another importer, which has to tell its own exporter.
    #[error("the buffer was not imported here: release it at the importer that it came by")]
    OtherImporter,
    /// The elements are of another type than was asked for.
    #[error("the exporter has offered elements of type {found}, expected {expected}")]
    #[non_exhaustive]
    WrongElement {
        /// What was asked for.
        expected: Element,
        /// What was offered.
        found: Element,
    },
    /// The buffer is offered for another access than was asked for.
    #[error("the exporter has offered the buffer {}, expected {}: {}", words(*found), words(*expected), remedy(*found))]
    #[non_exhaustive]
    WrongAccess {
        /// What was asked for.
        expected: Access,
        /// What was offered.
        found: Access,
    },
    /// The buffer is on another device.
    #[error("the exporter has offered a buffer on device {found}, this importer is on {expected}")]
    #[non_exhaustive]
    WrongDevice {
        /// This importer's.
        expected: DeviceUuid,
        /// The buffer's.
        found: DeviceUuid,
    },
    /// The exporter has not said how to open the pool.
    #[error("the buffer is from pool {pool}, whose descriptor has not come")]
    #[non_exhaustive]
    UnknownPool {
        /// The pool.
        pool: PoolId,
    },
    /// An earlier import of the offer failed after the memory was mapped: its end is the answer, or there is none.
    #[error("an earlier import of this offer failed half-way, and cannot be tried again: drop the offer")]
    Spent,
    /// More elements than this process can address.
    #[error("the exporter has offered {len} elements, more than this process can address")]
    #[non_exhaustive]
    TooLong {
        /// Elements.
        len: u64,
    },
    /// The free of a dropped import has not taken effect within the time limit: something before it on its stream is not
    /// over.
    #[error("the free of a dropped buffer has not taken effect within the time limit: its stream is not that far")]
    FreeNotOver,
    /// The exporter's work on the buffer was not over within the time limit.
    #[error("the exporter's work on the buffer is not over within the time limit")]
    NotReady,
}

fn words(access: Access) -> &'static str {
    match access {
        Access::ForReading => "for reading only",
        Access::ForWriting => "for writing",
    }
}

fn remedy(found: Access) -> &'static str {
    match found {
        Access::ForReading => "import it as `ReadOnly`, or let the exporter `lend` it",
        Access::ForWriting => "import it as `ReadWrite`, or let the exporter `publish` it",
    }
}

/// A failed operation: the error, and what it was given.
#[must_use = "it holds what the operation was given"]
pub struct Failed<K> {
    /// Why it failed.
    pub error: Error,
    /// What it was given.
    pub kept: K,
}

impl<K> fmt::Debug for Failed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failed").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<K> fmt::Display for Failed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// What the failed operation was given is dropped, in order, as by `antecede::Error::from`.
impl<B> From<antecede::Failed<B>> for Error {
    fn from(failed: antecede::Failed<B>) -> Error {
        failed.error.into()
    }
}

impl<K> From<Failed<K>> for Error {
    fn from(failed: Failed<K>) -> Error {
        failed.error
    }
}

impl<K> From<Failed<K>> for Box<dyn std::error::Error> {
    fn from(failed: Failed<K>) -> Self {
        failed.error.into()
    }
}

impl<K> From<Failed<K>> for Box<dyn std::error::Error + Send + Sync> {
    fn from(failed: Failed<K>) -> Self {
        failed.error.into()
    }
}
