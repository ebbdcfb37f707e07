// guarantee: what belongs to a scope does not leave it: an event without buffers
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver, 0, |device| device.stream::<Compute>()?.record(()).map(drop).map_err(Into::into))?;
    Ok(())
}

fn main() {}
