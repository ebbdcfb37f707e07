//! What a driver call may fail with.

use std::fmt;

/// The class of a driver's error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Not enough memory on the device or the host.
    OutOfMemory,
    /// An argument that the driver does not accept.
    InvalidValue,
    /// No such device, or the driver is not there.
    NoDevice,
    /// A handle whose context is gone or wrong.
    InvalidContext,
    /// A handle that names nothing.
    InvalidHandle,
    /// The module's PTX does not load here.
    InvalidModule,
    /// The module's PTX does not match its declaration.
    KernelMismatch,
    /// The device or the driver does not have this.
    NotSupported,
    /// A kernel or copy failed on the device; the context is lost.
    LaunchFailed,
    /// A failure asked for by a test.
    Injected,
    /// Any other code.
    Other,
}

/// An error that a driver call returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DriverError {
    /// The call, as the driver names it.
    pub call: &'static str,
    /// Its class.
    pub kind: ErrorKind,
    /// The driver's own code.
    pub code: i32,
    /// The driver's own words.
    pub message: Box<str>,
}

impl DriverError {
    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` failed: {} (code {})", self.call, self.message, self.code)
    }
}

impl std::error::Error for DriverError {}

/// What a driver call returns.
pub type DriverResult<T = ()> = Result<T, DriverError>;
