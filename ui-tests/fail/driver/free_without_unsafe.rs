// guarantee: an object that safe code can hold is no way to memory
// message: call to unsafe function `free_async` is unsafe and requires unsafe block
use antecede::driver::{DevicePtr, Driver, DriverError, StreamRef};

fn program(driver: &dyn Driver, stream: &StreamRef) -> Result<(), DriverError> {
    driver.free_async(stream, DevicePtr(0x7f00_0000_0000))
}

fn main() {}
