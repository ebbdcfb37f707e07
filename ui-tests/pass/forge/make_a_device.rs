// guarantee: only a driver makes a device
#![allow(unreachable_code)]
use antecede::driver::Driver;
use antecede::{Device, Result};
use std::sync::Arc;

fn device(driver: Arc<dyn Driver>) -> Result<Device> {
    Device::primary(driver)
}

fn main() {}
