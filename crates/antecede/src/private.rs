//! What the code that `kernels!` makes calls. Nothing here gives safe code access to memory.

pub use crate::trusted::{Geometry, LaneGuard, LaneTag, Launcher, Module};

use crate::driver::Access;
use crate::trusted::View;
use crate::{Error, Result};
use bytemuck::Pod;
use std::ffi::c_void;

/// The parameter pointer of a scalar.
pub fn scalar_param<T: Pod>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

/// A slice parameter, without its brand and element.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// What the launch accesses.
    pub access: Access,
    /// Elements.
    pub len: usize,
}

/// The parameter pointer of a slice: to its address.
pub fn slice_param(access: &Access) -> *const c_void {
    std::ptr::from_ref(&access.ptr).cast()
}

/// What a launch reads.
#[inline]
pub fn read_argument<T: Pod, St>(view: &View<T, St>) -> Argument {
    const { assert!(size_of::<T>() != 0, "the elements of a kernel's slice have bytes") };
    Argument { access: view.access(false), len: view.len() }
}

/// What a launch writes.
#[inline]
pub fn write_argument<T: Pod, St>(view: &mut View<T, St>) -> Argument {
    const { assert!(size_of::<T>() != 0, "the elements of a kernel's slice have bytes") };
    Argument { access: view.access(true), len: view.len() }
}

/// See `trusted::module`.
#[inline]
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

/// A number that a contract or a launch size is made of. Sealed: a type's own conversion could tell a contract another
/// number than the kernel sees.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer",
    label = "contracts and launch sizes are made of integers",
    note = "pass the number as an integer parameter as well, and use that: `where [n as usize <= x.len()]`"
)]
pub trait Integer: integer::Sealed + Copy {
    /// `None` if it does not fit (a `u128` of 2^127 or more).
    fn wide(self) -> Option<i128>;
}

mod integer {
    pub trait Sealed {}
}

macro_rules! integers {
    ($($integer:ty)+) => { $(
        impl integer::Sealed for $integer {}
        impl Integer for $integer {
            fn wide(self) -> Option<i128> {
                i128::try_from(self).ok()
            }
        }
    )+ };
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

/// The value of an integer parameter, length or constant.
pub fn integer<T: Integer>(value: T) -> Option<i128> {
    value.wide()
}
