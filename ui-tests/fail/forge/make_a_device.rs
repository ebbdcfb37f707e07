// guarantee: only a driver makes a device
// message: with struct literal syntax due to private fields
#![allow(unreachable_code)]
use antecede::driver::Driver;
use antecede::{Device, Result};
use std::sync::Arc;

fn device(driver: Arc<dyn Driver>) -> Result<Device> {
    drop(driver);
    Ok(Device { core: todo!() })
}

fn main() {}
