//! Where a buffer's memory is.

use crate::driver::Space;
use crate::trusted::Freed;
use std::convert::Infallible;
use std::marker::PhantomData;

/// A kind of memory. Sealed. Which call frees a buffer follows from it.
///
/// Implemented by [`Vram`], [`Pinned`], [`Managed`], `Pooled<Pinned>` and `Pooled<Managed>`. Not by `Pooled<Vram>`:
/// device memory from a pool of one's own is [`Vram`] like any other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of memory",
    label = "a buffer's third parameter says where its memory is",
    note = "device memory, the default: `Vram`; page-locked host memory: `Pinned`; of both: `Managed`",
    note = "from a pool: `Pooled<Pinned>`, `Pooled<Managed>`; device memory from a pool is `Vram`"
)]
pub trait Memory: sealed::Memory + 'static {}

/// Device memory from a stream-ordered pool (`cuMemAllocAsync`, `cuMemFreeAsync`). The host has no pointer to it.
#[derive(Debug)]
pub enum Vram {}

/// Page-locked host memory (`cuMemHostAlloc`), for copies that overlap with other work.
///
/// An asynchronous copy takes its state like that of a device buffer: the host can neither write a source nor read a
/// destination in flight. A dropped buffer goes back to a cache of its device; its memory is used again when the work
/// on it is over.
#[derive(Debug)]
pub enum Pinned {}

/// Managed memory (`cuMemAllocManaged`): its pages move to whoever uses them, host or device.
///
/// The host touches it in state [`Synced`](crate::Synced) only, or in a [host function](crate::Stream::host_fn). There is
/// none of it where a host slice would fault as soon as the device works on something else
/// (`concurrentManagedAccess` 0). A dropped buffer goes back to a cache of its device, as for [`Pinned`].
#[derive(Debug)]
pub enum Managed {}

/// Host-visible memory of kind `M`, [`Pinned`] or [`Managed`], from a [`Pool`](crate::Pool): allocated and freed in
/// stream order (`cuMemAllocFromPoolAsync`, `cuMemFreeAsync`), so that it needs no cache.
#[derive(Debug)]
pub struct Pooled<M>(Infallible, PhantomData<M>);

impl Memory for Vram {}
impl Memory for Pinned {}
#[diagnostic::do_not_recommend]
impl Memory for Managed {}
#[diagnostic::do_not_recommend]
impl Memory for Pooled<Pinned> {}
#[diagnostic::do_not_recommend]
impl Memory for Pooled<Managed> {}

/// Memory that the host can address. Sealed.
///
/// Implemented by [`Pinned`], [`Managed`] and both as [`Pooled`]. Not by [`Vram`]: copy it out.
#[diagnostic::on_unimplemented(
    message = "the host has no pointer to this memory: it is `{Self}`",
    label = "only the device can address it",
    note = "copy it out: `buf.to_vec()?`, or on its stream: `stream.download(&buf)?`",
    note = "for memory that both can address: `device.pinned(len)?`"
)]
pub trait HostVisible: Memory + sealed::HostVisible {}

impl HostVisible for Pinned {}
#[diagnostic::do_not_recommend]
impl HostVisible for Managed {}
#[diagnostic::do_not_recommend]
impl HostVisible for Pooled<Pinned> {}
#[diagnostic::do_not_recommend]
impl HostVisible for Pooled<Managed> {}

/// Memory that pools are made of. Sealed.
///
/// Implemented by [`Vram`], [`Pinned`] and [`Managed`]. Not by [`Pooled`]: that is what a pool gives.
#[diagnostic::on_unimplemented(
    message = "there is no pool of `{Self}`",
    label = "not what a pool is made of",
    note = "name the memory itself: `device.pool::<Vram>()?`, `device.pool::<Pinned>()?`, `device.pool::<Managed>()?`",
    note = "the buffers of the last two are of kind `Pooled<Pinned>` and `Pooled<Managed>`"
)]
pub trait PoolMemory: Memory + sealed::PoolMemory {
    /// The kind of the buffers that such a pool gives: how they are freed.
    type Allocated: Memory;
}

impl PoolMemory for Vram {
    type Allocated = Vram;
}
impl PoolMemory for Pinned {
    type Allocated = Pooled<Pinned>;
}
impl PoolMemory for Managed {
    type Allocated = Pooled<Managed>;
}

pub(crate) mod sealed {
    use super::{Freed, Managed, Pinned, Pooled, Space, Vram};

    pub trait Memory {
        #[doc(hidden)]
        fn free(freed: Freed);
        #[doc(hidden)]
        const HOST: bool;
    }

    macro_rules! memory {
        ($($kind:ty: $host:literal, |$freed:ident| $free:expr;)+) => { $(
            impl Memory for $kind {
                fn free($freed: Freed) {
                    $free
                }
                const HOST: bool = $host;
            }
        )+ };
    }

    memory! {
        Vram: false, |freed| freed.in_stream_order();
        Pinned: true, |freed| freed.into_cache(Space::PinnedMemory);
        Managed: true, |freed| freed.into_cache(Space::ManagedMemory);
        Pooled<Pinned>: true, |freed| freed.in_stream_order();
        Pooled<Managed>: true, |freed| freed.in_stream_order();
    }

    pub trait HostVisible {}
    impl HostVisible for Pinned {}
    impl HostVisible for Managed {}
    impl HostVisible for Pooled<Pinned> {}
    impl HostVisible for Pooled<Managed> {}

    pub trait PoolMemory {
        #[doc(hidden)]
        const SPACE: Space;
    }
    impl PoolMemory for Vram {
        const SPACE: Space = Space::DeviceMemory;
    }
    impl PoolMemory for Pinned {
        const SPACE: Space = Space::PinnedMemory;
    }
    impl PoolMemory for Managed {
        const SPACE: Space = Space::ManagedMemory;
    }
}
