//! Memory and what is done to it.

use antecede::driver::{Access, DevicePtr};

use super::{Block, LogBuilder};
use crate::{Call, Outcome, TracedStream};

impl LogBuilder {
    /// Memory whose allocation is not in the log.
    pub fn outside(&mut self, bytes: usize) -> Block {
        let ptr = DevicePtr(self.next_address);
        self.next_address += (bytes as u64).next_multiple_of(256);
        Block { ptr, bytes }
    }

    /// Allocates in stream order.
    pub fn alloc(&mut self, stream: TracedStream, bytes: usize) -> Block {
        let block = self.outside(bytes);
        self.alloc_at(stream, block);
        block
    }

    /// Allocates in stream order, at an address that was in use before.
    pub fn alloc_at(&mut self, stream: TracedStream, block: Block) -> u64 {
        self.on(Call::Alloc, stream, [block.access(true)])
    }

    /// Allocates from a pool in stream order.
    pub fn pool_alloc(&mut self, stream: TracedStream, bytes: usize) -> Block {
        let block = self.outside(bytes);
        self.pool_alloc_at(stream, block);
        block
    }

    /// Allocates from a pool in stream order, at an address that was in use before.
    pub fn pool_alloc_at(&mut self, stream: TracedStream, block: Block) -> u64 {
        self.on(Call::PoolAlloc, stream, [block.access(true)])
    }

    /// Frees in stream order.
    pub fn free(&mut self, stream: TracedStream, block: Block) -> u64 {
        self.on(Call::Free, stream, [block.access(true)])
    }

    /// Writes a block by a fill.
    pub fn fill(&mut self, stream: TracedStream, block: Block) -> u64 {
        self.on(Call::Fill, stream, [block.access(true)])
    }

    /// Copies a block to one of the same size.
    pub fn copy(&mut self, stream: TracedStream, dst: Block, src: Block) -> u64 {
        self.on(Call::Copy, stream, [src.access(false), dst.access(true)])
    }

    /// Copies a block to one of the same size in the memory of another context.
    pub fn peer_copy(&mut self, stream: TracedStream, dst: Block, src: Block) -> u64 {
        self.on(Call::PeerCopy, stream, [src.access(false), dst.access(true)])
    }

    /// Launches a kernel.
    pub fn launch(&mut self, stream: TracedStream, kernel: &'static str, reads: &[Block], writes: &[Block]) -> u64 {
        let seq = self.on(Call::Launch, stream, accesses(reads, writes));
        self.last().kernel = Some(kernel);
        seq
    }

    /// Has a host function called in stream order.
    pub fn host_fn(&mut self, stream: TracedStream, reads: &[Block], writes: &[Block]) -> u64 {
        self.on(Call::HostFn, stream, accesses(reads, writes))
    }

    /// Allocates pinned memory.
    pub fn pinned_alloc(&mut self, bytes: usize) -> Block {
        let block = self.outside(bytes);
        self.pinned_alloc_at(block);
        block
    }

    /// Allocates pinned memory at an address that was in use before.
    pub fn pinned_alloc_at(&mut self, block: Block) -> u64 {
        self.host_call(Call::PinnedAlloc, [block.access(true)])
    }

    /// Frees pinned memory.
    pub fn pinned_free(&mut self, block: Block) -> u64 {
        self.host_free(Call::PinnedFree, block)
    }

    /// Allocates managed memory.
    pub fn managed_alloc(&mut self, bytes: usize) -> Block {
        let block = self.outside(bytes);
        self.managed_alloc_at(block);
        block
    }

    /// Allocates managed memory at an address that was in use before.
    pub fn managed_alloc_at(&mut self, block: Block) -> u64 {
        self.host_call(Call::ManagedAlloc, [block.access(true)])
    }

    /// Imports memory of another process; its size is known at once.
    pub fn import(&mut self, bytes: usize) -> Block {
        let block = self.outside(bytes);
        self.import_at(block);
        block
    }

    /// Imports memory of another process to an address that was in use before. Returns the number of the end, which is
    /// where it is allocated.
    pub fn import_at(&mut self, block: Block) -> u64 {
        let begun = self.host_call(Call::PointerImport, []);
        self.last().outcome = Outcome::Begun;
        let end = self.end(begun);
        self.last().accesses.push(block.access(true));
        end
    }

    /// Asks for the size of an imported block, of which so far one byte was known.
    pub fn allocation_bytes(&mut self, block: Block) -> u64 {
        self.host_call(Call::AllocationBytes, [block.part(1..block.bytes).access(true)])
    }

    /// Frees managed memory.
    pub fn managed_free(&mut self, block: Block) -> u64 {
        self.host_free(Call::ManagedFree, block)
    }

    /// The host reads pinned or managed memory.
    pub fn host_read(&mut self, block: Block) -> u64 {
        self.host_access(Call::HostRead, block.access(false))
    }

    /// The host writes pinned or managed memory.
    pub fn host_write(&mut self, block: Block) -> u64 {
        self.host_access(Call::HostWrite, block.access(true))
    }

    fn host_free(&mut self, call: Call, block: Block) -> u64 {
        let begun = self.host_call(call, [block.access(true)]);
        self.last().outcome = Outcome::Begun;
        self.end(begun);
        begun
    }
}

fn accesses<'a>(reads: &'a [Block], writes: &'a [Block]) -> impl Iterator<Item = Access> + 'a {
    let reads = reads.iter().map(|block| block.access(false));
    reads.chain(writes.iter().map(|block| block.access(true)))
}
