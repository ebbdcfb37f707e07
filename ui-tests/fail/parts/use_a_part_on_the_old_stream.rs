// guarantee: a part that was handed over has left the stream of the whole
// message: this buffer is not ready on stream `A`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { A, B }

fn program(a: Stream<A>, b: Stream<B>, x: Buffer<f32, On<A>>) -> Result<()> {
    let (mut left, right) = x.into_parts_at(4);
    let mut right = b.take(right)?;
    a.clear(&mut right)?;
    a.clear(&mut left)
}

fn main() {}
