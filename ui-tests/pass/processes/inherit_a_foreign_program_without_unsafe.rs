// guarantee: another program that offers memory promises what the types prove here: a parent
use antecede::Device;
use antecede_ipc::{Importer, Result};
use std::os::fd::OwnedFd;

fn program(device: Device, socket: OwnedFd) -> Result<Importer> {
    // SAFETY: whoever runs this keeps the promises.
    unsafe { Importer::over_foreign(device, socket) }
}

fn main() {}
