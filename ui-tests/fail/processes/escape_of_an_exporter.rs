// guarantee: what belongs to a scope does not leave it: an exporter
// message: borrowed data escapes outside of closure
use antecede::driver::Driver;
use antecede::{Device, Result};
use antecede_ipc::Exporter;
use std::sync::Arc;

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    let mut outside = vec![];
    Device::scope(driver, 0, |device| {
        let x = Exporter::new(device).unwrap();
        outside.push(x);
        Ok(())
    })?;
    drop(outside);
    Ok(())
}

fn main() {}
