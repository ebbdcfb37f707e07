// guarantee: memory is freed on a stream of its own device
// case: SEED-6
use antecede::{Device, Recorded, Result, devices, streams};

devices! { Left, Right }
streams! { Close }

fn program(left: Device<Left>, right: Device<Right>) -> Result<Recorded<(), Right>> {
    let x = right.stream::<Close>()?.zeroed::<f32>(8)?;
    let _ = left;
    drop(right.stream::<Close>()?.take(x)?);
    right.stream::<Close>()?.record(()).map_err(Into::into)
}

fn main() {}
