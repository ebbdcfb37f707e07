// guarantee: memory is freed on a stream of its own device
// message: this buffer lives on device `Right`, not on device `Left`
// case: SEED-6
use antecede::{Device, Recorded, Result, devices, streams};

devices! { Left, Right }
streams! { Close }

fn program(left: Device<Left>, right: Device<Right>) -> Result<Recorded<(), Right>> {
    let x = right.stream::<Close>()?.zeroed::<f32>(8)?;
    drop(left.stream::<Close>()?.take(x)?);
    right.stream::<Close>()?.record(()).map_err(Into::into)
}

fn main() {}
