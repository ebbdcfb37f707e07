// guarantee: a record is waited on by the streams of its device
use antecede::driver::Driver;
use antecede::{Buffer, Device, Recorded, Result, Stream, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, compute: Stream<Compute>, x: Recorded<Buffer<f32>>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let _ = device;
        drop(compute.wait(x)?);
        Ok(())
    })
}

fn main() {}
