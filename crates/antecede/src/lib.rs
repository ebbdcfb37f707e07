//! CUDA stream ordering, checked by the compiler.
//!
//! A [`Buffer`]'s type says on which stream it is ready. Using it on another stream, or on the host, without an explicit
//! event wait or sync does not compile. At run time nothing is tracked on the launch and hand-over paths: the library
//! makes the driver calls that a careful engineer would write by hand, and no others.

mod batch;
mod brand;
mod error;
mod fill;
mod memory;
mod state;
mod trusted;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use antecede_macros::{Batch, kernels};
pub use batch::{AllOn, Batch, Buffers, Kept, OnDevice};
pub use brand::{Anonymous, Blocking, DeviceBrand, Kind, NonBlocking, Primary, Scoped, StreamBrand};
pub use error::{Error, Failed, Result};
pub use fill::FillValue;
pub use memory::{HostVisible, Memory, Pinned, Vram};
#[doc(hidden)]
pub use state::never;
pub use state::{HostReady, Loose, On, ReadyOn, SameDevice, State, Synced};
pub use trusted::driver;
pub use trusted::{
    Buffer, Device, Kernels, Lease, Query, Reading, Recorded, Shared, Stream, StreamList, View, ViewRange,
};
