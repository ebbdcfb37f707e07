//! The operations through this library.

use std::time::{Duration, Instant};

use antecede::{Device, Error, Result, Stream};
use antecede_cust::Cuda;

use super::{LEN, Row, System};
use crate::cpu::kernels::Many;
use crate::cpu::typed::{self, Compute, First, Fourth, Ready, Second, Third, Upload};

const N: u32 = LEN as u32;

/// This library on the first GPU.
#[derive(Debug)]
pub struct Antecede {
    device: Device,
    upload: Stream<Upload>,
    compute: Stream<Compute>,
    readers: (Stream<First>, Stream<Second>, Stream<Third>, Stream<Fourth>),
    many: Many,
}

impl Antecede {
    /// Opens the GPU.
    ///
    /// # Errors
    /// What the library returns.
    pub fn open() -> Result<Antecede> {
        let device = Device::primary(Cuda::new()?)?;
        let (upload, compute) = device.streams::<(Upload, Compute)>()?;
        let readers = device.streams::<(First, Second, Third, Fourth)>()?;
        Ok(Antecede { device, upload, compute, readers, many: device.load::<Many>()? })
    }

    fn buffers<const M: usize>(&self) -> Result<[Ready<Upload>; M]> {
        let mut buffers = [(); M].map(|()| Ready::default());
        for buffer in &mut buffers {
            *buffer = self.upload.zeroed(LEN)?;
        }
        self.device.sync(())?;
        Ok(buffers)
    }

    fn launches<const M: usize>(
        &self,
        times: u64,
        launch: impl Fn(&mut [Ready<Upload>; M]) -> Result<()>,
    ) -> Result<Duration> {
        let mut buffers = self.buffers::<M>()?;
        timed(|| (0..times).try_for_each(|_| launch(&mut buffers)))
    }

    fn hand_overs<const M: usize>(
        &self,
        times: u64,
        f: fn(Stream<Upload>, Stream<Compute>, [Ready<Upload>; M], u64) -> Result<()>,
    ) -> Result<Duration> {
        let buffers = self.buffers::<M>()?;
        timed(|| f(self.upload, self.compute, buffers, times / 2))
    }

    fn ping_pong(&self, times: u64) -> Result<Duration> {
        let Antecede { upload, compute, many, .. } = *self;
        let [mut x] = self.buffers()?;
        timed(|| {
            for _ in 0..times / 2 {
                many.one(upload, N, &mut x)?;
                let mut there = compute.take(x)?;
                many.one(compute, N, &mut there)?;
                x = upload.take(there)?;
            }
            Ok(())
        })
    }

    fn fork(&self, times: u64) -> Result<Duration> {
        let Antecede { upload, many, readers: (first, second, third, fourth), .. } = *self;
        let [mut x] = self.buffers()?;
        let (mut a, mut b) = (first.zeroed(LEN)?, second.zeroed(LEN)?);
        let (mut c, mut d) = (third.zeroed(LEN)?, fourth.zeroed(LEN)?);
        self.device.sync(())?;
        timed(|| {
            for _ in 0..times {
                many.one(upload, N, &mut x)?;
                let shared = upload.share(x)?;
                many.two(first, N, &first.lease(&shared)?, &mut a)?;
                many.two(second, N, &second.lease(&shared)?, &mut b)?;
                many.two(third, N, &third.lease(&shared)?, &mut c)?;
                many.two(fourth, N, &fourth.lease(&shared)?, &mut d)?;
                x = upload.reunite(shared)?;
            }
            Ok(())
        })
    }

    fn row(&self, row: Row, times: u64) -> Result<Option<Duration>> {
        let (upload, many) = (self.upload, &self.many);
        let took = match row {
            Row::Launch(1) => self.launches(times, |x| typed::launch_1(many, upload, N, x)),
            Row::Launch(2) => self.launches(times, |x| typed::launch_2(many, upload, N, x)),
            Row::Launch(3) => self.launches(times, |x| typed::launch_3(many, upload, N, x)),
            Row::Launch(4) => self.launches(times, |x| typed::launch_4(many, upload, N, x)),
            Row::Launch(5) => self.launches(times, |x| typed::launch_5(many, upload, N, x)),
            Row::Launch(6) => self.launches(times, |x| typed::launch_6(many, upload, N, x)),
            Row::Launch(7) => self.launches(times, |x| typed::launch_7(many, upload, N, x)),
            Row::Launch(8) => self.launches(times, |x| typed::launch_8(many, upload, N, x)),
            Row::PingPong => self.ping_pong(times),
            Row::HandOver(1) => self.hand_overs(times, typed::there_and_back_1),
            Row::HandOver(2) => self.hand_overs(times, typed::there_and_back_2),
            Row::HandOver(4) => self.hand_overs(times, typed::there_and_back_4),
            Row::HandOver(8) => self.hand_overs(times, typed::there_and_back_8),
            Row::HandOver(16) => self.hand_overs(times, typed::there_and_back_16),
            Row::HandOverVec => self.hand_overs::<16>(times, |upload, compute, buffers, times| {
                typed::there_and_back_vec(upload, compute, buffers.into(), times)
            }),
            Row::RecordWait => {
                let [buffer] = self.buffers()?;
                timed(|| typed::record_and_wait(upload, self.compute, buffer, times / 2))
            }
            Row::AllocFree => timed(|| (0..times).try_for_each(|_| typed::alloc_and_free(upload, LEN))),
            Row::Fork => self.fork(times),
            Row::Launch(_) | Row::HandOver(_) => return Ok(None),
        };
        let took = took?;
        self.device.sync(())?;
        Ok(Some(took))
    }
}

impl System for Antecede {
    fn name(&self) -> &'static str {
        "antecede"
    }

    fn run(&mut self, row: Row, times: u64) -> Result<Option<Duration>, String> {
        self.row(row, times).map_err(|error: Error| error.to_string())
    }
}

fn timed(f: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let started = Instant::now();
    f()?;
    Ok(started.elapsed())
}
