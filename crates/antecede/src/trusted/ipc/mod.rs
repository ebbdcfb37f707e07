//! Memory that goes to other processes and comes from them: the doors for whoever carries the data between them.
//!
//! Types do not cross processes. What leaves is locked in a [`Parcel`], out of which only an `unsafe` call takes it; what
//! arrives is made a buffer by an `unsafe` call, and watched by an [`Import`]. A protocol that carries a parcel's data, and
//! proves to each side what the other has done, makes safe operations of the two: `antecede-ipc` is one.

mod events;
mod export;
mod import;
mod imports;
mod retired;

pub(super) use events::InterprocessEvents;
pub use export::{LeavesProcess, NothingInFlight, Parcel, ReadersStay, ReadyFor};
pub use import::{ImportedPool, Manifest, PeerEvent};
pub(super) use imports::Imports;
pub use imports::{Import, ImportId, ImportState};
