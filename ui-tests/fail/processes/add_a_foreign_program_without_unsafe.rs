// guarantee: another program that speaks the protocol promises what the types prove here: a child
// message: is unsafe and requires unsafe block
use antecede_ipc::{Exporter, ImporterId, Result};
use std::os::fd::OwnedFd;

fn program(exporter: &mut Exporter, socket: OwnedFd) -> Result<ImporterId> {
    exporter.add_foreign(socket)
}

fn main() {}
