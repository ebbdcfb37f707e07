// guarantee: which kinds of streams the driver orders with legacy is not for a program to say
// message: sealed
use antecede::{NonBlocking, SyncsWithLegacy, streams};

streams! { Upload }

fn order<K: SyncsWithLegacy<Upload>>() {}

fn program() {
    order::<NonBlocking>();
}

impl SyncsWithLegacy<Upload> for NonBlocking {}

fn main() {}
