// guarantee: no subtyping turns one brand into another: views
// message: mismatched types
use antecede::{On, View};

type Any = for<'a> fn(&'a ());
type Static = fn(&'static ());

fn program(x: &View<f32, On<Any>>) -> &View<f32, On<Static>> {
    x
}

fn main() {
    let _: Option<Static> = None;
}
