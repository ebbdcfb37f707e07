// guarantee: a brand of `lane!` ends with its block
use antecede::{AnyStream, Lane, Stream, lane};

fn keep(_: Stream<Lane<'_>>) {}

fn program(stream: AnyStream) {
    lane!(lane = stream);
    keep(lane);
}

fn main() {}
