// guarantee: a brand is made by `lane!` and `with` alone
// message: requires unsafe block
use antecede::AnyStream;

fn program(stream: AnyStream) {
    let tag = antecede::__private::LaneTag::new();
    let (lane, _guard) = antecede::__private::LaneGuard::brand(stream, &tag);
    let _ = lane;
}

fn main() {}
