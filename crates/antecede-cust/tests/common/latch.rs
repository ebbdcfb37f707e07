//! Holds a stream until the test lets it go.

use std::ffi::c_void;
use std::mem::transmute;
use std::ptr;

use antecede::driver::{Driver, HostFn, Pattern, StreamRef};
use cust::sys::{self, CUdeviceptr, CUresult, CUstream};

use super::{Gpu, Pinned, in_context};

/// A stream that waits for a flag in pinned memory. Dropped, also by a failing test, it lets the stream go.
pub(crate) struct Latch {
    flag: Pinned,
}

impl Latch {
    /// Everything submitted to the stream from now on waits for the release.
    pub(crate) fn hold(gpu: &Gpu, stream: &StreamRef) -> Latch {
        warm_up(gpu);
        let latch = Latch { flag: gpu.pinned(4) };
        let wait = wait_value();
        let at_least = sys::CUstreamWaitValue_flags::CU_STREAM_WAIT_VALUE_GEQ as u32;
        // SAFETY: a live stream, and live memory, which is never freed.
        let code =
            in_context(&gpu.context, || unsafe { wait(stream.handle as CUstream, latch.flag.ptr.0, 1, at_least) });
        assert_eq!(code, 0, "`cuStreamWaitValue32`");
        assert!(!gpu.done(stream), "the stream is held");
        latch
    }

    pub(crate) fn release(self) {}
}

impl Drop for Latch {
    fn drop(&mut self) {
        let flag = ptr::with_exposed_provenance_mut::<u32>(self.flag.ptr.0 as usize);
        // SAFETY: live, aligned host memory; the device only reads it, and sees one word whole.
        unsafe { flag.write_volatile(1) };
    }
}

/// Fills, copies and calls a host function once: what a context does at the first of each (load a kernel, start a thread)
/// may wait for the device, and so for the latch.
fn warm_up(gpu: &Gpu) {
    extern "C" fn nothing(_: *mut c_void) {}
    const WORDS: usize = 1 << 14;
    let stream = gpu.non_blocking();
    let memory = gpu.upload(&stream, &[0; 4 * WORDS]);
    let copy = gpu.device(&stream, 4 * WORDS);
    gpu.copy(&stream, copy, memory, 4 * WORDS);
    gpu.fill(&stream, memory, Pattern::D8(1), 4 * WORDS);
    gpu.fill(&stream, memory, Pattern::D32(1), WORDS);
    // SAFETY: a live stream, and a function that may be called at any time.
    unsafe { gpu.driver.host_fn(&stream, HostFn { call: nothing, data: ptr::null_mut() }, &[]) }.expect("a call");
    gpu.download(&stream, memory, 4 * WORDS);
}

type WaitValue = unsafe extern "C" fn(CUstream, CUdeviceptr, u32, u32) -> i32;

/// `cuStreamWaitValue32` as it is since CUDA 11.7. The symbol of that plain name, which the bindings have, is an older
/// function that many drivers refuse to run.
fn wait_value() -> WaitValue {
    let mut found: *mut c_void = ptr::null_mut();
    // SAFETY: the name ends in NUL, `found` outlives the call.
    let code = unsafe { sys::cuGetProcAddress(c"cuStreamWaitValue32".as_ptr(), &mut found, 11070, 0) };
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    assert!(!found.is_null());
    // SAFETY: the driver's function of that name and version, with its signature.
    unsafe { transmute::<*mut c_void, WaitValue>(found) }
}
