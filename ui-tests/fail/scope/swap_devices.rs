// guarantee: two devices do not change places
// message: borrowed data escapes outside of closure
// errors: 2
use antecede::driver::Driver;
use antecede::{Device, Result};
use std::sync::Arc;

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver.clone(), 0, |mut left| {
        Device::scope(driver, 0, |mut right| {
            std::mem::swap(&mut left, &mut right);
            Ok(())
        })
    })
}

fn main() {}
