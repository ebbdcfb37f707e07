// guarantee: a module is launched on the device that it was loaded on
use antecede::driver::Driver;
use antecede::{Device, Result, kernels, streams};
use std::sync::Arc;

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn program(driver: Arc<dyn Driver>, primary: Device) -> Result<()> {
    let math = primary.load::<Math>()?;
    Device::scope(driver, 0, |device| {
        let compute = device.stream::<Compute>()?;
        let math = device.load::<Math>()?;
        math.double(compute, &mut compute.zeroed(8)?)
    })?;
    let _ = math;
    Ok(())
}

fn main() {}
