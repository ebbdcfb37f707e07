// guarantee: a view is in place: two views do not exchange what two owners own
use antecede::{On, View, streams};

streams! { Compute }

/// `std::mem::swap`, with a span of our own.
fn swap<T>(_: &mut T, _: &mut T) {}

fn program<'a>(mut x: &'a mut View<f32, On<Compute>>, mut y: &'a mut View<f32, On<Compute>>) {
    swap(&mut x, &mut y);
}

fn main() {}
