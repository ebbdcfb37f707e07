// guarantee: what belongs to a scope does not leave it: packed with its event
// message: lifetime may not live long enough
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    let recorded = Device::scope(driver, 0, |device| {
        let compute = device.stream::<Compute>()?;
        Ok(compute.record(compute.zeroed::<f32>(8)?)?)
    })?;
    drop(recorded);
    Ok(())
}

fn main() {}
