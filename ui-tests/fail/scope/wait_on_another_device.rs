// guarantee: a record is waited on by the streams of its device
// message: this buffer lives on device `Primary`, not on device `Scoped<'_>`
// errors: 2
use antecede::driver::Driver;
use antecede::{Buffer, Device, Recorded, Result, Stream, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, compute: Stream<Compute>, x: Recorded<Buffer<f32>>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let compute = device.stream::<Compute>().map(|other| (other, compute))?.0;
        drop(compute.wait(x)?);
        Ok(())
    })
}

fn main() {}
