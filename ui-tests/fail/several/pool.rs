// guarantee: a pool is of one device
// message: is not the brand of one device
use antecede::{Device, Result, Several, Vram};

fn program(devices: Vec<Device<Several<'_>>>) -> Result<()> {
    devices[0].pool::<Vram>().map(drop)
}

fn main() {}
