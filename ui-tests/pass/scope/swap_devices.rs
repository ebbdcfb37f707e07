// guarantee: two devices do not change places
use antecede::driver::Driver;
use antecede::{Device, Result};
use std::sync::Arc;

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver.clone(), 0, |mut left| {
        Device::scope(driver, 0, |mut right| {
            let (mut first, mut second) = (left, left);
            std::mem::swap(&mut first, &mut second);
            (left, right) = (first, right);
            Ok(())
        })
    })
}

fn main() {}
