// guarantee: another program that speaks the protocol promises what the types prove here
// message: is unsafe and requires unsafe block
use antecede_ipc::{Exporter, ImporterId, Result};

fn program(exporter: &mut Exporter) -> Result<ImporterId> {
    exporter.accept_foreign()
}

fn main() {}
