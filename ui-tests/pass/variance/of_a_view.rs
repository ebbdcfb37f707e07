// guarantee: no subtyping turns one brand into another: views
use antecede::{On, View};

type Any = for<'a> fn(&'a ());
type Static = fn(&'static ());

fn program(x: &View<f32, On<Any>>) -> &View<f32, On<Any>> {
    x
}

fn main() {
    let _: Option<Static> = None;
}
