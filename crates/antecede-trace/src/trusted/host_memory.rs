//! Memory of the driver that does nothing which the host can read and write.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use antecede::driver::{DevicePtr, DriverResult, ErrorKind};

use super::null::{ALIGN, error, out_of_memory};

/// Live blocks of host memory, by address.
#[derive(Default, Debug)]
pub(super) struct HostMemory(Mutex<HashMap<DevicePtr, (Source, Block)>>);

/// What allocated a block, and so must free it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Pinned,
    Managed,
    Pool,
}

/// Zeroed host memory; freed when dropped.
#[derive(Debug)]
pub(super) struct Block {
    ptr: DevicePtr,
    layout: Layout,
}

impl HostMemory {
    pub(super) fn alloc(&self, call: &'static str, source: Source, bytes: usize) -> DriverResult<DevicePtr> {
        let block = Block::new(call, bytes)?;
        let ptr = block.ptr;
        self.lock().insert(ptr, (source, block));
        Ok(ptr)
    }

    /// Takes a block out, to be freed, if that source allocated it.
    pub(super) fn take(&self, call: &'static str, source: Source, ptr: DevicePtr) -> DriverResult<Block> {
        let mut blocks = self.lock();
        match blocks.remove(&ptr) {
            Some((of, block)) if of == source => Ok(block),
            other => {
                blocks.extend(other.map(|other| (ptr, other)));
                Err(error(call, ErrorKind::InvalidValue, 1, "not allocated by the sibling call, or freed before"))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<DevicePtr, (Source, Block)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Block {
    fn new(call: &'static str, bytes: usize) -> DriverResult<Self> {
        if bytes == 0 {
            return Err(error(call, ErrorKind::InvalidValue, 1, "no bytes asked for"));
        }
        let layout = Layout::from_size_align(bytes, ALIGN as usize).map_err(|_| out_of_memory(call))?;
        // SAFETY: the layout's size is not zero.
        let block = unsafe { alloc_zeroed(layout) };
        if block.is_null() {
            return Err(out_of_memory(call));
        }
        Ok(Block { ptr: DevicePtr(block.expose_provenance() as u64), layout })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `alloc_zeroed` returned the address for this layout; a block is dropped once, and cannot be copied.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(self.ptr.0 as usize), self.layout) };
    }
}
