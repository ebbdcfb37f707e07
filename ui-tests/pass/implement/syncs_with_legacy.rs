// guarantee: which kinds of streams the driver orders with legacy is not for a program to say
use antecede::{Blocking, SyncsWithLegacy, streams};

streams! { Upload }

fn order<K: SyncsWithLegacy<Upload>>() {}

fn program() {
    order::<Blocking>();
}

fn main() {}
