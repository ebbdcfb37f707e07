// guarantee: buffers of the primary device stay with its streams
use antecede::driver::Driver;
use antecede::{Buffer, Device, On, Result, Stream, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let _ = device;
        compute.fill(&mut x, 1.0)
    })?;
    Ok(())
}

fn main() {}
