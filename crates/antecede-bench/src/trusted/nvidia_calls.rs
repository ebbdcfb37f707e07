//! The operations on a GPU through NVIDIA's `cuda-core`.
//!
//! Its checked launches are for kernels that its own compiler makes. A PTX kernel is launched by an `unsafe` function, which
//! asks nobody whether the buffers are in use elsewhere; streams are joined by hand. Memory is taken and freed by its
//! stream-ordered functions, which are `unsafe` as well.

use std::ffi::c_void;
use std::ptr::from_ref;
use std::sync::Arc;
use std::time::Duration;

use cuda_core::{Context, DriverError, Function, Stream, launch_kernel_on_stream, memory};

use super::raw_calls::timed;
use crate::gpu::{LEN, Row, System};

/// `cuda-core` on the first GPU.
#[derive(Debug)]
pub struct CudaCore {
    context: Arc<Context>,
    /// Two that hand over to each other, and four readers.
    streams: Vec<Arc<Stream>>,
    /// The kernels with one to eight buffers.
    kernels: Vec<Function>,
    /// Addresses.
    buffers: [u64; 8],
}

const N: u32 = LEN as u32;
const BYTES: usize = LEN * size_of::<u32>();

impl CudaCore {
    /// Opens the GPU.
    ///
    /// # Errors
    /// What cuda-core returns.
    pub fn open() -> Result<CudaCore, DriverError> {
        let context = Context::new(0)?;
        let streams = (0..6).map(|_| context.new_stream()).collect::<Result<Vec<_>, _>>()?;
        let module = context.load_module_from_image(include_bytes!("../../../../kernels/many.ptx"))?;
        let names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        let kernels = names.iter().map(|name| module.load_function(name)).collect::<Result<Vec<_>, _>>()?;
        let mut buffers = [0; 8];
        for buffer in &mut buffers {
            // SAFETY: the context is current, and the stream is of it.
            *buffer = unsafe { memory::malloc_async(streams[0].cu_stream(), BYTES) }?;
        }
        context.synchronize()?;
        Ok(CudaCore { context, streams, kernels, buffers })
    }

    fn launch(&self, stream: usize, buffers: &[u64]) -> Result<(), DriverError> {
        let mut params: Vec<*mut c_void> = Vec::with_capacity(9);
        params.push(from_ref(&N).cast_mut().cast());
        params.extend(buffers.iter().map(|buffer| from_ref(buffer).cast_mut().cast::<c_void>()));
        let kernel = &self.kernels[buffers.len() - 1];
        // SAFETY: the arguments are those of the kernels, which touch nothing else; the buffers are as long as is said, and
        // their uses are ordered by the joins below.
        unsafe {
            launch_kernel_on_stream(kernel, (N.div_ceil(256), 1, 1), (256, 1, 1), 0, &self.streams[stream], &mut params)
        }
    }

    fn repeat(&self, times: u64, f: impl Fn() -> Result<(), DriverError>) -> Result<Duration, DriverError> {
        timed(|| (0..times).try_for_each(|_| f()))
    }

    fn row(&self, row: Row, times: u64) -> Result<Option<Duration>, DriverError> {
        self.context.bind_to_thread()?;
        let (home, other, buffers) = (&self.streams[0], &self.streams[1], &self.buffers);
        let took = match row {
            Row::Launch(count @ 1..=8) => self.repeat(times, || self.launch(0, &buffers[..count])),
            Row::PingPong => self.repeat(times / 2, || {
                self.launch(0, &buffers[..1])?;
                other.join(home)?;
                self.launch(1, &buffers[..1])?;
                home.join(other)
            }),
            Row::HandOver(_) | Row::HandOverVec | Row::RecordWait => self.repeat(times / 2, || {
                other.join(home)?;
                home.join(other)
            }),
            Row::AllocFree => self.repeat(times, || {
                // SAFETY: the context is current, the stream is of it, and nothing uses the memory.
                unsafe {
                    let memory = memory::malloc_async(home.cu_stream(), BYTES)?;
                    memory::free_async(memory, home.cu_stream())
                }
            }),
            Row::Fork => self.repeat(times, || {
                self.launch(0, &buffers[..1])?;
                let written = home.record_event(None)?;
                for (reader, out) in (2..6).zip(&buffers[1..]) {
                    self.streams[reader].wait(&written)?;
                    self.launch(reader, &[buffers[0], *out])?;
                }
                self.streams[2..6].iter().try_for_each(|reader| home.join(reader))
            }),
            Row::Launch(_) => return Ok(None),
        }?;
        self.context.synchronize()?;
        Ok(Some(took))
    }
}

impl System for CudaCore {
    fn name(&self) -> &'static str {
        "cuda-core, unsafe"
    }

    fn run(&mut self, row: Row, times: u64) -> Result<Option<Duration>, String> {
        self.row(row, times).map_err(|error| format!("{error:?}"))
    }
}
