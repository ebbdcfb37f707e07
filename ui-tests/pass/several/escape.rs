// guarantee: what belongs to a scope of several devices does not leave it
use antecede::driver::Driver;
use antecede::{Device, Result};
use std::sync::Arc;

fn program(driver: Arc<dyn Driver>) -> Result<usize> {
    let x = Device::scope_all(driver, |devices| devices[0].any_stream().map(|s| s.name()))?;
    Ok(size_of_val(&x))
}

fn main() {}
