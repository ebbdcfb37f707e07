// guarantee: no subtyping turns one device into another: exporters
// message: lifetime may not live long enough
use antecede::Scoped;
use antecede_ipc::Exporter;

fn program<'long: 'short, 'short>(exporter: Exporter<Scoped<'long>>) -> Exporter<Scoped<'short>> {
    exporter
}

fn main() {}
