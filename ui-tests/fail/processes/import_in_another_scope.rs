// guarantee: an importer belongs to the scope of its device
// message: borrowed data escapes outside of closure
// errors: 2
use antecede::driver::Driver;
use antecede::{Device, ReadOnly, Result, streams};
use antecede_ipc::Importer;
use std::os::fd::OwnedFd;
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>, socket: OwnedFd) -> Result<()> {
    Device::scope(driver.clone(), 0, |left| {
        let mut importer = Importer::over(left, socket).unwrap();
        Device::scope(driver, 0, |right| {
            let stream = (left, right).1.stream::<Compute>()?;
            drop(importer.import::<f32, ReadOnly, _>(stream));
            Ok(())
        })
    })
}

fn main() {}
