// guarantee: what is shared in a scope does not leave it
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Home }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let home = device.stream::<Home>()?;
        drop(home.share(home.zeroed::<f32>(8)?)?);
        Ok(())
    })?;
    Ok(())
}

fn main() {}
