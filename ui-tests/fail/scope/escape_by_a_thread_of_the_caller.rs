// guarantee: what belongs to a scope does not leave it: by a scoped thread that was there before
// message: borrowed data escapes outside of closure
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    std::thread::scope(|threads| {
        Device::scope(driver, 0, |device| {
            let x = device.stream::<Compute>()?.zeroed::<f32>(8)?;
            threads.spawn(move || drop(x));
            Ok(())
        })
    })
}

fn main() {}
