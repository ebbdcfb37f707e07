// guarantee: a view is in place: it cannot be taken out
// message: the size for values of type `[()]` cannot be known
use antecede::{On, View, streams};

streams! { Compute }

fn program(x: &mut View<f32, On<Compute>>, y: &View<f32, On<Compute>>) {
    *x = *y;
}

fn main() {}
