// guarantee: what belongs to a scope does not leave it: by a thread
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use std::sync::Arc;

streams! { Compute }

/// As `std::thread::scope` does: ends before its caller.
fn spawn(run: impl FnOnce() + Send) {
    run();
}

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let mut x = device.stream::<Compute>()?.zeroed::<f32>(8)?;
        spawn(move || drop(std::mem::take(&mut x)));
        Ok(())
    })
}

fn main() {}
