// guarantee: an exporter hands out buffers of its own device
use antecede::driver::Driver;
use antecede::{Device, Exportable, Result, streams};
use antecede_ipc::Exporter;
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    Device::scope(driver.clone(), 0, |left| {
        let mut exporter = Exporter::new(left).unwrap();
        Device::scope(driver, 0, |right| {
            let device = (left, right).0;
            let stream = device.stream::<Compute>()?;
            let x = stream.sync(stream.alloc_in::<f32, _>(device.pool::<Exportable>()?, 8)?)?;
            drop(exporter.publish(x));
            Ok(())
        })
    })
}

fn main() {}
