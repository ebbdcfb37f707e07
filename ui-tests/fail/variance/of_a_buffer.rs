// guarantee: no subtyping turns one brand into another: buffers
// message: mismatched types
use antecede::{Buffer, On};

type Any = for<'a> fn(&'a ());
type Static = fn(&'static ());

fn program(x: Buffer<f32, On<Any>>) -> Buffer<f32, On<Static>> {
    x
}

fn main() {
    let _: Option<Static> = None;
}
