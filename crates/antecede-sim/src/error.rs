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

/// Why a capture does not allow a call, with CUDA's code.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CaptureRefusal {
    /// A captured stream has no progress to wait for.
    Unsupported = 900,
    /// One capture would become part of another.
    Merge = 903,
    /// A captured stream would depend on work outside of the capture.
    Isolation = 905,
    /// The legacy default stream would draw a captured stream into its order.
    Implicit = 906,
    /// The event was last recorded in a capture.
    CapturedEvent = 907,
}

pub(crate) fn capture_refuses(call: Call, refusal: CaptureRefusal) -> DriverError {
    let message = match refusal {
        CaptureRefusal::Unsupported => "the stream is being captured",
        CaptureRefusal::Merge => "the event is of another capture",
        CaptureRefusal::Isolation => "the stream is being captured, and the event is of no capture",
        CaptureRefusal::Implicit => "a blocking stream of this context is being captured",
        CaptureRefusal::CapturedEvent => "the event was last recorded in a capture",
    };
    DriverError { code: refusal as i32, ..error(call, ErrorKind::Other, message) }
}
