// guarantee: an object that safe code can hold is no way to memory
use antecede::driver::{DevicePtr, Driver, DriverError, StreamRef};

fn program(driver: &dyn Driver, stream: &StreamRef) -> Result<(), DriverError> {
    // SAFETY: an example of the syntax, never called.
    unsafe { driver.free_async(stream, DevicePtr(0x7f00_0000_0000)) }
}

fn main() {}
