//! Memory that other processes have as well.

use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::ptr::with_exposed_provenance_mut;
use std::sync::atomic::AtomicU64;

/// A whole file of memory, mapped shared at a fixed address until it is dropped.
#[derive(Debug)]
pub(crate) struct Mapping {
    address: usize,
    len: usize,
}

impl Mapping {
    /// Maps a file, which must be one of memory, sealed against shrinking: a page that is mapped stays backed, whatever
    /// another process does to the file.
    #[cfg(target_os = "linux")]
    pub(crate) fn new(file: &File) -> io::Result<Self> {
        use rustix::fs::{SealFlags, fcntl_get_seals};
        use rustix::mm::{MapFlags, ProtFlags, mmap};
        let refused = |cause: &str| io::Error::new(io::ErrorKind::InvalidInput, cause);
        let seals = fcntl_get_seals(file).map_err(|_| refused("it is no file of memory"))?;
        if !seals.contains(SealFlags::SHRINK) {
            return Err(refused("it is not sealed against shrinking"));
        }
        let len = usize::try_from(file.metadata()?.len()).ok().filter(|&len| len > 0 && len <= isize::MAX as usize);
        let len = len.ok_or_else(|| refused("it is empty, or too long"))?;
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::NORESERVE);
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory that anything knows of. The file
        // has `len` bytes and keeps them (the seal).
        let start = unsafe { mmap(std::ptr::null_mut(), len, protection, flags, file, 0) }?;
        Ok(Mapping { address: start.expose_provenance(), len })
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn new(_: &File) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn address(&self) -> usize {
        self.address
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number at an offset; `None` if it does not lie inside, or is not aligned.
    pub(crate) fn counter(&self, offset: usize) -> Option<&AtomicU64> {
        let inside = offset.checked_add(size_of::<AtomicU64>())? <= self.len;
        let address = self.address + offset;
        if !inside || !address.is_multiple_of(align_of::<AtomicU64>()) {
            return None;
        }
        // SAFETY: the bytes lie in the mapping, which lives as long as `self` is borrowed, are aligned, and are
        // initialised, as all pages are. Mappings that counters are taken from are accessed in no other way here, nor by
        // other processes of this program.
        Some(unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(address)) })
    }

    /// Gives whole pages back to the system; they are zero when they are next touched.
    ///
    /// # Safety
    /// 1. The range is not accessed until this returns, and nothing relies on its contents.
    #[cfg(target_os = "linux")]
    pub(super) unsafe fn discard(&self, offset: usize, len: usize) {
        const PAGE: usize = 4096;
        let end = offset.saturating_add(len).min(self.len) / PAGE * PAGE;
        let start = offset.next_multiple_of(PAGE);
        if start < end {
            let place = with_exposed_provenance_mut(self.address + start);
            // SAFETY: the pages lie in the mapping, stay mapped, and nobody relies on what they hold (1).
            // Where the system does not do this, the memory is kept: nothing else depends on it.
            let _kept = unsafe { rustix::mm::madvise(place, end - start, rustix::mm::Advice::LinuxRemove) };
        }
    }

    /// # Safety
    /// As above.
    #[cfg(not(target_os = "linux"))]
    pub(super) unsafe fn discard(&self, _: usize, _: usize) {}
}

impl Drop for Mapping {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        // SAFETY: `mmap` returned this address for this length, and this is its only owner. Spans of it are used by
        // operations alone, which have all taken effect, or are dropped without running.
        let _unmapped = unsafe { rustix::mm::munmap(with_exposed_provenance_mut(self.address), self.len) };
    }
}
