// guarantee: another program that offers memory promises what the types prove here
use antecede::Device;
use antecede_ipc::{Importer, Result};

fn program(device: Device, path: &str) -> Result<Importer> {
    // SAFETY: whoever runs this keeps the promises.
    unsafe { Importer::connect_foreign(device, path) }
}

fn main() {}
