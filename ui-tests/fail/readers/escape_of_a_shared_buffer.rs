// guarantee: what is shared in a scope does not leave it
// message: lifetime may not live long enough
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Home }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    let shared = Device::scope(driver, 0, |device| {
        let home = device.stream::<Home>()?;
        Ok(home.share(home.zeroed::<f32>(8)?)?)
    })?;
    drop(shared);
    Ok(())
}

fn main() {}
