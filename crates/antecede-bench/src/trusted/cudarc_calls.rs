//! The operations on a GPU through cudarc, with its event tracking or without.

use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchArgs, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;

use super::raw_calls::timed;
use crate::gpu::{LEN, Row, System};

/// cudarc on the first GPU.
#[derive(Debug)]
pub struct Cudarc {
    tracking: bool,
    context: Arc<CudaContext>,
    /// Two that hand over to each other, and four readers.
    streams: Vec<Arc<CudaStream>>,
    /// The kernels with one to eight buffers.
    kernels: Vec<CudaFunction>,
    buffers: Vec<CudaSlice<u32>>,
}

const N: u32 = LEN as u32;

impl Cudarc {
    /// Opens the GPU. With `tracking` each buffer has events, which order its uses; without, `join` is called by hand.
    ///
    /// # Errors
    /// What cudarc returns.
    pub fn open(tracking: bool) -> Result<Cudarc, DriverError> {
        let context = CudaContext::new(0)?;
        if !tracking {
            // SAFETY: each use of a buffer on another stream is ordered by hand below, and none is freed in flight: every
            // run ends with a synchronisation of the context.
            unsafe { context.disable_event_tracking() };
        }
        let streams = (0..6).map(|_| context.new_stream()).collect::<Result<Vec<_>, _>>()?;
        let module = context.load_module(Ptx::from_src(include_str!("../../../../kernels/many.ptx")))?;
        let names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        let kernels = names.iter().map(|name| module.load_function(name)).collect::<Result<Vec<_>, _>>()?;
        let buffers = (0..8).map(|_| streams[0].alloc_zeros(LEN)).collect::<Result<Vec<_>, _>>()?;
        context.synchronize()?;
        Ok(Cudarc { tracking, context, streams, kernels, buffers })
    }

    fn launches(&mut self, times: u64, count: usize) -> Result<Duration, DriverError> {
        let (stream, kernel) = (&self.streams[0], &self.kernels[count - 1]);
        let (read, written) = self.buffers.split_at_mut(count - 1);
        timed(|| {
            for _ in 0..times {
                let mut launch = stream.launch_builder(kernel);
                launch.arg(&N);
                for buffer in &*read {
                    launch.arg(buffer);
                }
                launch.arg(&mut written[0]);
                submit(launch)?;
            }
            Ok(())
        })
    }

    fn ping_pong(&mut self, times: u64) -> Result<Duration, DriverError> {
        let (upload, compute) = (&self.streams[0], &self.streams[1]);
        let (kernel, buffer, by_hand) = (&self.kernels[0], &mut self.buffers[0], !self.tracking);
        timed(|| {
            for _ in 0..times / 2 {
                for (stream, next) in [(upload, compute), (compute, upload)] {
                    let mut launch = stream.launch_builder(kernel);
                    launch.arg(&N).arg(&mut *buffer);
                    submit(launch)?;
                    if by_hand {
                        next.join(stream)?;
                    }
                }
            }
            Ok(())
        })
    }

    fn hand_overs(&self, times: u64) -> Result<Duration, DriverError> {
        let (upload, compute) = (&self.streams[0], &self.streams[1]);
        timed(|| {
            for _ in 0..times / 2 {
                compute.join(upload)?;
                upload.join(compute)?;
            }
            Ok(())
        })
    }

    fn alloc_and_free(&self, times: u64) -> Result<Duration, DriverError> {
        let stream = &self.streams[0];
        timed(|| {
            for _ in 0..times {
                // SAFETY: nothing reads what is not written.
                drop(unsafe { stream.alloc::<u32>(LEN) }?);
            }
            Ok(())
        })
    }

    fn fork(&mut self, times: u64) -> Result<Duration, DriverError> {
        let (home, readers) = (&self.streams[0], &self.streams[2..6]);
        let (write, read, by_hand) = (&self.kernels[0], &self.kernels[1], !self.tracking);
        let (x, outs) = self.buffers.split_at_mut(1);
        timed(|| {
            for _ in 0..times {
                let mut launch = home.launch_builder(write);
                launch.arg(&N).arg(&mut x[0]);
                submit(launch)?;
                let written = if by_hand { Some(home.record_event(None)?) } else { None };
                for (reader, out) in readers.iter().zip(&mut *outs) {
                    if let Some(written) = &written {
                        reader.wait(written)?;
                    }
                    let mut launch = reader.launch_builder(read);
                    launch.arg(&N).arg(&x[0]).arg(out);
                    submit(launch)?;
                }
                if by_hand {
                    readers.iter().try_for_each(|reader| home.join(reader))?;
                }
            }
            Ok(())
        })
    }

    fn row(&mut self, row: Row, times: u64) -> Result<Option<Duration>, DriverError> {
        self.context.bind_to_thread()?;
        let took = match row {
            Row::Launch(count @ 1..=8) => self.launches(times, count),
            Row::PingPong => self.ping_pong(times),
            // With tracking a hand-over is part of the launches.
            Row::HandOver(_) | Row::HandOverVec | Row::RecordWait if self.tracking => return Ok(None),
            Row::HandOver(_) | Row::HandOverVec | Row::RecordWait => self.hand_overs(times),
            Row::AllocFree => self.alloc_and_free(times),
            Row::Fork => self.fork(times),
            Row::Launch(_) => return Ok(None),
        }?;
        self.context.synchronize()?;
        Ok(Some(took))
    }
}

fn submit(mut launch: LaunchArgs<'_>) -> Result<(), DriverError> {
    let config = LaunchConfig { grid_dim: (N.div_ceil(256), 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: the arguments are those of the kernels, which touch nothing else; the buffers are as long as is said.
    unsafe { launch.launch(config) }.map(drop)
}

impl System for Cudarc {
    fn name(&self) -> &'static str {
        if self.tracking { "cudarc" } else { "cudarc, no tracking" }
    }

    fn run(&mut self, row: Row, times: u64) -> Result<Option<Duration>, String> {
        self.row(row, times).map_err(|error| error.to_string())
    }
}
