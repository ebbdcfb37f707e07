// guarantee: a module does not outlive the scope that it was loaded in
use antecede::driver::Driver;
use antecede::{Device, Result, kernels};
use std::sync::Arc;

kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver, 0, |device| device.load::<Math>().map(drop))?;
    Ok(())
}

fn main() {}
