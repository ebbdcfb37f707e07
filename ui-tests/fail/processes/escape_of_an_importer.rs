// guarantee: what belongs to a scope does not leave it: an importer
// message: borrowed data escapes outside of closure
use antecede::driver::Driver;
use antecede::{Device, Result};
use antecede_ipc::Importer;
use std::os::fd::OwnedFd;
use std::sync::Arc;

fn program(driver: Arc<dyn Driver>, socket: OwnedFd) -> Result<()> {
    let mut outside = vec![];
    Device::scope(driver, 0, |device| {
        let x = Importer::over(device, socket).unwrap();
        outside.push(x);
        Ok(())
    })?;
    drop(outside);
    Ok(())
}

fn main() {}
