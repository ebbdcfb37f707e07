// guarantee: buffers of the primary device stay with its streams
// message: this buffer is not ready on stream `Compute`
use antecede::driver::Driver;
use antecede::{Buffer, Device, On, Result, Stream, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        device.stream::<Compute>()?.fill(&mut x, 1.0)
    })?;
    drop(compute);
    Ok(())
}

fn main() {}
