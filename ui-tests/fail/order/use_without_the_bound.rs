// guarantee: generic code says on which stream it needs its buffers
// message: this buffer is not ready on stream `Compute`
use antecede::{Result, Stream, View, streams};

streams! { Compute }

fn halve<St>(compute: Stream<Compute>, x: &mut View<f32, St>) -> Result<()> {
    compute.fill(x, 0.5)
}

fn main() {}
