// guarantee: what belongs to a scope does not leave it: by a thread
// message: borrowed data escapes outside of closure
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;
use std::thread::spawn;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let mut x = device.stream::<Compute>()?.zeroed::<f32>(8)?;
        spawn(move || drop(std::mem::take(&mut x)));
        Ok(())
    })
}

fn main() {}
