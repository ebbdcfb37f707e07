// guarantee: what belongs to a scope does not leave it: an exporter
use antecede::driver::Driver;
use antecede::{Device, Result};
use antecede_ipc::Exporter;
use std::sync::Arc;

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver, 0, |device| {
        let x = Exporter::new(device).unwrap();
        drop(vec![x]);
        Ok(())
    })?;
    Ok(())
}

fn main() {}
