// guarantee: a view is in place: two views do not exchange what two owners own
// message: the size for values of type `[()]` cannot be known
use antecede::{On, View, streams};

streams! { Compute }

/// `std::mem::swap`, with a span of our own.
fn swap<T>(_: &mut T, _: &mut T) {}

fn program(x: &mut View<f32, On<Compute>>, y: &mut View<f32, On<Compute>>) {
    swap(x, y);
}

fn main() {}
