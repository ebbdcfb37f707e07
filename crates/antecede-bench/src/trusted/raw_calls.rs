//! The operations on a GPU as calls of the driver by hand, through `cust::sys`.
//!
//! The events are made once, as one does who measures. Codes are compared with success and nothing else is done with them:
//! a newer driver may return one that `CUresult` does not have.

use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;
use std::time::{Duration, Instant};

use cust::sys::{
    CUcontext, CUdeviceptr, CUevent, CUfunction, CUmodule, CUresult, CUstream, cuCtxSetCurrent, cuCtxSynchronize,
    cuDevicePrimaryCtxRetain, cuEventCreate, cuEventRecord, cuInit, cuLaunchKernel, cuMemAllocAsync, cuMemFreeAsync,
    cuModuleGetFunction, cuModuleLoadData, cuStreamCreate, cuStreamWaitEvent,
};

use crate::gpu::{LEN, Row, System};

/// Raw calls on the first GPU.
#[derive(Debug)]
pub struct Raw {
    context: CUcontext,
    /// Two that hand over to each other, and four readers.
    streams: [CUstream; 6],
    events: [CUevent; 6],
    /// The kernels with one to eight buffers.
    kernels: [CUfunction; 8],
    buffers: [CUdeviceptr; 8],
}

type Code = Result<(), String>;

/// Makes a call and returns its code as an error if it is one.
macro_rules! call {
    ($name:ident($($argument:expr),*)) => {
        check(stringify!($name), $name($($argument),*))
    };
}

#[inline]
fn check(call: &'static str, code: CUresult) -> Code {
    if code as i32 == 0 { Ok(()) } else { Err(failed(call, code as i32)) }
}

#[cold]
fn failed(call: &str, code: i32) -> String {
    format!("{call} returned {code}")
}

const BYTES: usize = LEN * size_of::<u32>();
const N: u32 = LEN as u32;
const NON_BLOCKING: u32 = 1;
const DISABLE_TIMING: u32 = 2;

// SAFETY comments below that say "by hand" stand for what the driver asks: the handles were made by `open`, are never
// destroyed, and their context is current on the one thread that has this value; the buffers live as long, and the
// operations on them are ordered by the streams and events as written.
impl Raw {
    /// Opens the GPU.
    ///
    /// # Errors
    /// What the driver returns.
    pub fn open() -> Result<Raw, String> {
        let mut raw = Raw {
            context: null_mut(),
            streams: [null_mut(); 6],
            events: [null_mut(); 6],
            kernels: [null_mut(); 8],
            buffers: [0; 8],
        };
        let ptx = CString::new(include_str!("../../../../kernels/many.ptx")).map_err(|error| error.to_string())?;
        let names: [&CStr; 8] = [c"one", c"two", c"three", c"four", c"five", c"six", c"seven", c"eight"];
        // SAFETY: each call is given places of the right types that outlive it, and handles that those before it made.
        unsafe {
            call!(cuInit(0))?;
            call!(cuDevicePrimaryCtxRetain(&mut raw.context, 0))?;
            raw.make_current()?;
            for (stream, event) in raw.streams.iter_mut().zip(&mut raw.events) {
                call!(cuStreamCreate(stream, NON_BLOCKING))?;
                call!(cuEventCreate(event, DISABLE_TIMING))?;
            }
            let mut module: CUmodule = null_mut();
            call!(cuModuleLoadData(&mut module, ptx.as_ptr().cast()))?;
            for (kernel, name) in raw.kernels.iter_mut().zip(names) {
                call!(cuModuleGetFunction(kernel, module, name.as_ptr()))?;
            }
            for buffer in &mut raw.buffers {
                call!(cuMemAllocAsync(buffer, BYTES, raw.streams[0]))?;
            }
        }
        raw.sync()?;
        Ok(raw)
    }

    fn make_current(&self) -> Code {
        // SAFETY: by hand.
        unsafe { call!(cuCtxSetCurrent(self.context)) }
    }

    fn sync(&self) -> Code {
        // SAFETY: no obligation.
        unsafe { call!(cuCtxSynchronize()) }
    }

