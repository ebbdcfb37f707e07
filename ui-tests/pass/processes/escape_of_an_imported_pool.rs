// guarantee: what belongs to a scope does not leave it: another process's pool
use antecede::driver::Driver;
use antecede::{Device, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

fn program(driver: Arc<dyn Driver>, descriptor: OwnedFd) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let x = device.import_pool(descriptor.as_fd())?;
        drop(vec![x]);
        Ok(())
    })?;
    Ok(())
}

fn main() {}
