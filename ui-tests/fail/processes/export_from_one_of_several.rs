// guarantee: an exporter names one device by its UUID: a brand of several devices does not
// message: `Several<'_>`
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use antecede_ipc::Exporter;
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope_all(driver.clone(), |devices| {
        drop(Exporter::new(devices[0]));
        Ok(())
    })
}

fn main() {}
