//! Properties of devices, asked for by number: newer drivers have some that the bindings have no name for.

use std::ffi::c_int;
use std::mem::transmute;

use antecede::driver::{DeviceAttribute, DriverError, DriverResult, ErrorKind};
use cust::sys::{self, CUdevice, CUdevice_attribute, CUmemAllocationHandleType, CUresult};

use super::call::{checked, cuda};
use super::cuda::{count_devices, device};

/// `CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED`, since CUDA 13.0.
const HOST_MEMORY_POOLS_SUPPORTED: i32 = 144;
/// The version in which managed pools came (`cuDriverGetVersion`: 1000 times the major number).
const MANAGED_POOLS_SINCE: i32 = 13_000;

pub(super) const CONCURRENT_MANAGED_ACCESS: i32 =
    CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS as i32;
pub(super) const UNIFIED_ADDRESSING: i32 = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING as i32;
pub(super) const MEMORY_POOLS: i32 = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as i32;

/// Whether pools of the device can be exported as file descriptors.
pub(super) fn exports_pools(ordinal: u32) -> DriverResult<bool> {
    const TYPES: i32 = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES as i32;
    let types = zero_where_unknown(number(device(ordinal)?, TYPES))?;
    Ok(types & CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR as i32 != 0)
}

/// The property of the device.
pub(super) fn attribute(ordinal: u32, attribute: DeviceAttribute) -> DriverResult<i32> {
    match attribute {
        DeviceAttribute::ConcurrentManagedAccess => number(device(ordinal)?, CONCURRENT_MANAGED_ACCESS),
        DeviceAttribute::PinnedPools => zero_where_unknown(number(device(ordinal)?, HOST_MEMORY_POOLS_SUPPORTED)),
        DeviceAttribute::ManagedPools => managed_pools().map(i32::from),
        other => {
            let message = format!("the CUDA driver is not asked for {other:?}").into();
            Err(DriverError { call: CALL, kind: ErrorKind::NotSupported, code: 0, message })
        }
    }
}

/// The value of an attribute of the driver's own.
pub(super) fn number(device: CUdevice, attribute: i32) -> DriverResult<i32> {
    // SAFETY: a C function with a C enum for its second parameter and its result, both of which are `i32`s to the calling
    // convention (`repr(i32)` in the bindings). It takes any number.
    let ask = unsafe {
        transmute::<
            unsafe extern "C" fn(*mut c_int, CUdevice_attribute, CUdevice) -> CUresult,
            unsafe extern "C" fn(*mut c_int, i32, CUdevice) -> i32,
        >(sys::cuDeviceGetAttribute)
    };
    let mut value = 0;
    // SAFETY: `value` outlives the call; the device comes from `cuDeviceGet`.
    checked(CALL, unsafe { ask(&mut value, attribute, device) })?;
    Ok(value)
}

const CALL: &str = "cuDeviceGetAttribute";

/// A driver older than the attribute calls its number an invalid value: it does not have what the attribute is about.
fn zero_where_unknown(value: DriverResult<i32>) -> DriverResult<i32> {
    match value {
        Err(error) if error.kind == ErrorKind::InvalidValue => Ok(0),
        value => value,
    }
}

/// Whether managed pools exist: no attribute says so. CUDA wants concurrent managed access of *every* device for them.
fn managed_pools() -> DriverResult<bool> {
    let mut version = 0;
    // SAFETY: `version` outlives the call.
    unsafe { cuda!(cuDriverGetVersion(&mut version)) }?;
    if version < MANAGED_POOLS_SINCE {
        return Ok(false);
    }
    for ordinal in 0..count_devices()? {
        if number(device(ordinal)?, CONCURRENT_MANAGED_ACCESS)? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_that_the_driver_does_not_know_is_zero() {
        assert_eq!(zero_where_unknown(Ok(1)), Ok(1));
        assert_eq!(zero_where_unknown(checked(CALL, 1).map(|()| 1)), Ok(0));
        let lost = checked(CALL, 700).map(|()| 1);
        assert_eq!(zero_where_unknown(lost.clone()), lost);
    }
}
