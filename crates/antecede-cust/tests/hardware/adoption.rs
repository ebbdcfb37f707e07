//! Streams that other code made.

use antecede::driver::{Driver, DriverResult, ErrorKind, Pattern, StreamId, StreamKind, StreamRef};
use cust::sys::{self, CUresult};

use crate::common::capture::Capture;
use crate::common::{Gpu, in_context};

/// A stream that CUDA was asked for directly.
fn made_elsewhere(gpu: &Gpu, flags: u32) -> u64 {
    let mut stream = std::ptr::null_mut();
    in_context(&gpu.context, || {
        // SAFETY: `stream` outlives the call.
        assert_eq!(unsafe { sys::cuStreamCreate(&mut stream, flags) }, CUresult::CUDA_SUCCESS);
    });
    stream as u64
}

fn adopt(gpu: &Gpu, handle: u64) -> DriverResult<StreamKind> {
    // SAFETY: a live stream, or a handle that is refused for what it is.
    unsafe { gpu.driver.stream_adopt(&gpu.context, handle, StreamId::fresh()) }
}

fn is_capturing(gpu: &Gpu, stream: &StreamRef) -> bool {
    // SAFETY: a live stream.
    unsafe { gpu.driver.stream_is_capturing(stream) }.expect("an answer")
}

#[test]
#[ignore = "needs a GPU"]
fn a_stream_is_adopted_with_the_kind_that_it_has() {
    let gpu = Gpu::open();
    for (flags, kind) in [(1, StreamKind::NonBlockingStream), (0, StreamKind::BlockingStream)] {
        let handle = made_elsewhere(&gpu, flags);
        assert_eq!(adopt(&gpu, handle), Ok(kind));
        let stream = StreamRef { id: StreamId::fresh(), context: gpu.context, handle, kind };
        let memory = gpu.device(&stream, 64);
        gpu.fill(&stream, memory, Pattern::D8(4), 64);
        assert_eq!(gpu.download(&stream, memory, 64), [4; 64]);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn a_stream_of_another_context_is_not_adopted() {
    let (gpu, foreign) = (Gpu::open(), Gpu::foreign());
    let theirs = made_elsewhere(&foreign, 1);
    assert_eq!(adopt(&foreign, theirs), Ok(StreamKind::NonBlockingStream), "it is well where it is");
    let error = adopt(&gpu, theirs).expect_err("another context's");
    assert_eq!((error.kind, error.call), (ErrorKind::InvalidContext, "cuStreamGetCtx"));
    assert_eq!(&*error.message, "the stream is of another context than the primary one of device 0");
}

#[test]
#[ignore = "needs a GPU"]
fn built_in_streams_are_not_adopted() {
    let gpu = Gpu::open();
    for (handle, kind) in [(0, "`Legacy` or `PerThread`"), (1, "`Legacy`"), (2, "`PerThread`")] {
        let error = adopt(&gpu, handle).expect_err("a built-in stream");
        assert_eq!(error.kind, ErrorKind::InvalidHandle);
        assert!(error.message.ends_with(&format!("make a stream of kind {kind}")), "{error}");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn a_capturing_stream_is_not_adopted() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let capture = Capture::begin(&gpu, &stream);
    let error = adopt(&gpu, stream.handle).expect_err("it captures");
    assert_eq!((error.kind, error.call), (ErrorKind::InvalidValue, "cuStreamIsCapturing"));
    assert!(error.message.starts_with("the stream is capturing: "), "{error}");
    capture.end();
    assert_eq!(adopt(&gpu, stream.handle), Ok(StreamKind::NonBlockingStream));
}

#[test]
#[ignore = "needs a GPU"]
fn a_capture_is_seen_while_it_lasts() {
    let gpu = Gpu::open();
    let (stream, other) = (gpu.non_blocking(), gpu.non_blocking());
    assert!(!is_capturing(&gpu, &stream));
    let capture = Capture::begin(&gpu, &stream);
    assert!(is_capturing(&gpu, &stream));
    assert!(!is_capturing(&gpu, &other));
    capture.end();
    assert!(!is_capturing(&gpu, &stream));
}

#[test]
#[ignore = "needs a GPU"]
fn a_capture_that_failed_is_one_until_it_is_ended() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let capture = Capture::begin(&gpu, &stream);
    // SAFETY: a live stream.
    let error = unsafe { gpu.driver.stream_sync(&stream) }.expect_err("nothing runs that could be waited for");
    assert!(error.message.starts_with("CUDA_ERROR_STREAM_CAPTURE_"), "{error}");
    assert!(is_capturing(&gpu, &stream));
    capture.end();
    assert!(!is_capturing(&gpu, &stream));
    gpu.sync(&stream);
}
