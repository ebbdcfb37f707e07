//! What the code that `kernels!` makes calls. Nothing here gives safe code access to memory.

pub use crate::trusted::{Geometry, Module};

use crate::driver::Access;
use crate::trusted::View;
use crate::{Error, Result};
use bytemuck::Pod;
use std::ffi::c_void;

/// The parameter pointer of a scalar.
pub fn scalar_param<T: Pod>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

/// The parameter pointer of a slice: to its address.
pub fn slice_param(access: &Access) -> *const c_void {
    std::ptr::from_ref(&access.ptr).cast()
}

/// Bytes of a scalar parameter.
pub const fn scalar_bytes<T: Pod>() -> usize {
    size_of::<T>()
}

/// Bytes of an element of a slice parameter.
pub const fn element_bytes<T: Pod>() -> usize {
    size_of::<T>()
}

/// What a launch reads.
pub fn read_access<T: Pod, St>(view: &View<T, St>) -> Access {
    view.access(false)
}

/// What a launch writes.
pub fn write_access<T: Pod, St>(view: &mut View<T, St>) -> Access {
    view.access(true)
}

/// See `trusted::module`.
pub fn geometry_for_threads(threads: Option<i128>, block: u32, shared_bytes: u32) -> Result<Option<Geometry>> {
    crate::trusted::geometry_for_threads(threads, block, shared_bytes)
}

/// See `trusted::module`.
pub fn geometry(
    grid: [Option<i128>; 3],
    block: [Option<i128>; 3],
    shared_bytes: Option<i128>,
) -> Result<Option<Geometry>> {
    crate::trusted::geometry(grid, block, shared_bytes)
}

/// The error of a launch that breaks its contract.
#[cold]
pub fn contract_violated(module: &'static str, kernel: &'static str, clause: &'static str) -> Error {
    Error::Contract { module, kernel, clause }
}
