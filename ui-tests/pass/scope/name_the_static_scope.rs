// guarantee: no scope lasts for ever
use antecede::driver::Driver;
use antecede::{Device, Result, Scoped};
use std::sync::Arc;

fn ordinal(device: Device<Scoped<'_>>) -> Result<u32> {
    Ok(device.ordinal())
}

fn program(driver: Arc<dyn Driver>) -> Result<u32> {
    Device::scope(driver, 0, |device| ordinal(device))
}

fn main() {}