    /// A launch with so many of the buffers, beginning with number `first`.
    #[inline]
    fn launch<const M: usize>(&self, stream: usize, buffers: &[CUdeviceptr; M]) -> Code {
        let mut params: [*mut c_void; 9] = [null_mut(); 9];
        let n = N;
        params[0] = (&raw const n).cast_mut().cast();
        for (param, buffer) in params[1..].iter_mut().zip(buffers) {
            *param = std::ptr::from_ref(buffer).cast_mut().cast();
        }
        let (kernel, stream) = (self.kernels[M - 1], self.streams[stream]);
        // SAFETY: by hand; `M` buffers and their length are what the kernel takes.
        unsafe {
            call!(cuLaunchKernel(kernel, N.div_ceil(256), 1, 1, 256, 1, 1, 0, stream, params.as_mut_ptr(), null_mut()))
        }
    }

    #[inline]
    fn record(&self, stream: usize) -> Code {
        // SAFETY: by hand.
        unsafe { call!(cuEventRecord(self.events[stream], self.streams[stream])) }
    }

    /// Makes `stream` wait for the event of `other`.
    #[inline]
    fn wait(&self, stream: usize, other: usize) -> Code {
        // SAFETY: by hand.
        unsafe { call!(cuStreamWaitEvent(self.streams[stream], self.events[other], 0)) }
    }

    fn launches<const M: usize>(&self, times: u64) -> Result<Duration, String> {
        let buffers: [CUdeviceptr; M] = std::array::from_fn(|index| self.buffers[index]);
        timed(|| (0..times).try_for_each(|_| self.launch(0, &buffers)))
    }

    fn hand_overs(&self, times: u64) -> Result<Duration, String> {
        timed(|| {
            for _ in 0..times / 2 {
                self.record(0)?;
                self.wait(1, 0)?;
                self.record(1)?;
                self.wait(0, 1)?;
            }
            Ok(())
        })
    }

    fn ping_pong(&self, times: u64) -> Result<Duration, String> {
        let buffer = [self.buffers[0]];
        timed(|| {
            for _ in 0..times / 2 {
                self.launch(0, &buffer)?;
                self.record(0)?;
                self.wait(1, 0)?;
                self.launch(1, &buffer)?;
                self.record(1)?;
                self.wait(0, 1)?;
            }
            Ok(())
        })
    }

    fn alloc_and_free(&self, times: u64) -> Result<Duration, String> {
        timed(|| {
            for _ in 0..times {
                let mut ptr = 0;
                // SAFETY: by hand.
                unsafe {
                    call!(cuMemAllocAsync(&mut ptr, BYTES, self.streams[0]))?;
                    call!(cuMemFreeAsync(ptr, self.streams[0]))?;
                }
            }
            Ok(())
        })
    }

    fn fork(&self, times: u64) -> Result<Duration, String> {
        let [x, outs @ ..] = self.buffers;
        timed(|| {
            for _ in 0..times {
                self.launch(0, &[x])?;
                self.record(0)?;
                for (reader, out) in (2..6).zip(outs) {
                    self.wait(reader, 0)?;
                    self.launch(reader, &[x, out])?;
                }
                for reader in 2..6 {
                    self.record(reader)?;
                    self.wait(0, reader)?;
                }
            }
            Ok(())
        })
    }
}

impl System for Raw {
    fn name(&self) -> &'static str {
        "raw calls"
    }

    fn run(&mut self, row: Row, times: u64) -> Result<Option<Duration>, String> {
        self.make_current()?;
        let took = match row {
            Row::Launch(1) => self.launches::<1>(times),
            Row::Launch(2) => self.launches::<2>(times),
            Row::Launch(3) => self.launches::<3>(times),
            Row::Launch(4) => self.launches::<4>(times),
            Row::Launch(5) => self.launches::<5>(times),
            Row::Launch(6) => self.launches::<6>(times),
            Row::Launch(7) => self.launches::<7>(times),
            Row::Launch(8) => self.launches::<8>(times),
            Row::PingPong => self.ping_pong(times),
            Row::HandOver(_) | Row::HandOverVec | Row::RecordWait => self.hand_overs(times),
            Row::AllocFree => self.alloc_and_free(times),
            Row::Fork => self.fork(times),
            Row::Launch(_) => return Ok(None),
        }?;
        self.sync()?;
        Ok(Some(took))
    }
}

pub(super) fn timed<E>(f: impl FnOnce() -> Result<(), E>) -> Result<Duration, E> {
    let started = Instant::now();
    f()?;
    Ok(started.elapsed())
}
