//! One driver call: made, checked, and its error put into words.
//!
//! `cust::sys` declares the calls as returning [`CUresult`], a Rust enum of the codes of CUDA 11.4. A newer driver
//! returns further codes, and an enum that holds none of its variants is undefined behaviour. So every call goes through
//! a pointer to the same function whose return type is the number that the enum is represented by. (`cust`'s own safe
//! functions read the enum, which is why this crate uses none of them.)

use std::ffi::{CStr, c_char};
use std::mem::transmute;
use std::ptr;

use antecede::driver::{DriverError, DriverResult};
use cust::sys::{self, CUresult};

use crate::kind::kind_of;

/// Makes a call of `cust::sys` and turns its code into a `DriverResult`: `cuda!(cuStreamQuery(stream))`.
///
/// Expands to a call of an `unsafe fn`, whose obligations are those of the driver's function.
macro_rules! cuda {
    ($name:ident()) => {
        $crate::trusted::call::checked(stringify!($name), cuda!(@code call0, $name))
    };
    ($name:ident($a:expr)) => {
        $crate::trusted::call::checked(stringify!($name), cuda!(@code call1, $name, $a))
    };
    ($name:ident($a:expr, $b:expr)) => {
        $crate::trusted::call::checked(stringify!($name), cuda!(@code call2, $name, $a, $b))
    };
    ($name:ident($a:expr, $b:expr, $c:expr)) => {
        $crate::trusted::call::checked(stringify!($name), cuda!(@code call3, $name, $a, $b, $c))
    };
    ($name:ident($a:expr, $b:expr, $c:expr, $d:expr)) => {
        $crate::trusted::call::checked(stringify!($name), cuda!(@code call4, $name, $a, $b, $c, $d))
    };
    ($name:ident($a:expr, $b:expr, $c:expr, $d:expr, $e:expr)) => {
        $crate::trusted::call::checked(stringify!($name), cuda!(@code call5, $name, $a, $b, $c, $d, $e))
    };
    ($name:ident($a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr)) => {
        $crate::trusted::call::checked(stringify!($name), cuda!(@code call6, $name, $a, $b, $c, $d, $e, $f))
    };
    ($name:ident($a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr, $h:expr, $i:expr, $j:expr, $k:expr)) => {
        $crate::trusted::call::checked(
            stringify!($name),
            cuda!(@code call11, $name, $a, $b, $c, $d, $e, $f, $g, $h, $i, $j, $k),
        )
    };
    (@code $call:ident, $name:ident $(, $argument:expr)*) => {
        $crate::trusted::call::$call(cust::sys::$name $(, $argument)*)
    };
}
pub(super) use cuda;

/// Declares `callN`: calls a driver function of N arguments and returns its code as a number.
macro_rules! call_by_number {
    ($($call:ident($($argument:ident: $Type:ident),*);)*) => {$(
        /// # Safety
        /// 1. The obligations of `function`, called with these arguments, are met.
        #[allow(clippy::too_many_arguments, reason = "as many as the driver's function has")]
        pub(super) unsafe fn $call<$($Type),*>(
            function: unsafe extern "C" fn($($Type),*) -> CUresult,
            $($argument: $Type),*
        ) -> i32 {
            // SAFETY: a C function that returns a C enum, declared with the integer type that `CUresult` is
            // represented by (`repr(i32)`): the same calling convention, and every code is an `i32`.
            let function = unsafe {
                transmute::<unsafe extern "C" fn($($Type),*) -> CUresult, unsafe extern "C" fn($($Type),*) -> i32>(
                    function,
                )
            };
            // SAFETY: the caller's promise 1.
            unsafe { function($($argument),*) }
        }
    )*};
}

call_by_number! {
    call0();
    call1(a: A);
    call2(a: A, b: B);
    call3(a: A, b: B, c: C);
    call4(a: A, b: B, c: C, d: D);
    call5(a: A, b: B, c: C, d: D, e: E);
    call6(a: A, b: B, c: C, d: D, e: E, f: F);
    call11(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K);
}

