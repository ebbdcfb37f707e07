// guarantee: what belongs to a scope does not leave it: an event without buffers
// message: lifetime may not live long enough
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    let recorded = Device::scope(driver, 0, |device| Ok(device.stream::<Compute>()?.record(())?))?;
    drop(recorded);
    Ok(())
}

fn main() {}
