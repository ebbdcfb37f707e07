//! Memory of the current context: allocated, and filled.

use std::ffi::c_void;
use std::ptr;

use antecede::driver::{DevicePtr, DriverResult, Pattern};
use cust::sys::{self, CUmemAttach_flags, CUmemoryPool, CUstream};

use super::call::cuda;

/// Device memory of the current pool, in stream order.
///
/// # Safety
/// 1. A live stream of the current context.
pub(super) unsafe fn alloc(stream: CUstream, bytes: usize) -> DriverResult<DevicePtr> {
    let mut address = 0;
    // SAFETY: `address` outlives the call; (1).
    unsafe { cuda!(cuMemAllocAsync(&mut address, bytes, stream)) }?;
    Ok(DevicePtr(address))
}

/// Memory of the pool, in stream order.
///
/// # Safety
/// 1. A live stream of the current context.
/// 2. A live pool of that context's device.
pub(super) unsafe fn alloc_from(pool: CUmemoryPool, stream: CUstream, bytes: usize) -> DriverResult<DevicePtr> {
    let mut address = 0;
    // SAFETY: `address` outlives the call; (1) and (2).
    unsafe { cuda!(cuMemAllocFromPoolAsync(&mut address, bytes, pool, stream)) }?;
    Ok(DevicePtr(address))
}

/// Pinned memory that every device may address.
pub(super) fn pinned(bytes: usize) -> DriverResult<DevicePtr> {
    let mut address: *mut c_void = ptr::null_mut();
    // With unified addressing (required when a context is opened) the device's address is the host's.
    // SAFETY: `address` outlives the call.
    unsafe { cuda!(cuMemHostAlloc(&mut address, bytes, sys::CU_MEMHOSTALLOC_PORTABLE)) }?;
    Ok(DevicePtr(address.expose_provenance() as u64))
}

/// Frees pinned memory.
///
/// # Safety
/// 1. The address was returned by `pinned`, and not freed since. Nothing uses the memory.
pub(super) unsafe fn free_pinned(ptr: DevicePtr) -> DriverResult {
    let address = ptr::with_exposed_provenance_mut::<c_void>(ptr.0 as usize);
    // SAFETY: (1).
    unsafe { cuda!(cuMemFreeHost(address)) }
}

/// Managed memory that every stream of every device may use: attached to none.
pub(super) fn managed(bytes: usize) -> DriverResult<DevicePtr> {
    let mut address = 0;
    // SAFETY: `address` outlives the call.
    unsafe { cuda!(cuMemAllocManaged(&mut address, bytes, CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL as u32)) }?;
    Ok(DevicePtr(address))
}

/// Repeats a pattern, in stream order.
///
/// # Safety
/// 1. A live stream of the current context.
/// 2. The range is live memory, aligned to the pattern's width, that nothing else uses out of order.
pub(super) unsafe fn fill(stream: CUstream, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
    // SAFETY: (1) and (2), which are the calls' obligations.
    unsafe {
        match pattern {
            Pattern::D8(value) => cuda!(cuMemsetD8Async(dst.0, value, count, stream)),
            Pattern::D16(value) => cuda!(cuMemsetD16Async(dst.0, value, count, stream)),
            Pattern::D32(value) => cuda!(cuMemsetD32Async(dst.0, value, count, stream)),
        }
    }
}
