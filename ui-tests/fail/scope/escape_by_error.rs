// guarantee: what belongs to a scope does not leave it: by an error that holds buffers
// message: lifetime may not live long enough
use antecede::driver::Driver;
use antecede::{Device, Failed, Result, streams};
use std::sync::Arc;

streams! { A, B }

fn program(driver: Arc<dyn Driver>) -> Result<bool> {
    let failed = Device::scope(driver, 0, |device| {
        let (a, b) = device.streams::<(A, B)>()?;
        let failed: Option<Failed<_>> = b.take(a.zeroed::<f32>(8)?).err();
        Ok(failed)
    })?;
    Ok(failed.is_some())
}

fn main() {}
