// guarantee: only a brand of one device is bound to a device
// message: `u8: DeviceBrand`
use antecede::driver::Driver;
use antecede::{Device, Result, devices};
use std::sync::Arc;

devices! { Left }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::<u8>::bind(driver, 1).map(drop)
}

fn main() {
    let _: Option<Left> = None;
}
