// guarantee: another program that offers memory promises what the types prove here
// message: is unsafe and requires unsafe block
use antecede::Device;
use antecede_ipc::{Importer, Result};

fn program(device: Device, path: &str) -> Result<Importer> {
    Importer::connect_foreign(device, path)
}

fn main() {}
