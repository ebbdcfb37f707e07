// guarantee: an exporter names one device by its UUID: a brand of several devices does not
use antecede::driver::Driver;
use antecede::{Device, Result, streams};
use antecede_ipc::Exporter;
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver.clone(), 0, |device| {
        drop(Exporter::new(device));
        Ok(())
    })
}

fn main() {}
