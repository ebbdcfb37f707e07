// guarantee: what belongs to a scope does not leave it: another process's memory
// message: borrowed data escapes outside of closure
use antecede::driver::Driver;
use antecede::{Device, ReadOnly, Result, streams};
use antecede_ipc::Importer;
use std::os::fd::OwnedFd;
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, socket: OwnedFd) -> Result<()> {
    let mut outside = vec![];
    Device::scope(driver, 0, |device| {
        let stream = device.stream::<Compute>()?;
        let x = Importer::over(device, socket).unwrap().import::<f32, ReadOnly, _>(stream).unwrap();
        outside.push(x);
        Ok(())
    })?;
    drop(outside);
    Ok(())
}

fn main() {}
