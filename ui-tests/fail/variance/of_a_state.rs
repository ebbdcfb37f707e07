// guarantee: no subtyping turns one brand into another: where the state stands alone
// message: mismatched types
use antecede::{Batch, Buffer, On, Recorded};

type Any = for<'a> fn(&'a ());
type Static = fn(&'static ());
type Kept<S> = Recorded<<Buffer<f32> as Batch>::With<On<S>>>;

fn program(x: Kept<Any>) -> Kept<Static> {
    x
}

fn main() {
    let _: Option<Static> = None;
}
