// guarantee: only a brand of one device is bound to a device
use antecede::driver::Driver;
use antecede::{Device, Result, devices};
use std::sync::Arc;

devices! { Left }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::<Left>::bind(driver, 1).map(drop)
}

fn main() {
    let _: Option<Left> = None;
}
