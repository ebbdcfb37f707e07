// guarantee: a view is in place: it cannot be taken out
use antecede::{On, View, streams};

streams! { Compute }

fn program<'a>(x: &mut &'a View<f32, On<Compute>>, y: &'a View<f32, On<Compute>>) {
    *x = y;
}

fn main() {}
