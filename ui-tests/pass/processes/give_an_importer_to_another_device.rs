// guarantee: no subtyping turns one device into another: importers
use antecede::Scoped;
use antecede_ipc::Importer;

fn program<'long: 'short, 'short>(importer: Importer<Scoped<'long>>) -> Importer<Scoped<'long>> {
    importer
}

fn main() {}
