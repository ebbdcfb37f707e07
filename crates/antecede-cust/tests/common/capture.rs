//! Captures a stream, as other code of a program may.

use std::ptr;

use antecede::driver::StreamRef;
use cust::sys::{self, CUresult, CUstream, CUstreamCaptureMode};

use super::{Gpu, in_context};

/// A stream whose work goes into a graph. Dropped, also by a failing test, it ends the capture.
pub(crate) struct Capture<'gpu> {
    gpu: &'gpu Gpu,
    handle: CUstream,
}

impl Capture<'_> {
    /// Begins a capture that forbids other threads nothing.
    pub(crate) fn begin<'gpu>(gpu: &'gpu Gpu, stream: &StreamRef) -> Capture<'gpu> {
        let handle = stream.handle as CUstream;
        // SAFETY: a live stream.
        let code = in_context(&gpu.context, || unsafe {
            sys::cuStreamBeginCapture_v2(handle, CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)
        });
        assert_eq!(code, CUresult::CUDA_SUCCESS);
        Capture { gpu, handle }
    }

    pub(crate) fn end(self) {}
}

impl Drop for Capture<'_> {
    fn drop(&mut self) {
        let mut graph = ptr::null_mut();
        in_context(&self.gpu.context, || {
            // SAFETY: a capturing stream; a graph, where there is one, is destroyed once.
            unsafe {
                if sys::cuStreamEndCapture(self.handle, &mut graph) == CUresult::CUDA_SUCCESS {
                    sys::cuGraphDestroy(graph);
                }
            }
        });
    }
}
