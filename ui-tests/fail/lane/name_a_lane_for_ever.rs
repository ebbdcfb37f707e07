// guarantee: a brand of `lane!` ends with its block
// message: temporary value dropped while borrowed
use antecede::{AnyStream, Lane, Stream, lane};

fn keep(_: Stream<Lane<'static>>) {}

fn program(stream: AnyStream) {
    lane!(lane = stream);
    keep(lane);
}

fn main() {}
