// guarantee: parts do not overlap
use antecede::{Buffer, On, streams};

streams! { A }

fn program(x: Buffer<f32, On<A>>) -> [Buffer<f32, On<A>>; 3] {
    let (left, right) = x.into_parts_at(4);
    let (middle, right) = right.into_parts_at(2);
    [left, middle, right]
}

fn main() {}
