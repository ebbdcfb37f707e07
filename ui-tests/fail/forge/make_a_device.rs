// guarantee: only a driver makes a device
// message: cannot construct `Device<_>` with struct literal syntax due to private fields
use antecede::driver::Driver;
use antecede::{Device, Result};
use std::sync::Arc;

fn device(driver: Arc<dyn Driver>) -> Result<Device> {
    Ok(Device { core: driver })
}

fn main() {}
