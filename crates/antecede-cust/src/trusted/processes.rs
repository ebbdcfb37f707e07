//! What crosses between processes: pools by their descriptors, allocations and events by 64 bytes.

#[cfg(unix)]
use std::ffi::c_int;
#[cfg(unix)]
use std::os::fd::{FromRawFd, OwnedFd};
use std::ptr;

use antecede::driver::{DevicePtr, DeviceUuid, DriverError, DriverResult, ErrorKind, EventData, PointerData};
use cust::sys::{
    CUevent, CUevent_flags, CUipcEventHandle, CUmemPoolPtrExportData, CUmemoryPool, CUpointer_attribute, CUresult,
    CUuuid,
};

use super::call::cuda;
use super::cuda::device;
#[cfg(unix)]
use super::pool_props::FILE_DESCRIPTOR;

/// The identity of the device; of a slice of one (MIG), its own.
pub(super) fn uuid(ordinal: u32) -> DriverResult<DeviceUuid> {
    let mut uuid = CUuuid { bytes: [0; 16] };
    let device = device(ordinal)?;
    // SAFETY: `uuid` outlives the call; the device comes from `cuDeviceGet`.
    unsafe { cuda!(cuDeviceGetUuid_v2(&mut uuid, device)) }?;
    Ok(DeviceUuid(uuid.bytes.map(|byte| byte as u8)))
}

/// A descriptor of a pool, closed on `exec`.
///
/// # Safety
/// 1. The pool is live, and exportable.
#[cfg(unix)]
pub(super) unsafe fn export_pool(pool: CUmemoryPool) -> DriverResult<OwnedFd> {
    const CALL: &str = "cuMemPoolExportToShareableHandle";
    let mut descriptor: c_int = -1;
    // SAFETY: the handle of this type is an `int`, and `descriptor` outlives the call; (1).
    unsafe { cuda!(cuMemPoolExportToShareableHandle((&raw mut descriptor).cast(), pool, FILE_DESCRIPTOR, 0)) }?;
    if descriptor < 0 {
        return Err(error(CALL, ErrorKind::Other, "the CUDA driver gave no descriptor"));
    }
    // SAFETY: the call opened the descriptor for its caller, and nobody else has it.
    let open = unsafe { OwnedFd::from_raw_fd(descriptor) };
    // The driver promises nothing of `exec`; the standard library's duplicates are closed by it.
    open.try_clone().map_err(|error| DriverError {
        call: CALL,
        kind: ErrorKind::Other,
        code: error.raw_os_error().unwrap_or(0),
        message: format!("its descriptor was not duplicated: {error}").into(),
    })
}

/// The pool that an allocation came from.
///
/// # Safety
/// 1. The address is live memory of the current context's device.
pub(super) unsafe fn pool_of(address: DevicePtr) -> DriverResult<u64> {
    let mut pool: CUmemoryPool = ptr::null_mut();
    let attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
    // SAFETY: the attribute's value is a pool's handle, and `pool` outlives the call; (1).
    unsafe { cuda!(cuPointerGetAttribute((&raw mut pool).cast(), attribute, address.0)) }?;
    if pool.is_null() {
        return Err(error("cuPointerGetAttribute", ErrorKind::InvalidValue, "the memory is of no pool"));
    }
    Ok(pool as u64)
}

/// The size of the allocation that starts there.
///
/// # Safety
/// 1. The address is live memory of the current context's device.
pub(super) unsafe fn allocation_bytes(address: DevicePtr) -> DriverResult<usize> {
    let (mut base, mut bytes) = (0, 0);
    // SAFETY: both results outlive the call; (1).
    let asked = unsafe { cuda!(cuMemGetAddressRange_v2(&mut base, &mut bytes, address.0)) };
    size(address, asked.map(|()| (base, bytes)))
}

