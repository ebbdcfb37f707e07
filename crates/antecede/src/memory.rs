//! Where a buffer's memory is.

use crate::trusted::Freed;

/// A kind of memory. Sealed. Which call frees a buffer follows from it.
///
/// Implemented by [`Vram`] and [`Pinned`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of memory",
    label = "a buffer's third parameter says where its memory is",
    note = "device memory, the default: `Vram`; page-locked host memory: `Pinned`"
)]
pub trait Memory: sealed::Memory + 'static {}

/// Device memory from the stream-ordered pool (`cuMemAllocAsync`, `cuMemFreeAsync`). The host has no pointer to it.
#[derive(Debug)]
pub enum Vram {}

/// Page-locked host memory (`cuMemHostAlloc`), for copies that overlap with other work.
///
/// An asynchronous copy takes its state like that of a device buffer: the host can neither write a source nor read a
/// destination in flight. A dropped buffer goes back to a cache of its device; its memory is used again when the work
/// on it is over.
#[derive(Debug)]
pub enum Pinned {}

impl Memory for Vram {}
impl Memory for Pinned {}

/// Memory that the host can address. Sealed.
///
/// Implemented by [`Pinned`]. Not by [`Vram`]: copy it out.
#[diagnostic::on_unimplemented(
    message = "the host has no pointer to this memory: it is `{Self}`",
    label = "only the device can address it",
    note = "copy it out: `buf.to_vec()?`, or on its stream: `stream.download(&buf)?`",
    note = "for memory that both can address: `device.pinned(len)?`"
)]
pub trait HostVisible: Memory + sealed::HostVisible {}

impl HostVisible for Pinned {}

pub(crate) mod sealed {
    use super::{Freed, Pinned, Vram};

    pub trait Memory {
        #[doc(hidden)]
        fn free(freed: Freed);
        #[doc(hidden)]
        const HOST: bool;
    }
    impl Memory for Vram {
        fn free(freed: Freed) {
            freed.in_stream_order();
        }
        const HOST: bool = false;
    }
    impl Memory for Pinned {
        fn free(freed: Freed) {
            freed.into_cache();
        }
        const HOST: bool = true;
    }

    pub trait HostVisible {}
    impl HostVisible for Pinned {}
}
