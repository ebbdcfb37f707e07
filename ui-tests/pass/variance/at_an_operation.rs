// guarantee: two types that are subtypes of each other are two brands, at an operation as well
use antecede::{Buffer, On, Result, Stream};

type One = for<'a> fn(&'a (), &'a ());
type Two = for<'a, 'b> fn(&'a (), &'b ());

fn program(one: Stream<One>, two: Stream<Two>, x: &mut Buffer<f32, On<Two>>) -> Result<()> {
    let _ = one;
    two.fill(x, 1.0)
}

fn main() {}
