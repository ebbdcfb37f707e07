// guarantee: an importer is known by its own exporter
// message: fields `exporter` and `number` of struct `ImporterId` are private
use antecede_ipc::{Exporter, ImporterId, Result};

fn program(exporter: &mut Exporter) -> Result<ImporterId> {
    let _ = exporter;
    Ok(ImporterId { exporter: 1, number: 0 })
}

fn main() {}
