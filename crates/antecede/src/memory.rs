//! Where a buffer's memory is.

use crate::driver::Space;
use crate::trusted::Freed;
use std::convert::Infallible;
use std::marker::PhantomData;

/// A kind of memory. Sealed. Which call frees a buffer follows from it.
///
/// Implemented by [`Vram`], [`Pinned`], [`Managed`], `Pooled<Pinned>`, `Pooled<Managed>`, [`Exportable`] and
/// [`Imported`]. Not by `Pooled<Vram>`: device memory from a pool of one's own is [`Vram`] like any other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of memory",
    label = "a buffer's third parameter says where its memory is",
    note = "device memory, the default: `Vram`; page-locked host memory: `Pinned`; of both: `Managed`",
    note = "from a pool: `Pooled<Pinned>`, `Pooled<Managed>`; device memory from a pool is `Vram`",
    note = "between processes: `Exportable`, and on the other side `Imported<ReadOnly>` or `Imported<ReadWrite>`"
)]
pub trait Memory: sealed::Memory + 'static {
    /// The kind of a [part](crate::Buffer::into_parts_at) of such a buffer: the same, but for [`Exportable`], which is
    /// exported as a whole.
    type Part: Memory<Part = Self::Part>;
}

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

/// Device memory that other processes can be let in to: from a pool of `device.pool::<Exportable>()?`.
///
/// A buffer of it is like one of [`Vram`] in every other respect. Its parts are [`Vram`]: a whole allocation is exported,
/// or none of it.
#[derive(Debug)]
pub enum Exportable {}

/// Device memory of another process: [`ReadOnly`] or [`ReadWrite`], as its exporter has it.
///
/// Used like any other on the streams of this process. A drop ends this process's use of it, in stream order; the memory
/// itself is the exporter's.
#[derive(Debug)]
pub struct Imported<A>(Infallible, PhantomData<A>);

/// Several processes, the exporter among them, read the memory, and nobody writes it.
#[derive(Debug)]
pub enum ReadOnly {}

/// One other process has the memory to itself.
#[derive(Debug)]
pub enum ReadWrite {}

/// What another process may do with memory. Sealed.
///
/// Implemented by [`ReadOnly`] and [`ReadWrite`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what another process may do with memory",
    label = "neither `ReadOnly` nor `ReadWrite`",
    note = "what is lent to this process alone: `Imported<ReadWrite>`, and `importer.import::<f32, ReadWrite, _>(stream)?`",
    note = "what is published for many: `Imported<ReadOnly>`, and `importer.import::<f32, ReadOnly, _>(stream)?`"
)]
pub trait PeerAccess: sealed::PeerAccess + 'static {}

impl PeerAccess for ReadOnly {}
impl PeerAccess for ReadWrite {}

impl Memory for Vram {
    type Part = Self;
}
impl Memory for Pinned {
    type Part = Self;
}
#[diagnostic::do_not_recommend]
impl Memory for Managed {
    type Part = Self;
}
#[diagnostic::do_not_recommend]
impl Memory for Pooled<Pinned> {
    type Part = Self;
}
#[diagnostic::do_not_recommend]
impl Memory for Pooled<Managed> {
    type Part = Self;
}
#[diagnostic::do_not_recommend]
impl Memory for Exportable {
    type Part = Vram;
}
#[diagnostic::do_not_recommend]
impl Memory for Imported<ReadOnly> {
    type Part = Self;
}
#[diagnostic::do_not_recommend]
impl Memory for Imported<ReadWrite> {
    type Part = Self;
}

/// Memory that may be written. Sealed.
///
/// Implemented by every kind but `Imported<ReadOnly>`.
#[diagnostic::on_unimplemented(
    message = "this buffer is another process's, for reading only",
    label = "its memory is `{Self}`",
    note = "the exporter chose so: it lends a buffer for writing to one importer, `exporter.lend(buf, peer)?`",
    note = "to change a copy of it: `stream.copy(&buf, &mut own)?`"
)]
pub trait Writable: Memory + sealed::Writable {}

impl Writable for Vram {}
impl Writable for Pinned {}
impl Writable for Managed {}
impl Writable for Pooled<Pinned> {}
impl Writable for Pooled<Managed> {}
impl Writable for Exportable {}
impl Writable for Imported<ReadWrite> {}

/// Memory that the host can address. Sealed.
///
/// Implemented by [`Pinned`], [`Managed`] and both as [`Pooled`]. Not by [`Vram`]: copy it out.
#[diagnostic::on_unimplemented(
    message = "the host has no pointer to this memory: it is `{Self}`",
    label = "only the device can address it",
    note = "copy it out: `buf.to_vec()?`, or on its stream: `stream.download(&buf)?`",
    note = "for memory that both can address: `device.pinned(len)?`"
)]
pub trait HostVisible: Writable + sealed::HostVisible {}

impl HostVisible for Pinned {}
#[diagnostic::do_not_recommend]
impl HostVisible for Managed {}
#[diagnostic::do_not_recommend]
impl HostVisible for Pooled<Pinned> {}
#[diagnostic::do_not_recommend]
impl HostVisible for Pooled<Managed> {}

/// Memory that pools are made of. Sealed.
///
/// Implemented by [`Vram`], [`Pinned`], [`Managed`] and [`Exportable`]. Not by [`Pooled`]: that is what a pool gives.
#[diagnostic::on_unimplemented(
    message = "there is no pool of `{Self}`",
    label = "not what a pool is made of",
    note = "name the memory itself: `device.pool::<Vram>()?`, `device.pool::<Pinned>()?`, `device.pool::<Managed>()?`",
    note = "the buffers of the last two are of kind `Pooled<Pinned>` and `Pooled<Managed>`",
    note = "for other processes: `device.pool::<Exportable>()?`"
)]
pub trait PoolMemory: Memory + sealed::PoolMemory {
    /// The kind of the buffers that such a pool gives: how they are freed.
    type Allocated: Writable;
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
#[diagnostic::do_not_recommend]
impl PoolMemory for Exportable {
    type Allocated = Exportable;
}

pub(crate) mod sealed {
    use super::{Exportable, Freed, Imported, Managed, Pinned, Pooled, ReadOnly, ReadWrite, Space, Vram};

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
        Exportable: false, |freed| freed.in_stream_order();
        Imported<ReadOnly>: false, |freed| freed.end_import();
        Imported<ReadWrite>: false, |freed| freed.end_import();
    }

    pub trait PeerAccess {
        #[doc(hidden)]
        const WRITES: bool;
    }
    impl PeerAccess for ReadOnly {
        const WRITES: bool = false;
    }
    impl PeerAccess for ReadWrite {
        const WRITES: bool = true;
    }

    pub trait Writable {}
    impl Writable for Vram {}
    impl Writable for Pinned {}
    impl Writable for Managed {}
    impl Writable for Pooled<Pinned> {}
    impl Writable for Pooled<Managed> {}
    impl Writable for Exportable {}
    impl Writable for Imported<ReadWrite> {}

    pub trait HostVisible {}
    impl HostVisible for Pinned {}
    impl HostVisible for Managed {}
    impl HostVisible for Pooled<Pinned> {}
    impl HostVisible for Pooled<Managed> {}

    pub trait PoolMemory {
        #[doc(hidden)]
        const SPACE: Space;
        #[doc(hidden)]
        const EXPORTABLE: bool = false;
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
    impl PoolMemory for Exportable {
        const SPACE: Space = Space::DeviceMemory;
        const EXPORTABLE: bool = true;
    }
}
