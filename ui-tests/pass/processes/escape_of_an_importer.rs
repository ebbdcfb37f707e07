// guarantee: what belongs to a scope does not leave it: an importer
use antecede::driver::Driver;
use antecede::{Device, Result};
use antecede_ipc::Importer;
use std::os::fd::OwnedFd;
use std::sync::Arc;

fn program(driver: Arc<dyn Driver>, socket: OwnedFd) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let x = Importer::over(device, socket).unwrap();
        drop(vec![x]);
        Ok(())
    })?;
    Ok(())
}

fn main() {}
