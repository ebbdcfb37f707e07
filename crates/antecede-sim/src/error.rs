//! The errors that the simulator returns, with CUDA's codes.

use antecede::driver::{DriverError, ErrorKind};

use crate::Call;

/// An error of `call`. The code is the one that CUDA uses for that class.
pub(crate) fn error(call: Call, kind: ErrorKind, message: impl Into<Box<str>>) -> DriverError {
    let code = match kind {
        ErrorKind::InvalidValue => 1,
        ErrorKind::OutOfMemory => 2,
        ErrorKind::NoDevice => 101,
        ErrorKind::InvalidContext => 201,
        ErrorKind::InvalidHandle => 400,
        ErrorKind::LaunchFailed => 719,
        ErrorKind::NotSupported => 801,
        _ => 999,
    };
    DriverError { call: call.name(), kind, code, message: message.into() }
}

pub(crate) fn invalid_value(call: Call, message: impl Into<Box<str>>) -> DriverError {
    error(call, ErrorKind::InvalidValue, message)
}

pub(crate) fn invalid_handle(call: Call, message: impl Into<Box<str>>) -> DriverError {
    error(call, ErrorKind::InvalidHandle, message)
}

pub(crate) fn out_of_memory(call: Call, bytes: usize) -> DriverError {
    error(call, ErrorKind::OutOfMemory, format!("no memory for {bytes} bytes"))
}
