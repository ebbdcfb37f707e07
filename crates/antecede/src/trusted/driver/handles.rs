//! Handles, and the identities behind them.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Declares a process-wide identifier: issued once, never reused.
macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u64);

        impl $name {
            /// A new identifier, different from every other one of this process, those of ended things included.
            pub fn fresh() -> Self {
                static NEXT: AtomicU64 = AtomicU64::new(1);
                Self(NEXT.fetch_add(1, Ordering::Relaxed))
            }

            /// The number behind it, for logs.
            pub const fn number(self) -> u64 {
                self.0
            }
        }
    };
}

identifier! {
    /// Tells one driver value from another. Two handles of one driver have one id.
    DriverId
}
identifier! {
    /// Tells one device context from another.
    ContextId
}
identifier! {
    /// Tells one stream from another. A raw handle cannot: `CU_STREAM_LEGACY` is 1 in every context, and the value of
    /// a destroyed handle comes back.
    StreamId
}
identifier! {
    /// Tells one event from another.
    EventId
}

/// A context of one device: where streams, events, memory and modules live.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ContextRef {
    /// One id for one context, however often it is opened.
    pub id: ContextId,
    /// The device's ordinal in the driver.
    pub ordinal: u32,
    /// The driver's own handle.
    pub handle: u64,
}

/// A stream of a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StreamRef {
    /// Issued by the library at the stream's creation.
    pub id: StreamId,
    /// The context that it was created in.
    pub context: ContextRef,
    /// The driver's own handle.
    pub handle: u64,
    /// Whether the legacy default stream orders it.
    pub kind: StreamKind,
}

/// An event of a context. Made without timing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EventRef {
    /// Issued by the library at the event's creation.
    pub id: EventId,
    /// The context that it was created in.
    pub context: ContextRef,
    /// The driver's own handle.
    pub handle: u64,
}

/// A loaded module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ModuleRef {
    /// The context that it was loaded in.
    pub context: ContextRef,
    /// The driver's own handle.
    pub handle: u64,
}

/// An address in the one address space that host and devices share (CUDA's unified virtual addressing).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct DevicePtr(pub u64);

impl DevicePtr {
    /// No memory.
    pub const NULL: DevicePtr = DevicePtr(0);

    /// The address `bytes` further on.
    pub const fn offset(self, bytes: usize) -> DevicePtr {
        DevicePtr(self.0 + bytes as u64)
    }
}

impl fmt::Debug for DevicePtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// How a stream stands to the legacy default stream.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StreamKind {
    /// `CU_STREAM_NON_BLOCKING`: the legacy default stream gives it no order.
    NonBlocking,
    /// `CU_STREAM_DEFAULT`: ordered with operations on the legacy default stream.
    Blocking,
}
