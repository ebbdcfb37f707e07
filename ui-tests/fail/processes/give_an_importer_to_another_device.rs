// guarantee: no subtyping turns one device into another: importers
// message: lifetime may not live long enough
use antecede::Scoped;
use antecede_ipc::Importer;

fn program<'long: 'short, 'short>(importer: Importer<Scoped<'long>>) -> Importer<Scoped<'short>> {
    importer
}

fn main() {}
