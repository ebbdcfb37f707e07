// guarantee: no subtyping turns one device into another: exporters
use antecede::Scoped;
use antecede_ipc::Exporter;

fn program<'long: 'short, 'short>(exporter: Exporter<Scoped<'long>>) -> Exporter<Scoped<'long>> {
    exporter
}

fn main() {}
