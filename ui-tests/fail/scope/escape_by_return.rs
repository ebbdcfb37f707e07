// guarantee: what belongs to a scope does not leave it: by return
// message: lifetime may not live long enough
// case: IDENT-03
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<usize> {
    let x = Device::scope(driver, 0, |device| device.stream::<Compute>()?.zeroed::<f32>(8))?;
    Ok(x.len())
}

fn main() {}
