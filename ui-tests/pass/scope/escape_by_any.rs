// guarantee: what belongs to a scope does not leave it: by type erasure
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::any::Any;
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<Box<dyn Any>> {
    Device::scope(driver, 0, |device| {
        let x = device.stream::<Compute>()?.zeroed::<f32>(8)?;
        Ok(Box::new(x.len()) as Box<dyn Any>)
    })
}

fn main() {}
