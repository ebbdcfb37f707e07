// guarantee: a synced buffer stays with the streams of its device
// message: expected `Stream<_>`, found `Stream<Compute, Scoped<'_>>`
use antecede::driver::Driver;
use antecede::{Buffer, Device, Result, Synced, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, x: Buffer<f32, Synced>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let compute = device.stream::<Compute>()?;
        drop(x.on(compute));
        Ok(())
    })
}

fn main() {}
