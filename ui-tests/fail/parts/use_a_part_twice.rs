// guarantee: parts do not overlap
// message: use of moved value: `x`
use antecede::{Buffer, On, streams};

streams! { A }

fn program(x: Buffer<f32, On<A>>) -> [Buffer<f32, On<A>>; 3] {
    let (left, right) = x.into_parts_at(4);
    let (middle, _) = x.into_parts_at(2);
    [left, middle, right]
}

fn main() {}
