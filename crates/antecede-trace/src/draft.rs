//! An entry in the making.

use std::collections::HashMap;

use antecede::driver::{Access, ContextId, DevicePtr, EventId, StreamId, StreamRef};

use crate::stamps::Stamps;
use crate::{Entry, Outcome, TracedStream};

/// An entry that is being filled in.
pub(crate) struct Draft<'a> {
    pub(crate) entry: Entry,
    pub(crate) tables: &'a mut Tables,
}

impl Draft<'_> {
    pub(crate) fn context(&mut self, context: ContextId) {
        self.entry.context = Some(context);
    }

    pub(crate) fn stream(&mut self, stream: &StreamRef) {
        self.context(stream.context.id);
        let name = self.tables.names.get(&stream.id).copied();
        self.entry.stream = Some(TracedStream { stream: *stream, name });
    }

    pub(crate) fn event(&mut self, event: EventId) {
        self.entry.event = Some(event);
    }

    pub(crate) fn kernel(&mut self, name: &'static str) {
        self.entry.kernel = Some(name);
    }

    /// Notes a query's answer, if it gave one.
    pub(crate) fn answered(&mut self, complete: Option<&bool>) {
        if let Some(&complete) = complete {
            self.entry.outcome = Outcome::Answered(complete);
        }
    }

    /// Notes a range; an empty one is no access.
    pub(crate) fn access(&mut self, access: Access) {
        if access.bytes != 0 {
            self.entry.accesses.push(access);
        }
    }

    pub(crate) fn name(&mut self, stream: StreamId, name: &'static str) {
        self.tables.names.insert(stream, name);
    }

    pub(crate) fn unname(&mut self, stream: StreamId) {
        self.tables.names.remove(&stream);
    }

    /// Notes a new block, if the allocation gave one.
    pub(crate) fn allocated(&mut self, block: Option<&DevicePtr>, bytes: usize) {
        if let Some(&ptr) = block {
            self.tables.blocks.insert(ptr, Block { bytes, is_freed: false, is_imported: false });
            self.access(Access { ptr, bytes, write: true });
        }
    }

    /// Notes a block of another process, if the import gave one. Its size is not known yet: it has one byte, or what a
    /// block had that was imported to this address before.
    pub(crate) fn imported(&mut self, block: Option<&DevicePtr>) {
        if let Some(&ptr) = block {
            let earlier = self.tables.blocks.get(&ptr).filter(|block| block.is_imported);
            let bytes = earlier.map_or(1, |block| block.bytes);
            self.tables.blocks.insert(ptr, Block { bytes, is_freed: false, is_imported: true });
            self.access(Access { ptr, bytes, write: true });
        }
    }

    /// Notes what more an imported block has than was known of it.
    pub(crate) fn sized(&mut self, ptr: DevicePtr, answer: Option<&usize>) {
        let imported = self.tables.blocks.get_mut(&ptr).filter(|block| block.is_imported && !block.is_freed);
        if let (Some(block), Some(&bytes)) = (imported, answer)
            && bytes > block.bytes
        {
            let rest = Access { ptr: ptr.offset(block.bytes), bytes: bytes - block.bytes, write: true };
            block.bytes = bytes;
            self.access(rest);
        }
    }

    /// Notes the whole block that begins there, if its allocation was seen, as freed.
    pub(crate) fn freed(&mut self, ptr: DevicePtr) {
        if let Some(block) = self.tables.blocks.get_mut(&ptr) {
            block.is_freed = true;
            let bytes = block.bytes;
            self.access(Access { ptr, bytes, write: true });
        }
    }

    /// Takes a `freed` back after a failed call.
    pub(crate) fn not_freed(&mut self, ptr: DevicePtr) {
        if let Some(block) = self.tables.blocks.get_mut(&ptr) {
            block.is_freed = false;
        }
    }
}

/// What later entries need to know of earlier ones. Empty while only counting.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) next_seq: u64,
    /// Names of the streams that are not destroyed yet.
    pub(crate) names: HashMap<StreamId, &'static str>,
    /// Sizes of blocks, since a free is told an address alone. Freed ones stay until a clear, so that a second free is
    /// seen for what it is.
    pub(crate) blocks: HashMap<DevicePtr, Block>,
    /// When entries came about.
    pub(crate) stamps: Stamps,
}

#[derive(Debug)]
pub(crate) struct Block {
    bytes: usize,
    pub(crate) is_freed: bool,
    /// Another process allocated it.
    is_imported: bool,
}

impl Default for Tables {
    fn default() -> Self {
        Tables { next_seq: 1, names: HashMap::new(), blocks: HashMap::new(), stamps: Stamps::default() }
    }
}
