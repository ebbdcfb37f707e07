//! The properties that pools are created with.

use std::ptr;

use antecede::driver::{DriverResult, Space};
use cust::sys::{CUmemAllocationHandleType, CUmemPoolProps, CUmemoryPool};

use super::call::cuda;

/// How pools cross between processes.
pub(super) const FILE_DESCRIPTOR: CUmemAllocationHandleType =
    CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// The properties of a new pool (`CUmemPoolProps`), with numbers for what the bindings have no names for. The words that
/// came after the bindings lie in what was reserved, and are zero: the driver's defaults.
#[repr(C)]
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Props {
    allocation_type: i32,
    handle_types: i32,
    location_type: i32,
    location_id: i32,
    security_attributes: usize,
    reserved: [u8; 64],
}

const _: () = assert!(
    size_of::<Props>() == size_of::<CUmemPoolProps>() && align_of::<Props>() == align_of::<CUmemPoolProps>(),
    "the layout of `CUmemPoolProps`"
);

impl Props {
    pub(super) fn of(space: Space, ordinal: u32) -> Props {
        // CU_MEM_ALLOCATION_TYPE_PINNED (page-locked, wherever it is) and _MANAGED; CU_MEM_LOCATION_TYPE_NONE (no preferred
        // place), _DEVICE and _HOST.
        let (allocation_type, location_type, location_id) = match space {
            Space::DeviceMemory => (1, 1, in_props(ordinal)),
            Space::PinnedMemory => (1, 2, 0),
            Space::ManagedMemory => (2, 0, 0),
        };
        Props {
            allocation_type,
            handle_types: 0,
            location_type,
            location_id,
            security_attributes: 0,
            reserved: [0; 64],
        }
    }

    /// Of a pool of device memory that other processes can import.
    pub(super) fn exportable(ordinal: u32) -> Props {
        Props { handle_types: FILE_DESCRIPTOR as i32, ..Props::of(Space::DeviceMemory, ordinal) }
    }

    /// Makes a pool in the current context.
    pub(super) fn make(&self) -> DriverResult<CUmemoryPool> {
        let mut pool: CUmemoryPool = ptr::null_mut();
        // SAFETY: `pool` and `self` outlive the call; `self` has the layout of the C structure.
        unsafe { cuda!(cuMemPoolCreate(&mut pool, ptr::from_ref(self).cast::<CUmemPoolProps>())) }?;
        Ok(pool)
    }
}

/// An ordinal as the driver's structures have it. One beyond `i32` is no device, and no context of it is open.
pub(super) fn in_props(ordinal: u32) -> i32 {
    i32::try_from(ordinal).unwrap_or(i32::MAX)
}
