// guarantee: a brand is made by `lane!` and `with` alone
use antecede::{AnyStream, lane};

fn program(stream: AnyStream) {
    lane!(lane = stream);
    let _ = lane;
}

fn main() {}
