// guarantee: the target of a copy between devices is ready on the stream that is named for it
use antecede::{Buffer, On, Result, Stream, devices, streams};

streams! { Upload, Compute }
devices! { Left, Right }

type X = Buffer<f32, On<Compute, Left>>;
type Y = Buffer<f32, On<Compute, Right>>;

fn program(here: Stream<Compute, Right>, there: Stream<Compute, Left>, x: X, mut y: Y) -> Result<()> {
    here.copy_across(there, &x, &mut y)
}

fn main() {
    let _: Option<Upload> = None;
}
