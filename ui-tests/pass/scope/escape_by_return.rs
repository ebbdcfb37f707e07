// guarantee: what belongs to a scope does not leave it: by return
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<usize> {
    let len = Device::scope(driver, 0, |device| Ok(device.stream::<Compute>()?.zeroed::<f32>(8)?.len()))?;
    Ok(len)
}

fn main() {}
