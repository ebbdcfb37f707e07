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
    /// The identity of the context's legacy default stream: one, however often the context is opened.
    pub legacy: StreamId,
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
    NonBlockingStream,
    /// `CU_STREAM_DEFAULT`: ordered with operations on the legacy default stream.
    BlockingStream,
    /// `CU_STREAM_LEGACY`: the default stream of the context.
    LegacyStream,
    /// `CU_STREAM_PER_THREAD`: the calling thread's own default stream. Another stream in every thread, behind one
    /// handle. Blocking.
    PerThreadStream,
}

impl StreamKind {
    /// Whether operations on the legacy default stream are ordered with this stream's.
    pub const fn is_blocking(self) -> bool {
        matches!(self, StreamKind::BlockingStream | StreamKind::PerThreadStream)
    }
}

/// Where memory is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// On the device.
    DeviceMemory,
    /// In host memory, page-locked.
    PinnedMemory,
    /// Where it was last used: pages move between host and device.
    ManagedMemory,
}

/// A pool of stream-ordered memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PoolRef {
    /// The context of the device that the pool belongs to.
    pub context: ContextRef,
    /// Where its memory is.
    pub space: Space,
    /// The driver's own handle.
    pub handle: u64,
}

/// What a pool is asked for, or told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PoolAttribute {
    /// Bytes that the pool keeps when a stream, event or context is synchronised. Can be set.
    ReleaseThreshold,
    /// 1: memory freed on a stream is used again on another that an event has ordered after it. Can be set.
    ReuseFollowEvents,
    /// 1: memory is used again on another stream once its free has completed. Can be set.
    ReuseOpportunistic,
    /// 1: the driver may order streams by itself to use memory again. Can be set.
    ReuseInternalDependencies,
    /// Bytes that the pool holds from the system.
    ReservedBytes,
    /// The most bytes that the pool has held.
    ReservedHigh,
    /// Bytes allocated from the pool.
    UsedBytes,
    /// The most bytes that were allocated from the pool.
    UsedHigh,
}

/// A property of a device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DeviceAttribute {
    /// 1: the host may touch managed memory while the device works.
    ConcurrentManagedAccess,
    /// 1: pools of pinned memory exist.
    PinnedPools,
    /// 1: pools of managed memory exist.
    ManagedPools,
}

/// The identity of a device, the same in every process (`CUuuid`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceUuid(pub [u8; 16]);

impl fmt::Display for DeviceUuid {
    /// As `nvidia-smi -L` has it: `GPU-` and groups of 4, 2, 2, 2 and 6 bytes in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GPU")?;
        let mut rest = &self.0[..];
        for group in [4, 2, 2, 2, 6] {
            let (bytes, more) = rest.split_at(group);
            f.write_str("-")?;
            bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
            rest = more;
        }
        Ok(())
    }
}

impl fmt::Debug for DeviceUuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What another process imports an allocation by (`CUmemPoolPtrExportData`). Means something to the driver alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PointerData(pub [u8; 64]);

/// What another process opens an event by (`CUipcEventHandle`). Means something to the driver alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EventData(pub [u8; 64]);

/// A function for the host to call in stream order.
#[derive(Clone, Copy, Debug)]
pub struct HostFn {
    /// Called once with `data`, on a thread of the driver's. It does not unwind and makes no driver call.
    pub call: unsafe extern "C" fn(*mut std::ffi::c_void),
    /// What it is called with.
    pub data: *mut std::ffi::c_void,
}
