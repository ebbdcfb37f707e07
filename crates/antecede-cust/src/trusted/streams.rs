//! Streams of the current context: made, adopted, asked about.

use std::ptr;

use antecede::driver::{ContextRef, DriverError, DriverResult, ErrorKind, StreamKind};
use cust::sys::{CUcontext, CUstream, CUstream_flags};

use super::call::cuda;

/// `CU_STREAM_LEGACY`: the default stream of the context that is current.
const LEGACY: u64 = 1;
/// `CU_STREAM_PER_THREAD`: the calling thread's default stream of the context that is current.
const PER_THREAD: u64 = 2;

const BLOCKING_FLAGS: u32 = CUstream_flags::CU_STREAM_DEFAULT as u32;
const NON_BLOCKING_FLAGS: u32 = CUstream_flags::CU_STREAM_NON_BLOCKING as u32;

/// Whether streams of this kind are the driver's own: nobody makes or destroys them.
pub(super) const fn is_built_in(kind: StreamKind) -> bool {
    matches!(kind, StreamKind::LegacyStream | StreamKind::PerThreadStream)
}

/// The handle of a stream of this kind: new, or the built-in one.
///
/// The built-in ones are always named by these handles, never by NULL: what NULL stands for depends on how a program was
/// compiled, these do not.
pub(super) fn create(kind: StreamKind, priority: i32) -> DriverResult<u64> {
    match kind {
        StreamKind::NonBlockingStream => create_with(NON_BLOCKING_FLAGS, priority),
        StreamKind::BlockingStream => create_with(BLOCKING_FLAGS, priority),
        StreamKind::LegacyStream => Ok(LEGACY),
        StreamKind::PerThreadStream => Ok(PER_THREAD),
        other => Err(unsupported("cuStreamCreateWithPriority", format!("streams of kind {other:?}"))),
    }
}

/// The lowest and the highest priority; the highest is the smallest number.
pub(super) fn priority_range() -> DriverResult<(i32, i32)> {
    let (mut lowest, mut highest) = (0, 0);
    // SAFETY: both outlive the call.
    unsafe { cuda!(cuCtxGetStreamPriorityRange(&mut lowest, &mut highest)) }?;
    Ok((lowest, highest))
}

/// The kind of a stream that something else made.
///
/// # Safety
/// 1. `handle` is a live stream.
/// 2. `context` is current.
pub(super) unsafe fn adopt(context: &ContextRef, handle: u64) -> DriverResult<StreamKind> {
    refuse_built_in(handle)?;
    let mut owner: CUcontext = ptr::null_mut();
    // SAFETY: `owner` outlives the call, on a live stream (1).
    unsafe { cuda!(cuStreamGetCtx(handle as CUstream, &mut owner)) }?;
    if owner as u64 != context.handle {
        let message = format!("the stream is of another context than the primary one of device {}", context.ordinal);
        return Err(refused("cuStreamGetCtx", ErrorKind::InvalidContext, message));
    }
    // Asked before the flags: the driver may refuse to tell those of a capturing stream (seen with driver 580).
    // SAFETY: a live stream (1).
    if unsafe { is_capturing(handle) }? {
        let message = "the stream is capturing: what is submitted to it goes into a graph instead of being run".into();
        return Err(refused("cuStreamIsCapturing", ErrorKind::InvalidValue, message));
    }
    let mut flags = 0;
    // SAFETY: `flags` outlives the call, on a live stream (1).
    unsafe { cuda!(cuStreamGetFlags(handle as CUstream, &mut flags)) }?;
    kind_of_flags(flags)
}

/// Whether a capture is under way on the stream, a failed one included.
///
/// # Safety
/// 1. `handle` is a live stream.
pub(super) unsafe fn is_capturing(handle: u64) -> DriverResult<bool> {
    // A number and not the enum of the bindings: a newer driver may have further states, in all of which there is a
    // capture.
    let mut status = 0i32;
    // SAFETY: `status` outlives the call; the C enum that is written has an `i32`'s size. The stream is live (1).
    unsafe { cuda!(cuStreamIsCapturing(handle as CUstream, (&raw mut status).cast())) }?;
    Ok(status != 0)
}

