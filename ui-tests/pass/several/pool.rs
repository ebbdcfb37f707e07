// guarantee: a pool is of one device
use antecede::{Device, Result, Vram};

fn program(devices: Vec<Device>) -> Result<()> {
    devices[0].pool::<Vram>().map(drop)
}

fn main() {}
