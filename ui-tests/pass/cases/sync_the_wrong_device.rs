// guarantee: what one device has in flight is not complete because another device was waited for
// case: SEED-6, DEV-01
use antecede::{Buffer, Device, On, Result, devices, streams};

devices! { Left, Right }
streams! { Compute }

fn program(left: Device<Left>, right: Device<Right>, x: Buffer<f32, On<Compute, Right>>) -> Result<Vec<f32>> {
    let x = right.sync(x)?;
    let _ = left;
    x.to_vec()
}

fn main() {}
