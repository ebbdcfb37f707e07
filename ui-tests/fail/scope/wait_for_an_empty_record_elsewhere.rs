// guarantee: an event without buffers is waited on by the streams of its device
// message: mismatched types
use antecede::driver::Driver;
use antecede::{Device, Recorded, Result, Stream, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, compute: Stream<Compute>, marker: Recorded<()>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let compute = device.stream::<Compute>().map(|other| (other, compute))?.0;
        compute.wait(marker).map_err(Into::into)
    })
}

fn main() {}
