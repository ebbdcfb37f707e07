// guarantee: what belongs to a scope does not leave it: by a variable outside
// message: borrowed data escapes outside of closure
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    let mut outside = vec![];
    Device::scope(driver, 0, |device| {
        let x = device.stream::<Compute>()?.zeroed::<f32>(8)?;
        outside.push(x);
        Ok(())
    })?;
    drop(outside);
    Ok(())
}

fn main() {}
