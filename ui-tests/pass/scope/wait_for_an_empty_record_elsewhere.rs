// guarantee: an event without buffers is waited on by the streams of its device
use antecede::driver::Driver;
use antecede::{Device, Recorded, Result, Stream, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, compute: Stream<Compute>, marker: Recorded<()>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let _ = device;
        compute.wait(marker).map_err(Into::into)
    })
}

fn main() {}
