// guarantee: what belongs to an adopted stream ends with its adoption: what is ready on it leaves as `Loose`
use antecede::{Device, Result};

/// # Safety
/// `handle` is a live stream.
unsafe fn program(device: Device, handle: u64) -> Result<usize> {
    let x = unsafe { device.adopt(handle, |foreign| foreign.zeroed::<f32>(8).map(|x| x.loose())) }?;
    Ok(size_of_val(&x))
}

fn main() {}
