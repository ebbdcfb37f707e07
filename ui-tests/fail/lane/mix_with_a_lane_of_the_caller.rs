// guarantee: a brand of `lane!` is that of one stream
// message: temporary value dropped while borrowed
use antecede::{AnyStream, Buffer, Lane, On, Result, Stream, lane};

fn program<'id>(a: Stream<Lane<'id>>, mut x: Buffer<f32, On<Lane<'id>>>, other: AnyStream) -> Result<()> {
    lane!(b = other);
    let _ = (a, b);
    b.fill(&mut x, 1.0)
}

fn main() {}
