// guarantee: what belongs to a scope does not leave it: packed with its event
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let compute = device.stream::<Compute>()?;
        drop(compute.record(compute.zeroed::<f32>(8)?)?);
        Ok(())
    })
}

fn main() {}
