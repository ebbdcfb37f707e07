// guarantee: an importer is known by its own exporter
use antecede_ipc::{Exporter, ImporterId, Result};

fn program(exporter: &mut Exporter) -> Result<ImporterId> {
    exporter.accept()
}

fn main() {}
