// guarantee: what belongs to a scope does not leave it: what was handed out
// message: borrowed data escapes outside of closure
use antecede::driver::Driver;
use antecede::{Device, Exportable, Result, streams};
use antecede_ipc::Exporter;
use std::sync::Arc;

streams! { Compute }

fn program(driver: Arc<dyn Driver>) -> Result<()> {
    let mut outside = vec![];
    Device::scope(driver, 0, |device| {
        let stream = device.stream::<Compute>()?;
        let buffer = stream.alloc_in::<f32, _>(device.pool::<Exportable>()?, 8)?;
        let x = Exporter::new(device).unwrap().publish(stream.sync(buffer)?).unwrap();
        outside.push(x);
        Ok(())
    })?;
    drop(outside);
    Ok(())
}

fn main() {}