/// What the answer says of an allocation at that address.
///
/// A driver that keeps no such record of this kind of memory says that it does not know the address, or names the range
/// that it has mapped the allocation in.
fn size(address: DevicePtr, range: DriverResult<(u64, usize)>) -> DriverResult<usize> {
    const NOT_FOUND: i32 = CUresult::CUDA_ERROR_NOT_FOUND as i32;
    match range {
        Ok((base, bytes)) if base == address.0 => Ok(bytes),
        Ok((base, bytes)) => {
            let message = format!("the driver knows {bytes} bytes at {base:#x}, not the allocation at {address:?}");
            Err(error("cuMemGetAddressRange", ErrorKind::NotSupported, &message))
        }
        Err(error) if error.kind == ErrorKind::InvalidValue || error.code == NOT_FOUND => {
            Err(DriverError { kind: ErrorKind::NotSupported, ..error })
        }
        Err(error) => Err(error),
    }
}

/// What another process imports an allocation by.
///
/// # Safety
/// 1. The address is the start of a live allocation from an exportable pool.
pub(super) unsafe fn export_pointer(address: DevicePtr) -> DriverResult<PointerData> {
    let mut data = CUmemPoolPtrExportData { reserved: [0; 64] };
    // SAFETY: `data` outlives the call; (1).
    unsafe { cuda!(cuMemPoolExportPointer(&mut data, address.0)) }?;
    Ok(PointerData(data.reserved))
}

/// Maps an allocation of another process.
///
/// # Safety
/// 1. The pool is a live, imported one.
/// 2. The data was exported from it, and its allocation is not imported already.
pub(super) unsafe fn import_pointer(pool: CUmemoryPool, data: &PointerData) -> DriverResult<DevicePtr> {
    let mut address = 0;
    let mut data = CUmemPoolPtrExportData { reserved: data.0 };
    // SAFETY: `address` and `data` outlive the call; (1) and (2).
    unsafe { cuda!(cuMemPoolImportPointer(&mut address, pool, &mut data)) }?;
    Ok(DevicePtr(address))
}

/// An event of the current context that other processes can open.
pub(super) fn create_event() -> DriverResult<u64> {
    let mut event: CUevent = ptr::null_mut();
    let flags = CUevent_flags::CU_EVENT_INTERPROCESS as u32 | CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
    // SAFETY: `event` outlives the call.
    unsafe { cuda!(cuEventCreate(&mut event, flags)) }?;
    Ok(event as u64)
}

/// What another process opens an event by.
///
/// # Safety
/// 1. The event is live, and was made by `create_event`.
pub(super) unsafe fn export_event(event: CUevent) -> DriverResult<EventData> {
    let mut data = CUipcEventHandle { reserved: [0; 64] };
    // SAFETY: `data` outlives the call; (1).
    unsafe { cuda!(cuIpcGetEventHandle(&mut data, event)) }?;
    Ok(EventData(data.reserved.map(|byte| byte as u8)))
}

/// Opens an event of another process in the current context.
pub(super) fn import_event(data: &EventData) -> DriverResult<u64> {
    let mut event: CUevent = ptr::null_mut();
    let data = CUipcEventHandle { reserved: data.0.map(|byte| byte as _) };
    // SAFETY: `event` outlives the call, which refuses what is no event's.
    unsafe { cuda!(cuIpcOpenEventHandle(&mut event, data)) }?;
    Ok(event as u64)
}

fn error(call: &'static str, kind: ErrorKind, message: &str) -> DriverError {
    DriverError { call, kind, code: 0, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::super::call::checked;
    use super::*;

    #[test]
    fn a_size_that_the_driver_does_not_tell_is_not_supported() {
        let at = DevicePtr(0x1000);
        assert_eq!(size(at, Ok((0x1000, 512))), Ok(512));
        let kind = |range| size(at, range).map_err(|error| (error.kind, error.call));
        let not_told = Err((ErrorKind::NotSupported, "cuMemGetAddressRange"));
        assert_eq!(kind(Ok((0x800, 4096))), not_told, "the range that it lies in");
        for code in [1, 500, 801] {
            assert_eq!(kind(checked("cuMemGetAddressRange_v2", code).map(|()| (0, 0))), not_told, "{code}");
        }
        let lost = checked("cuMemGetAddressRange_v2", 700).map(|()| (0, 0));
        assert_eq!(kind(lost), Err((ErrorKind::LaunchFailed, "cuMemGetAddressRange")));
    }
}
