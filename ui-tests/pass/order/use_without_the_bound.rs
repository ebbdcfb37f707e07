// guarantee: generic code says on which stream it needs its buffers
use antecede::{Primary, ReadyOn, Result, Stream, View, streams};

streams! { Compute }

fn halve<St: ReadyOn<Compute, Primary>>(compute: Stream<Compute>, x: &mut View<f32, St>) -> Result<()> {
    compute.fill(x, 0.5)
}

fn main() {}
