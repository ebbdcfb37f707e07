// guarantee: another program that speaks the protocol promises what the types prove here
use antecede_ipc::{Exporter, ImporterId, Result};

fn program(exporter: &mut Exporter) -> Result<ImporterId> {
    // SAFETY: whoever runs this keeps the promises.
    unsafe { exporter.accept_foreign() }
}

fn main() {}
