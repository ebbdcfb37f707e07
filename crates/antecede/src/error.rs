//! What can go wrong, and how buffers come back when it does.

use crate::driver::{DriverError, StreamId};
use std::fmt;

/// What this crate's operations return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation failed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The driver refused a call, or reports an earlier failure.
    Driver(DriverError),
    /// Two lengths that must be equal are not. In elements.
    #[non_exhaustive]
    LengthMismatch {
        /// The destination's length.
        expected: usize,
        /// The source's length.
        found: usize,
    },
    /// A buffer is on another stream than the one that was asked: by `claim`, `AnyStream::sync`, or `unsplit` of two `Loose`
    /// parts.
    #[non_exhaustive]
    StreamMismatch {
        /// The stream that was asked.
        expected: StreamName,
        /// The stream that the buffer is on.
        found: StreamName,
    },
    /// A per-thread stream was used on another thread than its own.
    #[non_exhaustive]
    WrongThread {
        /// The stream's name.
        stream: &'static str,
    },
    /// A per-thread stream was used so late in its thread's end that the driver no longer has it.
    ThreadEnding,
    /// Foreign code captures the stream into a graph: what is submitted to it is not run, and orders nothing.
    #[non_exhaustive]
    Capturing {
        /// The stream's name.
        stream: &'static str,
    },
    /// The buffers are on one device, the stream or module on another that does not reach its memory.
    #[non_exhaustive]
    DeviceMismatch {
        /// Ordinal of the device that was asked.
        expected: u32,
        /// Ordinal of the device that the buffer or module is on.
        found: u32,
    },
    /// The arguments of a launch break the kernel's contract. Nothing was submitted.
    #[non_exhaustive]
    Contract {
        /// The module's name.
        module: &'static str,
        /// The kernel's name.
        kernel: &'static str,
        /// The clause that does not hold, as it was declared.
        clause: &'static str,
    },
    /// A launch would be larger than CUDA allows, or its size overflows. Nothing was submitted.
    #[non_exhaustive]
    LaunchSize {
        /// What is too large: `grid.x`, `block`, ..
        what: &'static str,
        /// The largest possible value.
        limit: u64,
    },
    /// A buffer of so many elements has more bytes than the address space.
    #[non_exhaustive]
    TooLarge {
        /// Elements asked for.
        len: usize,
        /// Bytes of one element.
        element: usize,
    },
    /// Two buffers are not adjacent parts of one buffer, in this order.
    NotAdjacent,
    /// The buffer is a part of a larger allocation, which has other owners as well.
    Part,
    /// The buffer has no bytes: there is nothing that another process could be given.
    NoMemory,
    /// This process has that memory of another one already, and has not let go of it.
    AlreadyImported,
    /// The memory is this process's own, of this driver: it is not imported into the process that exported it.
    OwnMemory,
    /// Another process's allocation is shorter than what it was announced as. In bytes.
    #[non_exhaustive]
    ImportTooShort {
        /// What was announced.
        needed: usize,
        /// What is there.
        found: usize,
    },
    /// The device brand is bound to another driver or ordinal already, for the life of the process.
    #[non_exhaustive]
    DeviceBound {
        /// The driver and ordinal that it is bound to.
        bound: (&'static str, u32),
        /// The driver and ordinal that were asked for.
        asked: (&'static str, u32),
    },
    /// The device has no such ordinal.
    #[non_exhaustive]
    NoSuchDevice {
        /// The ordinal that was asked for.
        ordinal: u32,
        /// How many devices the driver has.
        count: u32,
    },
    /// The device does not have something. Nothing was done.
    #[non_exhaustive]
    NotSupported {
        /// The device's ordinal.
        ordinal: u32,
        /// What it has none of.
        what: &'static str,
        /// What to use in its place.
        instead: &'static str,
    },
    /// A [host function](crate::Stream::host_fn) panicked. Reported once, by the host's next wait for its device; that wait
    /// itself has succeeded, and what it was given comes back as it was.
    #[non_exhaustive]
    HostFnPanicked {
        /// The name of the stream that called it.
        stream: StreamName,
        /// What the panic says.
        message: Box<str>,
    },
    /// The call was made in a [host function](crate::Stream::host_fn), where no driver call is allowed. Nothing was
    /// submitted.
    InHostFunction,
    /// An earlier wait on this device failed while a borrowed buffer was in use: what is on the device is no longer
    /// known, so nothing more is submitted to it, and its memory is leaked.
    #[non_exhaustive]
    Poisoned {
        /// The device's ordinal.
        ordinal: u32,
    },
}

/// What messages call a stream: its brand; one without a brand of its own has a number as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StreamName {
    brand: &'static str,
    id: StreamId,
}

impl StreamName {
    pub(crate) fn new(brand: &'static str, id: StreamId) -> Self {
        StreamName { brand, id }
    }

    /// The brand's name; empty for a stream without one.
    pub fn brand(self) -> &'static str {
        self.brand
    }
}

impl fmt::Display for StreamName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.brand {
            "" => write!(f, "#{}", self.id.number()),
            brand => f.write_str(brand),
        }
    }
}

