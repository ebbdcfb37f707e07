//! What goes round in the pipeline.

use antecede::{Batch, Buffer, Device, DeviceBrand, Pinned, Result, State, Stream, Synced};

use crate::size::ChunkSize;

/// The buffers of one chunk on its way: handed over, recorded and synced as one.
#[derive(Batch, Debug)]
pub struct Slot<St: State> {
    /// What was read.
    pub source: Buffer<u8, St, Pinned>,
    /// The same on the device.
    pub input: Buffer<u8, St>,
    /// The kernel's result.
    pub output: Buffer<u8, St>,
    /// The result on the host.
    pub sink: Buffer<u8, St, Pinned>,
    /// Bytes of the chunk: all of the buffers, but for the last one.
    #[batch(keep)]
    pub len: usize,
    /// The number of its first block.
    #[batch(keep)]
    pub counter: u32,
}

impl<D: DeviceBrand> Slot<Synced<D>> {
    /// An idle slot for chunks of that size. `cuMemHostAlloc` and `cuMemAllocAsync` twice each, `cuStreamSynchronize`.
    ///
    /// # Errors
    /// Out of memory, or any other failure of these calls.
    pub fn new<S>(device: Device<D>, stream: Stream<S, D>, chunk: ChunkSize) -> Result<Self> {
        let bytes = chunk.bytes();
        let (input, output) = stream.sync((stream.alloc(bytes)?, stream.alloc(bytes)?))?;
        Ok(Slot { source: device.pinned(bytes)?, input, output, sink: device.pinned(bytes)?, len: 0, counter: 0 })
    }
}
