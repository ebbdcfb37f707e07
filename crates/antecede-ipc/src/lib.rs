//! Buffers between processes.
#![warn(missing_docs)]

mod connection;
mod debts;
mod element;
mod error;
mod exported;
mod exporter;
mod importer;
#[doc(hidden)]
pub mod link;
mod offer;
mod pause;
mod trusted;
#[doc(hidden)]
pub mod wire;

pub use element::Element;
pub use error::{Error, Failed, Result};
pub use exported::{Exported, Kept, Lent, NotLent, Published};
pub use exporter::{Exporter, ImporterId};
pub use importer::Importer;
pub use link::{Deadline, HandshakeError, LinkError};
pub use offer::Offer;
pub use wire::{Access, ElementName, ExportId, Kind, PoolId};

use std::time::Duration;

/// How long a wait for another process lasts at most, unless set.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);
