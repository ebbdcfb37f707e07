// guarantee: a shared buffer is read by the streams of its device
// message: expected `&Shared<_, Scoped<'_>>`, found `&Shared<Buffer<f32>>`
// errors: 2
use antecede::driver::Driver;
use antecede::{Buffer, Device, Result, Shared, Stream, streams};
use std::sync::Arc;

streams! { Reader }

fn program(driver: Arc<dyn Driver>, reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let reader = device.stream::<Reader>().map(|other| (other, reader))?.0;
        reader.lease(&x).map(drop)
    })
}

fn main() {}
