// guarantee: what is loaded was declared
use antecede::{Device, Result, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn program(device: Device) -> Result<()> {
    device.load::<Math>().map(drop)
}

fn main() {}