/// Creates a stream. Its flags are read back: on them rests that the legacy stream gives it no order, or some.
fn create_with(flags: u32, priority: i32) -> DriverResult<u64> {
    let (lowest, highest) = priority_range()?;
    let priority = priority.min(lowest).max(highest);
    let mut stream: CUstream = ptr::null_mut();
    // SAFETY: `stream` outlives the call.
    unsafe { cuda!(cuStreamCreateWithPriority(&mut stream, flags, priority)) }?;
    let mut made = 0;
    // SAFETY: `made` outlives the call; the stream was just created.
    let read = unsafe { cuda!(cuStreamGetFlags(stream, &mut made)) };
    let problem = match read {
        Ok(()) if made == flags => return Ok(stream as u64),
        Ok(()) => unsupported("cuStreamCreateWithPriority", format!("stream flags {flags:#x} (it made {made:#x})")),
        Err(error) => error,
    };
    // The first error is what the caller wants to hear of.
    // SAFETY: the stream has not left here.
    let _ = unsafe { cuda!(cuStreamDestroy_v2(stream)) };
    Err(problem)
}

/// An error for the handles that are another stream in each context or thread, and so no stream of their own.
fn refuse_built_in(handle: u64) -> DriverResult {
    let message = match handle {
        0 => {
            "NULL stands for the legacy default stream or for the per-thread one: it cannot be adopted; \
              make a stream of kind `Legacy` or `PerThread`"
        }
        LEGACY => "the built-in stream `CU_STREAM_LEGACY` cannot be adopted: make a stream of kind `Legacy`",
        PER_THREAD => "the built-in stream `CU_STREAM_PER_THREAD` cannot be adopted: make a stream of kind `PerThread`",
        _ => return Ok(()),
    };
    Err(refused("cuStreamGetCtx", ErrorKind::InvalidHandle, message.into()))
}

/// The kind that a stream's flags say. A flag without a name here may change the order: it is refused.
fn kind_of_flags(flags: u32) -> DriverResult<StreamKind> {
    match flags {
        BLOCKING_FLAGS => Ok(StreamKind::BlockingStream),
        NON_BLOCKING_FLAGS => Ok(StreamKind::NonBlockingStream),
        other => {
            let message = format!("the stream has the flags {other:#x}: no kind of stream has those");
            Err(refused("cuStreamGetFlags", ErrorKind::NotSupported, message))
        }
    }
}

fn unsupported(call: &'static str, what: String) -> DriverError {
    refused(call, ErrorKind::NotSupported, format!("the CUDA driver does not have {what}"))
}

fn refused(call: &'static str, kind: ErrorKind, message: String) -> DriverError {
    DriverError { call, kind, code: 0, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_streams_are_told_by_their_kind_and_need_no_driver() {
        assert_eq!(create(StreamKind::LegacyStream, 7), Ok(1));
        assert_eq!(create(StreamKind::PerThreadStream, 7), Ok(2));
        for (kind, expected) in [
            (StreamKind::LegacyStream, true),
            (StreamKind::PerThreadStream, true),
            (StreamKind::BlockingStream, false),
            (StreamKind::NonBlockingStream, false),
        ] {
            assert_eq!(is_built_in(kind), expected, "{kind:?}");
        }
    }

    #[test]
    fn built_in_handles_are_refused_with_the_kind_to_ask_for() {
        for (handle, words) in [(0, "NULL"), (1, "of kind `Legacy`"), (2, "of kind `PerThread`")] {
            let error = refuse_built_in(handle).expect_err("a built-in stream");
            assert_eq!((error.kind, error.code), (ErrorKind::InvalidHandle, 0));
            assert!(error.message.contains(words), "{error}");
        }
        assert_eq!(refuse_built_in(3), Ok(()));
    }

    #[test]
    fn flags_without_a_name_are_no_kind() {
        assert_eq!(kind_of_flags(0), Ok(StreamKind::BlockingStream));
        assert_eq!(kind_of_flags(1), Ok(StreamKind::NonBlockingStream));
        for flags in [2, 3, u32::MAX] {
            assert_eq!(kind_of_flags(flags).map_err(|error| error.kind), Err(ErrorKind::NotSupported), "{flags:#x}");
        }
    }
}
