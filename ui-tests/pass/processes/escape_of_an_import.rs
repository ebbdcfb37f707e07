// guarantee: what belongs to a scope does not leave it: another process's memory
use antecede::driver::Driver;
use antecede::{Device, ReadOnly, Result, streams};
use antecede_ipc::Importer;
use std::os::fd::OwnedFd;
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, socket: OwnedFd) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let stream = device.stream::<Compute>()?;
        let x = Importer::over(device, socket).unwrap().import::<f32, ReadOnly, _>(stream).unwrap();
        drop(vec![x]);
        Ok(())
    })?;
    Ok(())
}

fn main() {}
