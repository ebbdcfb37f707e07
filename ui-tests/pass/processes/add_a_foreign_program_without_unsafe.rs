// guarantee: another program that speaks the protocol promises what the types prove here: a child
use antecede_ipc::{Exporter, ImporterId, Result};
use std::os::fd::OwnedFd;

fn program(exporter: &mut Exporter, socket: OwnedFd) -> Result<ImporterId> {
    // SAFETY: whoever runs this keeps the promises.
    unsafe { exporter.add_foreign(socket) }
}

fn main() {}
