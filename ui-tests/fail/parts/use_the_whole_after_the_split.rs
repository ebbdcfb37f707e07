// guarantee: the whole is gone once it is in parts
// message: borrow of moved value: `x`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { A, B }

fn program(a: Stream<A>, b: Stream<B>, mut x: Buffer<f32, On<A>>) -> Result<()> {
    let (_left, right) = x.into_parts_at(4);
    let mut right = b.take(right)?;
    b.clear(&mut right)?;
    a.clear(&mut x)?;
    Ok(())
}

fn main() {}