impl PartialEq<str> for StreamName {
    fn eq(&self, brand: &str) -> bool {
        self.brand == brand
    }
}

impl PartialEq<&str> for StreamName {
    fn eq(&self, brand: &&str) -> bool {
        self.brand == *brand
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Driver(error) => error.fmt(f),
            Error::LengthMismatch { expected, found } => {
                write!(f, "the destination has {expected} elements, the source {found}")
            }
            Error::StreamMismatch { expected, found } => {
                write!(f, "the buffer is on stream `{found}`, not on stream `{expected}`")
            }
            Error::WrongThread { stream } => {
                write!(f, "stream `{stream}` belongs to another thread; hand its buffers over there, before they leave")
            }
            Error::ThreadEnding => f.write_str("this thread is ending, and its per-thread stream with it"),
            Error::Capturing { stream } => {
                write!(f, "stream `{stream}` is captured into a graph by other code: work submitted to it is not run")
            }
            Error::DeviceMismatch { expected, found } => write!(
                f,
                "this is on device {found}; device {expected} was asked, which does not take it"
            ),
            Error::Contract { module, kernel, clause } => {
                write!(f, "the launch of `{module}::{kernel}` breaks its contract: `{clause}` does not hold")
            }
            Error::LaunchSize { what, limit } => write!(f, "the launch's {what} is larger than {limit}"),
            Error::TooLarge { len, element } => {
                write!(f, "{len} elements of {element} bytes are more than the address space holds")
            }
            Error::Part => f.write_str("the buffer is a part: its allocation has other owners as well"),
            Error::NoMemory => f.write_str("the buffer has no bytes: there is nothing to hand to another process"),
            Error::AlreadyImported => f.write_str(
                "this process has imported that memory already: release it first (dropped, it is released by `settle`), on the \
                 connection that it came by",
            ),
            Error::OwnMemory => f.write_str("this process has exported that memory itself: hand the buffer over instead"),
            Error::ImportTooShort { needed, found } => {
                write!(f, "the other process announced {needed} bytes, and its allocation has {found}")
            }
            Error::NotAdjacent => f.write_str("the buffers are not adjacent parts of one buffer, in this order"),
            Error::DeviceBound { bound: (driver, ordinal), asked: (other, asked) } => write!(
                f,
                "this device brand is bound to device {ordinal} of driver `{driver}` for the life of the process; \
                 device {asked} of driver `{other}` was asked for"
            ),
            Error::NoSuchDevice { ordinal, count } => {
                write!(f, "there is no device {ordinal}: the driver has {count}")
            }
            Error::NotSupported { ordinal, what, instead } => {
                write!(f, "device {ordinal} has no {what}: {instead}")
            }
            Error::HostFnPanicked { stream, message } => {
                write!(f, "a host function on stream `{stream}` panicked: {message}")
            }
            Error::InHostFunction => f.write_str(
                "a host function makes no driver call: make it on another thread, or after the host has waited for the stream",
            ),
            Error::Poisoned { ordinal } => write!(
                f,
                "device {ordinal} is poisoned: an earlier wait on it failed, so the state of its memory is unknown"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Driver(error) => Some(error),
            _ => None,
        }
    }
}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Self {
        Error::Driver(error)
    }
}

/// A failed operation: the error, and the buffers it was given, in a state that is still true.
///
/// Not a [`std::error::Error`] itself (an error in a `Box<dyn Error>` must be `'static`, and buffers of a scope are
/// not), so that `?` works into [`Error`] and `Box<dyn Error>`: that conversion drops the buffers, each freed in the
/// order of its stream.
#[must_use = "it holds the buffers; dropping it frees them"]
pub struct Failed<B> {
    /// Why it failed.
    pub error: Error,
    /// What it was given.
    pub buffers: B,
}

impl<B> Failed<B> {
    pub(crate) fn new(error: impl Into<Error>, buffers: B) -> Self {
        Failed { error: error.into(), buffers }
    }

    /// Puts the buffers back where they came from and leaves the plain error.
    pub fn restore(self, place: &mut B) -> Error {
        *place = self.buffers;
        self.error
    }

    /// The same failure with other contents.
    pub fn map<C>(self, f: impl FnOnce(B) -> C) -> Failed<C> {
        Failed { error: self.error, buffers: f(self.buffers) }
    }
}

impl<B> fmt::Debug for Failed<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failed").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<B> fmt::Display for Failed<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<B> From<Failed<B>> for Error {
    fn from(failed: Failed<B>) -> Error {
        failed.error
    }
}

impl<B> From<Failed<B>> for Box<dyn std::error::Error> {
    fn from(failed: Failed<B>) -> Self {
        failed.error.into()
    }
}

impl<B> From<Failed<B>> for Box<dyn std::error::Error + Send + Sync> {
    fn from(failed: Failed<B>) -> Self {
        failed.error.into()
    }
}

#[cfg(feature = "anyhow")]
impl<B> From<Failed<B>> for anyhow::Error {
    fn from(failed: Failed<B>) -> Self {
        failed.error.into()
    }
}
