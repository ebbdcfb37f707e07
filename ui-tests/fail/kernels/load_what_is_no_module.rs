// guarantee: what is loaded was declared
// message: `Compute` is not a module of kernels
use antecede::{Device, Result, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn program(device: Device) -> Result<()> {
    device.load::<Compute>().map(drop)
}

fn main() {}
