// guarantee: another program that offers memory promises what the types prove here: a parent
// message: is unsafe and requires unsafe block
use antecede::Device;
use antecede_ipc::{Importer, Result};
use std::os::fd::OwnedFd;

fn program(device: Device, socket: OwnedFd) -> Result<Importer> {
    Importer::over_foreign(device, socket)
}

fn main() {}