/// `CUDA_SUCCESS`.
const SUCCESS: i32 = CUresult::CUDA_SUCCESS as i32;
/// `CUDA_ERROR_NOT_READY`: what a query returns for "not yet".
const NOT_READY: i32 = CUresult::CUDA_ERROR_NOT_READY as i32;

/// The error of a call, if its code is one.
pub(super) fn checked(call: &'static str, code: i32) -> DriverResult {
    if code == SUCCESS { Ok(()) } else { Err(error(call, code)) }
}

/// The answer of a query: `CUDA_ERROR_NOT_READY` is no error.
pub(super) fn ready(result: DriverResult) -> DriverResult<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.code == NOT_READY => Ok(false),
        Err(error) => Err(error),
    }
}

fn error(call: &'static str, code: i32) -> DriverError {
    let message = match (text(sys::cuGetErrorName, code), text(sys::cuGetErrorString, code)) {
        (Some(name), Some(words)) => format!("{name}: {words}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "a code that this CUDA driver has no name for".to_owned(),
    };
    DriverError { call: without_version(call), kind: kind_of(code), code, message: message.into() }
}

/// The driver's name or description of a code; `None` for a code that it does not know.
fn text(describe: unsafe extern "C" fn(CUresult, *mut *const c_char) -> CUresult, code: i32) -> Option<String> {
    let mut text = ptr::null();
    // SAFETY: as in `callN`, here for the argument as well: the C function takes any integer.
    let describe = unsafe {
        transmute::<
            unsafe extern "C" fn(CUresult, *mut *const c_char) -> CUresult,
            unsafe extern "C" fn(i32, *mut *const c_char) -> i32,
        >(describe)
    };
    // SAFETY: `text` outlives the call. Both functions may be called at any time, before `cuInit` too.
    let known = unsafe { describe(code, &mut text) } == SUCCESS && !text.is_null();
    // SAFETY: for a known code, the address of a NUL-terminated string is returned; it is a constant of the driver.
    known.then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// The name of the call as documented: the suffix of the exported symbol says which revision it is.
fn without_version(symbol: &'static str) -> &'static str {
    symbol.strip_suffix("_v2").unwrap_or(symbol)
}

#[cfg(test)]
mod tests {
    use antecede::driver::ErrorKind;

    use super::*;

    #[test]
    fn success_is_no_error() {
        assert_eq!(checked("cuInit", 0), Ok(()));
    }

    #[test]
    fn an_error_has_call_code_class_and_text() {
        let error = checked("cuStreamDestroy_v2", 2).expect_err("code 2");
        assert_eq!((error.call, error.code, error.kind), ("cuStreamDestroy", 2, ErrorKind::OutOfMemory));
        assert!(error.message.starts_with("CUDA_ERROR_"), "{error}");
        assert!(error.to_string().starts_with("`cuStreamDestroy` failed: CUDA_ERROR_"), "{error}");
    }

    #[test]
    fn only_not_ready_is_an_answer() {
        assert_eq!(ready(Ok(())), Ok(true));
        assert_eq!(ready(checked("cuStreamQuery", 600)), Ok(false));
        assert_eq!(ready(checked("cuStreamQuery", 700)).map_err(|error| error.kind), Err(ErrorKind::LaunchFailed));
    }

    #[test]
    fn a_code_without_a_variant_is_read_as_a_number() {
        extern "C" fn newer() -> i32 {
            912
        }
        // SAFETY: as in `callN`, the other way round; the result is never read as the enum.
        let newer = unsafe { transmute::<extern "C" fn() -> i32, unsafe extern "C" fn() -> CUresult>(newer) };
        // SAFETY: the function has no obligations.
        assert_eq!(unsafe { call0(newer) }, 912);
    }
}
