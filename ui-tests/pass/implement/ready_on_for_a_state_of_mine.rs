// guarantee: a state of ours is a state of the library's
use antecede::{On, Result, Stream, View, streams};

streams! { Compute }

type Always = On<Compute>;

fn program(compute: Stream<Compute>, x: &mut View<f32, Always>) -> Result<()> {
    compute.fill(x, 1.0)
}

fn main() {}
